import type { Sql } from '../../db/connect.ts'
import { digestList } from '../../db/digests.ts'
import { isDigestOfAnotherKey } from '../../db/key-uses.ts'
import type { Fragment } from '../../db/skipped.ts'

/** @returns false when two-factor authentication is on */
export async function updatePendingSeed(
  sql: Sql,
  { platformId, seedSealed }: { platformId: string; seedSealed: Buffer },
): Promise<boolean> {
  const result = await sql`
    update logins
    set totp_pending_sealed = ${seedSealed}
    where platform_id = ${platformId} and totp_sealed is null
  `
  return result.count === 1
}

/** Activates the pending seed. @returns false when there is none, or a seed is active already */
export async function activateSeed(
  sql: Sql,
  { platformId, step }: { platformId: string; step: number },
): Promise<boolean> {
  const result = await sql`
    update logins
    set totp_sealed = totp_pending_sealed, totp_pending_sealed = null, totp_last_step = ${step}
    where platform_id = ${platformId} and totp_sealed is null and totp_pending_sealed is not null
  `
  return result.count === 1
}

/** @returns false when a code of this step or a later one was accepted before */
export async function spendStep(
  sql: Sql,
  { platformId, step }: { platformId: string; step: number },
): Promise<boolean> {
  const result = await sql`
    update logins
    set totp_last_step = ${step}
    where platform_id = ${platformId} and totp_sealed is not null and totp_last_step < ${step}
  `
  return result.count === 1
}

export async function removeSeed(sql: Sql, platformId: string): Promise<void> {
  await sql`
    update logins
    set totp_sealed = null, totp_pending_sealed = null, totp_last_step = 0
    where platform_id = ${platformId} and totp_sealed is not null
  `
}

export async function insertRecoveryCode(
  sql: Sql,
  { platformId, codeDigest }: { platformId: string; codeDigest: Buffer },
): Promise<void> {
  await sql`
    insert into recovery_codes (platform_id, code_digest)
    values (${platformId}, ${codeDigest})
  `
}

/** @param code.codeDigests by each key of the ring @returns whether the code existed; each works once */
export async function deleteRecoveryCode(
  sql: Sql,
  { platformId, codeDigests }: { platformId: string; codeDigests: readonly Buffer[] },
): Promise<boolean> {
  const result = await sql`
    delete from recovery_codes
    where platform_id = ${platformId} and code_digest in ${digestList(sql, codeDigests)}
  `
  return result.count === 1
}

export async function deleteRecoveryCodes(sql: Sql, platformId: string): Promise<void> {
  await sql`
    delete from recovery_codes
    where platform_id = ${platformId}
  `
}

/** Owners whose recovery codes need another key than the one that makes digests now. */
export async function listOwnersWithOldCodes(sql: Sql): Promise<string[]> {
  const rows = await sql<{ platformId: string }[]>`
    select distinct platform_id
    from recovery_codes
    where ${isDigestOfAnotherKey(sql, sql`code_digest`, presentKey(sql))}
    order by platform_id
  `
  return rows.map(({ platformId }) => platformId)
}

/** @returns how many of them an owner had */
export async function deleteOldRecoveryCodes(sql: Sql, platformId: string): Promise<number> {
  const result = await sql`
    delete from recovery_codes
    where platform_id = ${platformId} and ${isDigestOfAnotherKey(sql, sql`code_digest`, presentKey(sql))}
  `
  return result.count
}

const presentKey = (sql: Sql): Fragment => sql`(select value from settings where name = 'digest_key')`
