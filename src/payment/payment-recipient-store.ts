import type { Sql } from '../db/connect.ts'
import type { RecipientStatus } from './payment-recipient-status.ts'
import type { PaymentKey } from './payment-types.ts'

/** One of the several recipients of a payment. */
export type PaymentRecipientRow = PaymentKey & {
  position: number
  name: string
  recipient: string
  /** Null: a person without an account, who has a link. */
  userId: string | null
  endorseOnly: boolean
  status: RecipientStatus
  endorsedName: string | null
  signatureSealed: Buffer | null
}

export type NewRecipientRow = Omit<PaymentRecipientRow, 'status' | 'endorsedName' | 'signatureSealed'> & {
  pin: { description: string | null; valueSealed: Buffer } | null
}

/** Inserts a recipient, and the payment into its list. */
export async function insertRecipient(sql: Sql, row: NewRecipientRow): Promise<void> {
  await sql`
    insert into payment_recipients (
      platform_id, payment_id, position, name, recipient, user_id, endorse_only, pin_description, pin_sealed, status, invitation
    )
    values (
      ${row.platformId}, ${row.paymentId}, ${row.position}, ${row.name}, ${row.recipient}, ${row.userId}, ${row.endorseOnly},
      ${row.pin?.description ?? null}, ${row.pin?.valueSealed ?? null}, 'WAITING', ${row.userId === null ? 'DUE' : null}
    )
  `
  if (row.userId === null) return
  await sql`
    insert into received_payments (
      platform_id, user_id, payment_id, sender_platform_id, sender, kind, number, number_is_text, amount_cents, name, recipient,
      description, comment, status, created_at, updated_at
    )
    select
      p.platform_id, ${row.userId}, p.id, p.platform_id, coalesce(u.business_name, u.name), p.kind, p.number, p.number_is_text,
      p.amount_cents, p.name, p.recipient, p.description, p.comment, p.status, p.created_at, p.updated_at
    from payments p
    join users u on u.platform_id = p.platform_id and u.id = p.sender_id
    where p.platform_id = ${row.platformId} and p.id = ${row.paymentId}
  `
}

/** Whether an email address is the one of a user itself. */
export async function isOwnAddress(
  sql: Sql,
  { platformId, userId, email }: { platformId: string; userId: string; email: string },
): Promise<boolean> {
  const rows = await sql`
    select 1
    from users u
    where u.platform_id = ${platformId} and u.id = ${userId} and (
      lower(u.external_id) = ${email}
      or exists (
        select 1
        from receiving_addresses r
        where r.email_hash = sha256(convert_to(${email}, 'UTF8')) and r.platform_id = ${userId}
      )
    )
  `
  return rows.length > 0
}

/** The users of a platform with these user_ids. */
export async function findUsersByExternalId(
  sql: Sql,
  platformId: string,
  externalIds: readonly string[],
): Promise<{ id: string; externalId: string }[]> {
  return sql<{ id: string; externalId: string }[]>`
    select id, external_id
    from users
    where platform_id = ${platformId} and external_id = any (${externalIds as string[]}) and deleted_at is null
  `
}

/** The recipients of a payment in the order of the sender. Empty for a payment with one recipient. */
export async function listRecipients(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<PaymentRecipientRow[]> {
  return sql<PaymentRecipientRow[]>`
    select platform_id, payment_id, position, name, recipient, user_id, endorse_only, status, endorsed_name, signature_sealed
    from payment_recipients
    where platform_id = ${platformId} and payment_id = ${paymentId}
    order by position
  `
}

export async function hasRecipient(
  sql: Sql,
  { platformId, paymentId, userId }: PaymentKey & { userId: string },
): Promise<boolean> {
  const rows = await sql`
    select 1
    from payment_recipients
    where platform_id = ${platformId} and payment_id = ${paymentId} and user_id = ${userId}
  `
  return rows.length > 0
}

export type RecipientChange = {
  from: readonly RecipientStatus[]
  to: RecipientStatus
  endorsement: { name: string; signatureSealed: Buffer | null; at: Date } | null
}

/** Changes the status of a recipient. @returns false when its current status does not allow it */
export async function changeRecipientStatus(
  sql: Sql,
  { platformId, paymentId, position }: PaymentKey & { position: number },
  { from, to, endorsement }: RecipientChange,
): Promise<boolean> {
  const result = await sql`
    update payment_recipients
    set
      status = ${to}, endorsed_name = coalesce(${endorsement?.name ?? null}, endorsed_name),
      signature_sealed = coalesce(${endorsement?.signatureSealed ?? null}, signature_sealed),
      endorsed_at = coalesce(${endorsement?.at ?? null}, endorsed_at)
    where platform_id = ${platformId} and payment_id = ${paymentId} and position = ${position}
      and status = any (${from as RecipientStatus[]})
  `
  return result.count === 1
}

/** Makes one of several recipients the recipient of the payment. */
export async function setPaymentRecipient(
  sql: Sql,
  { platformId, paymentId, userId }: PaymentKey & { userId: string },
): Promise<void> {
  await sql`
    with listed as (
      delete from received_payments
      where platform_id = ${platformId} and payment_id = ${paymentId} and user_id = ${userId}
      returning sender
    )
    update payments
    set recipient_platform_id = ${platformId}, recipient_id = ${userId}, sender_name = listed.sender
    from listed
    where platform_id = ${platformId} and id = ${paymentId}
  `
}
