import type { Sql } from '../../../foundation/db/connect.ts'
import { notSkipped, type Skipped } from '../../../foundation/db/skipped.ts'
import type { AccountKey } from '../own-account-rules.ts'

/** Days between a line of a statement and the notification about it. */
const DAYS_APART = 5

/** A statement that is matched, or null for all statements of an account. */
type Scope = AccountKey & { statementId: string | null; detailStatementId: string | null }

/** A booked line without references of ours and without details. Its statement is being matched, or the line waits for the operator. */
const bookedLines = (sql: Sql, { connectionId, accountId, statementId }: Scope) => sql`
  select l.id, l.cents, l.booked_on, l.content_sealed
  from statement_lines l
  join bank_statements s on s.id = l.statement_id and s.status = 'PLACED' and s.connection_id = ${connectionId} and s.account_id = ${accountId}
  where l.detail_count = 1 and l.detail_line_id is null
    and ${
      statementId === null
        ? sql`
            l.status in ('NEW', 'SUSPENSE') and not exists (select from line_decisions d where d.line_id = l.id)
            and not exists (select from bank_cases c where c.inbound_file_id = l.id and c.closed_at is null)
          `
        : sql`l.status = 'NEW' and l.statement_id = ${statementId}`
    }
    and not exists (select from line_references r where r.line_id = l.id)
`

/** A line of a notification whose details no booked line has. */
const notifiedLines = (sql: Sql, { connectionId, accountId, detailStatementId }: Scope) => sql`
  select n.id, n.cents, n.booked_on, n.content_sealed
  from statement_lines n
  join bank_statements s on s.id = n.statement_id and s.status = 'NOTED' and s.kind = 'notification'
    and s.connection_id = ${connectionId} and s.account_id = ${accountId}
  where ${detailStatementId === null ? sql`true` : sql`n.statement_id = ${detailStatementId}`}
    and not exists (select from statement_lines other where other.detail_line_id = n.id)
`

const isNear = (sql: Sql) => sql`
  n.cents = l.cents and n.booked_on between l.booked_on - ${DAYS_APART}::integer and l.booked_on + ${DAYS_APART}::integer
`

/** Lists the amounts that both booked lines and lines of notifications have, in order. */
export async function listSharedAmounts(sql: Sql, scope: Scope): Promise<number[]> {
  const rows = await sql<{ cents: number }[]>`
    select distinct l.cents
    from (${bookedLines(sql, scope)}) l
    join (${notifiedLines(sql, scope)}) n on ${isNear(sql)}
    order by 1
  `
  return rows.map(({ cents }) => cents)
}

export type SealedLine = { id: string; cents: number; contentSealed: Buffer }

/** Lists the booked lines of some amounts that a notification may detail, and the lines of notifications that may do so. */
export async function listCandidates(
  sql: Sql,
  scope: Scope,
  amounts: readonly number[],
): Promise<{ booked: SealedLine[]; notified: SealedLine[] }> {
  const booked = await sql<SealedLine[]>`
    select l.id, l.cents, l.content_sealed
    from (${bookedLines(sql, scope)}) l
    where l.cents = any (${amounts as number[]}::bigint[])
      and exists (select from (${notifiedLines(sql, scope)}) n where ${isNear(sql)})
    order by l.id
  `
  const notified = await sql<SealedLine[]>`
    select n.id, n.cents, n.content_sealed
    from (${notifiedLines(sql, scope)}) n
    where n.cents = any (${amounts as number[]}::bigint[])
      and exists (select from (${bookedLines(sql, scope)}) l where ${isNear(sql)})
    order by n.id
  `
  return { booked, notified }
}

/** Returns whether a bank has sent notifications about an account. */
export const hasNotifications = (sql: Sql, { connectionId, accountId }: AccountKey): Promise<boolean> =>
  sql`
    select
    from bank_statements
    where connection_id = ${connectionId} and account_id = ${accountId} and status = 'NOTED' and kind = 'notification' and line_count > 0
    limit 1
  `.anyRow()

/**
 * Gives a booked line the details of a line of a notification: their number, our references and our file in them, and the kind of a
 * return.
 *
 * @returns false if it has details already, or the notification's line is used
 */
export async function updateDetails(
  sql: Sql,
  { lineId, detailId, contentSealed }: { lineId: string; detailId: string; contentSealed: Buffer },
): Promise<boolean> {
  const isLinked = await sql`
    update statement_lines l
    set detail_line_id = n.id, detail_count = n.detail_count, file_name = coalesce(l.file_name, n.file_name),
      kind = case when n.kind = 'return' then n.kind else l.kind end, is_return = l.is_return or n.is_return,
      content_sealed = ${contentSealed}
    from statement_lines n
    where l.id = ${lineId} and n.id = ${detailId} and l.detail_line_id is null
      and not exists (select from statement_lines other where other.detail_line_id = n.id)
  `.anyRow()
  if (!isLinked) return false
  await sql`
    insert into line_references (line_id, position, cents, leg_id, trace, serial)
    select ${lineId}, position, cents, leg_id, trace, serial
    from line_references
    where line_id = ${detailId}
  `
  return true
}

/** Returns whether a line names checks. */
export const namesChecks = (sql: Sql, lineId: string): Promise<boolean> =>
  sql`
    select
    from line_references
    where line_id = ${lineId} and serial is not null
  `.anyRow()

export type Notification = AccountKey & { id: string }

/** Lists notifications whose lines were not compared with the booked lines that wait, oldest first. */
export const listNotifications = (
  sql: Sql,
  { skipped, limit }: { skipped: Skipped; limit: number },
): Promise<Notification[]> =>
  sql<Notification[]>`
    select id, connection_id, account_id
    from bank_statements
    where status = 'NOTED' and kind = 'notification' and matched_at is null and line_count > 0
      ${notSkipped(sql, skipped, { platformId: null })}
    order by created_at, id
    limit ${limit}
  `

/** Makes the NEW lines of a statement due for matching. */
export async function updateUnmatched(sql: Sql, statementId: string): Promise<void> {
  await sql`
    update bank_statements
    set matched_at = null
    where id = ${statementId}
  `
}

/** Finds the statement of a line, and locks it against matching. */
export async function lockStatementOf(sql: Sql, lineId: string): Promise<string | null> {
  const row = await sql<{ id: string }[]>`
    select id
    from bank_statements
    where id = (select statement_id from statement_lines where id = ${lineId})
    for update
  `.first()
  return row?.id ?? null
}
