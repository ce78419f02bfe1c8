import type { Sql } from '../../../foundation/db/connect.ts'
import { isDigestOfAnotherKey } from '../../../foundation/db/key-uses.ts'
import { emailHash } from '../../../foundation/lib/text/email.ts'

/** A person who can sign in. `totpLastStep` is the time step of the last accepted code (RFC 6238, 4.2). */
export type LoginRow = {
  id: string
  email: string
  name: string
  passwordHash: string
  totpSealed: Buffer | null
  totpPendingSealed: Buffer | null
  totpLastStep: number
}

const columns = (sql: Sql) => sql`
  l.id, l.email, l.name, l.password_hash, l.totp_sealed, l.totp_pending_sealed, l.totp_last_step
`

/** Creates a login. @returns false if another login has the email */
export async function insertLogin(
  sql: Sql,
  login: { id: string; email: string; name: string; passwordHash: string; createdAt: Date },
): Promise<boolean> {
  if (!(await insertLoginEmail(sql, login))) return false
  await sql`
    insert into logins (id, email, name, password_hash, email_verified_at, created_at)
    values (${login.id}, ${login.email}, ${login.name}, ${login.passwordHash}, ${login.createdAt}, ${login.createdAt})
  `
  return true
}

async function insertLoginEmail(sql: Sql, { id, email }: { id: string; email: string }): Promise<boolean> {
  const inserted = await sql`
    insert into login_emails (email_hash, login_id)
    values (${emailHash(email)}, ${id})
    on conflict (email_hash) do nothing
  `
  return inserted.count === 1
}

export async function findLogin(sql: Sql, email: string): Promise<LoginRow | null> {
  const [row] = await sql<LoginRow[]>`
    select ${columns(sql)}
    from login_emails e
    join logins l on l.id = e.login_id
    where e.email_hash = ${emailHash(email)}
  `
  return row ?? null
}

export const findLoginById = (sql: Sql, id: string): Promise<LoginRow | null> => readLogin(sql, id, sql``)

/** Locks a login, so that sign-ins and password changes run one at a time. */
export const lockLogin = (sql: Sql, id: string): Promise<LoginRow | null> => readLogin(sql, id, sql`for update`)

async function readLogin(sql: Sql, id: string, lock: ReturnType<Sql>): Promise<LoginRow | null> {
  const [row] = await sql<LoginRow[]>`
    select ${columns(sql)}
    from logins l
    where l.id = ${id}
    ${lock}
  `
  return row ?? null
}

/** Reads the names of people by their ids. An id without a login belongs to an API key. Null has the name null. */
export async function readNames(
  sql: Sql,
  people: readonly (string | null)[],
): Promise<<Person extends string | null>(person: Person) => Person> {
  const ids = [...new Set(people.filter((person) => person !== null))]
  const logins =
    ids.length === 0
      ? []
      : await sql<{ id: string; name: string }[]>`select id, name from logins where id = any (${ids}::uuid[])`
  const names = new Map<string, string>(logins.map(({ id, name }) => [id, name]))
  return (person) => (person === null ? person : ((names.get(person) ?? 'API key') as typeof person))
}

export async function updatePassword(
  sql: Sql,
  { id, passwordHash }: { id: string; passwordHash: string },
): Promise<void> {
  await sql`
    update logins
    set password_hash = ${passwordHash}
    where id = ${id}
  `
}

/**
 * Changes the email of a login. If the previous email is the receiving address of a platform, the new one replaces it.
 *
 * @returns false if another login has the email
 */
export async function updateEmail(
  sql: Sql,
  { id, previous, email, verifiedAt }: { id: string; previous: string; email: string; verifiedAt: Date },
): Promise<boolean> {
  if (!(await insertLoginEmail(sql, { id, email }))) return false
  await sql`
    delete from login_emails
    where email_hash = ${emailHash(previous)} and login_id = ${id}
  `
  const [receiving] = await sql<{ platformId: string }[]>`
    delete from receiving_addresses
    where email_hash = ${emailHash(previous)} and login_id = ${id}
    returning platform_id
  `
  if (receiving) {
    await sql`
      insert into receiving_addresses (email_hash, platform_id, login_id, verified_at, is_new)
      values (${emailHash(email)}, ${receiving.platformId}, ${id}, ${verifiedAt}, true)
    `
  }
  await sql`
    update logins
    set email = ${email}, email_verified_at = ${verifiedAt}
    where id = ${id}
  `
  return true
}

/** A person as pages show it. `hasOldCodes`: the recovery codes depend on a master key that is being replaced. */
export type Person = { id: string; email: string; name: string; hasTwoFactor: boolean; hasOldCodes: boolean }

export async function findPerson(sql: Sql, id: string): Promise<Person | null> {
  const [row] = await sql<Person[]>`
    select
      l.id, l.email, l.name, l.totp_sealed is not null as has_two_factor,
      exists (
        select 1
        from recovery_codes c
        where c.login_id = l.id
          and ${isDigestOfAnotherKey(sql, sql`c.code_digest`, sql`(select value from settings where name = 'digest_key')`)}
      ) as has_old_codes
    from logins l
    where l.id = ${id}
  `
  return row ?? null
}
