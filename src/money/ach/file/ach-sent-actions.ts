import { contentOf, lockFileById } from '../../../connections/exchange/outgoing-file-actions.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { receiverInFile, type SentReceiver } from '../format/nacha-sent-rules.ts'
import { type LegEntry, listEntriesOfLegs } from './ach-file-store.ts'

/** Returns the receiver of an entry, as it was sent. Returns null if a restore of the database lost the content of its file. */
export async function findSentReceiver(
  tx: TxDeps,
  { fileId, traceNumber }: { fileId: string; traceNumber: string },
): Promise<SentReceiver | null> {
  const file = await lockFileById(tx, fileId)
  const content = file && (await contentOf(tx, file))
  return content ? receiverInFile(content.toString('latin1'), traceNumber) : null
}

/** Lists the entries of legs with their trace numbers, by which banks find entries. Returns an empty list on simulated rails. */
export const getEntriesOfLegs = (
  deps: Pick<TxDeps, 'sql'>,
  legs: { platformId: string; legIds: readonly string[] },
): Promise<LegEntry[]> => listEntriesOfLegs(deps.sql, legs)
