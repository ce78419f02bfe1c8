import { addPlatformToFile } from '../../../connections/exchange/outgoing-file-actions.ts'
import { formatDollars } from '../../../foundation/core/money.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { findBankCase, recordBankCase } from '../../../foundation/exception/bank-case-actions.ts'
import { type LegHandlers, sendLegInFile } from '../../rail/leg-actions.ts'
import { recordHoldingCase } from '../../rail/leg-case-actions.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import {
  claimOf,
  endMissingPayments,
  holdIfMaybeAtBank,
  holdUnlessReviewed,
  type RestoreGap,
} from '../../rail/restore-hold-actions.ts'
import { RETRY_ENTRY_DESCRIPTION } from '../format/nacha-entry-rules.ts'
import { entryDescriptions, receiverIdOf } from './ach-file-rules.ts'
import {
  attachEntry,
  findFileOfUnassigned,
  listClosedCasesOfRestore,
  listCorrectedDigests,
  listFormerDigests,
  listRecoveredEntries,
  markRecoveredMatched,
  type RecoveredEntry,
} from './ach-restore-store.ts'

// Assigns legs to the entries that the bank has from before a restore of the database.

/** A leg that is about to be sent. `correctedAt`: when the bank corrected the number of the account for the last time. */
type Sending = {
  leg: LegRow
  receiver: { receiverId: string; account: { accountNumber: string }; correctedAt: Date | null; isRetry: boolean }
}

/** Returns the direction, amount and purpose of an entry, as text. */
export const movementOf = ({
  direction,
  cents,
  description,
}: Pick<RecoveredEntry, 'direction' | 'cents' | 'description'>): string =>
  `a ${direction} of ${formatDollars(cents)} (${description === RETRY_ENTRY_DESCRIPTION ? entryDescriptions.payment_pull : description})`

export const movementOfLeg = (leg: LegRow): string =>
  movementOf({ ...leg, description: entryDescriptions[leg.purpose] })

/**
 * The bank's entries that are not assigned to a payment yet, in the order in which they were sent. `correctedDigests`: accounts that the bank
 * has corrected in a notification about one of these entries. `formerDigests`: numbers to which earlier entries of an account were sent, by the
 * id of the account.
 */
export type KnownAtBank = {
  entries: readonly RecoveredEntry[]
  correctedDigests: readonly Buffer[]
  formerDigests: ReadonlyMap<string, readonly Buffer[]>
}

export async function readKnownAtBank(
  { sql }: Pick<TxDeps, 'sql'>,
  sendings: readonly Sending[],
): Promise<KnownAtBank> {
  const entries = await listRecoveredEntries(sql)
  if (entries.length === 0) return { entries, correctedDigests: [], formerDigests: new Map() }
  const corrected = sendings.flatMap(({ leg, receiver: { correctedAt } }) => {
    const movement = movementOfLeg(leg)
    const mayHaveEntry =
      correctedAt !== null && entries.some((one) => one.fileDay <= correctedAt && movementOf(one) === movement)
    return mayHaveEntry ? (leg.accountId ?? []) : []
  })
  const former = Map.groupBy(await listFormerDigests(sql, corrected), ({ accountId }) => accountId)
  return {
    entries,
    correctedDigests: await listCorrectedDigests(sql),
    formerDigests: new Map([...former].map(([id, rows]) => [id, rows.map(({ accountDigest }) => accountDigest)])),
  }
}

/** The legs whose entries the bank has, and entries that may be the ones of other legs. */
export type MatchedAtBank = { certain: Map<LegRow, RecoveredEntry>; similar: Map<LegRow, RecoveredEntry[]> }

/**
 * Finds the entries of legs that the bank already has, by direction, amount, purpose, account and receiver. All certain matches are made before any
 * other, because a payment of the same amount and account must not take the entry of another one. If several files have the same entry, the last
 * one counts, because a file that was rejected or canceled is followed by another one, and its rejection may not be known here yet.
 */
export function matchAtBank(
  { keyRing }: Pick<TxDeps, 'keyRing'>,
  { entries, correctedDigests, formerDigests }: KnownAtBank,
  sendings: readonly Sending[],
): MatchedAtBank {
  const entriesOf = Map.groupBy(entries, movementOf)
  const candidatesOf = ({ leg }: Sending) => entriesOf.get(movementOfLeg(leg)) ?? []
  const certain = new Map<LegRow, RecoveredEntry>()
  const taken = new Set<RecoveredEntry>()
  const match = (fits: (sending: Sending, entry: RecoveredEntry) => boolean) => {
    for (const sending of sendings) {
      if (certain.has(sending.leg)) continue
      const fitting = candidatesOf(sending).filter((one) => !taken.has(one) && fits(sending, one))
      const isRetry = ({ description }: RecoveredEntry) => description === RETRY_ENTRY_DESCRIPTION
      const entry = fitting.findLast((one) => isRetry(one) === sending.receiver.isRetry) ?? fitting.at(-1)
      if (!entry) continue
      certain.set(sending.leg, entry)
      taken.add(entry)
    }
  }
  const isToReceiver = ({ leg, receiver }: Sending, { receiverId }: RecoveredEntry) =>
    receiverId === receiverIdOf(leg, receiver).slice(0, 15).trim()
  const isToAccount = ({ receiver: { account } }: Sending, { accountDigest }: RecoveredEntry) =>
    keyRing.isDigestOf(accountDigest, account.accountNumber, 'ach account')
  const isBeforeCorrection = ({ receiver: { correctedAt } }: Sending, { fileDay }: RecoveredEntry) =>
    correctedAt !== null && fileDay <= correctedAt
  const isToFormerNumber = (sending: Sending, entry: RecoveredEntry) =>
    isBeforeCorrection(sending, entry) &&
    (formerDigests.get(sending.leg.accountId ?? '') ?? []).some((digest) => digest.equals(entry.accountDigest))
  /** Returns whether the bank has corrected the account, so that later entries can have gone to a number that is not known here yet. */
  const isCorrectedLater = ({ receiver: { account } }: Sending) =>
    correctedDigests.some((digest) => keyRing.isDigestOf(digest, account.accountNumber, 'ach account'))
  const isOwn = (sending: Sending, entry: RecoveredEntry) =>
    isToReceiver(sending, entry) && (isToAccount(sending, entry) || isToFormerNumber(sending, entry))
  const claimOfOwn = ({ leg }: Sending, entry: RecoveredEntry) => claimOf(leg, { ...entry, likeness: 'own' })
  match(
    (sending, entry) =>
      isToAccount(sending, entry) && isOwn(sending, entry) && claimOfOwn(sending, entry) === 'certain',
  )
  match((sending, entry) => isOwn(sending, entry) && claimOfOwn(sending, entry) === 'certain')
  const isLike = (sending: Sending, entry: RecoveredEntry) =>
    isToAccount(sending, entry) ||
    isBeforeCorrection(sending, entry) ||
    isToReceiver(sending, entry) ||
    isCorrectedLater(sending)
  const isSimilar = (sending: Sending, entry: RecoveredEntry) => {
    if (taken.has(entry) || !isLike(sending, entry)) return false
    const likeness = isOwn(sending, entry) ? 'own' : 'similar'
    return claimOf(sending.leg, { ...entry, likeness }) !== 'none'
  }
  const similar = new Map<LegRow, RecoveredEntry[]>()
  for (const sending of sendings) {
    const others = certain.has(sending.leg) ? [] : candidatesOf(sending).filter((entry) => isSimilar(sending, entry))
    if (others.length > 0) similar.set(sending.leg, others)
  }
  return { certain, similar }
}

/**
 * Returns whether the bank already has the entry of a leg, or may have it. A leg whose entry is certain is assigned to it. If only the
 * receiver or the account differs, or a restore left a gap after the payment was made, the leg is held until the operator has reviewed it.
 */
export async function isAtBank(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg, matches, gap }: { leg: LegRow; matches: MatchedAtBank; gap: RestoreGap },
): Promise<boolean> {
  const entry = matches.certain.get(leg)
  if (entry) {
    await assignToEntry(tx, handlers, { leg, entry })
    return true
  }
  if (leg.heldAt) return true // the operator decides already
  // If a file was rejected, the last one has the entry.
  for (const { traceNumber, recoveredAt } of (matches.similar.get(leg) ?? []).toReversed()) {
    const note = `The bank has an entry with trace number ${traceNumber} that may be the one of this payment.`
    if (await holdUnlessReviewed(tx, leg, { since: recoveredAt, note })) return true
  }
  return holdIfMaybeAtBank(tx, leg, gap)
}

/** Assigns a waiting leg to its entry at the bank. The file of the entry then determines its status. @returns false if the leg does not wait */
export async function assignToEntry(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg, entry }: { leg: LegRow; entry: RecoveredEntry },
): Promise<boolean> {
  if (!(await sendLegInFile(tx, handlers, leg, { isAtBank: true }))) return false
  await markRecoveredMatched(tx.sql, entry, tx.clock.now())
  await attachEntry(tx.sql, entry, leg)
  await addPlatformToFile(tx, entry.fileId, leg.platformId)
  tx.log.warn({ leg: leg.id, trace: entry.traceNumber }, 'the bank already has the entry of this leg: not sent again')
  await endMissingPayments(tx, { fileId: entry.fileId, events: [entry.traceNumber] })
  for (const id of await listClosedCasesOfRestore(tx.sql, entry)) await askAgain(tx, { leg, entry, caseId: id })
  return true
}

/**
 * Asks the operator again about a return or a notification of change. Its case was closed while the payment of the entry was unknown. A
 * returned payment is held, because the bank has taken its money back.
 */
async function askAgain(
  tx: TxDeps,
  { leg, entry: { traceNumber }, caseId }: { leg: LegRow; entry: RecoveredEntry; caseId: string },
): Promise<void> {
  const closed = await findBankCase(tx, caseId)
  if (!closed) return
  const { kind, connectionId, source, inboundFileId, fileName, line, cents, content } = closed
  const note = `The bank sent this about the entry with trace number ${traceNumber}. Its case was closed before the payment was known again.`
  const about = { kind, connectionId, source, file: { id: inboundFileId, name: fileName }, line, cents, content }
  const one = { ...about, event: 'payment known', isBankWide: false, leg, note }
  await (kind === 'entry_unread' ? recordHoldingCase : recordBankCase)(tx, one)
}

/** Closes the case about a lost payment whose entry the bank has returned. The case about the return remains. */
export async function endMissingReturned(
  tx: TxDeps,
  { returnCode, ...entry }: Parameters<typeof findFileOfUnassigned>[1] & { returnCode: string },
): Promise<void> {
  const fileId = await findFileOfUnassigned(tx.sql, entry)
  const resolution = `The bank has returned the entry (${returnCode}).`
  if (fileId !== null) await endMissingPayments(tx, { fileId, events: [entry.traceNumber], resolution })
}
