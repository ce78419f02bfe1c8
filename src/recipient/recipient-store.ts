import type { Sql } from '../db/connect.ts'
import type { OldRows } from '../db/old-rows.ts'
import { notSkipped, type Skipped } from '../db/skipped.ts'
import type { PaymentStatus } from '../payment/payment-status.ts'
import { findPayment, lockPayment } from '../payment/payment-store.ts'
import type { PaymentKey, PaymentRow } from '../payment/payment-types.ts'

/** What somebody outside is told of a payment to it. */
export type Invited = PaymentKey & {
  senderId: string
  recipient: string
  /** Here: then it is counted, but gets no mail. */
  hasAccount: boolean
  sender: string
  amountCents: number
  status: PaymentStatus
  createdAt: Date
  expiresAt: Date
}

/** Platforms with payments whose recipients are still to be told, in the order of their ids behind `after`. */
export async function listInvitingPlatforms(
  sql: Sql,
  { after, limit, skipped }: { after: string | null; limit: number; skipped: Skipped },
): Promise<string[]> {
  const isInviting = sql`invitation = 'DUE' ${notSkipped(sql, skipped)}`
  const rows = await sql<{ platformId: string }[]>`
    with recursive inviting as (
      (
        select platform_id
        from payments
        where ${isInviting} ${after ? sql`and platform_id > ${after}` : sql``}
        order by platform_id
        limit 1
      )
      union all
      select next.platform_id
      from inviting i
      cross join lateral (
        select platform_id
        from payments
        where ${isInviting} and platform_id > i.platform_id
        order by platform_id
        limit 1
      ) next
    )
    select platform_id
    from inviting
    limit ${limit}
  `
  return rows.map(({ platformId }) => platformId)
}

const invitedColumns = (sql: Sql) => sql`
  p.platform_id, p.id as payment_id, p.sender_id, p.recipient, p.recipient_id is not null as has_account,
  coalesce(u.business_name, u.name) as sender, p.amount_cents, p.status, p.created_at, p.expires_at
`

/** Takes payments of a platform whose recipients may have to be told, and no other worker does. */
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
    waiting as ( -- told now, or waiting again
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

/** The same for one that is to be told again. A mail of it that waits is not sent beside. */
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

/** The payment of a mail that was claimed. */
export const findInvitedPayment = (sql: Sql, key: PaymentKey): Promise<PaymentRow | null> => findPayment(sql, key)

/** A link to a payment, which is known by the hash of its token. All links of a payment count the same PINs and mails. */
export type LinkRow = PaymentKey & {
  wrongPins: number
  lockedUntil: Date | null
  sentAt: Date[]
  expiresAt: Date
}

export async function insertLink(sql: Sql, tokenHash: Buffer, link: LinkRow): Promise<void> {
  await sql`
    insert into recipient_links (
      token_hash, platform_id, payment_id, wrong_pins, locked_until, sent_at, expires_at
    )
    values (
      ${tokenHash}, ${link.platformId}, ${link.paymentId}, ${link.wrongPins}, ${link.lockedUntil},
      ${link.sentAt.map((at) => at.toISOString())}::timestamptz[], ${link.expiresAt}
    )
  `
}

const linkColumns = (sql: Sql) => sql`platform_id, payment_id, wrong_pins, locked_until, sent_at, expires_at`

/** Ends the links of a payment. @returns what one of them was */
export async function deleteLinks(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<LinkRow | null> {
  const [row] = await sql<LinkRow[]>`
    delete from recipient_links
    where platform_id = ${platformId} and payment_id = ${paymentId}
    returning ${linkColumns(sql)}
  `
  return row ?? null
}

/** A link of a payment, which whoever changes it has locked. */
export async function findPaymentLink(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<LinkRow | null> {
  const [row] = await sql<LinkRow[]>`
    select ${linkColumns(sql)}
    from recipient_links
    where platform_id = ${platformId} and payment_id = ${paymentId}
    limit 1
  `
  return row ?? null
}

/** `sentAt`: when the sender had its mails sent. */
export async function updateSentAt(sql: Sql, { platformId, paymentId, sentAt }: LinkRow): Promise<void> {
  await sql`
    update recipient_links
    set sent_at = ${sentAt.map((at) => at.toISOString())}::timestamptz[]
    where platform_id = ${platformId} and payment_id = ${paymentId}
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

/** Locks a link: PINs that come at the same time are looked at in turn. Whoever locks its payment, too, does so before. */
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
  { platformId, paymentId }: PaymentKey,
  { wrongPins, lockedUntil }: Pick<LinkRow, 'wrongPins' | 'lockedUntil'>,
): Promise<void> {
  await sql`
    update recipient_links
    set wrong_pins = ${wrongPins}, locked_until = ${lockedUntil}
    where platform_id = ${platformId} and payment_id = ${paymentId}
  `
}

/** Links that are too old to show anything. */
export const oldLinks: OldRows = {
  table: 'recipient_links',
  key: ['token_hash'],
  unit: 'platform_id',
  age: 'expires_at',
}

/** The payment of a link, which nobody else changes until the end of the transaction. */
export const lockLinkedPayment = (sql: Sql, link: LinkRow): Promise<PaymentRow | null> => lockPayment(sql, link)

/** What of a payment only its sender and its recipient know. */
export type TermsRow = {
  sender: string
  logo: string | null
  pinDescription: string | null
  pinSealed: Buffer | null
}

export async function findTerms(sql: Sql, { platformId, paymentId }: PaymentKey): Promise<TermsRow> {
  const [row] = await sql<TermsRow[]>`
    select coalesce(u.business_name, u.name) as sender, u.brand ->> 'logo' as logo, p.pin_description, p.pin_sealed
    from payments p
    join users u on u.platform_id = p.platform_id and u.id = p.sender_id
    where p.platform_id = ${platformId} and p.id = ${paymentId}
  `
  return row as TermsRow
}
