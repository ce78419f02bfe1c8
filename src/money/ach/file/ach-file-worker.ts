import { calendarOf } from '../../../connections/exchange/bank-calendar-rules.ts'
import { eachConnection, type OpenConnection } from '../../../connections/exchange/connection-pass-actions.ts'
import { openInbox } from '../../../connections/exchange/inbox-actions.ts'
import type { BackgroundStep } from '../../../foundation/db/background/background-step.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import { type AchHooks, makeAchFile } from './ach-file-actions.ts'
import { isWindowOpen } from './ach-file-rules.ts'
import { processAchInboundFile } from './ach-inbound-actions.ts'
import { applyEntriesOfRestore, reportMissingEntries } from './ach-joined-actions.ts'
import { hasEntriesOfRestore } from './ach-restore-store.ts'

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

/** One pass: after a cut-off of the bank that carries ACH, makes a file of the waiting legs. @returns the number of entries */
export function writeAchFiles(deps: Deps, hooks: AchHooks): Promise<number> {
  const { rails } = deps.connections.current()
  return eachConnection(deps, {
    step: writeAchStep.name,
    isFor: ({ id }) => id === rails.ACH,
    work: async (open) => {
      if (!isWindowOpen(open.deps.clock.now(), calendarOf(open.connection))) return 0
      if (await hasEntriesOfRestore(deps.sql)) await readFilesFirst(open, hooks)
      return makeAchFile(open.deps, hooks, open.connection)
    },
  })
}

/** Reads files of the bank before one is made: they may correct the accounts by which payments are compared with the bank's entries. */
async function readFilesFirst(open: OpenConnection, hooks: AchHooks): Promise<void> {
  while ((await readAchFilesOf(open, hooks)) === FILES_READ_PER_PASS);
  await applyEntriesOfRestore(open.deps, hooks)
}

/**
 * Runs one pass: reads files from the bank, applies returns and notifications of change that arrived after a restore, before their entry was
 * matched to a payment, and reports entries whose payment is missing.
 *
 * @returns the number of files and of such entries
 */
export async function readAchFiles(deps: Deps, hooks: AchHooks): Promise<number> {
  if (deps.settings.railNetwork === 'simulated') return 0
  const count = (await applyEntriesOfRestore(deps, hooks)) + (await reportMissingEntries(deps))
  return count + (await eachConnection(deps, { step: readAchStep.name, work: (open) => readAchFilesOf(open, hooks) }))
}

async function readAchFilesOf(open: OpenConnection, hooks: AchHooks): Promise<number> {
  const { deps, connection } = open
  const isolation = isolate(deps, readAchStep.name)
  const inbox = openInbox(open)
  const except = isolation.skipped().ids
  let count = 0
  for (const file of await inbox.list('ach', { limit: FILES_READ_PER_PASS, except })) {
    const unit = { platformId: null, kind: 'inbound file', id: inbox.unitOf(file) }
    if (await isolation.run(unit, () => processAchInboundFile(deps, hooks, { connection, inbox, file }))) count++
  }
  return count
}
