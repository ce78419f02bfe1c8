import type { Sql } from '../../db/connect.ts'
import { isDigestOfAnotherKey } from '../../db/key-uses.ts'

/** The login of an owner. `totpLastStep` is the time step of the last accepted code (RFC 6238, 4.2). */
export type LoginRow = {
  email: string
  platformId: string
  passwordHash: string
  totpSealed: Buffer | null
  totpPendingSealed: Buffer | null
  totpLastStep: number
}

const columns = (sql: Sql) => sql`
  email, platform_id, password_hash, totp_sealed, totp_pending_sealed, totp_last_step
`

export async function insertLogin(
  sql: Sql,
  login: { email: string; platformId: string; passwordHash: string; emailVerifiedAt: Date | null; createdAt: Date },
): Promise<void> {
  await sql`
    insert into logins (email, platform_id, password_hash, email_verified_at, created_at)
    values (${login.email}, ${login.platformId}, ${login.passwordHash}, ${login.emailVerifiedAt}, ${login.createdAt})
  `
}

/** The only lookup without a platform: the email determines it. */
export async function findLogin(sql: Sql, email: string): Promise<LoginRow | null> {
  const [row] = await sql<LoginRow[]>`
    select ${columns(sql)}
    from logins
    where email = ${email}
  `
  return row ?? null
}

export async function findLoginOf(sql: Sql, platformId: string): Promise<LoginRow | null> {
  const [row] = await sql<LoginRow[]>`
    select ${columns(sql)}
    from logins
    where platform_id = ${platformId}
  `
  return row ?? null
}

/** Locks a login, so that sign-ins and password changes run one at a time. */
export async function lockLogin(sql: Sql, platformId: string): Promise<LoginRow | null> {
  const [row] = await sql<LoginRow[]>`
    select ${columns(sql)}
    from logins
    where platform_id = ${platformId}
    for update
  `
  return row ?? null
}

export async function updatePassword(
  sql: Sql,
  { platformId, passwordHash }: { platformId: string; passwordHash: string },
): Promise<void> {
  await sql`
    update logins
    set password_hash = ${passwordHash}
    where platform_id = ${platformId}
  `
}

export async function updateEmail(
  sql: Sql,
  { platformId, email, verifiedAt }: { platformId: string; email: string; verifiedAt: Date },
): Promise<void> {
  await sql`
    update logins
    set email = ${email}, email_verified_at = ${verifiedAt}
    where platform_id = ${platformId}
  `
}

/** An owner as pages show it. `hasOldCodes`: its recovery codes need a master key that is being replaced. */
export type Owner = { id: string; email: string; name: string; hasTwoFactor: boolean; hasOldCodes: boolean }

export async function findOwnerRow(sql: Sql, platformId: string): Promise<Owner | null> {
  const [row] = await sql<Owner[]>`
    select
      l.platform_id as id, l.email, u.name, l.totp_sealed is not null as has_two_factor,
      exists (
        select 1
        from recovery_codes c
        where c.platform_id = l.platform_id
          and ${isDigestOfAnotherKey(sql, sql`c.code_digest`, sql`(select value from settings where name = 'digest_key')`)}
      ) as has_old_codes
    from logins l
    join users u on u.platform_id = l.platform_id and u.id = l.platform_id
    where l.platform_id = ${platformId}
  `
  return row ?? null
}
