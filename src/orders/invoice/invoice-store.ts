import type { Sql } from '../../foundation/db/connect.ts'
import { listPage, type Page } from '../../foundation/db/list-page.ts'
import { createdAndContaining, type ListConditions, type Paging, sortKeyOf } from '../../foundation/db/paging.ts'
import { emailHash } from '../../foundation/lib/text/email.ts'
import type { InvoiceKey } from '../../payments/invoice-status/invoice-change-store.ts'
import type { InvoiceStatus } from '../../payments/invoice-status/invoice-status.ts'
import { type PaymentSort, paymentSorts } from '../../payments/payment/payment-rules.ts'
import type { Attachment } from '../../payments/payment/payment-store.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { Direction } from './invoice-rules.ts'
import type { InvoiceTerms } from './invoice-terms-rules.ts'

export type NewInvoiceRow = InvoiceKey &
  InvoiceTerms & {
    senderId: string
    /** The user who pays. Null: the recipient has no user here, or has not given an account to pay from yet. */
    recipientId: string | null
    /** The recipient as the sender entered it. */
    recipient: string
    status: InvoiceStatus
    number: string
    amountCents: number
    name: string
    description: string
    /** The account that receives the money. Null: the sender's default bank at the time of the payment. */
    accountId: string | null
    createdAt: Date
    /**
     * In the sender's row of an invoice to another platform, the recipient's platform. It has its own row, on which the invoice is paid.
     */
    recipientPlatformId: string | null
  }

export type InvoiceRow = NewInvoiceRow & {
  paymentId: string | null
  updatedAt: Date
  hasAttachment: boolean
  /** In the recipient's row of an invoice from another platform, the platform of the sender. */
  senderPlatformId: string | null
}

/** Returns the platform of the sender. */
export const senderPlatformOf = ({ senderPlatformId, platformId }: InvoiceRow): string => senderPlatformId ?? platformId

const listedColumns = (sql: Sql) => sql`
  platform_id, id, sender_id, recipient_id, recipient, status, number, amount_cents, name, description, account_id,
  payment_id, attachment is not null or has_file_elsewhere as has_attachment, created_at, recipient_platform_id,
  sender_platform_id, due_date, updated_at
`

const columns = (sql: Sql) => sql`${listedColumns(sql)}, terms, items`

/** The times of the first mail and the first reminder to a person without an account. */
export type FirstNotice = { noticeAt: Date; remindAt: Date }

export async function insertInvoice(
  sql: Sql,
  row: NewInvoiceRow,
  { attachment, notice }: { attachment: Attachment | null; notice: FirstNotice | null },
): Promise<void> {
  await sql`
    insert into invoices ${sql.values({
      ...row,
      items: sql.json(row.items),
      updatedAt: row.createdAt,
      attachmentName: attachment?.filename ?? null,
      attachment: attachment?.pdf ?? null,
      ...(notice && { notice: 'SENT', ...notice }),
    })}
  `
}

export async function findInvoice(sql: Sql, { platformId, id }: InvoiceKey): Promise<InvoiceRow | null> {
  const [row] = await sql<InvoiceRow[]>`
    select ${columns(sql)}
    from invoices
    where platform_id = ${platformId} and id = ${id}
  `
  return row ?? null
}

/** Returns the columns of `listedColumns` for the copy of an invoice from another platform, which stores the texts. */
const copiedColumns = (sql: Sql) => sql`
  sender_platform_id as platform_id, invoice_id as id, sender_id, platform_id as recipient_id, recipient, status, number,
  amount_cents, name, description, null::uuid as account_id, null::uuid as payment_id, has_attachment, created_at,
  null::uuid as recipient_platform_id, null::uuid as sender_platform_id, due_date, updated_at
`

/** Finds an invoice from another platform in the account of an owner. `sender` is the sender's name. */
export async function findReceivedInvoice(
  sql: Sql,
  { platformId, id }: InvoiceKey,
): Promise<(InvoiceRow & { sender: string }) | null> {
  const [row] = await sql<(InvoiceRow & { sender: string })[]>`
    select ${copiedColumns(sql)}, terms, items, sender
    from received_invoices
    where platform_id = ${platformId} and invoice_id = ${id}
  `
  return row ?? null
}

/** Reads an invoice and locks it against changes until the end of the transaction. */
export async function lockInvoice(sql: Sql, { platformId, id }: InvoiceKey): Promise<InvoiceRow | null> {
  const [row] = await sql<InvoiceRow[]>`
    select ${columns(sql)}
    from invoices
    where platform_id = ${platformId} and id = ${id}
    for update
  `
  return row ?? null
}

/**
 * Assigns the unpaid invoice of a person without an account to the account that found it. From then on, only that account can pay it.
 *
 * @returns whether the invoice is unpaid and now belongs to that account
 */
export async function moveInvoice(
  sql: Sql,
  { platformId, id }: InvoiceKey,
  accountPlatformId: string,
): Promise<boolean> {
  const result = await sql`
    update invoices
    set recipient_platform_id = ${accountPlatformId}, recipient_id = null, copy_platform_id = null
    where platform_id = ${platformId} and id = ${id} and status = 'UNPAID' and copy_platform_id = ${accountPlatformId}
  `
  return result.count === 1
}

export async function findInvoiceAttachment(sql: Sql, { platformId, id }: InvoiceKey): Promise<Attachment | null> {
  const [row] = await sql<Attachment[]>`
    select attachment_name as filename, attachment as pdf
    from invoices
    where platform_id = ${platformId} and id = ${id} and attachment is not null
  `
  return row ?? null
}

/**
 * The mails about an invoice. `isMailed`: whether its recipient gets mail, as a person without an account or as the owner of another
 * platform.
 */
export type InvoiceMails = { isMailed: boolean; reminders: number }

export async function findInvoiceMails(sql: Sql, { platformId, id }: InvoiceKey): Promise<InvoiceMails> {
  const [row] = await sql<InvoiceMails[]>`
    select notice is not null as is_mailed, reminders
    from invoices
    where platform_id = ${platformId} and id = ${id}
  `
  return row ?? { isMailed: false, reminders: 0 }
}

/** Lists the unpaid invoices that a user sent, except those whose void was requested from another platform. */
export async function listUnpaidInvoices(
  sql: Sql,
  { platformId, userId }: UserKey,
  limit: number,
): Promise<InvoiceKey[]> {
  return sql<InvoiceKey[]>`
    select platform_id, id
    from invoices i
    where platform_id = ${platformId} and sender_id = ${userId} and status = 'UNPAID'
      -- The other platform has not answered yet.
      and not exists (
        select
        from outbox o
        where o.platform_id = ${platformId} and o.kind = 'invoice_voided' and o.subject_id = i.id
      )
    order by id
    limit ${limit}
  `
}

/** Takes the next number of the user's counter. After the largest number it starts again at 1. */
export async function takeInvoiceNumber(sql: Sql, { platformId, userId }: UserKey): Promise<string> {
  const [row] = await sql<{ nextInvoiceNumber: number }[]>`
    update user_counters
    set next_invoice_number = next_invoice_number % 100000000 + 1
    where platform_id = ${platformId} and user_id = ${userId}
    returning next_invoice_number
  `
  const next = Number(row?.nextInvoiceNumber)
  return String(next === 1 ? 100_000_000 : next - 1)
}

/** Finds a user of the platform by user_id, or the owner of any platform by a verified receiving address. */
export async function findInvoicedUser(
  sql: Sql,
  { platformId, recipient, email }: { platformId: string; recipient: string; email: string | null },
): Promise<UserKey | null> {
  const [row] = await sql<UserKey[]>`
    select platform_id, user_id
    from (
      select platform_id, id as user_id, 1 as place
      from users
      where platform_id = ${platformId} and external_id = ${recipient} and deleted_at is null
      union all
      select platform_id, platform_id, 2
      from receiving_addresses
      where email_hash = ${email === null ? null : emailHash(email)} and verified_at is not null
    ) found
    order by place
    limit 1
  `
  return row ?? null
}

/** The payee of an invoice. `defaultBankId` is null if the payee has no bank. */
export type InvoicePayee = { payee: string; name: string; defaultBankId: string | null }

/** Finds the sender of an invoice as the recipient of its payment. Returns null if the sender was deleted. */
export async function findInvoicePayee(sql: Sql, { platformId, userId }: UserKey): Promise<InvoicePayee | null> {
  const [row] = await sql<InvoicePayee[]>`
    select coalesce(u.external_id, replace(u.id::text, '-', '')) as payee, coalesce(u.business_name, u.name) as name,
      b.id as default_bank_id
    from users u
    left join banks b on b.platform_id = u.platform_id and b.user_id = u.id and b.is_default and b.deleted_at is null
    where u.platform_id = ${platformId} and u.id = ${userId} and u.deleted_at is null
  `
  return row ?? null
}

/** The filters of a list of invoices. Days are `YYYY-MM-DD`, both included. */
export type InvoiceFilter = UserKey &
  ListConditions<InvoiceStatus> & {
    /** Selects unpaid invoices that were due before this day. */
    dueBefore?: string
  }

const matching = (sql: Sql, filter: InvoiceFilter) => sql`
  ${filter.status ? sql`and status = ${filter.status}` : sql``}
  ${filter.dueBefore ? sql`and status = 'UNPAID' and due_date < ${filter.dueBefore}` : sql``}
  ${createdAndContaining(sql, filter, ['name', 'recipient', 'description', 'number'])}
`

const sortExpressions: Record<PaymentSort, string> = {
  NUMBER: `lpad(number, 32, '0') collate "C"`,
  TYPE: `direction collate "C"`,
  AMOUNT: 'amount_cents',
  STATUS: 'status collate "C"',
  DATE: 'created_at',
  UPDATE: 'updated_at',
  DESCRIPTION: 'description collate "C"',
}

/** An invoice with its direction: OUTGOING for its sender, INCOMING for its recipient. */
export type ListedInvoice = InvoiceRow & { direction: Direction }

/** An invoice in a list, without its terms and lines. */
export type InvoiceOfList = Omit<ListedInvoice, 'terms' | 'items'>

/** Lists invoices. Sent, received and copied invoices are each read with their own index. */
export function listInvoices(sql: Sql, filter: InvoiceFilter, paging: Paging): Promise<Page<InvoiceOfList>> {
  const { platformId, userId, direction } = filter
  const sortKey = sortKeyOf(paging, sortExpressions, paymentSorts)
  const table = sql`
    (
      select ${listedColumns(sql)}, 'OUTGOING' as direction
      from invoices
      where platform_id = ${platformId} and sender_id = ${userId} and ${direction !== 'INCOMING'} ${matching(sql, filter)}
      union all
      select ${listedColumns(sql)}, 'INCOMING' as direction
      from invoices
      where platform_id = ${platformId} and recipient_id = ${userId} and ${direction !== 'OUTGOING'}
        ${matching(sql, filter)}
      union all
      select ${copiedColumns(sql)}, 'INCOMING' as direction
      from received_invoices
      where platform_id = ${platformId} and ${userId === platformId && direction !== 'OUTGOING'} ${matching(sql, filter)}
    ) both_sides
  `
  return listPage<InvoiceOfList>(sql, { columns: sql`*`, table, where: sql`true` }, { paging, sortKey })
}
