import { listInbound } from '../../../connections/exchange/exchange-folder-actions.ts'
import { openExchange } from '../../../connections/exchange/exchange-guard-actions.ts'
import type { BackgroundStep } from '../../../foundation/db/background/background-step.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import type { LegHandlers } from '../../../money/rail/leg-actions.ts'
import { processPaidFile } from '../paid/paid-check-actions.ts'
import { issueChecks, printChecks, stopChecks } from './print-file-actions.ts'

const FILES_READ_PER_PASS = 20

export const readPaidChecksStep: BackgroundStep<{ legHandlers: LegHandlers }> = {
  name: 'read paid checks',
  run: (deps, { legHandlers }) => readPaidChecks(deps, legHandlers),
  isWoken: false,
}

/**
 * One pass: writes a print file, and lists of issued and stopped checks for the bank. A failure of one does not stop
 * the others.
 *
 * @returns the number of checks handled
 */
export async function writeCheckFiles(deps: Deps, handlers: LegHandlers): Promise<number> {
  if (!(await openExchange(deps))) return 0
  const isolation = isolate(deps, 'write check files')
  const { ids } = isolation.skipped()
  const files: Record<string, () => Promise<number>> = {
    print: () => printChecks(deps, handlers),
    issue: () => issueChecks(deps),
    stop: () => stopChecks(deps),
  }
  let count = 0
  for (const [id, write] of Object.entries(files)) {
    if (!ids.includes(id)) count += (await isolation.run({ platformId: null, kind: 'file', id }, write)) ?? 0
  }
  return count
}

/** One pass: reads files of paid checks. @returns the number of files read */
export async function readPaidChecks(deps: Deps, handlers: LegHandlers): Promise<number> {
  const folder = await openExchange(deps)
  if (!folder) return 0
  const isolation = isolate(deps, readPaidChecksStep.name)
  const except = isolation.skipped().ids
  const given = { kind: 'paid checks', realNow: deps.realClock.now(), limit: FILES_READ_PER_PASS, except } as const
  let count = 0
  for (const file of await listInbound(folder, given)) {
    const unit = { platformId: null, kind: 'inbound file', id: file.name }
    if (await isolation.run(unit, () => processPaidFile(deps, handlers, { folder, file }))) count++
  }
  return count
}
