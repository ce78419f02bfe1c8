import type { Sql } from '../../../foundation/db/connect.ts'

/** A line that no leg explains. `contentSealed`: its texts and references. */
export type CreditLineRow = {
  id: string
  position: number
  cents: number
  kind: string
  detailCount: number
  contentSealed: Buffer
}

const columns = (sql: Sql) => sql`l.id, l.position, l.cents, l.kind, l.detail_count, l.content_sealed`

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

/** Lists the unmatched credits or debits of a statement that name no leg, check or file of ours. */
export const listUnexplained = (
  sql: Sql,
  statementId: string,
  { direction, after, limit }: { direction: 'credit' | 'debit'; after: number; limit: number },
): Promise<CreditLineRow[]> =>
  sql<CreditLineRow[]>`
    select ${columns(sql)}
    from statement_lines l
    where l.statement_id = ${statementId} and l.status = 'NEW' and l.position > ${after}::integer
      and ${direction === 'credit' ? sql`l.cents > 0` : sql`l.cents < 0`}
      and ${namesNothing(sql)}
    order by l.position
    limit ${limit}
  `

export type WaitingLine = { id: string; connectionId: string; accountId: string }

/**
 * Lists lines in suspense to try again: in open months, without a decision or another reference of ours, and possibly with a wallet number
 * that was assigned after the last try. Numbers of the minute before are included, because their transaction may have committed later.
 */
export const listToTryAgain = (sql: Sql, limit: number): Promise<WaitingLine[]> =>
  sql<WaitingLine[]>`
    with numbered as materialized (
      select connection_id, max(created_at) + interval '1 minute' as until
      from wallet_numbers
      group by connection_id
    )
    select l.id, s.connection_id, s.account_id
    from statement_lines l
    join bank_statements s on s.id = l.statement_id
    join numbered n on n.connection_id = s.connection_id
    where l.status = 'SUSPENSE' and coalesce(l.tried_at, s.matched_at) <= n.until
      and not exists (select from line_decisions d where d.line_id = l.id) and ${namesNothing(sql)}
      and not exists (
        select
        from closed_months m
        where m.connection_id = s.connection_id and m.account_id = s.account_id and m.reopened_at is null and m.last_day >= s.day
      )
    order by l.cents < 0, l.id
    limit ${limit}
  `

export const listCreditLines = (sql: Sql, ids: readonly string[]): Promise<CreditLineRow[]> =>
  sql<CreditLineRow[]>`
    select ${columns(sql)}
    from statement_lines l
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

export type OpenCreditRow = { id: string; platformId: string; walletId: string; cents: number; contentSealed: Buffer }

/** Lists the credits to wallets with one of these amounts that were not taken back, latest first. `cents`: positive. */
export const listOpenCredits = (
  sql: Sql,
  { connectionId, accountId, cents }: { connectionId: string; accountId: string; cents: readonly number[] },
): Promise<OpenCreditRow[]> =>
  sql<OpenCreditRow[]>`
    select p.id, p.platform_id, p.wallet_id, p.cents, l.content_sealed
    from line_postings p
    join statement_lines l on l.id = p.line_id
    join bank_statements s on s.id = l.statement_id
    where p.part = 'funded' and p.undone_at is null and p.cents = any (${cents as number[]}::bigint[])
      and s.connection_id = ${connectionId} and s.account_id = ${accountId}
      and not exists (select from line_postings t where t.takes_back = p.id and t.undone_at is null)
    order by s.day desc, l.position desc
  `

/** Whether a credit was taken back. */
export const isTakenBack = (sql: Sql, id: string): Promise<boolean> =>
  sql`
    select
    from line_postings
    where takes_back = ${id} and undone_at is null
  `.anyRow()

/** Whether a credit is booked and no line has taken it back. */
export const isOpenCredit = (sql: Sql, id: string | null): Promise<boolean> =>
  sql`
    select
    from line_postings p
    where p.id = ${id} and p.undone_at is null
      and not exists (select from line_postings t where t.takes_back = p.id and t.undone_at is null)
  `.anyRow()

/** Returns the cents that the holder of a wallet owed when the credit of a line to this wallet was last undone, or 0. */
export async function findUndoneDebt(
  sql: Sql,
  { lineId, walletId }: { lineId: string; walletId: string | null },
): Promise<number> {
  const [row] = await sql<{ owedCents: number }[]>`
    select owed_cents
    from line_postings
    where line_id = ${lineId} and wallet_id = ${walletId} and part = 'funded' and undone_at is not null
    order by undone_at desc, id desc
    limit 1
  `
  return row?.owedCents ?? 0
}

export async function updateOwed(sql: Sql, id: string, owedCents: number): Promise<void> {
  await sql`
    update line_postings
    set owed_cents = ${owedCents}
    where id = ${id}
  `
}
