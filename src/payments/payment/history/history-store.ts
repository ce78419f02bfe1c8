import type { Sql } from '../../../foundation/db/connect.ts'
import type { RequestActor } from '../../../foundation/db/deps.ts'
import type { PaymentStatus } from '../payment-status.ts'
import type { PaymentKey } from '../payment-types.ts'

/** An event of a payment. Events of payments and legs are written by the statement that changes them. */
export type HistoryRow = {
  /** The position of the event, counted from 1. */
  position: number
  kind: 'payment' | 'leg' | 'mail'
  event: string
  status: string | null
  rail: string | null
  returnCode: string | null
  legId: string | null
  /** The id of the webhook event. */
  eventId: string | null
  actor: RequestActor['kind'] | null
  actorId: string | null
  /** The time by the clock of the platform. */
  createdAt: Date
  realAt: Date
  /** The purpose of the leg. */
  purpose: string | null
  cents: number | null
}

/** Lists the history of a payment, in order. */
export async function listHistory(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<HistoryRow[]> {
  return sql<HistoryRow[]>`
    select
      h.position, h.kind, h.event, h.status, h.rail, h.return_code, h.leg_id, h.event_id, h.actor, h.actor_id, h.created_at,
      h.real_at, l.purpose, l.cents
    from payment_history h
    left join legs l on l.platform_id = h.platform_id and l.id = h.leg_id
    where h.platform_id = ${platformId} and h.payment_id = ${paymentId}
    order by h.position
  `
}

/** Records a mail about a payment. The caller holds the lock of the payment. */
export async function insertMailHistory(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
  mail: { event: string; actor: RequestActor | null; now: Date; realNow: Date },
): Promise<void> {
  await sql`
    insert into payment_history (platform_id, payment_id, position, kind, event, actor, actor_id, created_at, real_at)
    select
      ${platformId}, ${paymentId}, coalesce(max(position), 0) + 1, 'mail', ${mail.event}, ${mail.actor?.kind ?? null}, ${mail.actor?.id ?? null},
      ${mail.now}, ${mail.realNow}
    from payment_history
    where platform_id = ${platformId} and payment_id = ${paymentId}
  `
}

/** Returns whether the payee gets mail, and the real time of the creation if an Idempotency-Key recorded it. */
export async function findBeginning(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
): Promise<{ isInvited: boolean; keyAt: Date | null }> {
  const [row] = await sql<{ isInvited: boolean; keyAt: Date | null }[]>`
    select invitation is not null as is_invited, key_at
    from payments
    where platform_id = ${platformId} and id = ${paymentId}
  `
  return row as { isInvited: boolean; keyAt: Date | null }
}

/** A payment for an invoice, with one change of its status. `changedTo` is null if its status never changed. */
export type InvoicePaymentRow = {
  id: string
  status: PaymentStatus
  createdAt: Date
  changedTo: PaymentStatus | null
  changedAt: Date | null
}

/** Lists the payments for an invoice with the changes of their status, in order. */
export async function listInvoicePayments(
  sql: Sql,
  { platformId, invoiceId }: { platformId: string; invoiceId: string },
): Promise<InvoicePaymentRow[]> {
  return sql<InvoicePaymentRow[]>`
    select p.id, p.status, p.created_at, h.status as changed_to, h.created_at as changed_at
    from payments p
    left join payment_history h on h.platform_id = p.platform_id and h.payment_id = p.id and h.kind = 'payment'
    where p.platform_id = ${platformId} and p.invoice_id = ${invoiceId}
    order by p.created_at, p.id, h.position
  `
}
