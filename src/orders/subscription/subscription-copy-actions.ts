import { ApiError } from '../../foundation/core/errors.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { sendSubscriptionMessage } from '../../payments/payment/outbox/outbox-actions.ts'
import type { Destination } from '../../payments/payment/payment-change-actions.ts'
import { buildInvoiceCopy } from '../invoice/invoice-actions.ts'
import { holdDestination } from '../invoice/invoice-payment-actions.ts'
import type { InvoiceRow } from '../invoice/invoice-store.ts'
import { updateRecipientPlatform } from './subscription-copy-store.ts'
import type { RunRow, SubscriptionRow } from './subscription-store.ts'

// Synchronizes the copy of a subscription, which exists on the payer's platform if its invoices go to another platform
// (docs/adr/0024-outbox.md).

/** The result of a run. `invoice` is sent to the platform that has the copy of the subscription, with the columns for its row there. */
export type Ran = { run: RunRow; invoice: { columns: object; destination: Destination | null } | null }

/** Sends the payer's platform a message that creates or changes its copy. `ran` is the run that has just been done. */
export async function notifyPayerPlatform(deps: TxDeps, row: SubscriptionRow, ran: Ran | null): Promise<void> {
  const { platformId, id, recipientPlatformId } = row
  if (recipientPlatformId === null) return
  await sendSubscriptionMessage(deps, {
    platformId,
    targetPlatformId: recipientPlatformId,
    kind: 'subscription_changed',
    subjectId: id,
    content: { ...columnsOf(row), ran },
  })
}

const columnsOf = (row: SubscriptionRow) => ({
  sender_platform_id: row.platformId,
  user_id: row.userId,
  state: row.state,
  amount_cents: row.amountCents,
  name: row.name,
  recipient: row.recipient,
  description: row.description,
  details: row.details,
  repeats: row.interval,
  duration: row.duration,
  start_date: row.startDate,
  next_run: row.nextRun,
  skipped: row.skipped,
  created_at: row.createdAt,
})

/** Finds the platform of the recipient, who may open one later. The platform gets a copy with the next run. */
export async function assignRecipientPlatform(
  deps: TxDeps,
  row: SubscriptionRow,
  invoice: InvoiceRow | null,
): Promise<SubscriptionRow> {
  const recipientPlatformId = invoice?.recipientPlatformId ?? null
  if (recipientPlatformId === null || row.recipientPlatformId !== null || row.payerId !== null) return row
  await updateRecipientPlatform(deps.sql, row, recipientPlatformId)
  return { ...row, recipientPlatformId }
}

/**
 * Returns the invoice of a run for the platform that has the copy of the subscription. Returns null if the invoice has another recipient.
 */
export async function invoiceForCopy(
  deps: TxDeps,
  { recipientPlatformId }: SubscriptionRow,
  invoice: InvoiceRow | null,
): Promise<Ran['invoice']> {
  if (recipientPlatformId === null || invoice?.recipientPlatformId !== recipientPlatformId) return null
  return {
    columns: buildInvoiceCopy(invoice, recipientPlatformId).content,
    destination: await destinationOf(deps, invoice),
  }
}

async function destinationOf(deps: TxDeps, invoice: InvoiceRow): Promise<Destination | null> {
  try {
    return await holdDestination(deps, invoice)
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** Informs the sender's platform whether autopay is on. */
export async function notifySenderPlatform(
  deps: TxDeps,
  { platformId, id, senderPlatformId }: SubscriptionRow,
  content: { autopay: boolean },
): Promise<void> {
  if (senderPlatformId === null) return
  const message = { platformId, targetPlatformId: senderPlatformId, subjectId: id, content }
  await sendSubscriptionMessage(deps, { ...message, kind: 'autopay_changed' })
}
