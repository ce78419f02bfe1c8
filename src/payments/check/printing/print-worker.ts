import { eachConnection, type OpenConnection } from '../../../connections/exchange/connection-pass-actions.ts'
import { openInbox } from '../../../connections/exchange/inbox-actions.ts'
import type { BackgroundStep } from '../../../foundation/db/background/background-step.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import type { LegHandlers } from '../../../money/rail/leg-actions.ts'
import { processPaidFile } from '../paid/paid-check-actions.ts'
import { issueChecks, printChecks, stopChecks } from './print-file-actions.ts'
import { reportMissingChecks } from './print-restore-actions.ts'

const FILES_READ_PER_PASS = 20

export const readPaidChecksStep: BackgroundStep<{ legHandlers: LegHandlers }> = {
  name: 'read paid checks',
  run: (deps, { legHandlers }) => readPaidChecks(deps, legHandlers),
  isWoken: false,
}

/**
 * One pass over all connections: writes print files of mailed checks, and lists of issued and stopped checks for the banks. A failure of
 * one connection does not stop the others.
 *
 * @returns the number of checks handled
 */
export const writeCheckFiles = (deps: Deps, handlers: LegHandlers): Promise<number> =>
  eachConnection(deps, { step: 'write check files', work: (open) => writeFilesOf(open, handlers) })

async function writeFilesOf({ deps, connection: { id } }: OpenConnection, handlers: LegHandlers): Promise<number> {
  const isolation = isolate(deps, 'write check files')
  const { ids } = isolation.skipped()
  const carriesMail = deps.connections.current().rails.MAIL === id
  const files: Record<string, () => Promise<number>> = {
    ...(carriesMail && {
      print: () => printChecks(deps, handlers, id),
      'missing checks': () => reportMissingChecks(deps),
    }),
    [`issue ${id}`]: () => issueChecks(deps, id),
    [`stop ${id}`]: () => stopChecks(deps, id),
  }
  let count = 0
  for (const [name, write] of Object.entries(files)) {
    if (!ids.includes(name)) count += (await isolation.run({ platformId: null, kind: 'file', id: name }, write)) ?? 0
  }
  return count
}

/** One pass: reads files of paid checks. @returns the number of files read */
export const readPaidChecks = (deps: Deps, handlers: LegHandlers): Promise<number> =>
  eachConnection(deps, { step: readPaidChecksStep.name, work: (open) => readPaidChecksOf(open, handlers) })

async function readPaidChecksOf(open: OpenConnection, handlers: LegHandlers): Promise<number> {
  const { deps, connection } = open
  const isolation = isolate(deps, readPaidChecksStep.name)
  const inbox = openInbox(open)
  const except = isolation.skipped().ids
  let count = 0
  for (const file of await inbox.list('paid checks', { limit: FILES_READ_PER_PASS, except })) {
    const unit = { platformId: null, kind: 'inbound file', id: inbox.unitOf(file) }
    if (await isolation.run(unit, () => processPaidFile(deps, handlers, { connection, inbox, file }))) count++
  }
  return count
}
