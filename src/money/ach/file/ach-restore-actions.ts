import { calendarOf } from '../../../connections/exchange/bank-calendar-rules.ts'
import {
  addPlatformToFile,
  adoptOutgoingFile,
  type NewOutgoingFile,
} from '../../../connections/exchange/outgoing-file-actions.ts'
import type { Connection } from '../../../foundation/core/connections.ts'
import { formatDollars } from '../../../foundation/core/money.ts'
import { isConfiguredAccount } from '../../../foundation/core/operator-account.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { currentDigestKey } from '../../../foundation/db/digests.ts'
import { findBankCase, recordBankCase } from '../../../foundation/exception/bank-case-actions.ts'
import { nextSettlementDate } from '../../../foundation/lib/banking-day.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { holdLeg, type LegHandlers, sendLegInFile } from '../../rail/leg-actions.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import {
  claimOf,
  endMissingPayment,
  holdIfMaybeAtBank,
  holdUnlessReviewed,
  type RestoreGap,
} from '../../rail/restore-hold-actions.ts'
import { formatRdfi, RETRY_ENTRY_DESCRIPTION } from '../format/nacha-entry-rules.ts'
import { nachaOriginOf } from '../format/nacha-origin-rules.ts'
import { type NachaContent, parseNachaFiles } from '../format/nacha-parse-rules.ts'
import { entryDescriptions, fileNameOf, receiverIdOf } from './ach-file-rules.ts'
import { type AchFileRow, insertAchEntries, insertAchFile, readCounts } from './ach-file-store.ts'
import { isComplete } from './ach-inbound-rules.ts'
import {
  attachEntry,
  countBefore,
  freeReserved,
  insertRecoveredEntries,
  listClosedCasesOfRestore,
  listCorrectedDigests,
  listFormerDigests,
  listRecoveredEntries,
  markRecoveredMatched,
  type RecoveredEntry,
} from './ach-restore-store.ts'

// Recovers from a restore of the database: handles files that the bank has and the restored database does not contain.

/** Adopts an ACH file from its bytes. Its entries are assigned to legs later. @throws StartProblem */
export async function adoptAchFile(
  tx: TxDeps,
  {
    connection,
    fileName,
    content,
    isTransmitted,
  }: { connection: Connection; fileName: string; content: Buffer; isTransmitted: boolean },
): Promise<{ name: string; hasGapBefore: boolean }> {
  const [reading] = parseNachaFiles(content.toString('latin1'))
  const nacha = reading && isComplete(reading) ? reading.content : null
  if (!nacha?.header || nacha.entries.length === 0)
    throw new StartProblem(`${fileName} is not an ACH file of this service. Check the file.`)
  const { entries, header } = nacha
  const other = tx.connections.current().all.find((one) => isFileOf(one, nacha))
  if (other && other.id !== connection.id && !isFileOf(connection, nacha))
    throw new StartProblem(
      `${fileName} is a file of the connection ${other.id}. Nothing was changed. Leave it out here.`,
    )
  const creationDate = header.creationDate.replace(/^(..)(..)(..)$/, '20$1-$2-$3')
  const name = fileNameOf({ creationDate, modifier: header.fileIdModifier })
  const first = Math.min(...entries.map(({ traceNumber }) => Number(traceNumber.slice(8))))
  const sentBefore = await placeOf(tx, { creationDate, first })
  const hasGapBefore = (await countBefore(tx.sql, sentBefore)) < sentBefore
  await freeReserved(tx.sql, { from: sentBefore, to: sentBefore + entries.length })
  const id = await adoptFile(tx, {
    ...{ connection, name, creationDate, modifier: header.fileIdModifier, isTransmitted },
    debitCents: sumOf(entries, 'debit'),
    creditCents: sumOf(entries, 'credit'),
    parts: [{ name: `${name}.ach`, content }],
    sentBefore,
    entryCount: entries.length,
    companyId: entries[0]?.companyId ?? '',
  })
  const keyId = await currentDigestKey(tx)
  const rows = entries.map((entry) => ({
    ...entry,
    leg: null,
    rdfi: formatRdfi(entry.routingNumber),
    accountDigest: tx.keyRing.digest(entry.accountNumber, 'ach account', keyId),
  }))
  await insertAchEntries(tx.sql, id, rows)
  // An entry that balances its batch has no payment. Users cannot have the account that it goes to.
  const isOfPayment = ({ routingNumber, accountNumber }: (typeof rows)[number]) =>
    !isConfiguredAccount(tx, { routing: routingNumber, account: accountNumber })
  await insertRecoveredEntries(tx.sql, id, rows.filter(isOfPayment))
  return { name, hasGapBefore }
}

/**
 * Returns the number of entries that were sent before a file, from its first trace number. Trace numbers start over eventually, so a file is
 * either shortly after the last known file, or an older one.
 */
async function placeOf(
  { sql }: TxDeps,
  { creationDate, first }: { creationDate: string; first: number },
): Promise<number> {
  const { sentBefore } = await readCounts(sql, { creationDate })
  const skipped = (first - 1 - (sentBefore % MAX_SEQUENCE) + MAX_SEQUENCE) % MAX_SEQUENCE
  const isOlder = skipped > MAX_SEQUENCE / 2 && sentBefore + skipped >= MAX_SEQUENCE
  return isOlder ? sentBefore + skipped - MAX_SEQUENCE : sentBefore + skipped
}

/** Returns whether the header and the batches of a file name the bank and the company of a connection. */
const isFileOf = (connection: Connection, { header, entries }: NachaContent): boolean => {
  const origin = nachaOriginOf(connection)
  return (
    origin !== null &&
    header?.immediateDestination === origin.immediateDestination.trim() &&
    header.immediateOrigin === origin.immediateOrigin.trim() &&
    entries.every(({ companyId }) => companyId === origin.companyId.trim())
  )
}

const sumOf = (entries: readonly { direction: string; amountCents: number }[], direction: 'debit' | 'credit'): number =>
  entries.reduce((sum, one) => sum + (one.direction === direction ? one.amountCents : 0), 0)

const MAX_SEQUENCE = 9_999_999

/** Reserves the name and the trace numbers of a file whose content is unknown, so that they are not used again. */
export async function reserveAchFile(tx: TxDeps, connection: Connection, name: string): Promise<void> {
  const creationDate = name.replace(/^(....)(..)(..)-.$/, '$1-$2-$3')
  const { sentBefore } = await readCounts(tx.sql, { creationDate })
  const unknown = { entryCount: UNKNOWN_ENTRIES, companyId: '', debitCents: 0, creditCents: 0 }
  const file = { name, creationDate, modifier: name.slice(9), sentBefore, ...unknown }
  await adoptFile(tx, { ...file, connection, parts: [], isTransmitted: true })
}

type AdoptedFile = Omit<AchFileRow, 'id' | 'effectiveDate'> &
  Pick<NewOutgoingFile, 'name' | 'parts'> & { connection: Connection; isTransmitted: boolean }

/** Adopts a bank file with its ACH row. @returns its id */
async function adoptFile(
  tx: TxDeps,
  { connection, name, parts, isTransmitted, ...file }: AdoptedFile,
): Promise<string> {
  const id = newId(tx)
  const effectiveAt = nextSettlementDate(new Date(`${file.creationDate}T22:00:00Z`), calendarOf(connection)) // an afternoon in the United States
  const bankFile = { id, connectionId: connection.id, kind: 'ach', name, effectiveAt, parts, platformIds: [] } as const
  await adoptOutgoingFile(tx, bankFile, { isTransmitted })
  await insertAchFile(tx.sql, { ...file, id, effectiveDate: effectiveAt.toISOString().slice(0, 10) })
  return id
}

/** The number of trace numbers to reserve, which is more than a week of files uses. */
const UNKNOWN_ENTRIES = 1_000_000

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
 * one counts, because a file that was rejected or canceled is followed by another one.
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
  for (const { traceNumber, recoveredAt } of matches.similar.get(leg) ?? []) {
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
  await endMissingPayment(tx, { fileId: entry.fileId, event: entry.traceNumber })
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
  await recordBankCase(tx, { ...about, event: 'payment known', isBankWide: false, leg, note })
  if (kind === 'entry_unread') await holdLeg(tx, leg, note)
}
