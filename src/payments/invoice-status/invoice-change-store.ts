import type { Sql } from '../../foundation/db/connect.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { InvoiceStatus } from './invoice-status.ts'

export type InvoiceKey = { platformId: string; id: string }

export type InvoiceChange = {
  from: readonly InvoiceStatus[]
  to: InvoiceStatus
  /** The payment of the invoice before the change. Null: it has none. */
  paymentBefore: string | null
  paymentAfter: string | null
  eventId: string
  eventBody: string
  now: Date
}

/** Changes the status and writes the event: see `sql/change_invoice_status_v1.sql`. */
export async function changeInvoiceStatus(
  sql: Sql,
  { platformId, id }: InvoiceKey,
  change: InvoiceChange,
): Promise<{ changed: boolean; isDue: boolean | null }> {
  const [row] = await sql<{ changed: boolean; isDue: boolean | null }[]>`
    select changed, is_due
    from change_invoice_status_v1(
      ${platformId}, ${id}, ${change.from as InvoiceStatus[]}, ${change.to}, ${change.paymentBefore},
      ${change.paymentAfter}, ${change.eventId}, ${change.eventBody}, ${change.now}
    )
  `
  return row as { changed: boolean; isDue: boolean | null }
}

/** Finds the user who sent an invoice that is unpaid. Returns null if the sender is on another platform. */
export async function findSenderOfUnpaid(sql: Sql, { platformId, id }: InvoiceKey): Promise<UserKey | null> {
  const [row] = await sql<UserKey[]>`
    select platform_id, sender_id as user_id
    from invoices
    where platform_id = ${platformId} and id = ${id} and status = 'UNPAID' and sender_platform_id is null
  `
  return row ?? null
}

/** A change of an invoice on the recipient's platform. `position` is the position of the message about the change. */
export type InvoiceNews = InvoiceKey & { position: number; content: object; now: Date }

/** Applies a change to the invoice (`sql/follow_invoice_v1.sql`). @returns whether a webhook is now due */
export async function followInvoice(
  sql: Sql,
  { platformId, id, position, content, now }: InvoiceNews,
): Promise<boolean> {
  const [row] = await sql<{ isDue: boolean }[]>`
    select follow_invoice_v1(${platformId}, ${id}, ${position}, ${sql.json(content)}, ${now}) as is_due
  `
  return row?.isDue ?? false
}

/** Claims a message about an invoice for the sender's row. @returns false if it was already applied */
export async function claimInvoice(
  sql: Sql,
  { platformId, id, position }: InvoiceKey & { position: number },
): Promise<boolean> {
  const result = await sql`
    update invoices
    set version = ${position}
    where platform_id = ${platformId} and id = ${id} and version < ${position}
  `
  return result.count === 1
}

/**
 * Creates the recipient's row of an invoice from another platform, and deletes the copy that the account already had. `content` has the
 * other columns. A second call does nothing.
 */
export async function copyInvoice(sql: Sql, { platformId, id }: InvoiceKey, content: object): Promise<void> {
  await sql`
    insert into invoices (
      platform_id, id, sender_platform_id, sender_id, recipient_id, recipient, status, number, amount_cents, name, description,
      account_id, has_file_elsewhere, created_at, updated_at, due_date, terms, items
    )
    select
      ${platformId}, ${id}, c.sender_platform_id, c.sender_id, ${platformId}, c.recipient, 'UNPAID', c.number, c.amount_cents,
      c.name, c.description, c.account_id, c.has_file_elsewhere, c.created_at, c.created_at, c.due_date, c.terms, c.items
    from json_populate_record(null::invoices, ${sql.json(content)}) c
    on conflict (platform_id, id) do nothing
  `
  await sql`
    delete from received_invoices
    where platform_id = ${platformId} and invoice_id = ${id}
  `
}
