import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import { listPlatformsOfRows } from '../../foundation/db/cluster/by-platform.ts'
import { listPlatformsWith, type PlatformTurn } from '../../foundation/db/cluster/list-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { notSkipped, type Skipped } from '../../foundation/db/skipped.ts'
import type { PaymentStatus } from '../payment/payment-status.ts'
import { findPayment, lockPayment } from '../payment/payment-store.ts'
import type { PaymentKey, PaymentRow } from '../payment/payment-types.ts'

/** A payment to a payee without an account, with the data for its notice. */
export type Invited = LinkKey & {
  senderId: string
  recipient: string
  /** Whether the recipient may choose the account. Of several recipients, only the one who has chosen before may. */
  isDepositor: boolean
  /** Whether the recipient has an account here. If so, the mail is counted but not sent. */
  hasAccount: boolean
  sender: string
  amountCents: number
  status: PaymentStatus
  createdAt: Date
  expiresAt: Date
}

/** Lists platforms with payments whose recipients are not notified yet, sorted by id, after `after`. */
export async function listInvitingPlatforms(
  sql: Sql,
  { after, limit, skipped }: { after: string | null; limit: number; skipped: Skipped },
): Promise<string[]> {
  return listPlatformsOfRows(
    sql,
    { after, limit },
    (turn) => sql<{ platformId: string }[]>`
      ${allPlatforms('finds work')}
      select platform_id
      from payments
      where invitation = 'DUE' and platform_id > ${turn.after} ${notSkipped(sql, skipped)}
      order by platform_id
      ${turn.atMost}
    `,
  )
}

const invitedColumns = (sql: Sql) => sql`
  p.platform_id, p.id as payment_id, 0 as position, p.sender_id, p.recipient, true as is_depositor,
  p.recipient_id is not null as has_account,
  coalesce(u.business_name, u.name) as sender, p.amount_cents, p.status, p.created_at, p.expires_at
`

/** Claims payments of a platform whose recipients may need a notice, for this worker only. */
export async function claimInvitations(
  sql: Sql,
  platformId: string,
  { limit, except }: { limit: number; except: string[] },
): Promise<Invited[]> {
  return sql<Invited[]>`
    with due as (
      select id
      from payments
      where platform_id = ${platformId} and invitation = 'DUE'
        ${notSkipped(sql, { platformIds: [], ids: except })}
      order by id
      limit ${limit}
      for update skip locked
    ),
    waiting as ( -- queued mails, replaced by this notice
      delete from waiting_invitations w
      using due
      where w.platform_id = ${platformId} and w.payment_id = due.id
    )
    update payments p
    set invitation = 'SENT'
    from due, users u
    where p.platform_id = ${platformId} and p.id = due.id and u.platform_id = p.platform_id and u.id = p.sender_id
    returning ${invitedColumns(sql)}
  `
}

/** Lists platforms with payments to several recipients, some of whom are not notified yet, sorted by id, after `after`. */
export const listPlatformsInvitingMulti = (
  sql: Sql,
  { now, ...turn }: PlatformTurn & { now: Date },
): Promise<string[]> =>
  listPlatformsWith(sql, 'payment_recipients', {
    ...turn,
    where: sql`invitation = 'DUE' and (invite_at is null or invite_at <= ${now})`,
    id: sql`payment_id`,
  })

const severalColumns = (sql: Sql) => sql`
  p.platform_id, p.id as payment_id, r.position, p.sender_id, r.recipient, r.status = 'DEPOSITOR' as is_depositor,
  false as has_account, coalesce(u.business_name, u.name) as sender, p.amount_cents, p.status, p.created_at, p.expires_at
`

/** Claims people without an account among several recipients, for this worker only. */
export async function claimMultiInvitations(
  sql: Sql,
  platformId: string,
  { limit, except, now }: { limit: number; except: string[]; now: Date },
): Promise<Invited[]> {
  return sql<Invited[]>`
    with due as (
      select payment_id, position
      from payment_recipients
      where platform_id = ${platformId} and invitation = 'DUE' and (invite_at is null or invite_at <= ${now})
        ${notSkipped(sql, { platformIds: [], ids: except }, { id: sql`payment_id` })}
      order by payment_id, position
      limit ${limit}
      for update skip locked
    )
    update payment_recipients r
    set invitation = 'SENT', invite_at = null
    from due, payments p, users u
    where r.platform_id = ${platformId} and r.payment_id = due.payment_id and r.position = due.position
      and p.platform_id = r.platform_id and p.id = r.payment_id and u.platform_id = p.platform_id and u.id = p.sender_id
    returning ${severalColumns(sql)}
  `
}

/** Marks all recipients without an account of a payment as notified, and returns them for another notice. */
export async function markMultiInvited(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<Invited[]> {
  return sql<Invited[]>`
    update payment_recipients r
    set invitation = 'SENT', invite_at = null
    from payments p, users u
    where r.platform_id = ${platformId} and r.payment_id = ${paymentId} and r.invitation is not null
      and p.platform_id = r.platform_id and p.id = r.payment_id and u.platform_id = p.platform_id and u.id = p.sender_id
    returning ${severalColumns(sql)}
  `
}

/** Queues the mail to one of several recipients for later. */
export async function delayMultiInvitation(
  sql: Sql,
  { platformId, paymentId, position }: LinkKey,
  dueAt: Date,
): Promise<void> {
  await sql`
    update payment_recipients
    set invitation = 'DUE', invite_at = ${dueAt}
    where platform_id = ${platformId} and payment_id = ${paymentId} and position = ${position}
  `
}

/** Marks a payment as notified, and returns it for another notice. Deletes its queued mail, so that only one mail is sent. */
export async function markInvited(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<Invited> {
  const [row] = await sql<Invited[]>`
    with waiting as (
      delete from waiting_invitations
      where platform_id = ${platformId} and payment_id = ${paymentId}
    )
    update payments p
    set invitation = 'SENT'
    from users u
    where p.platform_id = ${platformId} and p.id = ${paymentId} and u.platform_id = p.platform_id and u.id = p.sender_id
    returning ${invitedColumns(sql)}
  `
  return row as Invited
}

/** Returns the payment of a claimed notice. */
export const findInvitedPayment = (sql: Sql, key: PaymentKey): Promise<PaymentRow | null> => findPayment(sql, key)

/** The key of the links of a payment, or of one of its several recipients. The position is 0 for a payment with one recipient. */
export type LinkKey = PaymentKey & { position: number }

/** A link to a payment, stored by the hash of its token. All links of a recipient share the count of PINs and mails. */
export type LinkRow = LinkKey & {
  wrongPins: number
  lockedUntil: Date | null
  sentAt: Date[]
  expiresAt: Date
}

export async function insertLink(sql: Sql, tokenHash: Buffer, link: LinkRow): Promise<void> {
  await sql`
    insert into recipient_links (
      token_hash, platform_id, payment_id, position, wrong_pins, locked_until, sent_at, expires_at
    )
    values (
      ${tokenHash}, ${link.platformId}, ${link.paymentId}, ${link.position}, ${link.wrongPins}, ${link.lockedUntil},
      ${link.sentAt.map((at) => at.toISOString())}::timestamptz[], ${link.expiresAt}
    )
  `
}

const linkColumns = (sql: Sql) => sql`platform_id, payment_id, position, wrong_pins, locked_until, sent_at, expires_at`

/** Deletes the links of a payment. @returns one of them */
export async function deleteLinks(sql: Sql, { platformId, paymentId, position }: LinkKey): Promise<LinkRow | null> {
  const [row] = await sql<LinkRow[]>`
    delete from recipient_links
    where platform_id = ${platformId} and payment_id = ${paymentId} and position = ${position}
    returning ${linkColumns(sql)}
  `
  return row ?? null
}

/** Finds a link of a payment. The caller has locked the payment. */
export async function findPaymentLink(sql: Sql, { platformId, paymentId, position }: LinkKey): Promise<LinkRow | null> {
  const [row] = await sql<LinkRow[]>`
    select ${linkColumns(sql)}
    from recipient_links
    where platform_id = ${platformId} and payment_id = ${paymentId} and position = ${position}
    limit 1
  `
  return row ?? null
}

/** Stores when the sender requested mails (`sentAt`). */
export async function updateSentAt(sql: Sql, { platformId, paymentId, position, sentAt }: LinkRow): Promise<void> {
  await sql`
    update recipient_links
    set sent_at = ${sentAt.map((at) => at.toISOString())}::timestamptz[]
    where platform_id = ${platformId} and payment_id = ${paymentId} and position = ${position}
  `
}

export async function findLink(sql: Sql, tokenHash: Buffer): Promise<LinkRow | null> {
  const [row] = await sql<LinkRow[]>`
    select ${linkColumns(sql)}
    from recipient_links
    where token_hash = ${tokenHash}
  `
  return row ?? null
}

/** Locks a link, so that simultaneous PINs are checked in sequence. A payment is always locked before its link. */
export async function lockLink(sql: Sql, tokenHash: Buffer): Promise<LinkRow | null> {
  const [row] = await sql<LinkRow[]>`
    select ${linkColumns(sql)}
    from recipient_links
    where token_hash = ${tokenHash}
    for update
  `
  return row ?? null
}

export async function updateWrongPins(
  sql: Sql,
  { platformId, paymentId, position }: LinkKey,
  { wrongPins, lockedUntil }: Pick<LinkRow, 'wrongPins' | 'lockedUntil'>,
): Promise<void> {
  await sql`
    update recipient_links
    set wrong_pins = ${wrongPins}, locked_until = ${lockedUntil}
    where platform_id = ${platformId} and payment_id = ${paymentId} and position = ${position}
  `
}

/** Finds the payment of a link, and locks it until the end of the transaction. */
export const lockLinkedPayment = (sql: Sql, link: LinkRow): Promise<PaymentRow | null> => lockPayment(sql, link)

/** Finds the logo of a sender, as it was uploaded. */
export async function findLogo(
  sql: Sql,
  { platformId, senderId }: { platformId: string; senderId: string },
): Promise<string | null> {
  const [row] = await sql<{ logo: string | null }[]>`
    select brand ->> 'logo' as logo
    from users
    where platform_id = ${platformId} and id = ${senderId}
  `
  return row?.logo ?? null
}

/** The terms of a payment that only its sender and recipient can see. */
export type TermsRow = {
  sender: string
  logo: string | null
  pinDescription: string | null
  pinSealed: Buffer | null
}

export async function findTerms(sql: Sql, { platformId, paymentId, position }: LinkKey): Promise<TermsRow> {
  const pin = (column: string) => (position === 0 ? sql.unsafe(`p.${column}`) : sql.unsafe(`r.${column}`))
  const [row] = await sql<TermsRow[]>`
    select
      coalesce(u.business_name, u.name) as sender, u.brand ->> 'logo' as logo, ${pin('pin_description')}, ${pin('pin_sealed')}
    from payments p
    join users u on u.platform_id = p.platform_id and u.id = p.sender_id
    left join payment_recipients r on r.platform_id = p.platform_id and r.payment_id = p.id and r.position = ${position}
    where p.platform_id = ${platformId} and p.id = ${paymentId}
  `
  return row as TermsRow
}

/**
 * Makes a user the recipient of a payment to a person without an account, and copies the payment to the user's platform if that is another
 * one. By a link, a payment can move only until its payee has chosen how to be paid. By its address, it can move in any status, unless a
 * PIN protects it.
 *
 * @returns whether nobody was its recipient, and it moved
 */
export async function claimPayment(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
  { user, by }: { user: { platformId: string; userId: string }; by: 'link' | 'address' },
): Promise<boolean> {
  const mayMove =
    by === 'link'
      ? sql`p.status = 'UNPAID' and p.destination_id is null`
      : sql`p.pin_sealed is null and p.sender_id <> ${user.userId}`
  const rows = await sql`
    update payments p
    set
      recipient_platform_id = ${user.platformId}, recipient_id = ${user.userId},
      sender_name = coalesce(u.business_name, u.name),
      -- An account that the payee entered on the page of the link is on the sender's platform.
      destination_platform_id = case when p.destination_id is not null then p.platform_id end
    from users u
    where p.platform_id = ${platformId} and p.id = ${paymentId} and p.kind <> 'MULTI' and p.recipient_id is null
      and ${mayMove} and u.platform_id = p.platform_id and u.id = p.sender_id
    returning p.id
  `
  if (rows.length === 0) return false
  if (user.platformId === platformId) return true
  await sql`
    insert into outbox (platform_id, target_platform_id, kind, subject_id, content)
    select
      platform_id, recipient_platform_id, 'payment_created', id,
      json_build_object(
        'user_id', recipient_id, 'sender', sender_name, 'kind', kind, 'number', number, 'number_is_text', number_is_text,
        'amount_cents', amount_cents, 'name', name, 'recipient', recipient, 'description', description, 'comment', comment,
        'status', status, 'created_at', created_at, 'updated_at', updated_at
      )
    from payments
    where platform_id = ${platformId} and id = ${paymentId}
  `
  return true
}
