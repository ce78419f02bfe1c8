import type { TxDeps } from '../../db/deps.ts'
import { isolate } from '../../db/isolation.ts'
import { inSavepoint } from '../../db/transaction.ts'
import { recordException } from '../../exception/exception-actions.ts'
import { runInOrder } from '../../lib/concurrency/in-order.ts'
import { applyLegEvent, findLegs, holdLeg, lockLegs } from '../../rail/leg-actions.ts'
import { type LegStatus, legTransitions } from '../../rail/leg-status.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import { blockOf } from '../../rail/return-code-rules.ts'
import type { ReadCorrection, ReadReturn } from '../format/nacha-parse-rules.ts'
import { acceptFileOfReturn } from './ach-acknowledgement-actions.ts'
import type { AchDependents } from './ach-file-actions.ts'
import { listSentEntries, type SentEntry } from './ach-file-store.ts'
import { type InboundEntry, mismatchOf, type SetAside } from './ach-inbound-rules.ts'
import { insertCorrection, insertReturns, type ReturnRow } from './ach-inbound-store.ts'

/** The locked subjects of some entries from the bank. */
type Group = {
  inboundFileId: string
  /** Whether the group has only one entry. */
  isAlone: boolean
  dependents: AchDependents
  /** By trace number. */
  sent: Map<string, SentEntry>
  /** The legs as they were when locked, by id. */
  legs: Map<string, LegRow>
  /** Payments and banks with legs that an entry of the group may have changed. */
  touched: Set<string>
  /** The outcome of accepting a file because of a return, by file id. */
  fileProblems: Map<string, Promise<string | null>>
  returns: ReturnRow[]
}

/**
 * Applies some entries of a file from the bank in one transaction. Entries about the same payment, and all
 * notifications of change, are applied in sequence.
 *
 * @returns the entries that need manual review
 * @throws the error of an entry. The transaction must then be rolled back
 */
export async function applyEntries(
  tx: TxDeps,
  dependents: AchDependents,
  { inboundFileId, entries }: { inboundFileId: string; entries: readonly InboundEntry[] },
): Promise<SetAside[]> {
  const group = await lockGroup(tx, dependents, { inboundFileId, entries })
  const keysOf = (entry: InboundEntry) => keysOfEntry(tx, group, entry)
  const reasons = await runInOrder(entries, { keysOf, run: (entry) => applyEntry(tx, group, entry) })
  if (group.returns.length > 0) await insertReturns(tx.sql, inboundFileId, group.returns)
  return entries.flatMap(({ line, traceNumber }, index) => {
    const reason = reasons[index]
    return typeof reason === 'string' ? [{ line, traceNumber, reason }] : []
  })
}

/**
 * The keys of what an entry changes: its payment, and the accounts that it corrects. Entries with a common key run in
 * sequence.
 */
function keysOfEntry({ keyRing }: TxDeps, group: Group, entry: InboundEntry): string[] {
  const leg = legNamedBy(group, entry.traceNumber)
  const digest = group.sent.get(entry.traceNumber ?? '')?.accountDigest
  // During a rotation one account can have two digests.
  const account = digest && keyRing.ids.length === 1 ? digest.toString('hex') : 'any account'
  const isBlock = entry.kind === 'return' && blockOf(entry.one.returnCode) !== null
  return [
    ...(leg ? [leg.subjectId] : []),
    ...(isBlock ? [account] : []),
    ...(entry.kind === 'correction' ? ['corrections'] : []),
  ]
}

/** Sets aside an entry that failed, and holds the leg that it names. */
export async function setAsideFailed(tx: TxDeps, dependents: AchDependents, entry: InboundEntry): Promise<SetAside> {
  const { line, traceNumber, isReturn } = entry
  const group = await lockGroup(tx, dependents, { inboundFileId: '', entries: [entry] })
  const leg = isReturn ? legNamedBy(group, traceNumber) : null
  const reason = 'it could not be used; the log says why'
  return { line, traceNumber, reason: leg ? await holdForReturn(tx, { group, leg, reason }) : reason }
}

async function lockGroup(
  tx: TxDeps,
  dependents: AchDependents,
  { inboundFileId, entries }: { inboundFileId: string; entries: readonly InboundEntry[] },
): Promise<Group> {
  const sent = await listSentEntries(
    tx.sql,
    entries.flatMap(({ traceNumber }) => traceNumber ?? []),
  )
  const keys = [...sent.values()].map(({ platformId, legId }) => ({ platformId, id: legId }))
  const legs = keys.length > 0 ? await lockLegs(tx, dependents.handlers, keys) : []
  return {
    inboundFileId,
    isAlone: entries.length === 1,
    dependents,
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

/** @returns null, or why it cannot be applied */
async function applyEntry(tx: TxDeps, group: Group, entry: InboundEntry): Promise<string | null> {
  const named = await matchEntry(tx, group, entry.traceNumber)
  const reason = await reasonAgainst(tx, group, entry, named)
  return reason !== null && entry.isReturn && named ? holdForReturn(tx, { group, leg: named.leg, reason }) : reason
}

type MatchedEntry = { leg: LegRow; entry: SentEntry }

/** The entry with a trace number, and its leg as it is now. */
async function matchEntry(tx: TxDeps, group: Group, traceNumber: string | null): Promise<MatchedEntry | null> {
  const known = legNamedBy(group, traceNumber)
  if (!known || traceNumber === null) return null
  const isStale = group.touched.has(known.subjectId)
  group.touched.add(known.subjectId)
  const leg = isStale ? (await findLegs(tx, [known]))[0] : known
  return leg ? { leg, entry: group.sent.get(traceNumber) as SentEntry } : null
}

function reasonAgainst(
  tx: TxDeps,
  group: Group,
  entry: InboundEntry,
  named: MatchedEntry | null,
): Promise<string | null> | string {
  switch (entry.kind) {
    case 'return':
      if (!named) return `return ${entry.one.returnCode} of an entry that no file had`
      return applyReturn(tx, group, entry.one, named)
    case 'correction':
      if (!named) return `notification of change ${entry.one.changeCode} to an entry that no file had`
      return applyCorrection(tx, group, entry.one, named)
    default:
      return entry.reason
  }
}

/** @returns null, or why it cannot be applied */
async function applyReturn(
  tx: TxDeps,
  group: Group,
  one: ReadReturn,
  { leg, entry }: MatchedEntry,
): Promise<string | null> {
  const { returnCode, line } = one
  const what = `return ${returnCode}`
  const mismatch = mismatchOf({ ...leg, ...entry }, one)
  if (mismatch) return mismatch
  if (leg.status === 'RETURNED') return `${what}: the entry was returned before, with ${leg.returnCode}`
  if (entry.isRecalled) return `${what}: the entry was recalled, because its file, its batch or it alone was rejected`
  const fileProblem = await acceptFile(tx, group, entry.fileId)
  if (fileProblem !== null) return `${what}: ${fileProblem}`
  const handler = group.dependents.handlers[leg.purpose]
  const returned = await applyLegEvent(tx, handler, leg, 'return', { returnCode })
  if (!returned) return `${what}: the entry is ${leg.status}`
  const { platformId, id: legId } = leg
  group.returns.push({ line, platformId, legId, returnCode, accountSealed: otherAccountOf(tx, entry, one) })
  return null
}

/** Most returns of a group belong to one file, which is accepted once. */
function acceptFile(tx: TxDeps, { fileProblems }: Group, fileId: string): Promise<string | null> {
  const known = fileProblems.get(fileId)
  if (known) return known
  const problem = acceptFileOfReturn(tx, fileId)
  fileProblems.set(fileId, problem)
  return problem
}

/** Banks reformat account numbers, so a different one is stored (sealed) instead of refused. */
function otherAccountOf(
  { keyRing }: TxDeps,
  { accountDigest }: SentEntry,
  { accountNumber }: ReadReturn,
): Buffer | null {
  const isSame = accountDigest === null || keyRing.isDigestOf(accountDigest, accountNumber, 'ach account')
  return isSame ? null : keyRing.seal(accountNumber, 'ach return')
}

/**
 * Stores a notification of change (sealed), and applies it if it contains corrected data.
 *
 * @returns null, or why it needs manual review
 */
async function applyCorrection(
  tx: TxDeps,
  { inboundFileId, dependents }: Group,
  one: ReadCorrection,
  { leg, entry }: MatchedEntry,
): Promise<string | null> {
  const reason = mismatchOf({ ...leg, ...entry }, one) ?? (await correct(tx, dependents, leg, one))
  await insertCorrection(tx.sql, {
    inboundFileId,
    line: one.line,
    platformId: leg.platformId,
    legId: leg.id,
    changeCode: one.changeCode,
    correctedSealed: tx.keyRing.seal(JSON.stringify(one.corrected), 'ach correction'),
    isApplied: reason === null,
  })
  return reason
}

/** @returns null, or why it cannot be applied */
async function correct(
  tx: TxDeps,
  dependents: AchDependents,
  leg: LegRow,
  { changeCode, corrected: { receiverId, ...corrected } }: ReadCorrection,
): Promise<string | null> {
  const isOfBank = Object.keys(corrected).length > 0 && receiverId === undefined
  const why = isOfBank ? await dependents.correct(tx, leg, corrected) : 'it is about the file, not the bank account'
  return why && `notification of change ${changeCode}: ${why}`
}

type Hold = { group: Group; leg: LegRow; reason: string }

/**
 * Holds a leg whose return is set aside, because the bank may have the money. A leg that was already returned or
 * canceled needs no hold. An entry that is alone in its group is set aside even if holding fails, so that it blocks
 * no others.
 *
 * @returns why the return is set aside
 */
async function holdForReturn(tx: TxDeps, { group, leg, reason }: Hold): Promise<string> {
  if (!isOneOf(legTransitions.return.from, leg.status)) return reason
  const hold = () => holdAndReport(tx, leg, reason)
  if (!group.isAlone) {
    await hold()
    return reason
  }
  const { platformId, id } = leg
  const isHeld = await isolate(tx, 'read ACH files').run({ platformId, kind: 'leg', id }, () =>
    inSavepoint(tx.sql, hold),
  )
  return isHeld ? reason : `${reason}; its payment could not be held`
}

async function holdAndReport(tx: TxDeps, leg: LegRow, reason: string): Promise<true> {
  await holdLeg(tx, leg, reason)
  await recordException(tx, {
    platformId: leg.platformId,
    kind: 'return_set_aside',
    paymentId: leg.purpose === 'micro_deposit' ? null : leg.subjectId,
    legId: leg.id,
    userId: leg.userId,
    cents: leg.cents,
    note: reason,
  })
  return true
}

const isOneOf = (statuses: readonly LegStatus[], status: LegStatus) => statuses.includes(status)
