import {
  acceptOutgoingFile,
  contentOf,
  flagOutgoingFile,
  followAgain,
  lockFileById,
  recordFileAudit,
  rejectOutgoingFile,
} from '../../../connections/exchange/outgoing-file-actions.ts'
import type { OutgoingFileRow } from '../../../connections/exchange/outgoing-file-store.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { recordBankCase } from '../../../foundation/exception/bank-case-actions.ts'
import { isCalendarDate } from '../../../foundation/lib/clock.ts'
import { endMissingPayments, FILE_REJECTED } from '../../rail/restore-hold-actions.ts'
import type { NachaAcknowledgement } from '../format/nacha-acknowledgement-rules.ts'
import { differingTotals, readControlTotals, tracesOf } from '../format/nacha-sent-rules.ts'
import {
  findAchFileId,
  findLineOfEntries,
  findWaitingLine,
  hasRejectedEntry,
  markEntriesRejected,
} from './ach-file-store.ts'
import { insertAcknowledgement, wasAcceptedWhole } from './ach-inbound-store.ts'

type Place = {
  file: { id: string; name: string }
  position: number
  bank: { connectionId: string; immediateOrigin: string }
}

/**
 * Applies the bank's acknowledgment of one of our files. Accepts the file if its counts, totals and control data match. Otherwise rejects
 * entries, batches or the whole file.
 *
 * @returns null, or why the operator must review it
 */
export async function applyAcknowledgement(
  tx: TxDeps,
  { file: inbound, position, bank: { connectionId, immediateOrigin } }: Place,
  acknowledgement: NachaAcknowledgement,
): Promise<string | null> {
  const { file, outcome, errors } = acknowledgement
  const creationDate = file.creationDate.replace(/^(..)(..)(..)$/, '20$1-$2-$3')
  const what = `acknowledgment of a file ${file.fileIdModifier} of ${file.creationDate} that was not sent`
  if (file.immediateOrigin !== immediateOrigin) return `${what}, by ${file.immediateOrigin}`
  const key = { creationDate, modifier: file.fileIdModifier }
  const id = isCalendarDate(creationDate) ? await findAchFileId(tx.sql, key) : null
  const named = id && (await lockFileById(tx, id))
  // A bank can only accept or reject files that were sent to it.
  const sent = named && named.connectionId === connectionId ? named : null
  if (!sent) {
    // The acknowledgment may concern one of our files, with a damaged date or modifier. The bank may have rejected that file.
    const subject = {
      kind: 'entry_unread',
      connectionId,
      source: 'ach',
      file: inbound,
      line: position,
      isBankWide: true,
    } as const
    const content = { lines: [], problems: [what], data: { outcome, ...file } }
    await recordBankCase(tx, { ...subject, note: `${what}: ${outcome.replaceAll('_', ' ')}`, content })
    return what
  }
  await insertAcknowledgement(tx.sql, { inboundFileId: inbound.id, position, fileId: sent.id, outcome, errors })
  const problem = await consequences[outcome](tx, sent, acknowledgement)
  if (problem === null) return null
  await flagOutgoingFile(tx, sent, problem)
  return `${sent.name}: ${problem}`
}

type Consequence = (tx: TxDeps, file: OutgoingFileRow, acknowledgement: NachaAcknowledgement) => Promise<string | null>

const reasonsOf = ({ errors }: NachaAcknowledgement): string => errors.join('; ') || 'the bank gives no reason'

const consequences: Record<NachaAcknowledgement['outcome'], Consequence> = {
  accepted: accept,
  accepted_with_errors: acceptPartially,
  rejected: async (tx, file, acknowledgement) => {
    if (isSentTwice(file)) return ONE_COPY_REJECTED
    const problem = isOpen(file) ? await bookedProblem(tx, file) : null
    if (problem !== null) return `the bank rejects it, and ${problem}`
    if (!(await rejectOutgoingFile(tx, file))) return `the bank rejects a file that is ${file.status}`
    await endMissingPayments(tx, { fileId: file.id, resolution: FILE_REJECTED })
    await recordFileAudit(tx, file, {
      action: 'bank_file_rejected',
      actor: 'service',
      subject: reasonsOf(acknowledgement),
    })
    tx.log.error(
      { file: file.name, errors: acknowledgement.errors },
      'the bank rejected a file; its entries go into the next one',
    )
    return null
  },
  // The bank may have the first copy, so sending the entries again could pay twice.
  duplicate: async () =>
    'the bank calls it a duplicate. Find out whether it has processed the first copy, then accept or reject the file',
  pending: async (_tx, _file, acknowledgement) => `the bank holds it: ${reasonsOf(acknowledgement)}`,
}

/** Returns whether the bank got a file twice and may process either copy. Sending the entries again could then pay twice. */
const isSentTwice = (file: OutgoingFileRow): boolean => file.resentAt !== null && isOpen(file)

const isOpen = ({ status }: OutgoingFileRow): boolean => status === 'WRITTEN' || status === 'TRANSMITTED'

const ONE_COPY_REJECTED =
  'the bank rejects all or a part of one of the two copies that it was sent. Ask the bank whether it processed the other copy, then use "remit files accept" or "remit files reject"'

/**
 * Explains why entries of an ACH file must not go into another file: a line of a bank statement books some of them, or names the whole file
 * and has another amount. So the bank may have moved their money.
 *
 * @param traceNumbers the trace numbers of the entries, or null for all entries
 * @returns null if there is no such line
 */
export async function bookedProblem(
  tx: TxDeps,
  { id: fileId }: OutgoingFileRow,
  traceNumbers: readonly string[] | null = null,
): Promise<string | null> {
  const booked = await findLineOfEntries(tx.sql, { fileId, traceNumbers })
  const waiting = traceNumbers === null && !booked ? await findWaitingLine(tx.sql, fileId) : null
  const { lineId } = booked ?? waiting ?? {}
  if (lineId === undefined) return null
  const [what, command] = booked ? ['books some of these entries', 'undo'] : ['names this file and waits', 'ignore']
  return `the line ${lineId} of a bank statement ${what}. Ask the bank. If it has not moved their money, run "remit reconcile ${command} ${lineId}" first`
}

async function accept(tx: TxDeps, file: OutgoingFileRow, { totals }: NachaAcknowledgement): Promise<string | null> {
  if (file.status === 'ACCEPTED') return null
  const problem = await totalsProblem(tx, file, totals)
  if (problem !== null) return problem
  return (await acceptOutgoingFile(tx, file)) ? null : `the bank accepts a file that is ${file.status}`
}

async function totalsProblem(
  tx: TxDeps,
  file: OutgoingFileRow,
  totals: NachaAcknowledgement['totals'],
): Promise<string | null> {
  if (totals === null) return 'its acknowledgment names no counts and totals, so it is not accepted by it'
  const content = await contentOf(tx, file)
  if (content === null) return null // only the name of the file is known
  const differing = differingTotals(totals, readControlTotals(content.toString('latin1')))
  return differing.length > 0 ? `its acknowledgment differs: ${differing.join(', ')}` : null
}

/** Accepts a file in part. Accepts nothing if the rejected entries are unknown. */
async function acceptPartially(
  tx: TxDeps,
  file: OutgoingFileRow,
  acknowledgement: NachaAcknowledgement,
): Promise<string | null> {
  const { rejected, totals } = acknowledgement
  if (!rejected) {
    return `the bank accepted it in part (${reasonsOf(acknowledgement)}) and does not name the rejected entries. Ask the bank, then use "remit files reject"`
  }
  if (file.resentAt !== null) return ONE_COPY_REJECTED
  if (file.status === 'ACCEPTED' && (await wasAcceptedWhole(tx.sql, file.id))) {
    return 'the bank rejects a part of a file that it accepted without errors. Ask the bank, then use "remit files reject" with --trace or --batch'
  }
  const problem = await totalsProblem(tx, file, totals)
  return problem ?? rejectPart(tx, file, { ...rejected, actor: 'service' })
}

/**
 * Accepts a file without some of its batches or entries. Rejected entries that have not settled go into another file, and the others count
 * as returned. The file may already be ACCEPTED, because of a return or its settlement time.
 *
 * @returns null, or why this is impossible
 */
export async function rejectPart(
  tx: TxDeps,
  file: OutgoingFileRow,
  {
    batchNumbers,
    traceNumbers,
    actor,
    reason,
  }: {
    batchNumbers: readonly number[]
    traceNumbers: readonly string[]
    actor: 'service' | 'operator'
    reason?: string | undefined
  },
): Promise<string | null> {
  if (file.status === 'REJECTED' || file.status === 'CANCELED') return `the file is ${file.status}`
  const content = await contentOf(tx, file)
  if (content === null) return 'its content is unknown since the database was restored'
  const traces = tracesOf(content.toString('latin1'))
  const unknownBatches = batchNumbers.filter((batch) => !traces.some((entry) => entry.batchNumber === batch))
  if (unknownBatches.length > 0) return `it has no batch ${unknownBatches.join(', ')}`
  const unknownTraces = traceNumbers.filter((trace) => !traces.some((entry) => entry.traceNumber === trace))
  if (unknownTraces.length > 0) return `it has no entry with trace number ${unknownTraces.join(', ')}`
  const rejected = traces.filter(
    ({ batchNumber, traceNumber }) => batchNumbers.includes(batchNumber) || traceNumbers.includes(traceNumber),
  )
  const names = rejected.map(({ traceNumber }) => traceNumber)
  const problem = await bookedProblem(tx, file, names)
  if (problem !== null) return problem
  const isRepeated = (await markEntriesRejected(tx.sql, file.id, names)) === 0 && file.status === 'ACCEPTED'
  await endMissingPayments(tx, { fileId: file.id, events: names, resolution: 'The bank has rejected the entry.' })
  // Banks may send an acknowledgment twice, which is ignored. An operator who repeats the command answers an open question, has entries undone
  // that are not undone yet, or gets an error.
  if (isRepeated && actor === 'service') return null
  if (isRepeated && file.attention === null && !(await hasRejectedEntry(tx.sql, file.id, names)))
    return 'these entries were rejected before'
  if (file.status === 'ACCEPTED') await followAgain(tx, file)
  else await acceptOutgoingFile(tx, file)
  const entries = `${rejected.length} of ${traces.length} entries`
  const subject = reason ? `${entries}: ${reason}` : entries
  await recordFileAudit(tx, file, { action: 'bank_file_rejected', actor, subject })
  return null
}

/**
 * Accepts a file because the bank returned one of its entries. The return proves nothing about the other entries, so exceptions about them
 * stay open.
 *
 * @returns null, or why the return contradicts the state of the file
 */
export async function acceptFileOfReturn(tx: TxDeps, fileId: string): Promise<string | null> {
  const file = await lockFileById(tx, fileId)
  if (!file || (await acceptOutgoingFile(tx, file, { keepsAttention: true }))) return null
  return `the file ${file.name} is ${file.status}`
}
