import { listInbound, makeExchangeFolders } from '../bank-file/exchange-folder-actions.ts'
import type { Deps } from '../db/deps.ts'
import type { LegHandlers } from '../rail/leg-actions.ts'
import { issueChecks, printChecks, stopChecks } from './print-file-actions.ts'
import { takePaidFile } from './print-paid-actions.ts'

const FILES_READ_PER_PASS = 20

/** One pass: a file of checks for the printer, and lists for the bank of those that are out and those that are stopped. @returns how much it did */
export async function writeCheckFiles(deps: Deps, handlers: LegHandlers): Promise<number> {
  const { achFiles } = deps.settings
  if (!achFiles) return 0
  await makeExchangeFolders(achFiles.folder)
  return (await printChecks(deps, handlers)) + (await issueChecks(deps)) + (await stopChecks(deps))
}

/** One pass: reads which checks the bank paid. @returns how many files it read */
export async function readPaidChecks(deps: Deps, handlers: LegHandlers): Promise<number> {
  const { achFiles } = deps.settings
  if (!achFiles) return 0
  const { folder } = achFiles
  await makeExchangeFolders(folder)
  let count = 0
  const given = { kind: 'paid checks', realNow: deps.realClock.now(), limit: FILES_READ_PER_PASS } as const
  for (const file of await listInbound(folder, given)) {
    try {
      if (await takePaidFile(deps, handlers, { folder, file })) count++
    } catch (error) {
      deps.log.error({ err: error, file: file.name }, 'file of paid checks not read') // the next one may be
    }
  }
  return count
}
