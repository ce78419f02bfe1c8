import type { Sql } from '../../foundation/db/connect.ts'
import type { SubscriptionKey } from './subscription-store.ts'

/** Stores the platform of the copy of a subscription. It never changes afterward. */
export async function updateRecipientPlatform(
  sql: Sql,
  { platformId, id }: SubscriptionKey,
  recipientPlatformId: string,
): Promise<void> {
  await sql`
    update subscriptions
    set recipient_platform_id = ${recipientPlatformId}
    where platform_id = ${platformId} and id = ${id} and recipient_platform_id is null
  `
}

/**
 * Creates or changes the copy of a subscription on the platform of its payer.
 *
 * @param message its `position`, and the other columns in `content`
 * @returns false if the message was already applied
 */
export async function upsertCopy(
  sql: Sql,
  { platformId, id, position, content }: SubscriptionKey & { position: number; content: object },
): Promise<boolean> {
  const result = await sql`
    insert into subscriptions as s (
      platform_id, id, sender_platform_id, user_id, payer_id, type, state, amount_cents, name, recipient, description, details,
      repeats, duration, start_date, next_run, skipped, prepared_by, sends_directly, created_at, version
    )
    select
      ${platformId}, ${id}, c.sender_platform_id, c.user_id, ${platformId}, 'INVOICE', c.state, c.amount_cents, c.name, c.recipient,
      c.description, c.details, c.repeats, c.duration, c.start_date, c.next_run, c.skipped, c.user_id, false, c.created_at,
      ${position}
    from json_populate_record(null::subscriptions, ${sql.json(content)}) c
    on conflict (platform_id, id) do update
    set state = excluded.state, next_run = excluded.next_run, skipped = excluded.skipped, version = excluded.version
    where s.version < excluded.version
  `
  return result.count === 1
}

/** Stores whether the payer turned autopay on. A message that was already applied has no effect. */
export async function updateRemoteAutopay(
  sql: Sql,
  { platformId, id, position, autopay }: SubscriptionKey & { position: number; autopay: boolean },
): Promise<void> {
  await sql`
    update subscriptions
    set has_autopay_elsewhere = ${autopay}, version = ${position}
    where platform_id = ${platformId} and id = ${id} and version < ${position}
  `
}
