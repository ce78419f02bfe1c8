import type { Sql } from '../../../foundation/db/connect.ts'
import { notSkipped, type Skipped } from '../../../foundation/db/skipped.ts'
import type { AccountKey } from '../own-account-rules.ts'

/** A line that no leg explains. `day`: its booking date, or the day of its statement. `contentSealed`: its texts and references. */
export type CreditLineRow = {
  id: string
  day: string
  position: number
  place: string
  cents: number
  kind: string
  detailCount: number
  contentSealed: Buffer
}

const columns = (sql: Sql) => sql`
  l.id, coalesce(l.booked_on, s.day)::text as day, l.position, l.place, l.cents, l.kind, l.detail_count, l.content_sealed
`

/**
 * Returns the condition for lines that name no leg, no check and no file of ours. A trace number counts only if one of our entries has it,
 * because those of other customers look alike.
 */
const namesNothing = (sql: Sql) => sql`
  l.file_name is null and not exists (
    select
    from line_references r
    where r.line_id = l.id
      and (r.trace is null or exists (select from ach_entries e where e.trace_number = r.trace))
  )
`

/**
 * Lists the unmatched credits or debits of a statement that name no leg, check or file of ours. After `maxPayments` payments, it ends with
 * the line.
 */
export const listUnexplained = (
  sql: Sql,
  statementId: string,
  {
    direction,
    after,
    limit,
    maxPayments,
  }: { direction: 'credit' | 'debit'; after: number; limit: number; maxPayments: number },
): Promise<CreditLineRow[]> =>
  sql<CreditLineRow[]>`
    with unexplained as (
      select ${columns(sql)}, sum(l.detail_count) over (order by l.position) - l.detail_count as former_payments
      from statement_lines l
      join bank_statements s on s.id = l.statement_id
      where l.statement_id = ${statementId} and l.status = 'NEW' and l.position > ${after}::integer
        and ${direction === 'credit' ? sql`l.cents > 0` : sql`l.cents < 0`}
        and ${namesNothing(sql)}
      order by l.position
      limit ${limit}
    )
    select id, day, position, place, cents, kind, detail_count, content_sealed
    from unexplained
    where former_payments < ${maxPayments}
    order by position
  `

export type WaitingLine = { id: string; connectionId: string; accountId: string }

/**
 * Lists lines in suspense of open months that nobody has decided about, that name nothing else of ours, and that may name a number given
 * since they were tried. A number counts for a minute more, because its transaction may end later than its time. A line is tried at most
 * once a minute. The lines that wait longest come first, and credits before debits.
 */
export const listToTryAgain = (
  sql: Sql,
  {
    connectionIds,
    skipped,
    now,
    limit,
  }: { connectionIds: readonly string[]; skipped: Skipped; now: Date; limit: number },
): Promise<WaitingLine[]> =>
  sql<WaitingLine[]>`
    with numbered as materialized (
      select c.id as connection_id, n.created_at + interval '1 minute' as until
      from unnest(${connectionIds as string[]}::text[]) as c (id)
      cross join lateral (
        select created_at
        from wallet_numbers
        where connection_id = c.id
        order by created_at desc
        limit 1
      ) n
    )
    select l.id, s.connection_id, s.account_id
    from statement_lines l
    join bank_statements s on s.id = l.statement_id
    join numbered n on n.connection_id = s.connection_id
    where l.status = 'SUSPENSE' and coalesce(l.tried_at, s.matched_at) <= n.until
      and (l.tried_at is null or l.tried_at <= ${now}::timestamptz - interval '1 minute')
      ${notSkipped(sql, skipped, { platformId: null, id: sql`l.id` })}
      and not exists (select from line_decisions d where d.line_id = l.id) and ${namesNothing(sql)}
      and not exists (
        select
        from closed_months m
        where m.connection_id = s.connection_id and m.account_id = s.account_id and m.reopened_at is null and m.last_day >= s.day
      )
    order by coalesce(l.tried_at, s.matched_at), l.cents < 0, l.id
    limit ${limit}
  `

export const listCreditLines = (sql: Sql, ids: readonly string[]): Promise<CreditLineRow[]> =>
  sql<CreditLineRow[]>`
    select ${columns(sql)}
    from statement_lines l
    join bank_statements s on s.id = l.statement_id
    where l.id = any (${ids as string[]}::uuid[])
    order by l.cents < 0, l.id
  `

export async function updateTried(sql: Sql, ids: readonly string[], triedAt: Date): Promise<void> {
  await sql`
    update statement_lines
    set tried_at = ${triedAt}
    where id = any (${ids as string[]}::uuid[])
  `
}

export type OpenCreditRow = {
  id: string
  platformId: string
  walletId: string
  day: string
  cents: number
  contentSealed: Buffer
}

const openCredits = (sql: Sql, { connectionId, accountId }: AccountKey) => sql`
  select p.id, p.platform_id, p.wallet_id, p.cents, l.content_sealed, coalesce(l.booked_on, s.day)::text as day, l.position
  from line_postings p
  join statement_lines l on l.id = p.line_id
  join bank_statements s on s.id = l.statement_id
  where p.part = 'funded' and p.undone_at is null and s.connection_id = ${connectionId} and s.account_id = ${accountId}
    and not exists (select from line_postings t where t.takes_back = p.id and t.undone_at is null)
`

const creditColumns = (sql: Sql) => sql`id, platform_id, wallet_id, day, cents, content_sealed`

/**
 * Lists the credits to wallets that were booked since an instant and not taken back, latest first. `cents`: positive. `limit`: for each
 * amount.
 */
export const listOpenCredits = (
  sql: Sql,
  { cents, since, limit, ...key }: AccountKey & { cents: readonly number[]; since: Date; limit: number },
): Promise<OpenCreditRow[]> =>
  sql<OpenCreditRow[]>`
    select ${creditColumns(sql)}
    from unnest(${cents as number[]}::bigint[]) as wanted (wanted_cents)
    cross join lateral (
      ${openCredits(sql, key)} and p.cents = wanted.wanted_cents and p.created_at >= ${since}
      order by p.created_at desc
      limit ${limit}
    ) one
    order by day desc, position desc
  `

/** Lists the latest credits to wallets of any amount that were booked since an instant and not taken back. */
export const listRecentCredits = (
  sql: Sql,
  { since, limit, ...key }: AccountKey & { since: Date; limit: number },
): Promise<OpenCreditRow[]> =>
  sql<OpenCreditRow[]>`
    select ${creditColumns(sql)}
    from (
      ${openCredits(sql, key)} and p.created_at >= ${since}
      order by p.created_at desc
      limit ${limit}
    ) one
    order by day desc, position desc
  `

/** Lists the credits to some wallets that were not taken back, latest first. `limit`: for each wallet. */
export const listOpenCreditsOf = (
  sql: Sql,
  {
    walletIds,
    cents,
    limit,
    ...key
  }: AccountKey & { walletIds: readonly string[]; cents: number | null; limit: number },
): Promise<OpenCreditRow[]> =>
  sql<OpenCreditRow[]>`
    select ${creditColumns(sql)}
    from unnest(${walletIds as string[]}::uuid[]) as wanted (wanted_id)
    cross join lateral (
      ${openCredits(sql, key)} and p.wallet_id = wanted.wanted_id ${cents === null ? sql`` : sql`and p.cents = ${cents}`}
      order by p.created_at desc
      limit ${limit}
    ) one
    order by day desc, position desc
  `

/** Returns whether a credit was taken back. */
export const isTakenBack = (sql: Sql, id: string): Promise<boolean> =>
  sql`
    select
    from line_postings
    where takes_back = ${id} and undone_at is null
  `.anyRow()

/** Returns whether a credit is booked and no line has taken it back. */
export const isOpenCredit = (sql: Sql, id: string | null): Promise<boolean> =>
  sql`
    select
    from line_postings p
    where p.id = ${id} and p.undone_at is null
      and not exists (select from line_postings t where t.takes_back = p.id and t.undone_at is null)
  `.anyRow()

type CreditOfLine = { lineId: string; walletId: string | null }

const undoneCredits = (sql: Sql, { lineId, walletId }: CreditOfLine) => sql`
  line_id = ${lineId} and wallet_id = ${walletId} and part = 'funded' and undone_at is not null and owed_cents > 0
`

/** Returns the cents that the holder of a wallet owes because credits of a line to it were undone, if nobody has paid them yet. */
export async function sumUndoneDebt(sql: Sql, credit: CreditOfLine): Promise<number> {
  const [row] = await sql<{ cents: number }[]>`
    select coalesce(sum(owed_cents), 0)::bigint as cents
    from line_postings
    where ${undoneCredits(sql, credit)}
  `
  return row?.cents ?? 0
}

/** Records that a new credit of the line has paid a part of this debt. */
export async function reduceUndoneDebt(sql: Sql, credit: CreditOfLine, endedCents: number): Promise<void> {
  await sql`
    update line_postings p
    set owed_cents = p.owed_cents - least(p.owed_cents, greatest(${endedCents}::bigint - o.earlier_cents, 0))
    from (
      select id, sum(owed_cents) over (order by undone_at, id) - owed_cents as earlier_cents
      from line_postings
      where ${undoneCredits(sql, credit)}
    ) o
    where p.id = o.id
  `
}

export async function updateOwed(sql: Sql, id: string, owedCents: number): Promise<void> {
  await sql`
    update line_postings
    set owed_cents = ${owedCents}
    where id = ${id}
  `
}
