import type { Sql } from '../../foundation/db/connect.ts'
import type { InboundKind, InboundStatus } from '../exchange/bank-file-rules.ts'
import type { OutgoingFileKind, OutgoingFileStatus } from '../exchange/outgoing-file-status.ts'
import type { FileProof } from '../exchange/outgoing-file-store.ts'

/** A file to or from a bank. `createdAt` of a file from the bank is the time when its bytes were committed here. */
export type ExchangeRow = {
  id: string
  connectionId: string
  direction: 'out' | 'in'
  kind: OutgoingFileKind | InboundKind
  name: string
  status: OutgoingFileStatus | InboundStatus
  /** SHA-256 of its bytes, of all parts in order, in hexadecimal digits. */
  sha256: string
  byteCount: number
  createdAt: Date
  publishedAt: Date | null
  transmittedAt: Date | null
  proof: FileProof | null
  endedAt: Date | null
  effectiveAt: Date | null
  settlesAt: Date | null
  modifiedAt: Date | null
  removedAt: Date | null
  bytesDeletedAt: Date | null
  transmissionLateAt: Date | null
  acknowledgementLateAt: Date | null
  attention: string | null
  problem: string | null
  /** The number of open cases about a file from the bank. */
  openCaseCount: number
}

/** Selects the open cases about the file `e` from a bank. */
export const openCasesOf = (sql: Sql) => sql`
  from bank_cases c
  where c.closed_at is null and e.direction = 'in' and c.connection_id = e.connection_id and c.file_name = e.name
`

const columns = (sql: Sql) => sql`
  id, connection_id, direction, kind, name, status, encode(digest, 'hex') as sha256, byte_count, created_at, published_at,
  transmitted_at, proof, ended_at, effective_at, settles_at, modified_at, removed_at, bytes_deleted_at, transmission_late_at,
  acknowledgement_late_at, attention, problem, (select count(*) ${openCasesOf(sql)}) as open_case_count
`

/** Selects the files to list. `isOpenOnly`: only files that are being sent, wait to be read, or need the operator. */
export type ExchangeFilter = {
  isOpenOnly: boolean
  connectionId?: string | undefined
  direction?: string | undefined
  status?: string | undefined
}

/** Lists files in both directions, newest first. `limit`: null for no limit. */
export const listExchanges = (
  sql: Sql,
  { isOpenOnly, connectionId, direction, status, limit }: ExchangeFilter & { limit: number | null },
): Promise<ExchangeRow[]> =>
  sql<ExchangeRow[]>`
    select ${columns(sql)}
    from exchanges e
    where (
        not ${isOpenOnly} or status in ('WRITTEN', 'TRANSMITTED', 'RECEIVED') or attention is not null
        or exists (select ${openCasesOf(sql)})
      )
      ${connectionId === undefined ? sql`` : sql`and connection_id = ${connectionId}`}
      ${direction === undefined ? sql`` : sql`and direction = ${direction}`}
      ${status === undefined ? sql`` : sql`and status = ${status}`}
    order by created_at desc, number desc, id desc
    limit ${limit}
  `

/** Finds files by their id or name. Several files of banks can have the same name. `outName`: the name in the form of our own files. */
export const findExchanges = (
  sql: Sql,
  { id, name, outName, limit }: { id: string | null; name: string; outName: string; limit: number },
): Promise<ExchangeRow[]> =>
  sql<ExchangeRow[]>`
    select ${columns(sql)}
    from exchanges e
    where id = ${id} or (direction = 'out' and name = ${outName}) or (direction = 'in' and name = ${name})
    order by created_at desc, id desc
    limit ${limit}
  `
