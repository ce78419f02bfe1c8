import type { Sql } from '../../../foundation/db/connect.ts'
import { digestList } from '../../../foundation/db/digests.ts'
import { isDigestOfAnotherKey } from '../../../foundation/db/key-uses.ts'
import type { Fragment } from '../../../foundation/db/skipped.ts'

/** Stores a seed that waits for its first code. @returns false if two-factor authentication is already on */
export async function updatePendingSeed(
  sql: Sql,
  { loginId, seedSealed }: { loginId: string; seedSealed: Buffer },
): Promise<boolean> {
  const result = await sql`
    update logins
    set totp_pending_sealed = ${seedSealed}
    where id = ${loginId} and totp_sealed is null
  `
  return result.count === 1
}

/** Activates the pending seed. @returns false if there is none or a seed is already active */
export async function activateSeed(sql: Sql, { loginId, step }: { loginId: string; step: number }): Promise<boolean> {
  const result = await sql`
    update logins
    set totp_sealed = totp_pending_sealed, totp_pending_sealed = null, totp_last_step = ${step}
    where id = ${loginId} and totp_sealed is null and totp_pending_sealed is not null
  `
  return result.count === 1
}

/** Records that a code of this time step was used. @returns false if this step or a later one was already used */
export async function useTimeStep(sql: Sql, { loginId, step }: { loginId: string; step: number }): Promise<boolean> {
  const result = await sql`
    update logins
    set totp_last_step = ${step}
    where id = ${loginId} and totp_sealed is not null and totp_last_step < ${step}
  `
  return result.count === 1
}

export async function removeSeed(sql: Sql, loginId: string): Promise<void> {
  await sql`
    update logins
    set totp_sealed = null, totp_pending_sealed = null, totp_last_step = 0
    where id = ${loginId} and totp_sealed is not null
  `
}

export async function insertRecoveryCode(
  sql: Sql,
  { loginId, codeDigest }: { loginId: string; codeDigest: Buffer },
): Promise<void> {
  await sql`
    insert into recovery_codes (login_id, code_digest)
    values (${loginId}, ${codeDigest})
  `
}

/**
 * Deletes a recovery code. Each code works once.
 *
 * @param code.codeDigests the digests of the code by each key of the ring
 * @returns whether the code existed
 */
export async function deleteRecoveryCode(
  sql: Sql,
  { loginId, codeDigests }: { loginId: string; codeDigests: readonly Buffer[] },
): Promise<boolean> {
  const result = await sql`
    delete from recovery_codes
    where login_id = ${loginId} and code_digest in ${digestList(sql, codeDigests)}
  `
  return result.count === 1
}

export async function deleteRecoveryCodes(sql: Sql, loginId: string): Promise<void> {
  await sql`
    delete from recovery_codes
    where login_id = ${loginId}
  `
}

/** Lists the people whose recovery codes depend on another key than the one that makes digests now. */
export async function listPeopleWithOldCodes(sql: Sql): Promise<string[]> {
  const rows = await sql<{ loginId: string }[]>`
    select distinct login_id
    from recovery_codes
    where ${isDigestOfAnotherKey(sql, sql`code_digest`, presentKey(sql))}
    order by login_id
  `
  return rows.map(({ loginId }) => loginId)
}

/** Lists the emails of a platform's members whose recovery codes depend on another key than the one that makes digests now. */
export async function listMembersWithOldCodes(sql: Sql, platformId: string): Promise<string[]> {
  // Citus refuses to join members and logins with the settings, because each node has a copy of them.
  const members = await sql<{ loginId: string }[]>`select login_id from members where platform_id = ${platformId}`
  const rows = await sql<{ email: string }[]>`
    select l.email
    from logins l
    where l.id = any (${members.map(({ loginId }) => loginId)}::uuid[]) and exists (
      select 1
      from recovery_codes c
      where c.login_id = l.id and ${isDigestOfAnotherKey(sql, sql`c.code_digest`, presentKey(sql))}
    )
    order by l.email
  `
  return rows.map(({ email }) => email)
}

/** Deletes a person's recovery codes that depend on an old key. @returns how many there were */
export async function deleteOldRecoveryCodes(sql: Sql, loginId: string): Promise<number> {
  // On a cluster, a delete that reads the settings would run on a worker, and the workers do not have the codes.
  const old = await sql<{ codeDigest: Buffer }[]>`
    select code_digest
    from recovery_codes
    where login_id = ${loginId} and ${isDigestOfAnotherKey(sql, sql`code_digest`, presentKey(sql))}
  `
  const codeDigests = old.map(({ codeDigest }) => codeDigest)
  const result = await sql`
    delete from recovery_codes
    where login_id = ${loginId} and code_digest in ${digestList(sql, codeDigests)}
  `
  return result.count
}

const presentKey = (sql: Sql): Fragment => sql`(select value from settings where name = 'digest_key')`
