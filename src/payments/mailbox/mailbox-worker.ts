import { reportOnFile } from '../../connections/exchange/bank-file-rules.ts'
import { eachConnection, type OpenConnection } from '../../connections/exchange/connection-pass-actions.ts'
import type { Inbound } from '../../connections/exchange/exchange-folder-actions.ts'
import { type Inbox, openInbox, processInboundFile } from '../../connections/exchange/inbox-actions.ts'
import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { processLetterFile, recordUnreadMail, scanFileName } from './letter-file-actions.ts'
import { insertMailboxFile } from './mailbox-store.ts'

const FILES_READ_PER_PASS = 20
/** The time that a scan and its description wait for each other, in milliseconds. */
const MISSING_PART_MS = 60 * 60 * 1000

export const readMailStep: BackgroundStep = { name: 'read mail', run: readMail, isWoken: false }

/** One pass: reads mail of the provider, and sets aside scans without a description. @returns the number of files read */
export async function readMail(deps: Deps): Promise<number> {
  return eachConnection(deps, { step: readMailStep.name, work: readMailOf })
}

async function readMailOf(open: OpenConnection): Promise<number> {
  const { deps, connection } = open
  const isolation = isolate(deps, readMailStep.name)
  const inbox = openInbox(open)
  const completeUntil = await inbox.completeUntil()
  const aloneBefore = completeUntil && new Date(completeUntil.getTime() - MISSING_PART_MS)
  const from = { connectionId: connection.id, inbox, aloneBefore }
  const given = { limit: FILES_READ_PER_PASS, except: isolation.skipped().ids }
  let count = 0
  for (const file of await inbox.list('mail', given)) {
    const unit = { platformId: null, kind: 'inbound file', id: inbox.unitOf(file) }
    if (await isolation.run(unit, () => processLetterFile(deps, { ...from, file }))) count++
  }
  if (aloneBefore === null) return count
  // This also counts files that wait for another pass.
  const names = (await inbox.names()).map((name) => name.toLowerCase())
  const described = new Set(names.filter((name) => name.endsWith('.json')).map(scanFileName))
  for (const file of await inbox.list('mail scan', { ...given, before: aloneBefore })) {
    if (described.has(file.name.toLowerCase())) continue
    const unit = { platformId: null, kind: 'inbound file', id: inbox.unitOf(file) }
    if (await isolation.run(unit, () => setAsideScan(deps, { ...from, file }))) count++
  }
  return count
}

/** Opens a case for a scan without a description, because its user cannot be notified. */
const setAsideScan = (
  deps: Deps,
  { connectionId, ...given }: { connectionId: string; inbox: Inbox; file: Inbound },
): Promise<boolean> =>
  processInboundFile<null>(deps, given, {
    read: () => null,
    refuse: () => null,
    remarksOf: () => [],
    record: ({ name, contentHash }) =>
      inTransaction(deps, async (tx) => {
        const problems = ['the JSON file of the same name is missing']
        const report = reportOnFile(name, problems)
        const isNew = await insertMailboxFile(tx.sql, { name, contentHash, report, readAt: tx.clock.now() })
        if (isNew) await recordUnreadMail(tx, { id: newId(tx), name, connectionId }, { problems, text: '' })
        return { isUsed: false, report }
      }),
  })
