import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../src/foundation/db/deps.ts'
import type { getBankCases } from '../../src/foundation/exception/bank-case-actions.ts'
import { putInbound } from './ach.ts'
import type { FileService } from './file-service.ts'
import type { Dice } from './quarter-people.ts'

export type BankCase = Awaited<ReturnType<typeof getBankCases>>[number]

/** The transport of a quarter's files between Remit and its banks. */
export type QuarterTransport = {
  /** Names of complete files that Remit has sent and the bank has not taken, sorted. */
  waiting(): Promise<string[]>
  read(name: string): Promise<Buffer>
  /** The bank takes a file. */
  take(name: string): Promise<Buffer>
  /** Writes a file from the bank for Remit. */
  put(name: string, content: string | Buffer): Promise<void>
  /** Names of files that the operator may want to cancel. */
  cancelable(deps: Deps): Promise<string[]>
  /** Whether Remit sees files of the bank only when a pass lists them. Otherwise it sees them at once. */
  isListed: boolean
  /** The dependencies of the next pass, some time later. */
  later(deps: Deps): Deps
  /** The possible faults, with weights. */
  happenings: Record<string, [weight: number, run: () => Promise<unknown>]>
  /** The operator decides a case of the transfer. @returns whether it is one */
  decide(one: BankCase, deps: Deps): Promise<boolean>
  /** Causes a fault. */
  disturb(): Promise<void>
  /** The number of rounds in which faults continue while the remaining work is done. */
  disturbedRounds: number
  /** Ends all faults. */
  repair(): Promise<void>
  /** Invariants after every step. */
  assertSafe(deps: Deps): Promise<void>
  /**
   * Checks when nothing is in transit.
   * @param given.resent the number of times that the operator sent a file again, by its name
   */
  assertEnded(deps: Deps, given: { transmissions: number; resent: ReadonlyMap<string, number> }): Promise<void>
  /** The events, for the report. */
  counts: Readonly<Record<string, number>>
}

export type OpenTransport = (given: { service: FileService; dice: Dice & { random(): number } }) => QuarterTransport

/** A transfer job of the operator serves the exchange folder. */
export const folderTransport: OpenTransport = ({ service: { folder } }) => {
  const waiting = async () =>
    (await readdir(join(folder, 'outbound'))).filter((name) => /^[^.].*\.(ach|csv|pdf|xml)$/.test(name)).sort()
  const read = (name: string) => readFile(join(folder, 'outbound', name))
  return {
    waiting,
    read,
    take: async (name) => {
      const content = await read(name)
      await rename(join(folder, 'outbound', name), join(folder, 'outbound/sent', name))
      return content
    },
    put: (name, content) => putInbound(folder, name, content),
    cancelable: waiting,
    isListed: false,
    later: (deps) => deps,
    happenings: {},
    decide: async () => false,
    disturb: async () => {},
    disturbedRounds: 0,
    repair: async () => {},
    assertSafe: async () => {},
    assertEnded: async () => {},
    counts: {},
  }
}
