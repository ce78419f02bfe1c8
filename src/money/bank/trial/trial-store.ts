import type { Sql } from '../../../foundation/db/connect.ts'
import type { Renewal } from '../../../foundation/db/digests.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import type { BankRow } from '../bank-store.ts'

// Stores the attempts to verify banks by micro-deposits: those of one user for an account, of all users for an account, and of a platform.

/**
 * The attempts of a user for an account. `wrongTries`: the number of wrong pairs for the current micro-deposits. `wrongAt`: the times of
 * all recent wrong pairs.
 */
export type TrialsRow = { wrongTries: number; releasedAt: Date[]; wrongAt: Date[] }

type TrialsKey = Pick<BankRow, 'platformId' | 'userId' | 'accountDigest'>

/** Finds the attempts of a user for an account number, even if its bank was deleted. */
export async function findTrials(sql: Sql, { platformId, userId, accountDigest }: TrialsKey): Promise<TrialsRow> {
  const [row] = await sql<TrialsRow[]>`
    select wrong_tries, released_at, wrong_at
    from bank_trials
    where platform_id = ${platformId} and user_id = ${userId} and account_digest = ${accountDigest}
  `
  return row ?? { wrongTries: 0, releasedAt: [], wrongAt: [] }
}

export async function upsertTrials(
  sql: Sql,
  { platformId, userId, accountDigest, routing, accountSealed }: TrialsKey & Pick<BankRow, 'routing' | 'accountSealed'>,
  { wrongTries, releasedAt, wrongAt }: TrialsRow,
): Promise<void> {
  await sql`
    insert into bank_trials (
      platform_id, user_id, account_digest, routing, account_sealed, wrong_tries, released_at, wrong_at
    )
    values (${platformId}, ${userId}, ${accountDigest}, ${routing}, ${accountSealed}, ${wrongTries},
      ${textsOf(releasedAt)}::timestamptz[], ${textsOf(wrongAt)}::timestamptz[])
    on conflict (platform_id, user_id, account_digest) do update
    set wrong_tries = excluded.wrong_tries, released_at = excluded.released_at, wrong_at = excluded.wrong_at
  `
}

const textsOf = (times: readonly Date[]): string[] => times.map((at) => at.toISOString())

/** Locks the attempts for an account number until the end of the transaction, so that they are counted one at a time. */
export async function lockAccountTrials(sql: Sql, accountDigest: Buffer): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended('trials of ' || ${accountDigest.toString('hex')}::text, 0))
  `
}

/** Counts the attempts of all users of a platform for an account number since a time. */
export async function countAccountTrials(
  sql: Sql,
  { platformId, accountDigest }: Pick<TrialsKey, 'platformId' | 'accountDigest'>,
  since: Date,
): Promise<{ releases: number; wrong: number }> {
  const [row] = await sql<{ releases: number; wrong: number }[]>`
    select
      coalesce(sum((select count(*) from unnest(released_at) at where at > ${since})), 0)::integer as releases,
      coalesce(sum((select count(*) from unnest(wrong_at) at where at > ${since})), 0)::integer as wrong
    from bank_trials
    where platform_id = ${platformId} and account_digest = ${accountDigest}
  `
  return row ?? { releases: 0, wrong: 0 }
}

export async function renewTrials(
  sql: Sql,
  { platformId, userId }: UserKey,
  { former, present }: Renewal,
): Promise<void> {
  await sql`
    update bank_trials
    set account_digest = ${present}
    where platform_id = ${platformId} and user_id = ${userId} and account_digest = ${former}
  `
}

/** The numbers of wrong and right pairs of a platform on one day. */
export type PlatformTrials = { wrong: number; verified: number }

export async function addPlatformTrial(
  sql: Sql,
  { platformId, day }: { platformId: string; day: string },
  { wrong, verified }: PlatformTrials,
): Promise<void> {
  await sql`
    insert into platform_trials as t (platform_id, day, wrong, verified)
    values (${platformId}, ${day}::date, ${wrong}, ${verified})
    on conflict (platform_id, day) do update
    set wrong = t.wrong + excluded.wrong, verified = t.verified + excluded.verified
  `
}

export async function findPlatformTrials(
  sql: Sql,
  { platformId, day }: { platformId: string; day: string },
): Promise<PlatformTrials> {
  const [row] = await sql<PlatformTrials[]>`
    select wrong, verified from platform_trials where platform_id = ${platformId} and day = ${day}::date
  `
  return row ?? { wrong: 0, verified: 0 }
}
