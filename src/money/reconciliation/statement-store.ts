import type { Sql } from '../../foundation/db/connect.ts'
import type { StatementKind } from '../statement/statement-types.ts'
import type { OwnReference } from './line-reference-rules.ts'

export type StatementFileRow = {
  id: string
  connectionId: string
  name: string
  contentHash: Buffer
  readAt: Date
  completedAt: Date | null
}

/** Records a file. @returns the record of the file with this content, which may be an earlier file */
export async function openStatementFile(sql: Sql, file: StatementFileRow): Promise<StatementFileRow> {
  await sql`
    insert into statement_files ${sql.values(file)}
    on conflict (connection_id, content_hash) do nothing
  `
  const [row] = await sql<StatementFileRow[]>`
    select id, connection_id, name, content_hash, read_at, completed_at
    from statement_files
    where connection_id = ${file.connectionId} and content_hash = ${file.contentHash}
  `
  return row as StatementFileRow
}

export async function updateFileCompleted(sql: Sql, id: string, completedAt: Date): Promise<void> {
  await sql`
    update statement_files
    set completed_at = ${completedAt}
    where id = ${id}
  `
}

/** Allows a file to be read again, because one of its statements could not be used. */
export async function updateFileReopened(sql: Sql, id: string): Promise<void> {
  await sql`
    update statement_files
    set completed_at = null
    where id = ${id}
  `
  await sql`
    update bank_statements
    set status = 'READING'
    where file_id = ${id} and status = 'SET_ASIDE'
  `
}

export type StatementStatus = 'READING' | 'PLACED' | 'DUPLICATE' | 'NOTED' | 'SET_ASIDE'

export type StatementRow = {
  id: string
  fileId: string
  position: number
  place: string
  connectionId: string
  accountId: string | null
  kind: StatementKind
  day: string | null
  part: number
  sequence: number | null
  openingCents: number | null
  closingCents: number | null
  lineCount: number
  creditCents: number
  debitCents: number
  linesHash: string | null
  openedCents: number
  carriedCents: number
  status: StatementStatus
  createdAt: Date
}

const columns = (sql: Sql) => sql`
  id, file_id, position, place, connection_id, account_id, kind, day::text as day, part, sequence, opening_cents, closing_cents,
  line_count, credit_cents, debit_cents, lines_hash::text as lines_hash, opened_cents, carried_cents, status, created_at
`

/** Records that a statement is being read. @returns its row, which an earlier pass may have created */
export async function openStatementRow(
  sql: Sql,
  row: Pick<StatementRow, 'id' | 'fileId' | 'position' | 'place' | 'connectionId' | 'kind' | 'sequence' | 'createdAt'>,
): Promise<Pick<StatementRow, 'id' | 'status'>> {
  await sql`
    insert into bank_statements ${sql.values({ ...row, status: 'READING' })}
    on conflict (file_id, position) do nothing
  `
  const [known] = await sql<Pick<StatementRow, 'id' | 'status'>[]>`
    select id, status
    from bank_statements
    where file_id = ${row.fileId} and position = ${row.position}
  `
  return known as Pick<StatementRow, 'id' | 'status'>
}

export type NewLine = {
  id: string
  position: number
  place: string
  bookedOn: string | null
  cents: number
  code: string
  kind: string
  fileName: string | null
  ownAccount: string | null
  detailCount: number
  isReturn: boolean
  contentSealed: Buffer
  references: readonly OwnReference[]
}

/** Stores lines of a statement with their references. Lines that an earlier pass stored are unchanged. */
export async function insertLines(sql: Sql, statementId: string, lines: readonly NewLine[]): Promise<void> {
  const stored = await sql<{ id: string }[]>`
    insert into statement_lines (
      id, statement_id, position, place, booked_on, cents, code, kind, file_name, own_account, detail_count, is_return, content_sealed,
      status
    )
    select l.id, ${statementId}, l.position, l.place, l.booked_on, l.cents, l.code, l.kind, l.file_name, l.own_account,
      l.detail_count, l.is_return, decode(l.content, 'hex'), 'NEW'
    from unnest(
      ${lines.map(({ id }) => id)}::uuid[], ${lines.map(({ position }) => position)}::integer[],
      ${lines.map(({ place }) => place)}::text[], ${lines.map(({ bookedOn }) => bookedOn)}::date[],
      ${lines.map(({ cents }) => cents)}::bigint[], ${lines.map(({ code }) => code)}::text[],
      ${lines.map(({ kind }) => kind)}::text[], ${lines.map(({ fileName }) => fileName)}::text[],
      ${lines.map(({ ownAccount }) => ownAccount)}::text[], ${lines.map(({ detailCount }) => detailCount)}::integer[],
      ${lines.map(({ isReturn }) => isReturn)}::boolean[],
      ${lines.map(({ contentSealed }) => contentSealed.toString('hex'))}::text[]
    ) as l (id, position, place, booked_on, cents, code, kind, file_name, own_account, detail_count, is_return, content)
    on conflict (statement_id, position) do nothing
    returning id
  `
  const ids = new Set(stored.map(({ id }) => id))
  const references = lines
    .filter(({ id }) => ids.has(id))
    .flatMap(({ id, references: own }) => own.map((one, index) => ({ ...one, lineId: id, position: index + 1 })))
  if (references.length === 0) return
  await sql`
    insert into line_references (line_id, position, cents, leg_id, trace, serial)
    select *
    from unnest(
      ${references.map(({ lineId }) => lineId)}::uuid[], ${references.map(({ position }) => position)}::integer[],
      ${references.map(({ cents }) => cents)}::bigint[], ${references.map(({ legId }) => legId)}::uuid[],
      ${references.map(({ trace }) => trace)}::text[], ${references.map(({ serial }) => serial)}::bigint[]
    )
  `
}

/** Locks a statement that is being read. @returns null if another process has placed it */
export const lockReading = (sql: Sql, id: string): Promise<StatementRow | null> =>
  sql<StatementRow[]>`
    select ${columns(sql)}
    from bank_statements
    where id = ${id} and status = 'READING'
    for update
  `.first()

export type LineSums = {
  lineCount: number
  creditCents: number
  debitCents: number
  linesHash: string
  lastDay: string | null
}

/** Sums the stored lines of a statement. */
export async function sumLines(sql: Sql, statementId: string): Promise<LineSums> {
  const [row] = await sql<LineSums[]>`
    select
      count(*) as line_count, coalesce(sum(cents) filter (where cents > 0), 0)::bigint as credit_cents,
      coalesce(-sum(cents) filter (where cents < 0), 0)::bigint as debit_cents,
      coalesce(sum(('x' || substr(md5(coalesce(booked_on::text, '') || ' ' || cents), 1, 15))::bit(60)::bigint), 0)::text as lines_hash,
      max(booked_on)::text as last_day
    from statement_lines
    where statement_id = ${statementId}
  `
  return row as LineSums
}

export type SealedLine = { position: number; bookedOn: string | null; cents: number; contentSealed: Buffer }

/** Lists stored lines of a statement after a position. */
export const listSealedLines = (
  sql: Sql,
  { statementId, after, limit }: { statementId: string; after: number; limit: number },
): Promise<SealedLine[]> =>
  sql<SealedLine[]>`
    select position, booked_on::text as booked_on, cents, content_sealed
    from statement_lines
    where statement_id = ${statementId} and position > ${after}::integer
    order by position
    limit ${limit}
  `

export async function updateStatement(
  sql: Sql,
  id: string,
  row: Partial<Omit<StatementRow, 'id'>> & { status: StatementStatus; sameAs?: string | null; matchedAt?: Date | null },
): Promise<void> {
  await sql`
    update bank_statements
    set ${sql.set(row)}
    where id = ${id}
  `
}

type OfAccount = { connectionId: string; accountId: string }

/** Lists the placed statements of an account on a day, in order. */
export const listPlacedOn = (sql: Sql, { connectionId, accountId }: OfAccount, day: string): Promise<StatementRow[]> =>
  sql<StatementRow[]>`
    select ${columns(sql)}
    from bank_statements
    where connection_id = ${connectionId} and account_id = ${accountId} and status = 'PLACED' and day = ${day}::date
    order by part
  `

type Place = OfAccount & { day: string; part: number }

/** Finds the placed statements with balances before and after a place in the chain. */
export async function findNeighbors(
  sql: Sql,
  { connectionId, accountId, day, part }: Place,
): Promise<{ before: StatementRow | null; after: StatementRow | null }> {
  const ofAccount = sql`
    connection_id = ${connectionId} and account_id = ${accountId} and status = 'PLACED' and opening_cents is not null
    and closing_cents is not null
  `
  const before = await sql<StatementRow[]>`
    select ${columns(sql)}
    from bank_statements
    where ${ofAccount} and (day, part) < (${day}::date, ${part}::integer)
    order by day desc, part desc
    limit 1
  `.first()
  const after = await sql<StatementRow[]>`
    select ${columns(sql)}
    from bank_statements
    where ${ofAccount} and (day, part) > (${day}::date, ${part}::integer)
    order by day, part
    limit 1
  `.first()
  return { before, after }
}

/** Sums the lines of placed statements without balances between two places in the chain. `after`: null for the start of the chain. */
export async function sumWithoutBalances(
  sql: Sql,
  { connectionId, accountId, day, part }: Place,
  after: Pick<StatementRow, 'day' | 'part'> | null,
): Promise<number> {
  const [row] = await sql<{ cents: number }[]>`
    select coalesce(sum(credit_cents - debit_cents), 0)::bigint as cents
    from bank_statements
    where connection_id = ${connectionId} and account_id = ${accountId} and status = 'PLACED'
      and (opening_cents is null or closing_cents is null) and (day, part) < (${day}::date, ${part}::integer)
      ${after ? sql`and (day, part) > (${after.day}::date, ${after.part}::integer)` : sql``}
  `
  return row?.cents ?? 0
}

/** Records the amounts that are posted in addition to the lines of a statement. */
export async function updateBalancePosted(
  sql: Sql,
  id: string,
  { openedCents, carriedCents }: Pick<StatementRow, 'openedCents' | 'carriedCents'>,
): Promise<void> {
  await sql`
    update bank_statements
    set opened_cents = ${openedCents}, carried_cents = ${carriedCents}
    where id = ${id}
  `
}

/** Counts the statements of a file by status. */
export const countByStatus = (
  sql: Sql,
  fileId: string,
): Promise<{ status: StatementStatus; count: number; lines: number }[]> =>
  sql<{ status: StatementStatus; count: number; lines: number }[]>`
    select status, count(*) as count, coalesce(sum(line_count), 0)::bigint as lines
    from bank_statements
    where file_id = ${fileId}
    group by status
    order by status
  `
