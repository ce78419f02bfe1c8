import type { Sql } from '../../foundation/db/connect.ts'
import type { InvoiceKey } from './invoice-change-store.ts'

/** An invoice from another platform, in the account of a platform's owner. */
type ReceivedInvoiceKey = { platformId: string; invoiceId: string }

/**
 * Creates the copy of an invoice from another platform. `content` has the other columns. A second call does nothing, even after the account
 * has added the invoice.
 */
export async function insertReceivedInvoice(
  sql: Sql,
  { platformId, invoiceId }: ReceivedInvoiceKey,
  { position, content }: { position: number; content: object },
): Promise<void> {
  await sql`
    insert into received_invoices (
      platform_id, invoice_id, sender_platform_id, sender_id, sender, status, number, amount_cents, name, recipient,
      description, has_attachment, created_at, updated_at, version, due_date, terms, items
    )
    select
      ${platformId}, ${invoiceId}, c.sender_platform_id, c.sender_id, c.sender, c.status, c.number, c.amount_cents, c.name,
      c.recipient, c.description, c.has_attachment, c.created_at, c.updated_at, ${position},
      c.due_date, c.terms, c.items
    from json_populate_record(null::received_invoices, ${sql.json(content)}) c
    where not exists (select from invoices i where i.platform_id = ${platformId} and i.id = ${invoiceId})
    on conflict (platform_id, invoice_id) do nothing
  `
}

/** Changes the copy, unless the message was applied before. */
export async function updateReceivedInvoice(
  sql: Sql,
  { platformId, invoiceId }: ReceivedInvoiceKey,
  { position, content }: { position: number; content: object },
): Promise<void> {
  await sql`
    update received_invoices r
    set status = c.status, updated_at = c.updated_at, version = ${position}
    from json_populate_record(null::received_invoices, ${sql.json(content)}) c
    where r.platform_id = ${platformId} and r.invoice_id = ${invoiceId} and r.version < ${position}
  `
}

/**
 * Adds an invoice that was mailed to an address to an account on another platform, and sends a copy there.
 *
 * @returns true if the invoice is from another platform and no account had it before
 */
export async function claimInvoice(
  sql: Sql,
  { platformId, id }: InvoiceKey,
  accountPlatformId: string,
): Promise<boolean> {
  const rows = await sql`
    with claimed as (
      update invoices
      set copy_platform_id = ${accountPlatformId}
      where platform_id = ${platformId} and id = ${id} and notice is not null and recipient_platform_id is null
        and copy_platform_id is null and platform_id <> ${accountPlatformId}
      returning *
    )
    insert into outbox (platform_id, target_platform_id, kind, subject_id, content)
    select
      c.platform_id, c.copy_platform_id, 'invoice_copied', c.id,
      json_build_object(
        'sender_platform_id', c.platform_id, 'sender_id', c.sender_id, 'sender', coalesce(u.business_name, u.name),
        'status', c.status, 'number', c.number, 'amount_cents', c.amount_cents, 'name', c.name, 'recipient', c.recipient,
        'description', c.description, 'has_attachment', c.attachment is not null, 'created_at', c.created_at,
        'updated_at', c.updated_at, 'due_date', c.due_date, 'terms', c.terms, 'items', c.items
      )
    from claimed c
    join users u on u.platform_id = ${platformId} and u.id = c.sender_id
    returning subject_id
  `
  return rows.length > 0
}
