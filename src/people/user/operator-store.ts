import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { emailHash } from '../../foundation/lib/text/email.ts'

/** Lists the platforms that the login with this email owns, or the platform with this id. */
export async function listOwnedPlatforms(
  sql: Sql,
  { email, id }: { email: string; id: string | null },
): Promise<{ platformId: string; name: string }[]> {
  return sql<{ platformId: string; name: string }[]>`
    ${allPlatforms('serves the operator')}
    select u.platform_id, coalesce(u.business_name, u.name) as name
    from users u
    where u.platform_id = u.id and u.id in (
      select m.platform_id
      from login_emails e
      join login_platforms p on p.login_id = e.login_id
      join members m on m.platform_id = p.platform_id and m.login_id = p.login_id
      where e.email_hash = ${emailHash(email)} and m.role = 'owner'
      union all
      select ${id}::uuid
    )
    order by u.created_at, u.platform_id
  `
}

/** Finds a user of a platform by user_id or, if none matches, by system id. */
export async function findUserByName(
  sql: Sql,
  { platformId, name, id }: { platformId: string; name: string; id: string | null },
): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`
    select id
    from users
    where platform_id = ${platformId} and deleted_at is null and (external_id = ${name} or id = ${id})
    order by external_id is distinct from ${name}
    limit 1
  `
  return row?.id ?? null
}
