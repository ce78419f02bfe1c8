import { listPlatformsWith, type PlatformTurn } from '../../foundation/db/cluster/list-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { Renewal } from '../../foundation/db/digests.ts'
import type { PaymentKey } from '../payment/payment-types.ts'

/** The input of the SQL function `claim_recipient_mail_v1`. */
export type MailClaim = {
  outcome: 'send' | 'limited' | 'delayed' | 'suppressed'
  /** Whether this is the first mail of the day that a limit of the platform delays. */
  isFirst: boolean
  isVerified: boolean
}

export async function claimRecipientMail(
  sql: Sql,
  mail: {
    platformId: string
    emailDigest: Buffer
    now: Date
    maxNewRecipients: number
    maxFromPlatform: number
    maxToRecipient: number
    trustsVerified: boolean
  },
): Promise<MailClaim> {
  const [row] = await sql<MailClaim[]>`
    select outcome, is_first, is_verified
    from claim_recipient_mail_v1(
      ${mail.platformId}, ${mail.emailDigest}, ${mail.now}, ${mail.maxNewRecipients}, ${mail.maxFromPlatform},
      ${mail.maxToRecipient}, ${mail.trustsVerified}
    )
  `
  return row as MailClaim
}

/** Moves the rows of an address (its counts and its refusal of mail) from a previous digest to the current one. */
export async function renewRecipient(sql: Sql, { former, present }: Renewal, platformId: string | null): Promise<void> {
  await sql`update mail_addresses set email_digest = ${present} where email_digest = ${former}`
  await sql`update mail_suppressions set email_digest = ${present} where email_digest = ${former}`
  if (platformId === null) return
  await sql`
    update mail_recipients
    set email_digest = ${present}
    where platform_id = ${platformId} and email_digest = ${former}
  `
}

export async function insertSuppression(
  sql: Sql,
  { emailDigest, emailSealed, createdAt }: { emailDigest: Buffer; emailSealed: Buffer; createdAt: Date },
): Promise<void> {
  await sql`
    insert into mail_suppressions (email_digest, email_sealed, created_at)
    values (${emailDigest}, ${emailSealed}, ${createdAt})
    on conflict (email_digest) do nothing
  `
}

export async function deleteSuppression(sql: Sql, emailDigest: Buffer): Promise<void> {
  await sql`delete from mail_suppressions where email_digest = ${emailDigest}`
}

/** Queues the mail of a payment for later. */
export async function insertWaitingInvitation(
  sql: Sql,
  { platformId, paymentId }: PaymentKey,
  dueAt: Date,
): Promise<void> {
  await sql`
    insert into waiting_invitations (platform_id, payment_id, due_at)
    values (${platformId}, ${paymentId}, ${dueAt})
    on conflict (platform_id, payment_id) do update set due_at = excluded.due_at
  `
}

/** Lists platforms with queued mail that is due. */
export const listWaitingPlatforms = (sql: Sql, { now, ...turn }: PlatformTurn & { now: Date }): Promise<string[]> =>
  listPlatformsWith(sql, 'waiting_invitations', { ...turn, where: sql`due_at <= ${now}`, id: sql`payment_id` })

/** Marks queued mail as due. @returns the number of mails */
export async function releaseWaitingInvitations(
  sql: Sql,
  platformId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    with due as (
      select w.payment_id
      from waiting_invitations w
      join payments p on p.platform_id = w.platform_id and p.id = w.payment_id
      where w.platform_id = ${platformId} and w.due_at <= ${now}
      order by w.due_at, w.payment_id
      limit ${limit}
      for update skip locked
    ),
    released as (
      delete from waiting_invitations w
      using due
      where w.platform_id = ${platformId} and w.payment_id = due.payment_id
      returning w.payment_id
    ),
    invited as (
      update payments p
      set invitation = 'DUE'
      from released
      where p.platform_id = ${platformId} and p.id = released.payment_id
      returning p.id
    )
    select count(*)::integer as count
    from released
  `
  return row?.count ?? 0
}
