import type { Sql } from '../db/connect.ts'

/** The key of a request in the database: see migrations/0001. */
export type IdempotencyClaim = { platformId: string; keyDigest: Buffer; fingerprint: Buffer; lock: string; now: Date }

export type ClaimOutcome = {
  outcome: 'new' | 'replayed' | 'mismatch' | 'in_flight'
  status: number
  answer: string | null
  answerSealed: Buffer | null
}

export async function claimIdempotencyKey(sql: Sql, claim: IdempotencyClaim): Promise<ClaimOutcome> {
  const [row] = await sql<ClaimOutcome[]>`
    select outcome, status, answer, answer_sealed
    from claim_idempotency_key(
      ${claim.platformId}, ${claim.keyDigest}, ${claim.fingerprint}, ${claim.lock}, ${claim.now}
    )
  `
  return row as ClaimOutcome
}

export async function recordIdempotentAnswer(
  sql: Sql,
  claim: IdempotencyClaim,
  answer: { status: number; text: string | null; sealed: Buffer | null },
): Promise<void> {
  await sql`
    select record_idempotent_answer(
      ${claim.platformId}, ${claim.keyDigest}, ${claim.fingerprint}, ${answer.status}, ${answer.text},
      ${answer.sealed}, ${claim.now}
    )
  `
}

/** @returns how many records older than `before` it deleted, at most `limit` */
export async function deleteIdempotencyRecords(sql: Sql, { before, limit }: { before: Date; limit: number }) {
  const result = await sql`
    delete from idempotency_records
    where (platform_id, key_digest) in (
      select platform_id, key_digest
      from idempotency_records
      where created_at < ${before}
      order by created_at
      limit ${limit}
    )
  `
  return result.count
}
