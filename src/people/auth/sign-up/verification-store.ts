import type { Sql } from '../../../foundation/db/connect.ts'

export type VerificationPurpose = 'sign_up' | 'password' | 'email'

export type VerificationRow = {
  purpose: VerificationPurpose
  email: string
  /** The person to verify, or null for a sign-up or an unknown email. */
  loginId: string | null
  detailsSealed: Buffer | null
  codeDigest: Buffer
  createdAt: Date
  expiresAt: Date
}

export async function insertVerification(sql: Sql, tokenHash: Buffer, verification: VerificationRow): Promise<void> {
  await sql`
    insert into verifications (
      token_hash, purpose, email, login_id, details_sealed, code_digest, created_at, expires_at
    )
    values (
      ${tokenHash}, ${verification.purpose}, ${verification.email}, ${verification.loginId},
      ${verification.detailsSealed}, ${verification.codeDigest}, ${verification.createdAt}, ${verification.expiresAt}
    )
  `
}

export async function findVerificationLogin(sql: Sql, tokenHash: Buffer): Promise<string | null> {
  const [row] = await sql<{ loginId: string | null }[]>`
    select login_id
    from verifications
    where token_hash = ${tokenHash}
  `
  return row?.loginId ?? null
}

/** Locks an open verification, so that simultaneous codes are checked one at a time. */
export async function lockVerification(
  sql: Sql,
  tokenHash: Buffer,
  { purpose, now }: { purpose: VerificationPurpose; now: Date },
): Promise<(VerificationRow & { wrongTries: number }) | null> {
  const [row] = await sql<(VerificationRow & { wrongTries: number })[]>`
    select purpose, email, login_id, details_sealed, code_digest, wrong_tries, created_at, expires_at
    from verifications
    where token_hash = ${tokenHash} and purpose = ${purpose} and expires_at > ${now}
    for update
  `
  return row ?? null
}

export async function updateWrongTries(sql: Sql, tokenHash: Buffer): Promise<void> {
  await sql`
    update verifications
    set wrong_tries = wrong_tries + 1
    where token_hash = ${tokenHash}
  `
}

export async function deleteVerification(sql: Sql, tokenHash: Buffer): Promise<void> {
  await sql`
    delete from verifications
    where token_hash = ${tokenHash}
  `
}

export async function deleteLoginVerifications(sql: Sql, loginId: string): Promise<void> {
  await sql`
    delete from verifications
    where login_id = ${loginId}
  `
}
