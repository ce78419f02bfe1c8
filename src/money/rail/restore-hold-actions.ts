import { findLastRestore, findRestoreGap } from '../../connections/exchange/exchange-guard-actions.ts'
import { formatDollars } from '../../foundation/core/money.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { failItem, type ItemFailed, inTransactionSkippingFailed } from '../../foundation/db/failed-items.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import {
  closeBankCase,
  findSubjectCases,
  type NewBankCase,
  tryRecordBankCase,
} from '../../foundation/exception/bank-case-actions.ts'
import { recordException } from '../../foundation/exception/exception-actions.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { lowestIdOf } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { applyLegEvent, findLegs, holdLeg, type LegHandlers, lockLeg, sendLegInFile } from './leg-actions.ts'
import type { LegKey, LegRow } from './leg-store.ts'
import { isRecallable, type Rail } from './rail-rules.ts'
import {
  listUnassignedMovements,
  listWaitingMovements,
  type Movements,
  markMovementMatched,
  type UnassignedMovement,
  wasReviewed,
} from './restore-hold-store.ts'

/** The days after a recovery in which clients repeat the payments that the restore lost. */
const DAYS_OF_REPEATS = 7

/** Whether something that the bank or the printer has is the one of a payment. `possible`: the operator decides. */
export type Claim = 'certain' | 'possible' | 'none'

/**
 * Decides whether something that the bank or the printer has, and that is not assigned to a payment, is the one of a leg. All rails use this
 * rule.
 *
 * @param given.likeness `own` if it has the number or id of the payment, and the same amount and account. A later payment can get the number
 * of a lost one that nobody has repeated
 * @param movement.isDecided whether the operator has closed the case about it, and has settled it without a payment
 */
export function claimOf(
  leg: Pick<LegRow, 'subjectId'>,
  { recoveredAt, isDecided, likeness }: { recoveredAt: Date; isDecided: boolean; likeness: 'own' | 'similar' },
): Claim {
  const isOld = mayBeRepeated(leg, recoveredAt)
  if (likeness === 'similar') return isOld && !isDecided ? 'possible' : 'none'
  if (isOld) return isDecided ? 'possible' : 'certain'
  return isDecided ? 'none' : 'possible'
}

/** Returns whether a payment was made before a recovery, or soon after it, so that it may be the repetition of a lost one. */
export const mayBeRepeated = ({ subjectId }: Pick<LegRow, 'subjectId'>, recoveredAt: Date): boolean =>
  subjectId < lowestIdOf(addDays(recoveredAt, DAYS_OF_REPEATS))

/** What a restore left unknown. `since`: all payments since this time are known, or null if there was no gap. */
export type RestoreGap = { since: Date | null; movements: readonly UnassignedMovement[] }

export const NO_GAP: RestoreGap = { since: null, movements: [] }

/** Reads what a restore left unknown. Callers read it once per file. */
export const readRestoreGap = async (tx: TxDeps): Promise<RestoreGap> => ({
  since: await findRestoreGap(tx),
  movements: await listUnassignedMovements(tx.sql),
})

/**
 * Holds a leg for the operator if the bank or the printer may already have it: a restore left a gap, and the payment was made before it or may be
 * the repetition of a lost one, or something on another rail has its amount.
 *
 * @returns whether it is held
 */
export async function holdIfMaybeAtBank(tx: TxDeps, leg: LegRow, { since, movements }: RestoreGap): Promise<boolean> {
  if (await holdIfOnOtherRail(tx, leg, movements)) return true
  if (since === null || !mayBeRepeated(leg, since)) return false
  const note =
    leg.subjectId < lowestIdOf(since)
      ? 'The payment is older than the restore of the database, and its last files are unknown.'
      : 'The last files before the restore of the database are unknown, and this payment may repeat one of them.'
  return holdUnlessReviewed(tx, leg, { since, note })
}

/**
 * Holds a leg for the operator if its payment was made before the last restore, because the processor may have its order. Payments that clients
 * repeat later cannot be compared, and are not held. @returns whether it is held
 */
export async function holdIfMaybeAtProcessor(tx: TxDeps, leg: LegRow): Promise<boolean> {
  const restoredAt = await findLastRestore(tx)
  if (restoredAt === null) return false
  if (await holdIfOnOtherRail(tx, leg, await listUnassignedMovements(tx.sql))) return true
  if (leg.subjectId >= lowestIdOf(restoredAt)) return false
  const note = 'The payment is older than the restore of the database, and the processor may have its order.'
  return holdUnlessReviewed(tx, leg, { since: restoredAt, note })
}

/**
 * Returns whether the bank or the printer may have a payout, refund or debit of a payment that the restored database does not know. A restored
 * payment keeps its number and its id, so only what has these, or names no payment, can be its own. This ends when the operator closes the case
 * about it.
 *
 * @param given.receiverId the one that an ACH entry of the payment has
 */
export async function mayBeAtBank(
  { sql }: Pick<TxDeps, 'sql'>,
  {
    paymentId,
    receiverId,
    cents,
    what = 'payouts',
  }: { paymentId: string; receiverId: string; cents: number; what?: Movements },
): Promise<boolean> {
  const movements = await listUnassignedMovements(sql, what)
  return movements.some((movement) => {
    if (movement.cents !== cents || movement.isDecided) return false
    const isNamed = movement.reference === { entry: receiverId, check: paymentId, order: null }[movement.medium]
    if (movement.reference !== null && !isNamed) return false
    const likeness = movement.reference === null ? 'similar' : 'own'
    return claimOf({ subjectId: paymentId }, { ...movement, likeness }) !== 'none'
  })
}

/**
 * Holds the payout of a check that is about to be handed out, if something that the bank or the printer has may have paid the payment.
 *
 * @returns whether it is held
 */
export const holdIfPaidBeforeHandOut = async (tx: TxDeps, leg: LegRow): Promise<boolean> =>
  holdIfOnOtherRail(tx, leg, await listUnassignedMovements(tx.sql))

/** Holds a payout if something on another rail may have paid it, because the payee chose another kind of account in the lost time. */
async function holdIfOnOtherRail(tx: TxDeps, leg: LegRow, movements: readonly UnassignedMovement[]): Promise<boolean> {
  if (leg.purpose !== 'payment_push') return false
  for (const movement of movements) {
    if (movement.cents !== leg.cents || movement.medium === mediumOf(leg.rail)) continue
    if (claimOf(leg, { ...movement, likeness: 'similar' }) === 'none') continue
    const note = `${nameOf(movement)} in ${movement.fileName} has the same amount. It may have paid this payment on another rail.`
    if (await holdUnlessReviewed(tx, leg, { since: movement.recoveredAt, note })) return true
  }
  return false
}

function mediumOf(rail: Rail): UnassignedMovement['medium'] | null {
  if (rail === 'ACH') return 'entry'
  if (rail === 'MAIL') return 'check' // a check that is handed out is never at the printer
  return isRecallable(rail) ? 'order' : null
}

const nameOf = ({ medium, name }: UnassignedMovement): string =>
  ({ entry: `The entry with trace number ${name}`, order: `The order ${name}`, check: `Check ${name}` })[medium]

/**
 * Records that something on another rail has paid a payment that was held after a restore. The operator has found out.
 *
 * @returns a text that says what was done, or null if nothing on another rail has this name
 * @throws StartProblem if it cannot have paid the payment
 */
export async function payByOtherRail(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg: key, name, code }: { leg: LegKey; name: string; code: string | undefined },
): Promise<string | null> {
  const leg = await lockLeg(tx, handlers, key)
  const movements = leg?.purpose === 'payment_push' ? await listUnassignedMovements(tx.sql) : []
  const isNamed = (one: UnassignedMovement) => one.name === name.replaceAll('-', '').toLowerCase()
  const movement = leg && movements.find((one) => one.medium !== mediumOf(leg.rail) && isNamed(one))
  if (!movement) return null
  const { cents } = movement
  if (cents !== leg.cents) {
    throw new StartProblem(
      `${nameOf(movement)} is of ${formatDollars(cents)}, and the payment is of ${formatDollars(leg.cents)}.`,
    )
  }
  if (code?.toUpperCase() !== 'ACSC') {
    throw new StartProblem(
      `Find out whether ${name} has paid this payment. If it has, give --code ACSC. Close this only if it belongs to another payment. The payment is then sent.`,
    )
  }
  const sent = (await sendLegInFile(tx, handlers, leg, { isAtBank: true })) ? await lockLeg(tx, handlers, leg) : null
  const isMarked = sent !== null && (await markMovementMatched(tx.sql, movement, tx.clock.now()))
  if (!isMarked || !(await applyLegEvent(tx, handlers[leg.purpose], sent, 'settle')))
    throw new StartProblem('The payment does not wait, or another exception holds it.')
  await endMissingPayments(tx, { fileId: movement.fileId, events: [movement.name] })
  return `${nameOf(movement)} has paid the payment. It is not sent again.`
}

/** Holds a leg for the operator, unless the same question was answered since a restore. @returns whether it is held */
export async function holdUnlessReviewed(
  tx: TxDeps,
  leg: LegRow,
  { since, note }: { since: Date; note: string },
): Promise<boolean> {
  if (await wasReviewed(tx.sql, { ...leg, since, note })) return false
  await holdForReview(tx, leg, note)
  return true
}

/** Holds a leg that the bank or the printer may already have. */
export async function holdForReview(tx: TxDeps, leg: LegRow, note: string): Promise<void> {
  await holdLeg(tx, leg, note)
  await recordException(tx, {
    platformId: leg.platformId,
    kind: 'maybe_at_bank',
    paymentId: leg.purpose === 'micro_deposit' ? null : leg.subjectId,
    legId: leg.id,
    userId: leg.userId,
    cents: leg.cents,
    note,
  })
}

/**
 * Assigns waiting legs to what the bank or the printer already has, in one transaction without the legs that fail.
 *
 * @param given.prepare returns a function that assigns one of the legs
 * @throws StartProblem while a file is being made
 */
export async function assignWaitingLegs(
  deps: Deps,
  step: string,
  given: {
    tryLock(sql: Sql): Promise<boolean>
    list(sql: Sql): Promise<LegKey[]>
    prepare(tx: TxDeps, legs: readonly LegRow[]): Promise<(leg: LegRow) => Promise<unknown>>
  },
): Promise<void> {
  const isolation = isolate(deps, step)
  const fail = ({ item: { platformId, id }, cause }: ItemFailed<LegKey>) =>
    isolation.fail({ platformId, kind: 'leg', id }, cause)
  await inTransactionSkippingFailed(deps, fail, async (tx, failed: readonly LegKey[]) => {
    if (!(await given.tryLock(tx.sql))) throw new StartProblem(BUSY)
    const keys = await given.list(tx.sql)
    const legs = await findLegs(
      tx,
      keys.filter(({ id }) => !failed.some((one) => one.id === id)),
    )
    const assign = await given.prepare(tx, legs)
    for (const leg of legs) await assign(leg).catch(failItem(leg))
  })
}

const BUSY =
  'The files are recovered, but a file is being made now, so waiting payments were not assigned to what the bank has. Run the same command again.'

/** A movement that the bank or the printer has, and that is not assigned to a payment. `event` identifies it in its file. */
export type MissingPayment = Pick<NewBankCase, 'connectionId' | 'source' | 'file' | 'note'> & {
  event: string
  cents: number
}

/** `direction`: a credit if it is left out. */
type RecoveredMovement = { direction?: 'debit' | 'credit'; cents: number; recoveredAt: Date }

/**
 * Records a case for each movement that is still not assigned to a payment after the days in which clients repeat payments. While a payment
 * waits that may be its own, there is no case: the payment is assigned or held at its cut-off, and the operator decides with it.
 *
 * @param given.isUnassigned locks the movement, and returns whether it is still not assigned
 * @returns the number of new cases
 */
export async function reportMissingPayments<Movement extends RecoveredMovement>(
  deps: Deps,
  step: string,
  given: {
    list(since: Date): Promise<Movement[]>
    isUnassigned(tx: TxDeps, movement: Movement): Promise<boolean>
    caseOf(movement: Movement): MissingPayment
  },
): Promise<number> {
  const isolation = isolate(deps, step)
  let count = 0
  const movements = await given.list(addDays(deps.clock.now(), -DAYS_OF_REPEATS))
  for (const movement of await withoutWaiting(deps, movements)) {
    const { event, ...one } = given.caseOf(movement)
    const unit = { platformId: null, kind: 'movement without a payment', id: `${one.file.id} ${event}` }
    const report = (tx: TxDeps) =>
      tryRecordBankCase(tx, {
        ...{ ...one, event, kind: 'payment_missing', line: 0, isBankWide: false, content: { lines: [] } },
      })
    const isNew = await isolation.run(unit, () =>
      inTransaction(deps, async (tx) => (await given.isUnassigned(tx, movement)) && report(tx)),
    )
    if (isNew) count++
  }
  return count
}

/** Leaves out the movements that may be those of payments that wait. */
async function withoutWaiting<Movement extends RecoveredMovement>(
  { sql }: Deps,
  movements: readonly Movement[],
): Promise<readonly Movement[]> {
  if (movements.length === 0) return movements
  const keyOf = ({ direction = 'credit', cents }: { direction?: string; cents: number }) => `${direction} ${cents}`
  const asked = movements.map(({ direction = 'credit', cents }) => ({ direction, cents }))
  const waiting = new Map((await listWaitingMovements(sql, asked)).map((leg) => [keyOf(leg), leg]))
  return movements.filter((movement) => {
    const leg = waiting.get(keyOf(movement))
    return !leg || !mayBeRepeated(leg, movement.recoveredAt)
  })
}

/** The resolution of the cases about the movements of a file. */
export const FILE_REJECTED = 'The bank has rejected the file.'

/**
 * Closes the cases about movements that are assigned to their payments now, or that the bank has rejected.
 *
 * @param given.events the movements; all of the file if they are left out
 */
export async function endMissingPayments(
  tx: TxDeps,
  {
    fileId,
    events,
    resolution = 'The payment is known again.',
  }: { fileId: string; events?: readonly string[]; resolution?: string },
): Promise<void> {
  for (const row of await findSubjectCases(tx, { kind: 'payment_missing', subjectId: fileId }))
    if (events?.includes(row.event) ?? true) await closeBankCase(tx, row, { resolution })
}
