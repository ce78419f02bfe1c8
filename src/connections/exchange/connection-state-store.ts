import type { Sql } from '../../foundation/db/connect.ts'

/** The state of a connection that was used. */
export type ConnectionState = {
  connectionId: string
  /** The time until which everything from the bank was read. Null: nothing was read yet. */
  heardAt: Date | null
  /** The time of the last session that succeeded. */
  contactedAt: Date | null
  /** The number of sessions that failed since `contactedAt`. */
  tries: number
  nextTryAt: Date | null
  lastProblem: string | null
}

const columns = (sql: Sql) => sql`
  connection_id, heard_at, contacted_at, tries, next_try_at, last_problem
`

export const findConnectionState = (sql: Sql, connectionId: string): Promise<ConnectionState | null> =>
  sql<ConnectionState[]>`
    select ${columns(sql)}
    from connection_states
    where connection_id = ${connectionId}
  `.first()

/** Lists the ids of all connections that ever exchanged files. */
export async function listFileConnectionIds(sql: Sql): Promise<string[]> {
  const rows = await sql<{ connectionId: string }[]>`
    select connection_id
    from connection_states
    where exchange_id is not null
  `
  return rows.map(({ connectionId }) => connectionId)
}

/** Returns whether a file from the bank was received and not read yet. Mail does not count, because it concerns no payment. */
export const hasUnreadExchange = (sql: Sql, connectionId: string): Promise<boolean> =>
  sql`
    select
    from exchanges
    where connection_id = ${connectionId} and status = 'RECEIVED' and kind in ('ach', 'paid checks', 'statement')
    limit 1
  `.anyRow()

/**
 * Reserves a connection for one process until `until`, in real time.
 *
 * @returns false while another process has reserved it
 */
export async function leaseConnection(
  sql: Sql,
  { connectionId, leaseId, now, until }: { connectionId: string; leaseId: string; now: Date; until: Date },
): Promise<boolean> {
  const result = await sql`
    insert into connection_states as s (connection_id, lease_id, leased_until)
    values (${connectionId}, ${leaseId}, ${until})
    on conflict (connection_id) do update
    set lease_id = excluded.lease_id, leased_until = excluded.leased_until
    where s.leased_until is null or s.leased_until < ${now}
  `
  return result.count === 1
}

type Lease = { connectionId: string; leaseId: string }

/** Extends the reservation of a connection until `until`, in real time. @returns false if another process has reserved it */
export async function renewLease(sql: Sql, { connectionId, leaseId }: Lease, until: Date): Promise<boolean> {
  const result = await sql`
    update connection_states
    set leased_until = ${until}
    where connection_id = ${connectionId} and lease_id = ${leaseId}
  `
  return result.count === 1
}

/**
 * Records a session that succeeded, and frees the connection. `heardAt`: all files that the bank had written by this time have been
 * fetched.
 */
export async function updateContacted(
  sql: Sql,
  { connectionId, leaseId }: Lease,
  { contactedAt, heardAt }: { contactedAt: Date; heardAt: Date | null },
): Promise<void> {
  await sql`
    update connection_states
    set
      contacted_at = ${contactedAt}, heard_at = greatest(heard_at, ${heardAt}::timestamptz), tries = 0, next_try_at = null,
      last_problem = null, lease_id = null, leased_until = null
    where connection_id = ${connectionId} and lease_id = ${leaseId}
  `
}

/** Records a session that failed, and frees the connection. */
export async function updateFailed(
  sql: Sql,
  { connectionId, leaseId }: Lease,
  { tries, nextTryAt, problem }: { tries: number; nextTryAt: Date; problem: string },
): Promise<void> {
  await sql`
    update connection_states
    set tries = ${tries}, next_try_at = ${nextTryAt}, last_problem = ${problem}, lease_id = null, leased_until = null
    where connection_id = ${connectionId} and lease_id = ${leaseId}
  `
}

/** Frees a connection without a result. */
export async function freeConnection(sql: Sql, { connectionId, leaseId }: Lease): Promise<void> {
  await sql`
    update connection_states
    set lease_id = null, leased_until = null
    where connection_id = ${connectionId} and lease_id = ${leaseId}
  `
}

/** Removes the delay after failed sessions, so that the next pass tries the connection at once. */
export async function clearBackOff(sql: Sql, connectionId: string): Promise<void> {
  await sql`
    update connection_states
    set next_try_at = null
    where connection_id = ${connectionId}
  `
}
