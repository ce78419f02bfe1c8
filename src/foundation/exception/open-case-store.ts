import { allPlatforms } from '../db/cluster/all-platforms.ts'
import type { Sql } from '../db/connect.ts'
import { readHeldMoney } from './bank-case-store.ts'

/**
 * The number, age and money of the open exceptions of one kind, including cases about files of the bank. `cents`: the money that waits for
 * the decision.
 */
export type OpenCases = { kind: string; count: number; oldestSeconds: number; cents: number }

const figures = (sql: Sql, now: Date) => sql`
  kind, count(*) as count, extract(epoch from ${now}::timestamptz - min(created_at))::float as oldest_seconds,
  coalesce(sum(cents), 0)::bigint as cents
`

/**
 * Counts the open exceptions and cases by kind. A case about a whole bank holds the untrusted debits and the uncashed
 * checks of that bank. This money counts only once for each kind.
 */
export async function countOpenCases(sql: Sql, now: Date): Promise<OpenCases[]> {
  const exceptions = await sql<OpenCases[]>`
    ${allPlatforms('counts waiting work')}
    select ${figures(sql, now)}
    from exceptions
    where closed_at is null
    group by kind
  `
  const cases = await sql<(OpenCases & { bankWideIds: string[] | null })[]>`
    select ${figures(sql, now)}, array_agg(distinct connection_id) filter (where is_bank_wide) as bank_wide_ids
    from bank_cases
    where closed_at is null
    group by kind
  `
  const counted = cases.map(async ({ bankWideIds, ...one }) => {
    if (bankWideIds === null) return one
    const { debitCents, checkCents } = await readHeldMoney(sql, bankWideIds)
    return { ...one, cents: debitCents + checkCents }
  })
  return [...exceptions, ...(await Promise.all(counted))]
}
