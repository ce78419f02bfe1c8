import type { Sql } from '../../db/connect.ts'
import { digestList } from '../../db/digests.ts'

/** @returns whether two-factor authentication is still off */
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

/** The pending seed counts from now on. @returns whether there was one, and none that counts already */
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

/** @returns whether no code of this step or a later one counted before */
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

/** @param code.codeDigests by each key of the ring @returns whether it was there: each counts once */
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
