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
import { findLegs, holdLeg } from './leg-actions.ts'
import type { LegKey, LegRow } from './leg-store.ts'
import { wasReviewed } from './restore-hold-store.ts'

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

/**
 * Holds a leg for the operator if the leg may already be at the bank, because its payment was made before a gap that a restore left.
 *
 * @returns whether it is held
 */
export async function holdIfMaybeAtBank(tx: TxDeps, leg: LegRow, gap: Date | null): Promise<boolean> {
  if (gap === null || leg.subjectId >= lowestIdOf(gap)) return false
  const note = 'The payment is older than the restore of the database, and its last files are unknown.'
  return holdUnlessReviewed(tx, leg, { since: gap, note })
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
 * Assigns waiting legs to what the bank or the printer already has, in one transaction without the legs that fail. Does nothing while a file
 * is being made.
 *
 * @param given.prepare returns a function that assigns one of the legs
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
    if (!(await given.tryLock(tx.sql))) return
    const keys = await given.list(tx.sql)
    const legs = await findLegs(
      tx,
      keys.filter(({ id }) => !failed.some((one) => one.id === id)),
    )
    const assign = await given.prepare(tx, legs)
    for (const leg of legs) await assign(leg).catch(failItem(leg))
  })
}

/** A movement that the bank or the printer has, and that is not assigned to a payment. `event` identifies it in its file. */
export type MissingPayment = Pick<NewBankCase, 'connectionId' | 'source' | 'file' | 'note'> & {
  event: string
  cents: number
}

/**
 * Records a case for each movement that is still not assigned to a payment after the days in which clients repeat payments.
 *
 * @param given.isUnassigned locks the movement, and returns whether it is still not assigned
 * @returns the number of new cases
 */
export async function reportMissingPayments<Movement>(
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
  for (const movement of await given.list(addDays(deps.clock.now(), -DAYS_OF_REPEATS))) {
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

/** Closes the case about a movement that is assigned to its payment now, or that the bank has rejected. */
export async function endMissingPayment(
  tx: TxDeps,
  { fileId, event, resolution = 'The payment is known again.' }: { fileId: string; event: string; resolution?: string },
): Promise<void> {
  for (const row of await findSubjectCases(tx, { kind: 'payment_missing', subjectId: fileId }))
    if (row.event === event) await closeBankCase(tx, row, { resolution })
}
