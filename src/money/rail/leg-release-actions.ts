import type { TxDeps } from '../../foundation/db/deps.ts'
import { type CaseEnd, closeBankCase } from '../../foundation/exception/bank-case-actions.ts'
import type { BankCaseRow } from '../../foundation/exception/bank-case-store.ts'
import { isAnyLegHeld } from '../../foundation/exception/bank-hold-actions.ts'
import { isExceptionOpen } from '../../foundation/exception/exception-actions.ts'
import { holdingKinds } from '../../foundation/exception/exception-rules.ts'
import { type LegHandlers, legsOf, lockLeg } from './leg-actions.ts'
import { type LegRow, updateLegsReleased } from './leg-store.ts'

/**
 * Releases the legs of a payment or bank after the operator's review, unless something else holds them. Locks the subject first. If two
 * operators close the last two exceptions at the same time, the second one then sees that the first is closed.
 *
 * @returns one of the released legs, or null
 */
export async function releaseUnlessHeld(
  tx: TxDeps,
  handlers: LegHandlers,
  { platformId, legId }: { platformId: string; legId: string | null },
): Promise<LegRow | null> {
  const leg = legId && (await lockLeg(tx, handlers, { platformId, id: legId }))
  if (!leg) return null
  const legIds = (await legsOf(tx, leg)).map(({ id }) => id)
  const isHeld =
    (await isExceptionOpen(tx, { platformId, legIds, kinds: holdingKinds })) || (await isAnyLegHeld(tx, legIds))
  if (isHeld) return null
  await updateLegsReleased(tx.sql, leg)
  tx.afterCommit(tx.wake)
  return leg
}

/** Releases legs as `releaseUnlessHeld` does, and lets their payment act on the decision that they have not left. */
export async function releaseAfterReview(
  tx: TxDeps,
  handlers: LegHandlers,
  key: { platformId: string; legId: string | null },
): Promise<void> {
  const leg = await releaseUnlessHeld(tx, handlers, key)
  const [subject] = leg ? await handlers[leg.purpose](tx, [leg]) : []
  await subject?.afterReview?.()
}

/** Closes a locked case of the bank, and releases the payment that it held, unless something else holds it. */
export async function settleBankCase(
  tx: TxDeps,
  handlers: LegHandlers,
  { row, ...end }: { row: BankCaseRow } & CaseEnd,
): Promise<void> {
  await closeBankCase(tx, row, end)
  const { platformId, legId } = row
  if (platformId) await releaseAfterReview(tx, handlers, { platformId, legId })
}
