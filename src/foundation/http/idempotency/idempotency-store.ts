import type { Sql } from '../../db/connect.ts'

/** The Idempotency-Key of a request, for `sql/claim_idempotency_key_v1.sql`. */
export type IdempotencyClaim = {
  platformId: string
  /** The digests of the key and of the body in hex, by the id of each master key. The database chooses the master key. */
  digests: Readonly<Record<string, { key: string; fingerprint: string }>>
  now: Date
}

type RecordedClaim = { keyDigest: Buffer; fingerprint: Buffer }

export type ClaimOutcome = RecordedClaim & {
  outcome: 'new' | 'replayed' | 'idempotency_key_in_use' | 'idempotency_key_reused'
  status: number
  answer: string | null
  answerSealed: Buffer | null
}

export async function claimIdempotencyKey(sql: Sql, claim: IdempotencyClaim): Promise<ClaimOutcome> {
  const [row] = await sql<ClaimOutcome[]>`
    select outcome, key_digest, fingerprint, status, answer, answer_sealed
    from claim_idempotency_key_v1(${claim.platformId}, ${sql.json(claim.digests)}, ${claim.now})
  `
  return row as ClaimOutcome
}

export async function recordIdempotentAnswer(
  sql: Sql,
  claim: Pick<IdempotencyClaim, 'platformId' | 'now'> & RecordedClaim,
  answer: { status: number; text: string | null; sealed: Buffer | null },
): Promise<void> {
  await sql`
    select record_idempotent_answer_v1(
      ${claim.platformId}, ${claim.keyDigest}, ${claim.fingerprint}, ${answer.status}, ${answer.text},
      ${answer.sealed}, ${claim.now}
    )
  `
}
