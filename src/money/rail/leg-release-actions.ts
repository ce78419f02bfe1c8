import type { TxDeps } from '../../foundation/db/deps.ts'
import { type CaseEnd, closeBankCase } from '../../foundation/exception/bank-case-actions.ts'
import type { BankCaseRow } from '../../foundation/exception/bank-case-store.ts'
import { isAnyLegHeld } from '../../foundation/exception/bank-hold-actions.ts'
import { isExceptionOpen } from '../../foundation/exception/exception-actions.ts'
import { holdingKinds } from '../../foundation/exception/exception-rules.ts'
import { type LegHandlers, legsOf, lockLeg, releaseHeldLeg } from './leg-actions.ts'

/**
 * Releases the legs of a payment or bank after the operator's review, unless something else holds them. Locks the subject first. If two
 * operators close the last two exceptions at the same time, the second one then sees that the first is closed.
 */
export async function releaseUnlessHeld(
  tx: TxDeps,
  handlers: LegHandlers,
  { platformId, legId }: { platformId: string; legId: string | null },
): Promise<void> {
  const leg = legId && (await lockLeg(tx, handlers, { platformId, id: legId }))
  if (!leg) return
  const legIds = (await legsOf(tx, leg)).map(({ id }) => id)
  const isHeld =
    (await isExceptionOpen(tx, { platformId, legIds, kinds: holdingKinds })) || (await isAnyLegHeld(tx, legIds))
  if (!isHeld) await releaseHeldLeg(tx, handlers, leg)
}

/** Closes a locked case of the bank, and releases the payment that it held, unless something else holds it. */
export async function settleBankCase(
  tx: TxDeps,
  handlers: LegHandlers,
  { row, ...end }: { row: BankCaseRow } & CaseEnd,
): Promise<void> {
  await closeBankCase(tx, row, end)
  const { platformId, legId } = row
  if (platformId) await releaseUnlessHeld(tx, handlers, { platformId, legId })
}
