import { allPlatforms } from '../../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../../foundation/db/connect.ts'
import type { LinePart } from '../match-store.ts'
import type { AccountKey } from '../own-account-rules.ts'

export type LineStatus = 'NEW' | 'MATCHED' | 'OWN' | 'SUSPENSE' | 'SPLIT' | 'IGNORED'

export type LineRow = {
  id: string
  connectionId: string
  accountId: string
  day: string
  place: string
  bookedOn: string | null
  cents: number
  code: string
  kind: string
  status: LineStatus
  reason: string | null
  contentSealed: Buffer
}

const lineColumns = (sql: Sql) => sql`
  l.id, s.connection_id, s.account_id, s.day::text as day, l.place, l.booked_on::text as booked_on, l.cents, l.code, l.kind, l.status,
  l.reason, l.content_sealed
`

const lines = (sql: Sql) => sql`
  select ${lineColumns(sql)}
  from statement_lines l
  join bank_statements s on s.id = l.statement_id and s.status = 'PLACED'
`

/** The lines of an account until a day (YYYY-MM-DD). */
export type LineScope = AccountKey & { lastDay: string }

/** Lists the lines that wait for a decision, oldest first. */
export const listWaiting = (sql: Sql, scope: LineScope | null, limit: number): Promise<LineRow[]> =>
  sql<LineRow[]>`
    ${lines(sql)}
    where l.status = 'SUSPENSE' and ${
      scope
        ? sql`s.connection_id = ${scope.connectionId} and s.account_id = ${scope.accountId} and s.day <= ${scope.lastDay}::date`
        : sql`true`
    }
    order by l.booked_on, l.id
    limit ${limit}
  `

/** Lists the lines with the latest decisions, with their decisions. */
export const listDecided = (sql: Sql, limit: number): Promise<(LineRow & DecisionRow)[]> =>
  sql<(LineRow & DecisionRow)[]>`
    select ${lineColumns(sql)}, d.action, d.detail, d.why, d.decided_at, d.decided_by
    from line_decisions d
    join statement_lines l on l.id = d.line_id
    join bank_statements s on s.id = l.statement_id and s.status = 'PLACED'
    where d.action <> 'undo' and l.status in ('MATCHED', 'SPLIT', 'IGNORED')
      and not exists (select from line_decisions later where later.line_id = d.line_id and later.position > d.position)
    order by d.decided_at desc, d.line_id
    limit ${limit}
  `

export const findLine = (sql: Sql, id: string): Promise<LineRow | null> =>
  sql<LineRow[]>`
    ${lines(sql)}
    where l.id = ${id}
  `.first()

/** Locks lines until the end of the transaction, in the order of their ids. */
export const lockLines = (sql: Sql, ids: readonly string[]): Promise<LineRow[]> =>
  sql<LineRow[]>`
    ${lines(sql)}
    where l.id = any (${ids as string[]}::uuid[])
    order by l.id
    for update of l
  `

export type PostingRow = {
  id: string
  lineId: string
  account: string
  platformId: string
  paymentId: string | null
  legId: string | null
  walletId: string | null
  part: LinePart | null
  /** The id of the credit that the posting takes back. */
  takesBack: string | null
  /** For a returned or undone credit, the cents that the wallet no longer had. */
  owedCents: number
  cents: number
  decidedBy: string
}

/** Lists the current postings of lines. */
export const listPostings = (sql: Sql, lineIds: readonly string[]): Promise<PostingRow[]> =>
  sql<PostingRow[]>`
    select
      id, line_id, account, platform_id, payment_id, leg_id, wallet_id, part, takes_back, owed_cents, cents, decided_by
    from line_postings
    where line_id = any (${lineIds as string[]}::uuid[]) and undone_at is null
    order by line_id, id
  `

/** Lists a line and the other lines that book the same legs. */
export async function listLinesOfSameLegs(sql: Sql, lineId: string): Promise<string[]> {
  const rows = await sql<{ lineId: string }[]>`
    select distinct other.line_id
    from line_postings own
    join line_postings other on other.leg_id = own.leg_id and other.part = own.part and other.undone_at is null
    where own.line_id = ${lineId} and own.undone_at is null
  `
  return [...new Set([lineId, ...rows.map((row) => row.lineId)])]
}

export async function insertPostings(sql: Sql, rows: readonly PostingRow[], createdAt: Date): Promise<void> {
  for (const row of rows) await sql`insert into line_postings ${sql.values({ ...row, createdAt })}`
}

export async function updatePostingsUndone(sql: Sql, ids: readonly string[], undoneAt: Date): Promise<void> {
  await sql`
    update line_postings
    set undone_at = ${undoneAt}
    where id = any (${ids as string[]}::uuid[]) and undone_at is null
  `
}

/** Marks the legs of postings as not booked, so that other lines can book them. */
export async function updateLegsFree(sql: Sql, postings: readonly PostingRow[]): Promise<void> {
  for (const { platformId, legId, part } of postings) {
    if (legId === null) continue
    await sql`
      update legs
      set ${part === 'sent' ? sql`booked_line_id` : sql`return_line_id`} = null
      where platform_id = ${platformId} and id = ${legId}
    `
  }
}

export async function updateLine(
  sql: Sql,
  id: string,
  { status, reason }: { status: LineStatus; reason: string | null },
): Promise<void> {
  await sql`
    update statement_lines
    set status = ${status}, reason = ${reason}
    where id = ${id}
  `
}

export type Decision = { action: 'match' | 'split' | 'ignore' | 'undo'; detail: string; why: string | null }
export type DecisionRow = Decision & { decidedAt: Date; decidedBy: string }

export async function insertDecision(sql: Sql, lineId: string, one: DecisionRow): Promise<void> {
  await sql`
    insert into line_decisions (line_id, position, action, detail, why, decided_at, decided_by)
    select ${lineId}, count(*) + 1, ${one.action}, ${one.detail}, ${one.why}, ${one.decidedAt}, ${one.decidedBy}
    from line_decisions
    where line_id = ${lineId}
  `
}

export const listDecisions = (sql: Sql, lineId: string): Promise<DecisionRow[]> =>
  sql<DecisionRow[]>`
    select action, detail, why, decided_at, decided_by
    from line_decisions
    where line_id = ${lineId}
    order by position
  `

/** A leg of a connection. `isBooked` and `isReturnBooked`: whether a line has booked the leg, or its return. */
export type BookableLeg = {
  platformId: string
  id: string
  paymentId: string | null
  direction: 'debit' | 'credit'
  cents: number
  rail: string
  status: string
  sentAt: Date | null
  returnedAt: Date | null
  isBooked: boolean
  isReturnBooked: boolean
}

export const legColumns = (sql: Sql) => sql`
  platform_id, id, case when purpose <> 'micro_deposit' then subject_id end as payment_id, direction, cents, rail, status, sent_at, returned_at,
  booked_line_id is not null as is_booked, return_line_id is not null as is_return_booked
`

/** Locks legs of a connection by their ids. */
export const lockBookableLegs = (sql: Sql, connectionId: string, ids: readonly string[]): Promise<BookableLeg[]> =>
  sql<BookableLeg[]>`
    ${allPlatforms('serves the operator')}
    select ${legColumns(sql)}
    from legs
    where id = any (${ids as string[]}::uuid[]) and connection_id = ${connectionId}
    order by platform_id, id
    for update
  `
