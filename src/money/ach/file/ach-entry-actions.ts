import type { TxDeps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import { runInGroup } from '../../../foundation/db/statement-group.ts'
import { inSavepoint } from '../../../foundation/db/transaction.ts'
import { tryRecordBankCase, wasAsked } from '../../../foundation/exception/bank-case-actions.ts'
import type { BankCaseKind, HeldAccount } from '../../../foundation/exception/bank-case-rules.ts'
import { applyLegEvent, findLegs, holdLeg, lockLegs } from '../../rail/leg-actions.ts'
import { type LegStatus, legTransitions } from '../../rail/leg-status.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import { blocksAccount } from '../../rail/return-code-rules.ts'
import type { ReadCorrection, ReadReturn, SetAsideKind } from '../format/nacha-parse-rules.ts'
import { acceptFileOfReturn } from './ach-acknowledgement-actions.ts'
import { isKnownLater } from './ach-adopt-actions.ts'
import type { AchHooks } from './ach-file-actions.ts'
import { listSentEntries, type SentEntry } from './ach-file-store.ts'
import {
  findMismatch,
  type InboundEntry,
  isForeign,
  isOtherAccount,
  refusalOfReturn,
  type SetAside,
  sentToAnotherBank,
} from './ach-inbound-rules.ts'
import { insertCorrection, insertReturns, type ReturnRow } from './ach-inbound-store.ts'
import { endMissingReturned } from './ach-restore-actions.ts'
import { findSentReceiver } from './ach-sent-actions.ts'

/** A file from the bank: its id, name and connection, and our company id, which its entries must have. */
export type InboundSource = { id: string; name: string; connectionId: string; companyId: string }

/** The reason why an entry is not applied. `remark`: no decision is needed. */
type NotApplied = { reason: string } & (
  | { remark: true }
  | {
      remark?: undefined
      kind: BankCaseKind
      isBankWide: boolean
      holdsLeg?: boolean
      heldAccount?: HeldAccount | null
      /** Whether `applyEntriesOfRestore` applies the entry when its payment is known again. */
      isAppliedLater?: boolean
    }
)

const remark = (reason: string): NotApplied => ({ reason, remark: true })

/**
 * Creates the reason for a case that may concern any of our entries. Such a case holds the whole bank, because a
 * return of any other entry may be missing.
 */
const unread = (reason: string): Extract<NotApplied, { kind: BankCaseKind }> => ({
  reason,
  kind: 'entry_unread',
  isBankWide: true,
  holdsLeg: true,
})

/** Entries from the bank that are applied together, with their locked subjects. */
type Group = {
  source: InboundSource
  /** Whether the group has only one entry. */
  isAlone: boolean
  hooks: AchHooks
  /** Our entries, by trace number. */
  sent: Map<string, SentEntry>
  /** The legs in their state when they were locked, by id. */
  legs: Map<string, LegRow>
  /** Payments and banks whose legs an entry of the group may have changed. */
  touched: Set<string>
  /** The results of accepting files because of returns, by file id. */
  fileProblems: Map<string, Promise<string | null>>
  returns: ReturnRow[]
}

type Given = { source: InboundSource; entries: readonly InboundEntry[] }

/**
 * Applies some entries of a file from the bank in one transaction. Entries about one payment run one at a time, and so do all
 * notifications of change. An entry that is not applied becomes a case, unless it contains nothing new.
 *
 * @returns the entries that were not applied
 * @throws the error of an entry. The transaction must then be rolled back
 */
export async function applyEntries(tx: TxDeps, hooks: AchHooks, given: Given): Promise<SetAside[]> {
  const { source, entries } = given
  const group = await lockGroup(tx, hooks, given)
  const keysOf = (entry: InboundEntry) => keysOfEntry(tx, group, entry)
  const reasons = await runInGroup(tx.sql, entries, {
    keysOf,
    run: (entry) => applyEntry(tx, group, entry),
    inHalves: true,
  })
  if (group.returns.length > 0) await insertReturns(tx.sql, source.id, group.returns)
  return entries.flatMap(({ line, traceNumber }, index) => {
    const reason = reasons[index]
    return typeof reason === 'string' ? [{ line, traceNumber, reason }] : []
  })
}

/**
 * Returns the keys of the objects that an entry changes: its payment, and the account that it blocks or corrects. Entries with a common key
 * are applied one at a time.
 */
function keysOfEntry({ keyRing }: TxDeps, group: Group, entry: InboundEntry): string[] {
  const leg = legNamedBy(group, entry.traceNumber)
  const digest = group.sent.get(entry.traceNumber ?? '')?.accountDigest
  // While keys are being rotated, one account can have two digests, so all accounts share one key.
  const account = digest && keyRing.ids.length === 1 ? digest.toString('hex') : 'any account'
  const isBlock = entry.kind === 'return' && blocksAccount(entry.one.returnCode)
  return [
    ...(leg ? [leg.subjectId] : []),
    ...(isBlock || entry.kind === 'correction' ? [account] : []),
    ...(entry.kind === 'correction' ? ['corrections'] : []),
  ]
}

/** Records a case for an entry that failed, and holds its leg. */
export async function setAsideFailed(
  tx: TxDeps,
  hooks: AchHooks,
  { source, entry }: { source: InboundSource; entry: InboundEntry },
): Promise<SetAside> {
  const group = await lockGroup(tx, hooks, { source, entries: [entry] })
  const leg = legNamedBy(group, entry.traceNumber)
  const reason = await reportNotApplied(tx, group, {
    entry,
    leg,
    why: unread('it could not be used; the log says why'),
  })
  return { line: entry.line, traceNumber: entry.traceNumber, reason }
}

async function lockGroup(tx: TxDeps, hooks: AchHooks, { source, entries }: Given): Promise<Group> {
  const sent = await listSentEntries(
    tx.sql,
    entries.flatMap(({ traceNumber }) => traceNumber ?? []),
  )
  const keys = [...sent.values()].map(({ platformId, legId }) => ({ platformId, id: legId }))
  const legs = keys.length > 0 ? await lockLegs(tx, hooks.handlers, keys) : []
  return {
    source,
    isAlone: entries.length === 1,
    hooks,
    sent,
    legs: new Map(legs.map((leg) => [leg.id, leg])),
    touched: new Set(),
    fileProblems: new Map(),
    returns: [],
  }
}

function legNamedBy({ sent, legs }: Group, traceNumber: string | null): LegRow | null {
  const entry = traceNumber === null ? undefined : sent.get(traceNumber)
  return (entry && legs.get(entry.legId)) ?? null
}

/** Applies an entry. @returns null, or the reason why it is not applied */
async function applyEntry(tx: TxDeps, group: Group, entry: InboundEntry): Promise<string | null> {
  const foreign = sentOverAnother(group, entry.traceNumber)
  if (foreign) return reportNotApplied(tx, group, { entry, leg: null, why: foreign })
  const named = await matchEntry(tx, group, entry.traceNumber)
  const why = await whyNotApplied(tx, group, entry, named)
  return why && reportNotApplied(tx, group, { entry, leg: named?.leg ?? null, why })
}

/** Returns the reason why an entry that was sent to another bank is not applied: a bank can only return entries that were sent to it. */
function sentOverAnother({ source, sent }: Group, traceNumber: string | null): NotApplied | null {
  const entry = sent.get(traceNumber ?? '')
  const why = entry ? sentToAnotherBank(entry, source) : null
  return why === null ? null : unread(why)
}

type MatchedEntry = { leg: LegRow; entry: SentEntry }

/** Finds the entry with a trace number and the current state of its leg. */
async function matchEntry(tx: TxDeps, group: Group, traceNumber: string | null): Promise<MatchedEntry | null> {
  const known = legNamedBy(group, traceNumber)
  if (!known || traceNumber === null) return null
  const isStale = group.touched.has(known.subjectId)
  group.touched.add(known.subjectId)
  const leg = isStale ? (await findLegs(tx, [known]))[0] : known
  return leg ? { leg, entry: group.sent.get(traceNumber) as SentEntry } : null
}

function whyNotApplied(
  tx: TxDeps,
  group: Group,
  entry: InboundEntry,
  named: MatchedEntry | null,
): Promise<NotApplied | null> | NotApplied {
  switch (entry.kind) {
    case 'return':
      return named ? applyReturn(tx, group, entry.one, named) : nameUnknownEntry(tx, group, entry.one)
    case 'correction':
      return named ? applyCorrection(tx, group, entry.one, named) : nameUnknownEntry(tx, group, entry.one)
    case 'repeated':
      return remark(entry.reason)
    default:
      if (!named && entry.isForeign) return remark(`${entry.reason}, for another company`)
      return setAside(tx, group, { kind: entry.setAside, reason: entry.reason, named })
  }
}

/** Returns the reason why a return or a notification of change about an unknown entry is not applied. */
async function nameUnknownEntry(tx: TxDeps, { source }: Group, one: ReadReturn | ReadCorrection): Promise<NotApplied> {
  const isReturn = 'returnCode' in one
  const what = isReturn ? `return ${one.returnCode} of` : `notification of change ${one.changeCode} to`
  const unknown = `${what} an entry that no file had`
  if (isForeign(one, source.companyId)) return remark(`${unknown}, for company ${one.companyId}`)
  const { originalTraceNumber: traceNumber, direction, amountCents } = one
  const named = { traceNumber, direction, cents: isReturn ? amountCents : null }
  const isAppliedLater = await isKnownLater(tx, named)
  const lost = `${what} entry ${traceNumber} from before the restore`
  const reason = isAppliedLater ? `${lost}. It is applied when its payment is known again.` : unknown
  if (!isReturn) return { reason, kind: 'correction_unread', isBankWide: false, isAppliedLater } // no money depends on it, so it holds nothing
  const why = { ...unread(reason), isAppliedLater }
  const isCopy = isAppliedLater && (await wasAsked(tx, source, { kind: why.kind, note: reason }))
  if (isCopy) return remark(`${lost}: another file had it before`)
  await endMissingReturned(tx, { ...named, returnCode: one.returnCode })
  return why
}

async function setAside(
  tx: TxDeps,
  group: Group,
  { kind, reason, named }: { kind: SetAsideKind; reason: string; named: MatchedEntry | null },
): Promise<NotApplied> {
  switch (kind) {
    case 'incoming':
      return { reason, kind: 'entry_unread', isBankWide: false }
    case 'contested':
      return named ? { reason, kind: 'return_contested', isBankWide: false, holdsLeg: true } : unread(reason)
    case 'correction_unread':
      return { reason, kind, isBankWide: false, heldAccount: named && (await accountOf(tx, group, named.leg)) }
    default:
      return unread(reason)
  }
}

/** Returns the account to which new entries of a leg are sent. */
async function accountOf(tx: TxDeps, { hooks }: Group, leg: LegRow): Promise<HeldAccount | null> {
  const receiver = (await hooks.receiversOf(tx, [leg])).get(leg.id)
  return receiver
    ? { routingNumber: receiver.account.routingNumber, accountNumber: receiver.account.accountNumber }
    : null
}

/** Applies a return. @returns null, or the reason why it is not applied */
async function applyReturn(
  tx: TxDeps,
  group: Group,
  one: ReadReturn,
  { leg, entry }: MatchedEntry,
): Promise<NotApplied | null> {
  const { returnCode, line } = one
  const what = `return ${returnCode}`
  const mismatch = findMismatch({ ...leg, ...entry }, one) ?? (await accountMismatch(tx, entry, one))
  if (mismatch) return unread(mismatch)
  if (leg.status === 'RETURNED') {
    // Banks may include earlier returns in a file again.
    const isRepeated = leg.returnCode === returnCode
    const reason = `${what}: the entry was returned before, with ${leg.returnCode}`
    return isRepeated ? remark(reason) : unread(reason)
  }
  const refusal = refusalOfReturn(entry, group.source)
  if (refusal !== null) return unread(`${what}: ${refusal}`)
  const fileProblem = await acceptFile(tx, group, entry.fileId)
  if (fileProblem !== null) return unread(`${what}: ${fileProblem}`)
  const handler = group.hooks.handlers[leg.purpose]
  const returned = await applyLegEvent(tx, handler, leg, 'return', { returnCode })
  if (!returned) return unread(`${what}: the entry is ${leg.status}`)
  const { platformId, id: legId } = leg
  group.returns.push({ line, platformId, legId, returnCode, accountSealed: otherAccountOf(tx, entry, one) })
  return null
}

/**
 * Checks whether a return names the wrong entry because a digit of its trace number is damaged. If both the account and the receiver's id
 * differ from the entry, it does. Blank values prove nothing.
 */
async function accountMismatch(tx: TxDeps, entry: SentEntry, one: ReadReturn): Promise<string | null> {
  const { accountDigest } = entry
  if (tx.keyRing.isDigestOf(accountDigest, one.accountNumber, 'ach account')) return null
  if (!/\d{4}/.test(one.accountNumber)) return null
  const sent = await findSentReceiver(tx, { fileId: entry.fileId, traceNumber: one.originalTraceNumber })
  if (!sent || !isOtherAccount(sent.accountNumber, one.accountNumber)) return null
  if (one.receiverId === '' || one.receiverId === sent.receiverId) return null
  return `return ${one.returnCode} for another account: the entry went to the one that ends in ${sent.accountNumber.slice(-4)}`
}

/** Accepts the file of a returned entry. Each file is accepted once per group, because most returns of a group have the same file. */
function acceptFile(tx: TxDeps, { fileProblems }: Group, fileId: string): Promise<string | null> {
  const known = fileProblems.get(fileId)
  if (known) return known
  const problem = acceptFileOfReturn(tx, fileId)
  fileProblems.set(fileId, problem)
  return problem
}

/**
 * Returns the sealed account number of a return if it differs from the entry's. Banks reformat account numbers, so a difference does not
 * refuse the return.
 */
function otherAccountOf(
  { keyRing }: TxDeps,
  { accountDigest }: SentEntry,
  { accountNumber }: ReadReturn,
): Buffer | null {
  const isSame = keyRing.isDigestOf(accountDigest, accountNumber, 'ach account')
  return isSame ? null : keyRing.seal(accountNumber, 'ach return')
}

/**
 * Stores a notification of change (sealed), and applies its corrected data if it has any. @returns null, or the reason why it is not
 * applied
 */
async function applyCorrection(
  tx: TxDeps,
  group: Group,
  one: ReadCorrection,
  { leg, entry }: MatchedEntry,
): Promise<NotApplied | null> {
  const mismatch = findMismatch({ ...leg, ...entry }, one)
  const why = mismatch ? null : await correct(tx, group, leg, one)
  await insertCorrection(tx.sql, {
    inboundFileId: group.source.id,
    line: one.line,
    platformId: leg.platformId,
    legId: leg.id,
    changeCode: one.changeCode,
    correctedSealed: tx.keyRing.seal(JSON.stringify(one.corrected), 'ach correction'),
    isApplied: mismatch === null && why === null,
  })
  if (mismatch) return { reason: mismatch, kind: 'correction_unread', isBankWide: false, heldAccount: null }
  if (why === null) return null
  const isOfAccount = isCorrectionOfAccount(one)
  const heldAccount = isOfAccount ? await accountOf(tx, group, leg) : null
  return { reason: why, kind: 'correction_impossible', isBankWide: false, heldAccount }
}

const isCorrectionOfAccount = ({ corrected: { receiverId, ...corrected } }: ReadCorrection): boolean =>
  Object.keys(corrected).length > 0 && receiverId === undefined

/** Applies corrected data to the account of a leg. @returns null, or the reason why it cannot be applied */
async function correct(
  tx: TxDeps,
  { hooks, source: { id: fileId, name: fileName, connectionId } }: Group,
  leg: LegRow,
  one: ReadCorrection,
): Promise<string | null> {
  const { receiverId: _, ...corrected } = one.corrected
  const source = { connectionId, fileId, fileName, line: one.line }
  const why = isCorrectionOfAccount(one)
    ? await hooks.correct(tx, leg, { corrected, source })
    : 'it is about the file, not the bank account'
  return why && `notification of change ${one.changeCode}: ${why}`
}

type Report = { entry: InboundEntry; leg: LegRow | null; why: NotApplied }

/**
 * Records a case for an entry that is not applied. If the case is new, holds its leg, because the bank may have the money. If the entry is
 * alone in its group, the case is recorded even if holding the leg fails, so that the entry does not block others.
 *
 * @returns the reason
 */
async function reportNotApplied(tx: TxDeps, group: Group, { entry, leg, why }: Report): Promise<string> {
  const { reason } = why
  if (why.remark) return reason
  const { kind, isBankWide, holdsLeg = false, heldAccount = null, isAppliedLater = false } = why
  const cents = leg?.cents ?? ('one' in entry ? entry.one.amountCents : 'cents' in entry ? entry.cents : null)
  const isNew = await tryRecordBankCase(tx, {
    kind,
    connectionId: group.source.connectionId,
    source: 'ach',
    file: { id: group.source.id, name: group.source.name },
    line: entry.line,
    isBankWide,
    leg,
    heldAccount,
    cents: cents || null,
    note: reason,
    content: { lines: entry.records, data: { traceNumber: entry.traceNumber, ...(isAppliedLater && { entry }) } },
  })
  const isHoldable =
    leg !== null &&
    holdsLeg &&
    (kind === 'return_contested' || (legTransitions.return.from as readonly LegStatus[]).includes(leg.status))
  if (!isNew || !isHoldable) return reason
  if (!group.isAlone) {
    await holdLeg(tx, leg, reason)
    return reason
  }
  const { platformId, id } = leg
  const isHeld = await isolate(tx, 'read ACH files').run({ platformId, kind: 'leg', id }, () =>
    inSavepoint(tx.sql, () => holdLeg(tx, leg, reason).then(() => true)),
  )
  return isHeld ? reason : `${reason}; its payment could not be held`
}
