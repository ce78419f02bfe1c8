import type { Role } from '../../../foundation/core/permission-rules.ts'
import type { Sql } from '../../../foundation/db/connect.ts'

/** A session. `expiresAt` is the end of the idle time or of the maximum age, whichever comes first. */
export type SessionRow = {
  platformId: string
  loginId: string
  id: string
  address: string
  userAgent: string | null
  createdAt: Date
  lastSeenAt: Date
  /** The time at which the person last proved the password or a second-factor code. */
  provedAt: Date
  expiresAt: Date
}

const columns = (sql: Sql) => sql`
  s.platform_id, s.login_id, s.id, s.address, s.user_agent, s.created_at, s.last_seen_at,
  coalesce(s.proved_at, s.created_at) as proved_at, s.expires_at
`

/** A session with the member's role. `mustEnroll`: the platform requires a second factor, and the person has none. */
export type MemberSession = SessionRow & { role: Role; mustEnroll: boolean; isOperator: boolean }

type SessionKey = Pick<SessionRow, 'platformId' | 'loginId' | 'id'>

export async function insertSession(sql: Sql, tokenHash: Buffer, session: Omit<SessionRow, 'provedAt'>): Promise<void> {
  await sql`
    insert into sessions (
      token_hash, platform_id, login_id, id, address, user_agent, created_at, last_seen_at, expires_at
    )
    values (
      ${tokenHash}, ${session.platformId}, ${session.loginId}, ${session.id}, ${session.address},
      ${session.userAgent}, ${session.createdAt}, ${session.lastSeenAt}, ${session.expiresAt}
    )
  `
}

/**
 * Finds an open session and its member. Two statements, because the platform's rows may be on another node.
 *
 * @returns null if the person is no longer a member
 */
export async function findSession(sql: Sql, tokenHash: Buffer, now: Date): Promise<MemberSession | null> {
  const [session] = await sql<(SessionRow & { hasTwoFactor: boolean; isOperator: boolean })[]>`
    select ${columns(sql)}, l.totp_sealed is not null as has_two_factor, l.operator_since is not null as is_operator
    from sessions s
    join logins l on l.id = s.login_id
    where s.token_hash = ${tokenHash} and s.expires_at > ${now}
  `
  if (!session) return null
  const { hasTwoFactor, ...row } = session
  const [member] = await sql<{ role: Role; requiresTwoFactor: boolean }[]>`
    select m.role, t.requires_two_factor
    from members m
    join teams t on t.platform_id = m.platform_id
    where m.platform_id = ${row.platformId} and m.login_id = ${row.loginId}
  `
  return member ? { ...row, role: member.role, mustEnroll: member.requiresTwoFactor && !hasTwoFactor } : null
}

/** Lists which of these sessions are still open on the platform and may read it. */
export async function listLiveSessions(
  sql: Sql,
  platformId: string,
  { loginIds, ids, now }: { loginIds: readonly string[]; ids: readonly string[]; now: Date },
): Promise<{ id: string }[]> {
  return sql<{ id: string }[]>`
    select s.id
    from sessions s
    join members m on m.platform_id = s.platform_id and m.login_id = s.login_id
    join teams t on t.platform_id = s.platform_id
    join logins l on l.id = s.login_id
    where s.login_id = any (${loginIds}::uuid[]) and s.id = any (${ids}::uuid[]) and s.platform_id = ${platformId} and s.expires_at > ${now}
      and not (t.requires_two_factor and l.totp_sealed is null)
  `
}

/** Extends an open session. @returns its new end, or null if a concurrent request extended it */
export async function updateLastSeen(
  sql: Sql,
  tokenHash: Buffer,
  { now, idleHours, days }: { now: Date; idleHours: number; days: number },
): Promise<Date | null> {
  const [row] = await sql<{ expiresAt: Date }[]>`
    update sessions
    set
      last_seen_at = ${now},
      expires_at = least(
        ${now}::timestamptz + make_interval(hours => ${idleHours}),
        created_at + make_interval(days => ${days})
      )
    where token_hash = ${tokenHash} and expires_at > ${now} and last_seen_at < ${now}
    returning expires_at
  `
  return row?.expiresAt ?? null
}

export async function listSessions(sql: Sql, loginId: string, now: Date): Promise<SessionRow[]> {
  return sql<SessionRow[]>`
    select ${columns(sql)}
    from sessions s
    where s.login_id = ${loginId} and s.expires_at > ${now}
    order by s.last_seen_at desc, s.id desc
  `
}

export async function deleteSessionByToken(sql: Sql, tokenHash: Buffer): Promise<SessionKey | null> {
  const [row] = await sql<SessionKey[]>`
    delete from sessions
    where token_hash = ${tokenHash}
    returning platform_id, login_id, id
  `
  return row ?? null
}

export async function updateProvedAt(
  sql: Sql,
  { loginId, id, now }: { loginId: string; id: string; now: Date },
): Promise<void> {
  await sql`
    update sessions
    set proved_at = ${now}
    where login_id = ${loginId} and id = ${id} and expires_at > ${now}
  `
}

/** Deletes a session. @returns whether it existed */
export async function deleteSession(sql: Sql, { loginId, id }: { loginId: string; id: string }): Promise<boolean> {
  const result = await sql`
    delete from sessions
    where login_id = ${loginId} and id = ${id}
  `
  return result.count === 1
}

/** Deletes all sessions of a person, or all except one. */
export async function deleteSessions(
  sql: Sql,
  { loginId, exceptId }: { loginId: string; exceptId: string | null },
): Promise<void> {
  await sql`
    delete from sessions
    where login_id = ${loginId} and (${exceptId}::uuid is null or id <> ${exceptId})
  `
}

export async function updateSessionPlatform(
  sql: Sql,
  { loginId, id, platformId }: { loginId: string; id: string; platformId: string },
): Promise<void> {
  await sql`
    update sessions
    set platform_id = ${platformId}
    where login_id = ${loginId} and id = ${id}
  `
}
