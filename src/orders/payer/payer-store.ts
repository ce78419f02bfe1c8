import { listPlatformsWith, type PlatformTurn } from '../../foundation/db/cluster/list-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { notSkipped } from '../../foundation/db/skipped.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import type { InvoiceKey } from '../../payments/invoice-status/invoice-change-store.ts'
import type { InvoiceStatus } from '../../payments/invoice-status/invoice-status.ts'
import { findInvoice, type InvoiceRow, lockInvoice } from '../invoice/invoice-store.ts'
import type { InvoiceTerms } from '../invoice/invoice-terms-rules.ts'
import type { InvoiceNotice } from './payer-rules.ts'

/** A link to an invoice. `isViewOnly`: whether it only shows the invoice, because its sender created the link. */
export type InvoiceLink = { platformId: string; invoiceId: string; expiresAt: Date; isViewOnly: boolean }

export async function insertInvoiceLink(sql: Sql, tokenHash: Buffer, link: InvoiceLink): Promise<void> {
  await sql`
    insert into invoice_links ${sql.values({ tokenHash, ...link })}
  `
}

export async function findInvoiceLink(sql: Sql, tokenHash: Buffer): Promise<InvoiceLink | null> {
  const [row] = await sql<InvoiceLink[]>`
    select platform_id, invoice_id, expires_at, coalesce(is_view_only, false) as is_view_only
    from invoice_links
    where token_hash = ${tokenHash}
  `
  return row ?? null
}

export const findLinkedInvoice = (
  sql: Sql,
  { platformId, invoiceId }: Pick<InvoiceLink, 'platformId' | 'invoiceId'>,
): Promise<InvoiceRow | null> => findInvoice(sql, { platformId, id: invoiceId })

/** Locks the invoice of a link until the end of the transaction. */
export const lockLinkedInvoice = (sql: Sql, { platformId, invoiceId }: InvoiceLink): Promise<InvoiceRow | null> =>
  lockInvoice(sql, { platformId, id: invoiceId })

/** Stores the payer of an invoice that is locked and has none. */
export async function updateInvoicePayer(sql: Sql, { platformId, id }: InvoiceKey, payerId: string): Promise<void> {
  await sql`
    update invoices
    set recipient_id = ${payerId}
    where platform_id = ${platformId} and id = ${id} and recipient_id is null
  `
}

/** Reads the sender for people without an account. Returns null if the sender was deleted. */
export async function findPayee(
  sql: Sql,
  { platformId, senderId }: Pick<InvoiceRow, 'platformId' | 'senderId'>,
): Promise<{ name: string; logo: string | null } | null> {
  const [row] = await sql<{ name: string; logo: string | null }[]>`
    select coalesce(business_name, name) as name, brand ->> 'logo' as logo
    from users
    where platform_id = ${platformId} and id = ${senderId} and deleted_at is null
  `
  return row ?? null
}

export type DebitAuthorizationRow = {
  platformId: string
  id: string
  invoiceId: string
  paymentId: string
  bankId: string
  text: string
  address: string
  givenAt: Date
}

export async function insertDebitAuthorization(sql: Sql, row: DebitAuthorizationRow): Promise<void> {
  await sql`
    insert into debit_authorizations ${sql.values(row)}
  `
}

/** Lists platforms with due mail about invoices, sorted by id, after `after`. */
export const listNotifyingPlatforms = (sql: Sql, { now, ...turn }: PlatformTurn & { now: Date }): Promise<string[]> =>
  listPlatformsWith(sql, 'invoices', { ...turn, where: sql`notice_at <= ${now}`, id: sql`id` })

/** An invoice with the data for its mail to a person outside of the platform. */
export type NotifiedInvoice = InvoiceKey &
  InvoiceTerms & {
    senderId: string
    recipient: string
    status: InvoiceStatus
    amountCents: number
    notice: InvoiceNotice
    /** The recipient's platform, if the recipient is a user of another platform. */
    recipientPlatformId: string | null
  }

/** Claims invoices of a platform whose mail is due, for this worker only. */
export async function claimInvoiceNotices(
  sql: Sql,
  platformId: string,
  { limit, except, now }: { limit: number; except: string[]; now: Date },
): Promise<NotifiedInvoice[]> {
  return sql<NotifiedInvoice[]>`
    with due as (
      select id
      from invoices
      where platform_id = ${platformId} and notice_at <= ${now} ${notSkipped(sql, { platformIds: [], ids: except })}
      order by recipient, id
      limit ${limit}
      for update skip locked
    )
    update invoices i
    set notice_at = null
    from due
    where i.platform_id = ${platformId} and i.id = due.id
    returning i.platform_id, i.id, i.sender_id, i.recipient, i.status, i.amount_cents, i.notice,
      i.recipient_platform_id, i.due_date, i.terms, i.items
  `
}

/** Changes the time at which a mail is sent. @returns whether the invoice is UNPAID and has mail */
export async function delayInvoiceNotice(
  sql: Sql,
  { platformId, id }: InvoiceKey,
  { notice, at }: { notice: InvoiceNotice; at: Date },
): Promise<boolean> {
  const result = await sql`
    update invoices
    set notice = ${notice}, notice_at = ${at}
    where platform_id = ${platformId} and id = ${id} and status = 'UNPAID' and notice is not null
  `
  return result.count === 1
}

/** Schedules a mail that the sender requests. Returns `none` if the invoice is not UNPAID or its recipient gets no mail. */
export async function requestInvoiceNotice(
  sql: Sql,
  { platformId, id }: InvoiceKey,
  { now, maxADay }: { now: Date; maxADay: number },
): Promise<'due' | 'limited' | 'none'> {
  const [row] = await sql<{ recent: Date[] }[]>`
    select array(select at from unnest(requested_at) at where at > ${addDays(now, -1)}) as recent
    from invoices
    where platform_id = ${platformId} and id = ${id} and status = 'UNPAID' and notice is not null
    for update
  `
  if (!row) return 'none'
  if (row.recent.length >= maxADay) return 'limited'
  await sql`
    update invoices
    set
      notice = 'REMINDER', notice_at = ${now},
      requested_at = ${[...row.recent, now].map((at) => at.toISOString())}::timestamptz[]
    where platform_id = ${platformId} and id = ${id}
  `
  return 'due'
}

export type DueReminder = InvoiceKey & { reminders: number; dueAt: Date }

/** Makes the mail of a reminder due. @returns false if the invoice has changed after it was listed */
export async function updateReminder(
  sql: Sql,
  { platformId, id, reminders }: DueReminder,
  { nextAt, noticeAt }: { nextAt: Date | null; noticeAt: Date },
): Promise<boolean> {
  const result = await sql`
    update invoices
    set notice = 'REMINDER', notice_at = ${noticeAt}, reminders = reminders + 1, remind_at = ${nextAt}
    where platform_id = ${platformId} and id = ${id} and status = 'UNPAID' and reminders = ${reminders}
      and remind_at is not null
  `
  return result.count === 1
}
