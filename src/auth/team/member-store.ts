import type { Role } from '../../core/permission-rules.ts'
import type { Sql } from '../../db/connect.ts'
import { emailHash } from '../../lib/text/email.ts'

export type MemberKey = { platformId: string; loginId: string }

/** Creates the team of a new platform with its first owner, whose email address receives payments. */
export async function insertFirstOwner(
  sql: Sql,
  { platformId, loginId, email, now }: MemberKey & { email: string; now: Date },
): Promise<void> {
  await sql`
    insert into teams (platform_id, owner_count, member_count)
    values (${platformId}, 1, 1)
  `
  await insertMember(sql, { platformId, loginId, role: 'owner', now })
  await sql`
    insert into receiving_addresses (email_hash, platform_id, login_id, verified_at)
    values (${emailHash(email)}, ${platformId}, ${loginId}, ${now})
  `
}

/** @returns false when the person is a member already */
async function insertMember(
  sql: Sql,
  { platformId, loginId, role, now }: MemberKey & { role: Role; now: Date },
): Promise<boolean> {
  const result = await sql`
    insert into members (platform_id, login_id, role, joined_at)
    values (${platformId}, ${loginId}, ${role}, ${now})
    on conflict do nothing
  `
  if (result.count === 0) return false
  await sql`
    insert into login_platforms (login_id, platform_id, used_at)
    values (${loginId}, ${platformId}, ${now})
  `
  return true
}

/** A person's place on a platform, or null. */
export async function findMembership(
  sql: Sql,
  { platformId, loginId }: MemberKey,
): Promise<{ role: Role; platformName: string } | null> {
  const [row] = await sql<{ role: Role; platformName: string }[]>`
    select m.role, u.name as platform_name
    from members m
    join users u on u.platform_id = m.platform_id and u.id = m.platform_id
    where m.platform_id = ${platformId} and m.login_id = ${loginId}
  `
  return row ?? null
}

/** The platform that a person used last, or null when the person is a member of none. */
export async function findLastPlatform(sql: Sql, loginId: string): Promise<string | null> {
  const [row] = await sql<{ platformId: string }[]>`
    select platform_id
    from login_platforms
    where login_id = ${loginId}
    order by used_at desc, platform_id
    limit 1
  `
  return row?.platformId ?? null
}

export async function updatePlatformUse(sql: Sql, { platformId, loginId }: MemberKey, now: Date): Promise<void> {
  await sql`
    update login_platforms
    set used_at = ${now}
    where login_id = ${loginId} and platform_id = ${platformId}
  `
}
