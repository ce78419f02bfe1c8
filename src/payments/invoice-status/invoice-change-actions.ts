import type { TxDeps } from '../../foundation/db/deps.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { followStatus } from '../../people/user/user-actions.ts'
import { holdExistingUser } from '../../people/user/user-lock-actions.ts'
import {
  changeInvoiceStatus,
  claimInvoice,
  copyInvoice,
  findSenderOfUnpaid,
  followInvoice,
  type InvoiceKey,
} from './invoice-change-store.ts'
import { type InvoiceEvent, invoiceEventByPaymentStatus, invoiceTransitions } from './invoice-status.ts'

/**
 * Applies one event of the table to an invoice and writes the webhook event. No other code changes the status of an invoice.
 *
 * @param payment its payment before and after the event
 * @returns false if its status does not allow the event, or if it has another payment
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

/** Changes the status of an invoice to follow its payment. Earlier payments of the invoice have no effect. */
export async function followPayment(
  deps: TxDeps,
  invoice: InvoiceKey,
  { id: paymentId, status }: { id: string; status: string },
): Promise<void> {
  const event = invoiceEventByPaymentStatus[status]
  if (!event) return
  const payment = { before: paymentId, after: event === 'settle' ? paymentId : null }
  const isChanged = await applyInvoiceEvent(deps, invoice, event, payment)
  if (isChanged && event === 'reopen') await followDeletedSender(deps, invoice)
}

/** Voids an invoice that is unpaid again, if its sender was deleted meanwhile. The background step for deleted users does it. */
async function followDeletedSender(deps: TxDeps, invoice: InvoiceKey): Promise<void> {
  const sender = await findSenderOfUnpaid(deps.sql, invoice)
  if (sender && !(await holdExistingUser(deps, sender))) await followStatus(deps, sender)
}

/** Creates the recipient's row of an invoice from another platform, unless it exists. */
export const createCopy = (deps: Pick<TxDeps, 'sql'>, invoice: InvoiceKey, content: object): Promise<void> =>
  copyInvoice(deps.sql, invoice, content)

/** A message from the recipient's platform about the sender's row of an invoice. */
export type InvoiceMessageKey = InvoiceKey & { position: number }

/** Applies a message of the recipient's platform to the sender's row. A message that was already applied has no effect. */
export async function followRecipient(deps: TxDeps, message: InvoiceMessageKey, content: object): Promise<void> {
  const isDue = await followInvoice(deps.sql, { ...message, content, now: deps.clock.now() })
  if (isDue) deps.afterCommit(deps.wake)
  await followDeletedSender(deps, message)
}

/** Claims a message. @returns false if it was already applied */
export const claimMessage = (deps: TxDeps, message: InvoiceMessageKey): Promise<boolean> =>
  claimInvoice(deps.sql, message)
