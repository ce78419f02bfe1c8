import type { Sql } from '../../foundation/db/connect.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { RecipientStatus } from './payment-recipient-status.ts'
import type { PaymentKey } from './payment-types.ts'

/** One of the several recipients of a payment. */
export type PaymentRecipientRow = PaymentKey & {
  position: number
  name: string
  recipient: string
  /** The user, or null for a person without an account, who has a link. */
  userId: string | null
  /** The platform of `userId`, if it is another platform. */
  userPlatformId: string | null
  endorseOnly: boolean
  status: RecipientStatus
  endorsedName: string | null
  signatureSealed: Buffer | null
}

export type NewRecipientRow = Omit<PaymentRecipientRow, 'status' | 'endorsedName' | 'signatureSealed'> & {
  pin: { description: string | null; valueSealed: Buffer } | null
}

/** Inserts a recipient, and adds the payment to the recipient's list. A recipient on another platform receives it by a message. */
export async function insertRecipient(sql: Sql, row: NewRecipientRow): Promise<void> {
  await sql`
    insert into payment_recipients (
      platform_id, payment_id, position, name, recipient, user_id, user_platform_id, endorse_only, pin_description, pin_sealed,
      status, invitation
    )
    values (
      ${row.platformId}, ${row.paymentId}, ${row.position}, ${row.name}, ${row.recipient}, ${row.userId}, ${row.userPlatformId},
      ${row.endorseOnly}, ${row.pin?.description ?? null}, ${row.pin?.valueSealed ?? null}, 'WAITING', ${row.userId === null ? 'DUE' : null}
    )
  `
  if (row.userId === null) return
  await addToList(sql, row, { platformId: row.userPlatformId ?? row.platformId, userId: row.userId })
}

type RecipientKey = { platformId: string; userId: string }

/** Adds a payment to the list of one of its recipients. A recipient on another platform receives it by a message. */
async function addToList(sql: Sql, { platformId, paymentId }: PaymentKey, recipient: RecipientKey): Promise<void> {
  if (recipient.platformId !== platformId) return insertCopyMessage(sql, { platformId, paymentId }, recipient)
  await sql`
    insert into received_payments (
      platform_id, user_id, payment_id, sender_platform_id, sender, kind, number, number_is_text, amount_cents, name, recipient,
      description, comment, status, created_at, updated_at
    )
    select
      p.platform_id, ${recipient.userId}, p.id, p.platform_id, coalesce(u.business_name, u.name), p.kind, p.number, p.number_is_text,
      p.amount_cents, p.name, p.recipient, p.description, p.comment, p.status, p.created_at, p.updated_at
    from payments p
    join users u on u.platform_id = p.platform_id and u.id = p.sender_id
    where p.platform_id = ${platformId} and p.id = ${paymentId}
  `
}

/** Inserts the message that makes the platform of a recipient copy the payment (`copy_payment_v1`). */
async function insertCopyMessage(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
  recipient: RecipientKey,
): Promise<void> {
  await sql`
    insert into outbox (platform_id, target_platform_id, kind, subject_id, content)
    select
      p.platform_id, ${recipient.platformId}, 'payment_created', p.id,
      json_build_object(
        'user_id', ${recipient.userId}::uuid, 'sender', coalesce(u.business_name, u.name), 'kind', p.kind, 'number', p.number,
        'number_is_text', p.number_is_text, 'amount_cents', p.amount_cents, 'name', p.name, 'recipient', p.recipient,
        'description', p.description, 'comment', p.comment, 'status', p.status, 'created_at', p.created_at,
        'updated_at', p.updated_at
      )
    from payments p
    join users u on u.platform_id = p.platform_id and u.id = p.sender_id
    where p.platform_id = ${platformId} and p.id = ${paymentId}
  `
}

/** An email address in lower case and a phone number in E.164. */
export type Contact = { email: string | null; phone: string | null }

/** Returns whether an email address or a phone number is the user's own. `payee_refusal_v1` has the same rule for payments. */
export async function isOwnContact(
  sql: Sql,
  { platformId, userId }: UserKey,
  { email, phone }: Contact,
): Promise<boolean> {
  const rows = await sql`
    select 1
    from users u
    where u.platform_id = ${platformId} and u.id = ${userId} and (
      lower(u.external_id) = ${email}
      or ${phone}::text in (u.phone, u.external_id)
      or exists (
        select 1
        from receiving_addresses r
        where r.email_hash = sha256(convert_to(${email}, 'UTF8')) and r.platform_id = ${userId}
      )
    )
  `
  return rows.length > 0
}

/** Finds the users of a platform with these user_ids. */
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

/** Finds the owners with these verified receiving addresses, on any platform. The addresses are in lower case. */
export async function findOwnersByAddress(
  sql: Sql,
  addresses: readonly string[],
): Promise<{ platformId: string; email: string }[]> {
  return sql<{ platformId: string; email: string }[]>`
    select r.platform_id, wanted.email
    from unnest(${addresses as string[]}::text[]) wanted (email)
    join receiving_addresses r on r.email_hash = sha256(convert_to(wanted.email, 'UTF8'))
    where r.verified_at is not null
  `
}

/** Lists the recipients of a payment in the order of the sender. Returns an empty list for a payment with one recipient. */
export async function listRecipients(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<PaymentRecipientRow[]> {
  return sql<PaymentRecipientRow[]>`
    select platform_id, payment_id, position, name, recipient, user_id, user_platform_id, endorse_only, status, endorsed_name, signature_sealed
    from payment_recipients
    where platform_id = ${platformId} and payment_id = ${paymentId}
    order by position
  `
}

export async function hasRecipient(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
  user: { platformId: string; userId: string },
): Promise<boolean> {
  const rows = await sql`
    select 1
    from payment_recipients
    where platform_id = ${platformId} and payment_id = ${paymentId} and user_id = ${user.userId}
      and coalesce(user_platform_id, platform_id) = ${user.platformId}
  `
  return rows.length > 0
}

export type RecipientChange = {
  from: readonly RecipientStatus[]
  to: RecipientStatus
  endorsement: { name: string; signatureSealed: Buffer | null; at: Date } | null
}

/** Changes the status of a recipient. @returns false if its current status does not allow it */
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

/**
 * Replaces a person without an account by a user among the recipients of a payment, and adds the payment to the user's list. The caller
 * holds the lock of the payment. If the person was the depositor, the user becomes the recipient of the payment. If a PIN protects the
 * place, only the link can claim it.
 *
 * @returns whether no other user had claimed the place, and the user is neither the sender nor another recipient
 */
export async function claimRecipient(
  sql: Sql,
  { platformId, paymentId, position }: PaymentKey & { position: number },
  user: RecipientKey,
): Promise<boolean> {
  const [claimed] = await sql<{ status: RecipientStatus }[]>`
    update payment_recipients r
    set
      user_id = ${user.userId}, user_platform_id = ${user.platformId === platformId ? null : user.platformId},
      invitation = null, invite_at = null
    from payments p
    where r.platform_id = ${platformId} and r.payment_id = ${paymentId} and r.position = ${position}
      and r.user_id is null and r.pin_sealed is null
      and p.platform_id = r.platform_id and p.id = r.payment_id and p.sender_id <> ${user.userId}
      and not exists (
        select
        from payment_recipients o
        where o.platform_id = ${platformId} and o.payment_id = ${paymentId} and o.user_id = ${user.userId}
      )
    returning r.status
  `
  if (!claimed) return false
  await addToList(sql, { platformId, paymentId }, user)
  if (claimed.status !== 'DEPOSITOR') return true
  await setPaymentRecipient(sql, { platformId, paymentId }, user)
  // If the payee entered an account on the page of the link, the account is on the sender's platform.
  await sql`
    update payments
    set destination_platform_id = platform_id
    where platform_id = ${platformId} and id = ${paymentId} and destination_id is not null
  `
  return true
}

/** Makes one of several recipients the recipient of the payment. */
export async function setPaymentRecipient(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
  user: { platformId: string; userId: string },
): Promise<void> {
  await sql`
    delete from received_payments
    where platform_id = ${platformId} and payment_id = ${paymentId} and user_id = ${user.userId}
      and platform_id = ${user.platformId}
  `
  await sql`
    update payments p
    set
      recipient_platform_id = ${user.platformId}, recipient_id = ${user.userId}, sender_name = coalesce(u.business_name, u.name)
    from users u
    where p.platform_id = ${platformId} and p.id = ${paymentId} and u.platform_id = p.platform_id and u.id = p.sender_id
  `
}
