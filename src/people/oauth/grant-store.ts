import type { Permission } from '../../foundation/core/permission-rules.ts'
import type { Scope } from '../../foundation/core/scope.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { alignRows } from '../../foundation/lib/concurrency/batches.ts'

/** The key of a grant. A grant belongs to the platform of the consenting owner. */
export type GrantKey = { platformId: string; id: string }

export type GrantRow = GrantKey & { applicationId: string; scope: Scope; createdAt: Date }

/** A grant to create. `createdBy`: the member who consented. The member's permissions limit the grant. */
export type NewGrant = GrantRow & {
  applicationPlatformId: string
  createdBy: string | null
  permissions: Permission[] | null
}

export async function insertGrant(sql: Sql, grant: NewGrant): Promise<void> {
  await sql`
    insert into grants (
      platform_id, id, application_id, application_platform_id, scope, created_at, created_by, permissions
    )
    values (
      ${grant.platformId}, ${grant.id}, ${grant.applicationId}, ${grant.applicationPlatformId}, ${grant.scope},
      ${grant.createdAt}, ${grant.createdBy}, ${grant.permissions}
    )
  `
}

/** Returns the grant of each key, in the order of `keys`, or null for a grant that is revoked or used up. */
export async function findLiveGrants(
  sql: Sql,
  platformId: string,
  keys: readonly GrantKey[],
): Promise<(GrantRow | null)[]> {
  const ids = keys.map(({ id }) => id)
  const rows = await sql<GrantRow[]>`
    select platform_id, id, application_id, scope, created_at
    from grants
    where platform_id = ${platformId} and id = any (${ids}::uuid[]) and revoked_at is null and spent_at is null
  `
  const nameOf = ({ id }: GrantKey) => id
  return alignRows(keys, rows, { item: nameOf, row: nameOf })
}

export type ListedGrant = GrantRow & { applicationName: string; applicationSite: string; lastUsedAt: Date | null }

/** Lists the applications that may act for an owner, newest first. A deleted application has no grants. */
export async function listLiveGrants(sql: Sql, platformId: string): Promise<ListedGrant[]> {
  return sql<ListedGrant[]>`
    select
      g.platform_id, g.id, g.application_id, g.scope, g.created_at, g.last_used_at,
      a.name as application_name, a.site as application_site
    from grants g
    join applications a on a.id = g.application_id
    where g.platform_id = ${platformId} and g.revoked_at is null and g.spent_at is null and a.deleted_at is null
    order by g.created_at desc, g.id desc
  `
}

/** Marks a grant as revoked. @returns its application, or null if the grant had already ended */
export async function markGrantRevoked(sql: Sql, { platformId, id }: GrantKey, now: Date): Promise<string | null> {
  const [row] = await sql<{ applicationId: string }[]>`
    update grants
    set revoked_at = ${now}
    where platform_id = ${platformId} and id = ${id} and revoked_at is null
    returning application_id
  `
  return row?.applicationId ?? null
}

/** Revokes the grants of a member. Locks them in the same order as payments do. @returns their applications */
export async function markGrantsOfMemberRevoked(
  sql: Sql,
  { platformId, loginId }: { platformId: string; loginId: string },
  now: Date,
): Promise<string[]> {
  const rows = await sql<{ applicationId: string }[]>`
    with live as (
      select id
      from grants
      where platform_id = ${platformId} and created_by = ${loginId} and revoked_at is null and spent_at is null
      order by id
      for no key update
    )
    update grants g
    set revoked_at = ${now}
    from live
    where g.platform_id = ${platformId} and g.id = live.id
    returning g.application_id
  `
  return rows.map(({ applicationId }) => applicationId)
}

export async function updateGrantLastUse(sql: Sql, { platformId, id }: GrantKey, now: Date): Promise<void> {
  await sql`
    update grants
    set last_used_at = ${now}
    where platform_id = ${platformId} and id = ${id} and (last_used_at is null or last_used_at < ${now})
  `
}
