import type { TxDeps } from '../../foundation/db/deps.ts'
import { newId } from '../../foundation/lib/ids.ts'
import type { Rail } from '../../money/rail/rail-rules.ts'
import type { ReturnCode } from '../../money/rail/return-code-rules.ts'
import { followPayment } from '../invoice-status/invoice-change-actions.ts'
import { paymentEventBody } from './payment-rules.ts'
import { type PaymentEvent, paymentTransitions } from './payment-status.ts'
import { changePaymentStatus } from './payment-store.ts'
import type { DestinationKind, PaymentRow } from './payment-types.ts'

export type Destination = { kind: DestinationKind; id: string }

/**
 * The changes of an event in addition to the status. A scheduled refund is canceled unless the event sets it. `isPayeePaid`: the payment
 * fails although its payee keeps the money, so its invoice does not change.
 */
export type PaymentChanges = {
  rail?: Rail
  destination?: Destination
  returnCode?: ReturnCode
  refundAt?: Date
  isPayeePaid?: boolean
}

/**
 * Applies one event of the table to a payment, writes the webhook event, and changes the status of its invoice, all in the transaction of
 * `deps`. No other code changes the status of a payment.
 *
 * @returns the updated payment, or null if its status does not allow the event
 */
export async function applyPaymentEvent(
  deps: TxDeps,
  payment: PaymentRow,
  event: PaymentEvent,
  change: PaymentChanges = {},
): Promise<PaymentRow | null> {
  const { from, to } = paymentTransitions[event]
  const now = deps.clock.now()
  const next: PaymentRow = {
    ...payment,
    status: to,
    rail: change.rail ?? payment.rail,
    destinationKind: change.destination?.kind ?? payment.destinationKind,
    destinationId: change.destination?.id ?? payment.destinationId,
    destinationPlatformId: change.destination ? null : payment.destinationPlatformId,
    returnCode: event === 'deposit' || event === 'reinstate' ? null : (change.returnCode ?? payment.returnCode),
    refundAt: change.refundAt ?? null,
    updatedAt: now,
  }
  const { changed, isDue } = await changePaymentStatus(deps.sql, {
    ...{ platformId: payment.platformId, next, from, event, now, actor: deps.actor, realNow: deps.realClock.now() },
    ...{ eventId: newId(deps), eventBody: paymentEventBody(next) },
  })
  if (!changed) return null
  deps.afterCommit(() => deps.meter.paymentChanged(to))
  if (isDue) deps.afterCommit(deps.wake)
  if (next.invoiceId !== null && !change.isPayeePaid)
    await followPayment(deps, { platformId: next.platformId, id: next.invoiceId }, next)
  return next
}
