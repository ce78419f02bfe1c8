import { listPlatformsWith, type PlatformTurn } from '../../foundation/db/cluster/list-platforms.ts'
import type { Pool, Sql } from '../../foundation/db/connect.ts'
import { notSkipped, type Skipped } from '../../foundation/db/skipped.ts'
import type { UserKey } from './user-store.ts'

/** Marks a user, so that a background step applies its new status to its legs and payments. */
export async function upsertStatusChange(sql: Sql, { platformId, userId }: UserKey, changedAt: Date): Promise<void> {
  await sql`
    insert into user_status_changes (platform_id, user_id, changed_at)
    values (${platformId}, ${userId}, ${changedAt})
    on conflict (platform_id, user_id) do update
    set changed_at = excluded.changed_at
  `
}

/** Lists the platforms with users whose status change must still be applied to their legs and payments, ordered by id. */
export const listPlatformsWithStatusChange = (sql: Sql, turn: PlatformTurn): Promise<string[]> =>
  listPlatformsWith(sql, 'user_status_changes', turn)

/** Lists the users of a platform whose status change is not processed yet. */
export async function listStatusChanges(
  sql: Sql | Pool,
  platformId: string,
  { limit, skipped }: { limit: number; skipped: Skipped },
): Promise<UserKey[]> {
  return (sql as Sql)<UserKey[]>`
    select platform_id, user_id
    from user_status_changes
    where platform_id = ${platformId} ${notSkipped(sql as Sql, skipped, { id: (sql as Sql)`user_id` })}
    order by user_id
    limit ${limit}
  `
}

/** Locks a status change against other workers until the end of the transaction. @returns false if another worker has locked it */
export async function lockStatusChange(sql: Sql, { platformId, userId }: UserKey): Promise<boolean> {
  const rows = await sql`
    select 1
    from user_status_changes
    where platform_id = ${platformId} and user_id = ${userId}
    for update skip locked
  `
  return rows.length > 0
}

export async function deleteStatusChange(sql: Sql, { platformId, userId }: UserKey): Promise<void> {
  await sql`
    delete from user_status_changes
    where platform_id = ${platformId} and user_id = ${userId}
  `
}
