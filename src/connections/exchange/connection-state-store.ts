import type { Sql } from '../../foundation/db/connect.ts'

/** What is known about a connection that was used. */
export type ConnectionState = {
  connectionId: string
  /** Until then, everything that the bank had for us was read. Null: nothing was read yet. */
  heardAt: Date | null
  /** The last session that succeeded. */
  contactedAt: Date | null
  /** The number of sessions that failed since then. */
  tries: number
  nextTryAt: Date | null
  lastProblem: string | null
  silentSince: Date | null
}

const columns = (sql: Sql) => sql`
  connection_id, heard_at, contacted_at, tries, next_try_at, last_problem, silent_since
`

export const findConnectionState = (sql: Sql, connectionId: string): Promise<ConnectionState | null> =>
  sql<ConnectionState[]>`
    select ${columns(sql)}
    from connection_states
    where connection_id = ${connectionId}
  `.first()

export const listConnectionStates = (sql: Sql): Promise<ConnectionState[]> =>
  sql<ConnectionState[]>`
    select ${columns(sql)}
    from connection_states
    order by connection_id
  `

/** Lists the ids of all connections that were ever used. */
export async function listConnectionIds(sql: Sql): Promise<string[]> {
  const rows = await sql<{ connectionId: string }[]>`
    select connection_id
    from connection_states
  `
  return rows.map(({ connectionId }) => connectionId)
}

/** Whether a file of the bank was received and not read yet. Mail does not count, because it concerns no payment. */
export const hasUnreadExchange = (sql: Sql, connectionId: string): Promise<boolean> =>
  sql`
    select
    from exchanges
    where connection_id = ${connectionId} and status = 'RECEIVED' and kind in ('ach', 'paid checks')
    limit 1
  `.anyRow()
