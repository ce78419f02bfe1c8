import { listPlatformsWith, type PlatformTurn } from '../../../foundation/db/cluster/list-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import { notSkipped, type SkippedTargets } from '../../../foundation/db/skipped.ts'

/** The messages of a platform to another one about a payment, an invoice or a subscription (`kind` of the table `outbox`). */
export type MessageKind =
  | 'payment_created'
  | 'payment_changed'
  | 'audited'
  | 'card_moved'
  | 'account_returned'
  | 'account_corrected'
  | 'invoice_created'
  | 'invoice_changed'
  | 'invoice_voided'
  | 'invoice_audited'
  | 'invoice_copied'
  | 'invoice_copy_changed'
  | 'subscription_changed'
  | 'autopay_changed'

export type NewMessage = {
  platformId: string
  targetPlatformId: string
  kind: MessageKind
  subjectId: string
  content: object
}

export type Message = Omit<NewMessage, 'content'> & {
  /** The position of the message. Messages about one subject are applied in this order. */
  position: number
  /** The amount that is sent to a wallet. */
  cents: number | null
  content: Record<string, unknown>
}

/** Inserts a message in the transaction that causes it. */
export async function insertMessage(
  sql: Sql,
  { platformId, targetPlatformId, kind, subjectId, content }: NewMessage,
): Promise<void> {
  await sql`
    insert into outbox (platform_id, target_platform_id, kind, subject_id, content)
    values (${platformId}, ${targetPlatformId}, ${kind}, ${subjectId}, ${sql.json(content)})
  `
}

/** Lists the platforms with messages, sorted by id, after `after`. */
export const listSendingPlatforms = (sql: Sql, turn: PlatformTurn): Promise<string[]> =>
  listPlatformsWith(sql, 'outbox', turn)

/** Lists the oldest messages of a platform, without those to skipped platforms, and those about subjects that a platform skips. */
export async function listMessages(
  sql: Sql,
  { platformId, limit, skipped }: { platformId: string; limit: number; skipped: SkippedTargets },
): Promise<Message[]> {
  const { items } = skipped
  const targets = items.map((item) => item.platformId)
  const subjects = items.map(({ id }) => id)
  const others = sql`
    and (target_platform_id, subject_id) not in (select * from unnest(${targets}::uuid[], ${subjects}::uuid[]))
  `
  return sql<Message[]>`
    select platform_id, position, target_platform_id, kind, subject_id, cents, content
    from outbox
    where platform_id = ${platformId} ${items.length > 0 ? others : sql``}
      ${notSkipped(sql, { ...skipped, ids: [] }, { platformId: sql`target_platform_id` })}
    order by position
    limit ${limit}
  `
}

/** Deletes applied messages. */
export async function deleteMessages(sql: Sql, platformId: string, positions: readonly number[]): Promise<void> {
  await sql`
    delete from outbox
    where platform_id = ${platformId} and position = any (${positions as number[]}::bigint[])
  `
}

/** Creates the copy of a payment (`sql/copy_payment_v1.sql`). */
export async function copyPayment(sql: Sql, message: Message): Promise<void> {
  const { targetPlatformId, subjectId, platformId, position, content } = message
  await sql`select copy_payment_v1(${targetPlatformId}, ${subjectId}, ${platformId}, ${position}, ${sql.json(content)})`
}

/** Changes the copy of a payment (`sql/change_copied_payment_v1.sql`). */
export async function changeCopiedPayment(
  sql: Sql,
  { targetPlatformId, subjectId, position, content }: Message,
): Promise<{ applied: boolean; isDue: boolean }> {
  const [row] = await sql<{ applied: boolean; isDue: boolean }[]>`
    select applied, is_due
    from change_copied_payment_v1(${targetPlatformId}, ${subjectId}, ${position}, ${sql.json(content)})
  `
  return row as { applied: boolean; isDue: boolean }
}

/** Changes the recipient of a copied payment (`sql/claim_copied_payment_v1.sql`). */
export async function claimCopiedPayment(
  sql: Sql,
  { targetPlatformId, subjectId, position }: Message,
): Promise<boolean> {
  const [row] = await sql<{ isClaimed: boolean }[]>`
    select claim_copied_payment_v1(${targetPlatformId}, ${subjectId}, ${position}) as is_claimed
  `
  return row?.isClaimed ?? false
}

/** Locks the holder of a wallet against deletion until the end of the transaction. @returns its id, or null if it does not exist */
export async function holdWalletHolder(
  sql: Sql,
  { platformId, walletId }: { platformId: string; walletId: string },
): Promise<string | null> {
  const [row] = await sql<{ userId: string }[]>`
    select w.user_id
    from wallets w
    join users u on u.platform_id = w.platform_id and u.id = w.user_id
    where w.platform_id = ${platformId} and w.id = ${walletId} and u.deleted_at is null
    for key share of u
  `
  return row?.userId ?? null
}
