import type { TxDeps } from '../../foundation/db/deps.ts'
import { newId } from '../../foundation/lib/ids.ts'
import {
  changeInvoiceStatus,
  claimInvoice,
  copyInvoice,
  followInvoice,
  type InvoiceKey,
} from './invoice-change-store.ts'
import { type InvoiceEvent, invoiceEventByPaymentStatus, invoiceTransitions } from './invoice-status.ts'

/**
 * The only place that changes the status of an invoice: applies one event of the table and writes the webhook event.
 *
 * @param payment its payment before and after the event
 * @returns false when the event is not allowed in its status, or it has another payment
 */
export async function applyInvoiceEvent(
  deps: TxDeps,
  key: InvoiceKey,
  event: InvoiceEvent,
  payment: { before: string | null; after: string | null },
): Promise<boolean> {
  const { from, to } = invoiceTransitions[event]
  const { changed, isDue } = await changeInvoiceStatus(deps.sql, key, {
    from,
    to,
    paymentBefore: payment.before,
    paymentAfter: payment.after,
    eventId: newId(deps),
    eventBody: JSON.stringify({ id: key.id, status: to, type: 'INVOICE' }),
    now: deps.clock.now(),
  })
  if (isDue) deps.afterCommit(deps.wake)
  return changed
}

/** An invoice follows the payment that it has. An earlier payment of it has no effect. */
export async function followPayment(
  deps: TxDeps,
  invoice: InvoiceKey,
  { id: paymentId, status }: { id: string; status: string },
): Promise<void> {
  const event = invoiceEventByPaymentStatus[status]
  if (!event) return
  await applyInvoiceEvent(deps, invoice, event, { before: paymentId, after: event === 'settle' ? paymentId : null })
}

/** Creates the recipient's row of an invoice from another platform, unless it is there. */
export const createCopy = (deps: Pick<TxDeps, 'sql'>, invoice: InvoiceKey, content: object): Promise<void> =>
  copyInvoice(deps.sql, invoice, content)

/** A message about an invoice from the platform of its recipient, for the sender's row. */
export type InvoiceMessageKey = InvoiceKey & { position: number }

/** The sender's row follows that of the recipient. A message that was applied before does nothing. */
export async function followRecipient(deps: TxDeps, message: InvoiceMessageKey, content: object): Promise<void> {
  const isDue = await followInvoice(deps.sql, { ...message, content, now: deps.clock.now() })
  if (isDue) deps.afterCommit(deps.wake)
}

/** @returns false when the message was applied before */
export const claimMessage = (deps: TxDeps, message: InvoiceMessageKey): Promise<boolean> =>
  claimInvoice(deps.sql, message)
