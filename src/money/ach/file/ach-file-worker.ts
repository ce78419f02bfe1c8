import { listInbound } from '../../../connections/exchange/exchange-folder-actions.ts'
import { openExchange } from '../../../connections/exchange/exchange-guard-actions.ts'
import type { BackgroundStep } from '../../../foundation/db/background/background-step.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import { type AchHooks, makeAchFile } from './ach-file-actions.ts'
import { isWindowOpen } from './ach-file-rules.ts'
import { processAchInboundFile } from './ach-inbound-actions.ts'
import { applyReturnsAfterRestore } from './ach-joined-actions.ts'

const FILES_READ_PER_PASS = 20

type Tools = { achHooks: AchHooks }

export const writeAchStep: BackgroundStep<Tools> = {
  name: 'write ACH files',
  run: (deps, { achHooks }) => writeAchFiles(deps, achHooks),
  isWoken: false,
}

export const readAchStep: BackgroundStep<Tools> = {
  name: 'read ACH files',
  run: (deps, { achHooks }) => readAchFiles(deps, achHooks),
  isWoken: false,
}

/** One pass: after a cut-off, makes a file of the waiting legs. @returns the number of entries */
export async function writeAchFiles(deps: Deps, hooks: AchHooks): Promise<number> {
  const { achFiles } = deps.settings
  if (!achFiles || !(await openExchange(deps))) return 0
  return isWindowOpen(deps.clock.now()) ? makeAchFile(deps, hooks, achFiles) : 0
}

/**
 * Runs one pass: reads files from the bank, and applies returns of entries that have joined their payment since.
 *
 * @returns the number of files and of such returns
 */
export async function readAchFiles(deps: Deps, hooks: AchHooks): Promise<number> {
  const { achFiles } = deps.settings
  const folder = await openExchange(deps)
  if (!achFiles || !folder) return 0
  const isolation = isolate(deps, readAchStep.name)
  const except = isolation.skipped().ids
  const given = { kind: 'ach', realNow: deps.realClock.now(), limit: FILES_READ_PER_PASS, except } as const
  let count = await applyReturnsAfterRestore(deps, hooks)
  for (const file of await listInbound(folder, given)) {
    const unit = { platformId: null, kind: 'inbound file', id: file.name }
    if (await isolation.run(unit, () => processAchInboundFile(deps, hooks, achFiles, file))) count++
  }
  return count
}
