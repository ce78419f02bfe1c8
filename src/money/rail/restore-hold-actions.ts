import type { TxDeps } from '../../foundation/db/deps.ts'
import { recordException } from '../../foundation/exception/exception-actions.ts'
import { lowestIdOf } from '../../foundation/lib/ids.ts'
import { holdLeg } from './leg-actions.ts'
import type { LegRow } from './leg-store.ts'
import { wasReviewed } from './restore-hold-store.ts'

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
