import { allPlatforms } from '../db/cluster/all-platforms.ts'
import type { Sql } from '../db/connect.ts'
import { type BankCaseKind, type BankCaseSource, type CaseContent, kindsWithoutHold } from './bank-case-rules.ts'

export type BankCaseRow = {
  id: string
  kind: BankCaseKind
  /** The connection whose bank the case is about. */
  connectionId: string
  source: BankCaseSource
  inboundFileId: string
  fileName: string
  /** The number of the line in the file, counted from 1. Line 0 stands for the whole file. */
  line: number
  /** Distinguishes the cases about one leg, file of ours or statement. Empty for a line of a file. */
  event: string
  isBankWide: boolean
  platformId: string | null
  paymentId: string | null
  legId: string | null
  userId: string | null
  accountSealed: Buffer | null
  cents: number | null
  note: string
  contentSealed: Buffer
  createdAt: Date
  closedAt: Date | null
  resolution: string | null
  /** The operator's name, or null if the case is open or ended by itself. */
  closedBy: string | null
}

/** An open case with its decrypted content. */
export type OpenBankCase = BankCaseRow & { content: CaseContent }

const columns = (sql: Sql) => sql`
  id, kind, connection_id, source, inbound_file_id, file_name, line, event, is_bank_wide, platform_id, payment_id, leg_id, user_id,
  account_sealed, cents, note, content_sealed, created_at, closed_at, resolution, closed_by
`

/** Records a case. @returns false if an earlier pass recorded it */
export async function insertBankCase(sql: Sql, row: BankCaseRow): Promise<boolean> {
  const result = await sql`
    insert into bank_cases (${columns(sql)})
    values (
      ${row.id}, ${row.kind}, ${row.connectionId}, ${row.source}, ${row.inboundFileId}, ${row.fileName}, ${row.line}, ${row.event}, ${row.isBankWide},
      ${row.platformId}, ${row.paymentId}, ${row.legId}, ${row.userId}, ${row.accountSealed}, ${row.cents}, ${row.note},
      ${row.contentSealed}, ${row.createdAt}, ${row.closedAt}, ${row.resolution}, ${row.closedBy}
    )
    on conflict (inbound_file_id, kind, line, leg_id, event) do nothing
  `
  return result.count === 1
}

type TransferCaseKey = Pick<BankCaseRow, 'connectionId' | 'kind' | 'fileName'>

const isTransferCase = (sql: Sql, { connectionId, kind, fileName }: TransferCaseKey) => sql`
  closed_at is null and source = 'transfer' and connection_id = ${connectionId} and kind = ${kind} and file_name = ${fileName}
`

/** Finds and locks the open case of a kind about a connection, or about the transfer of a file over it. */
export const findTransferCase = (sql: Sql, key: TransferCaseKey): Promise<BankCaseRow | null> =>
  sql<BankCaseRow[]>`
    select ${columns(sql)}
    from bank_cases
    where ${isTransferCase(sql, key)}
    limit 1
    for update
  `.first()

/** Returns whether a case with this key is open. */
export const hasTransferCase = (sql: Sql, key: TransferCaseKey): Promise<boolean> =>
  sql`
    select
    from bank_cases
    where ${isTransferCase(sql, key)}
    limit 1
  `.anyRow()

/** Returns whether another file has a case with this note since a time, open or closed. */
export const hasCaseWithNote = (
  sql: Sql,
  {
    connectionId,
    kind,
    note,
    fileId,
    since,
  }: Pick<BankCaseRow, 'connectionId' | 'kind' | 'note'> & { fileId: string; since: Date },
): Promise<boolean> =>
  sql`
    select
    from bank_cases
    where connection_id = ${connectionId} and kind = ${kind} and note = ${note} and inbound_file_id <> ${fileId}
      and created_at >= ${since}
    limit 1
  `.anyRow()

/** Lists and locks the open cases of a kind about a file, a statement or a statement line. */
export const listOpenSubjectCases = (
  sql: Sql,
  { kind, subjectId }: { kind: BankCaseKind; subjectId: string },
): Promise<BankCaseRow[]> =>
  sql<BankCaseRow[]>`
    select ${columns(sql)}
    from bank_cases
    where closed_at is null and inbound_file_id = ${subjectId} and kind = ${kind}
    order by line, platform_id, leg_id
    for update
  `

/** Lists cases, oldest first. `platformId` limits the list to one platform. Without a limit, lists all of them. */
export const listBankCases = (
  sql: Sql,
  { includesClosed, platformId, limit }: { includesClosed: boolean; platformId: string | null; limit: number | null },
): Promise<BankCaseRow[]> =>
  sql<BankCaseRow[]>`
    select ${columns(sql)}
    from bank_cases
    where (${includesClosed} or closed_at is null)
      and (${platformId}::uuid is null or platform_id = ${platformId}::uuid)
    order by created_at, id
    limit ${limit}
  `

/** What a case is about. A case matches if it has all given values. */
export type CaseSubject = Partial<Pick<BankCaseRow, 'kind' | 'source' | 'connectionId' | 'inboundFileId' | 'fileName'>>

/** Lists all open cases about a subject, oldest first. */
export const listOpenCases = (
  sql: Sql,
  { kind = null, source = null, connectionId = null, inboundFileId = null, fileName = null }: NullableSubject,
): Promise<BankCaseRow[]> =>
  sql<BankCaseRow[]>`
    select ${columns(sql)}
    from bank_cases
    where closed_at is null
      and (${kind}::text is null or kind = ${kind})
      and (${source}::text is null or source = ${source})
      and (${connectionId}::text is null or connection_id = ${connectionId})
      and (${inboundFileId}::uuid is null or inbound_file_id = ${inboundFileId})
      and (${fileName}::text is null or file_name = ${fileName})
    order by created_at, id
  `

type NullableSubject = { [Name in keyof CaseSubject]: CaseSubject[Name] | null }

/** Lists and locks the open cases that hold an account. */
export const listCasesWithAccount = (sql: Sql): Promise<BankCaseRow[]> =>
  sql<BankCaseRow[]>`
    select ${columns(sql)}
    from bank_cases
    where closed_at is null and account_sealed is not null
    order by created_at, id
    for update
  `

/** Lists and locks the cases about entries of a source that named no leg, open or closed, since a time. */
export const listCasesWithoutLeg = (
  sql: Sql,
  { source, connectionId, since }: { source: BankCaseSource; connectionId: string; since: Date },
): Promise<BankCaseRow[]> =>
  sql<BankCaseRow[]>`
    select ${columns(sql)}
    from bank_cases
    where source = ${source} and connection_id = ${connectionId} and kind = 'entry_unread' and leg_id is null and created_at >= ${since}
    order by created_at, id
    for update
  `

/** Locks a case until the end of the transaction. */
export async function lockBankCase(sql: Sql, id: string): Promise<BankCaseRow | null> {
  const [row] = await sql<BankCaseRow[]>`
    select ${columns(sql)}
    from bank_cases
    where id = ${id}
    for update
  `
  return row ?? null
}

/** Closes a case. @returns false if it was already closed */
export async function updateBankCaseClosed(
  sql: Sql,
  { id, resolution, closedBy, closedAt }: { id: string; resolution: string; closedBy: string | null; closedAt: Date },
): Promise<boolean> {
  const result = await sql`
    update bank_cases
    set resolution = ${resolution}, closed_by = ${closedBy}, closed_at = ${closedAt}
    where id = ${id} and closed_at is null
  `
  return result.count === 1
}

export type HoldingCase = Pick<BankCaseRow, 'connectionId' | 'isBankWide' | 'legId' | 'accountSealed'>

/** Lists the open cases that hold money, a leg or an account. */
export const listHoldingCases = (sql: Sql): Promise<HoldingCase[]> =>
  sql<HoldingCase[]>`
    select connection_id, is_bank_wide, leg_id, account_sealed
    from bank_cases
    where closed_at is null and (is_bank_wide or leg_id is not null or account_sealed is not null)
  `

export type InboundContentRow = {
  inboundFileId: string
  connectionId: string
  name: string
  source: BankCaseSource
  contentSealed: Buffer
  receivedAt: Date
}

export async function insertInboundContent(sql: Sql, row: InboundContentRow): Promise<void> {
  await sql`
    insert into inbound_contents (inbound_file_id, connection_id, name, source, content_sealed, received_at)
    values (${row.inboundFileId}, ${row.connectionId}, ${row.name}, ${row.source}, ${row.contentSealed}, ${row.receivedAt})
    on conflict (inbound_file_id) do nothing
  `
}

export async function findInboundContent(sql: Sql, inboundFileId: string): Promise<InboundContentRow | null> {
  const [row] = await sql<InboundContentRow[]>`
    select inbound_file_id, connection_id, name, source, content_sealed, received_at
    from inbound_contents
    where inbound_file_id = ${inboundFileId}
  `
  return row ?? null
}

/** Lists the stored files with a name, newest first. */
export const listInboundContents = (sql: Sql, name: string): Promise<Omit<InboundContentRow, 'contentSealed'>[]> =>
  sql<Omit<InboundContentRow, 'contentSealed'>[]>`
    select inbound_file_id, connection_id, name, source, received_at
    from inbound_contents
    where name = ${name}
    order by received_at desc
    limit 20
  `

/** Returns whether an open case holds one of these legs. */
export async function holdsAnyLeg(sql: Sql, legIds: readonly string[]): Promise<boolean> {
  const rows = await sql`
    select
    from bank_cases
    where closed_at is null and leg_id = any (${legIds as string[]}::uuid[]) and kind <> all (${[...kindsWithoutHold]}::text[])
    limit 1
  `
  return rows.length > 0
}

export type HeldMoney = { debitCount: number; debitCents: number; checkCount: number; checkCents: number }

/** Sums the money that is held by cases about a whole bank: debits that are not trusted yet, and checks that are not cashed yet. */
export async function readHeldMoney(sql: Sql, connectionIds: readonly string[]): Promise<HeldMoney> {
  const ids = connectionIds as string[]
  const [debits] = await sql<{ count: number; cents: number }[]>`
    ${allPlatforms('serves the operator')}
    select count(*) as count, coalesce(sum(cents), 0)::bigint as cents
    from legs
    where purpose = 'payment_pull' and rail = 'ACH' and status in ('SENT', 'ACCEPTED', 'SETTLED')
      and connection_id = any (${ids}::text[])
  `
  const [checks] = await sql<{ count: number; cents: number }[]>`
    ${allPlatforms('serves the operator')}
    select count(*) as count, coalesce(sum(amount_cents), 0)::bigint as cents
    from payments p
    where p.status in ('PRINTED', 'MAILED') and exists (
      select 1
      from legs l
      where l.platform_id = p.platform_id and l.subject_id = p.id and l.rail in ('MAIL', 'PRINT')
        and l.connection_id = any (${ids}::text[])
    )
  `
  return {
    debitCount: debits?.count ?? 0,
    debitCents: debits?.cents ?? 0,
    checkCount: checks?.count ?? 0,
    checkCents: checks?.cents ?? 0,
  }
}
