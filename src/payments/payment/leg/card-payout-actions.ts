import type { TxDeps } from '../../../foundation/db/deps.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { loadCard, unloadCard } from '../../../money/virtual-card/virtual-card-actions.ts'
import { sendCardMovement } from '../outbox/outbox-actions.ts'
import type { PaymentRow } from '../payment-types.ts'

// Posts payouts to virtual cards. Each card has its own account in the ledger, so money that arrives on a card or leaves it has additional
// postings.

/** Loads the virtual card that a settled push went to, if any. */
export const loadVirtualCard = (deps: TxDeps, payment: PaymentRow, push: LegRow): Promise<void> =>
  move(deps, payment, push, 'LOAD')

/** Takes the money of a returned, settled push from the virtual card, if there is one. */
export const unloadVirtualCard = (deps: TxDeps, payment: PaymentRow, push: LegRow): Promise<void> =>
  move(deps, payment, push, 'RETURN')

async function move(
  deps: TxDeps,
  { platformId, id: paymentId, recipientPlatformId, destinationKind, description }: PaymentRow,
  { purpose, accountId: cardId, cents }: LegRow,
  type: 'LOAD' | 'RETURN',
): Promise<void> {
  if (destinationKind !== 'vcc' || purpose !== 'payment_push' || cardId === null) return
  const name = description ?? 'Payment'
  if (recipientPlatformId !== null && recipientPlatformId !== platformId) {
    const target = { platformId, targetPlatformId: recipientPlatformId, paymentId }
    await sendCardMovement(deps, target, { card_id: cardId, type, cents, name })
    return
  }
  await (type === 'LOAD' ? loadCard : unloadCard)(deps, { platformId, cardId, paymentId, cents, name })
}
