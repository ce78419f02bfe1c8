import type { Sql } from '../../db/connect.ts'
import type { OldRows } from '../../db/old-rows.ts'

/** `expiresAt` is the end of the idle time or of the maximum age, whichever comes first. */
export type SessionRow = {
  platformId: string
  id: string
  address: string
  userAgent: string | null
  createdAt: Date
  lastSeenAt: Date
  /** When the owner last proved the password or a second-factor code. */
  provedAt: Date
  expiresAt: Date
}

const columns = (sql: Sql) => sql`
  platform_id, id, address, user_agent, created_at, last_seen_at, coalesce(proved_at, created_at) as proved_at, expires_at
`

export async function insertSession(sql: Sql, tokenHash: Buffer, session: Omit<SessionRow, 'provedAt'>): Promise<void> {
  await sql`
    insert into sessions (token_hash, platform_id, id, address, user_agent, created_at, last_seen_at, expires_at)
    values (
      ${tokenHash}, ${session.platformId}, ${session.id}, ${session.address}, ${session.userAgent},
      ${session.createdAt}, ${session.lastSeenAt}, ${session.expiresAt}
    )
  `
}

/** The only lookup without a platform: the cookie determines it. */
export async function findSession(sql: Sql, tokenHash: Buffer, now: Date): Promise<SessionRow | null> {
  const [row] = await sql<SessionRow[]>`
    select ${columns(sql)}
    from sessions
    where token_hash = ${tokenHash} and expires_at > ${now}
  `
  return row ?? null
}

/** Extends a session that has not ended. */
export async function updateLastSeen(
  sql: Sql,
  tokenHash: Buffer,
  { now, idleHours, days }: { now: Date; idleHours: number; days: number },
): Promise<void> {
  await sql`
    update sessions
    set
      last_seen_at = ${now},
      expires_at = least(
        ${now}::timestamptz + make_interval(hours => ${idleHours}),
        created_at + make_interval(days => ${days})
      )
    where token_hash = ${tokenHash} and expires_at > ${now} and last_seen_at < ${now}
  `
}

export async function listSessions(sql: Sql, platformId: string, now: Date): Promise<SessionRow[]> {
  return sql<SessionRow[]>`
    select ${columns(sql)}
    from sessions
    where platform_id = ${platformId} and expires_at > ${now}
    order by last_seen_at desc, id desc
  `
}

export async function deleteSessionByToken(
  sql: Sql,
  tokenHash: Buffer,
): Promise<{ platformId: string; id: string } | null> {
  const [row] = await sql<{ platformId: string; id: string }[]>`
    delete from sessions
    where token_hash = ${tokenHash}
    returning platform_id, id
  `
  return row ?? null
}

export async function updateProvedAt(
  sql: Sql,
  { platformId, id, now }: { platformId: string; id: string; now: Date },
): Promise<void> {
  await sql`
    update sessions
    set proved_at = ${now}
    where platform_id = ${platformId} and id = ${id} and expires_at > ${now}
  `
}

/** @returns whether the session existed */
export async function deleteSession(
  sql: Sql,
  { platformId, id }: { platformId: string; id: string },
): Promise<boolean> {
  const result = await sql`
    delete from sessions
    where platform_id = ${platformId} and id = ${id}
  `
  return result.count === 1
}

/** Ends all sessions of an owner, or all but one. */
export async function deleteSessions(
  sql: Sql,
  { platformId, exceptId }: { platformId: string; exceptId: string | null },
): Promise<void> {
  await sql`
    delete from sessions
    where platform_id = ${platformId} and (${exceptId}::uuid is null or id <> ${exceptId})
  `
}

/** Expired sessions. */
export const endedSessions: OldRows = {
  table: 'sessions',
  key: ['token_hash'],
  unit: 'platform_id',
  age: 'expires_at',
}
