import type { Sql } from '../../foundation/db/connect.ts'
import type { InboundKind, InboundStatus } from '../exchange/bank-file-rules.ts'
import type { OutgoingFileKind, OutgoingFileStatus } from '../exchange/outgoing-file-status.ts'
import { openCasesOf } from './exchange-list-store.ts'

/** A file of a connection in an overview. `time`: the time of its last change. */
export type ListedFile = {
  id: string
  direction: 'out' | 'in'
  kind: OutgoingFileKind | InboundKind
  name: string
  status: OutgoingFileStatus | InboundStatus
  byteCount: number
  time: Date
  attention: string | null
  /** The number of open cases about a file from the bank. */
  openCaseCount: number
}

/** Lists the files of a connection that changed since `since`, and all files that are open or need attention, newest first. */
export const listFilesSince = (
  sql: Sql,
  { connectionId, since, limit }: { connectionId: string; since: Date; limit: number },
): Promise<ListedFile[]> =>
  sql<ListedFile[]>`
    select
      id, direction, kind, name, status, byte_count, coalesce(ended_at, transmitted_at, created_at) as time,
      coalesce(attention, problem) as attention, (select count(*) ${openCasesOf(sql)}) as open_case_count
    from exchanges e
    where connection_id = ${connectionId}
      and (
        created_at >= ${since} or ended_at >= ${since} or transmitted_at >= ${since} or attention is not null
        or status in ('WRITTEN', 'TRANSMITTED', 'RECEIVED')
      )
    order by time desc, id desc
    limit ${limit}
  `

/** Returns when the last file left the connection's folder or arrived in it, or null if none has. */
export async function findLastFileTime(sql: Sql, connectionId: string): Promise<Date | null> {
  const [row] = await sql<{ at: Date | null }[]>`
    select max(case direction when 'out' then transmitted_at else created_at end) as at
    from exchanges
    where connection_id = ${connectionId}
  `
  return row?.at ?? null
}

/** An open case of a connection. */
export type ListedCase = { id: string; kind: string; note: string; createdAt: Date }

/** Lists the open cases of a connection, oldest first. */
export const listCasesOfConnection = (
  sql: Sql,
  { connectionId, limit }: { connectionId: string; limit: number },
): Promise<ListedCase[]> =>
  sql<ListedCase[]>`
    select id, kind, note, created_at
    from bank_cases
    where connection_id = ${connectionId} and closed_at is null
    order by created_at, id
    limit ${limit}
  `
