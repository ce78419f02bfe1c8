import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../src/foundation/db/deps.ts'
import type { getBankCases } from '../../src/foundation/exception/bank-case-actions.ts'
import { putInbound } from './ach.ts'
import type { FileService } from './file-service.ts'
import type { Dice } from './quarter-people.ts'

export type BankCase = Awaited<ReturnType<typeof getBankCases>>[number]

/** How the files of a quarter travel between Remit and its banks. */
export type QuarterTransport = {
  /** Names of whole files that left Remit and that the bank has not taken, sorted. */
  waiting(): Promise<string[]>
  read(name: string): Promise<Buffer>
  /** The bank takes a file. */
  take(name: string): Promise<Buffer>
  /** The bank has a file for Remit. */
  put(name: string, content: string | Buffer): Promise<void>
  /** Names of files that the operator may want to cancel. */
  cancelable(deps: Deps): Promise<string[]>
  /** Whether Remit sees files of the bank only when a pass lists them. Otherwise it sees them at once. */
  isListed: boolean
  /** The dependencies of the next pass, some time later. */
  later(deps: Deps): Deps
  /** What can go wrong, with weights. */
  happenings: Record<string, [weight: number, run: () => Promise<unknown>]>
  /** The operator decides a case of the transfer. @returns whether it is one */
  decide(one: BankCase, deps: Deps): Promise<boolean>
  /** Something does not work. */
  disturb(): Promise<void>
  /** For how many rounds something does not work while work comes to its end. */
  disturbedRounds: number
  /** Everything works again. */
  repair(): Promise<void>
  /** Invariants after every step. */
  assertSafe(deps: Deps): Promise<void>
  /** When nothing is on its way. @param given.resent how often the operator had a file sent again, by its name */
  assertEnded(deps: Deps, given: { transmissions: number; resent: ReadonlyMap<string, number> }): Promise<void>
  /** What happened, for the report. */
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
