import type { Sql } from '../../foundation/db/connect.ts'
import { isUnpublished } from './outgoing-file-store.ts'

export type ExchangeState = {
  /** The id that ties the database to the state folder of the connection, or null if no file was ever written. */
  exchangeId: string | null
  lastNumber: number
  /** The number up to which all files were written to the folder. */
  lastNumberWritten: number
  hasPublished: boolean
  /** How many files of the bank were read, and how often processors got orders. */
  useCount: number
}

/** Returns the state of the exchange over a connection, according to the database. */
export async function readExchangeState(sql: Sql, connectionId: string): Promise<ExchangeState> {
  const [row] = await sql<ExchangeState[]>`
    select
      (select exchange_id from connection_states where connection_id = ${connectionId}) as exchange_id,
      coalesce(max(number), 0)::bigint as last_number,
      coalesce(
        min(number) filter (where ${isUnpublished(sql)}) - 1,
        max(number), 0
      )::bigint as last_number_written,
      coalesce(bool_or(published_at is not null), false) as has_published,
      (
        select coalesce(sum(order_count) + sum(read_count) filter (where connection_id = ${connectionId}), 0)
        from connection_states
      )::bigint as use_count
    from exchanges
    where connection_id = ${connectionId} and direction = 'out'
  `
  return row as ExchangeState
}

/** Counts a file of the bank that was read, or a session in which a processor can get orders. */
export async function raiseUseCount(
  sql: Sql,
  { connectionId, use }: { connectionId: string; use: 'read' | 'order' },
): Promise<void> {
  const [reads, orders] = use === 'read' ? [1, 0] : [0, 1]
  await sql`
    insert into connection_states as s (connection_id, read_count, order_count)
    values (${connectionId}, ${reads}, ${orders})
    on conflict (connection_id) do update
    set read_count = s.read_count + excluded.read_count, order_count = s.order_count + excluded.order_count
  `
}

/** Ties the database to a state folder, unless another process already did. */
export async function insertExchangeId(sql: Sql, connectionId: string, exchangeId: string): Promise<void> {
  await sql`
    insert into connection_states as s (connection_id, exchange_id)
    values (${connectionId}, ${exchangeId})
    on conflict (connection_id) do update
    set exchange_id = coalesce(s.exchange_id, excluded.exchange_id)
  `
}

/** Ties the database to a state folder, even if it was tied before. */
export async function upsertExchangeId(sql: Sql, connectionId: string, exchangeId: string): Promise<void> {
  await sql`
    insert into connection_states (connection_id, exchange_id)
    values (${connectionId}, ${exchangeId})
    on conflict (connection_id) do update
    set exchange_id = excluded.exchange_id
  `
}

/** Records the operator's statement about a recovery. */
export async function insertRecovery(
  sql: Sql,
  recovery: { connectionId: string; recoveredAt: Date; hasGaps: boolean; statement: object },
): Promise<void> {
  await sql`
    insert into exchange_recoveries ${sql.values({ ...recovery, statement: sql.json(recovery.statement) })}
  `
}

/** Ends a gap that is only due to a file whose content is known now. `onlyLost`: the name of the file. */
export async function endGapOf(
  sql: Sql,
  { connectionId, onlyLost }: { connectionId: string; onlyLost: string },
): Promise<void> {
  await sql`
    update exchange_recoveries
    set has_gaps = false
    where connection_id = ${connectionId} and has_gaps and statement ->> 'onlyLost' = ${onlyLost}
  `
}

/** Returns the time since which all payments are known, or null if there was never a gap. */
export async function findLastGap(sql: Sql): Promise<Date | null> {
  const [row] = await sql<{ recoveredAt: Date | null }[]>`
    select max(recovered_at) as recovered_at
    from exchange_recoveries
    where has_gaps
  `
  return row?.recoveredAt ?? null
}

/** The places in a list of wallet numbers that wallets may have got since a backup: from the first one to the one before `to`. */
export type SkippedNumbers = { from: number; to: number }

/** Lists the wallet numbers that recoveries of a connection have skipped. */
export async function listSkippedNumbers(sql: Sql, connectionId: string): Promise<SkippedNumbers[]> {
  const rows = await sql<{ walletNumbers: SkippedNumbers }[]>`
    select statement -> 'walletNumbers' as wallet_numbers
    from exchange_recoveries
    where connection_id = ${connectionId} and json_typeof(statement -> 'walletNumbers') = 'object'
  `
  return rows.map(({ walletNumbers }) => walletNumbers)
}

/** Returns the time of the last recovery from a restore, or null if there was none. */
export async function findLastRecovery(sql: Sql): Promise<Date | null> {
  const [row] = await sql<{ recoveredAt: Date | null }[]>`
    select max(recovered_at) as recovered_at
    from exchange_recoveries
  `
  return row?.recoveredAt ?? null
}

/** Lists exchanges that have ended and still have bytes, oldest first, except ACH files to a bank. */
export async function listEndedWithBytes(
  sql: Sql,
  { connectionId, endedBefore, limit }: { connectionId: string; endedBefore: Date; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from exchanges
    where connection_id = ${connectionId} and ended_at < ${endedBefore} and bytes_deleted_at is null
      and (direction = 'in' or kind <> 'ach')
    order by ended_at
    limit ${limit}
  `
  return rows.map(({ id }) => id)
}

/** Deletes the bytes of exchanges. */
export async function deleteExchangeBytes(sql: Sql, ids: readonly string[], deletedAt: Date): Promise<void> {
  await sql`
    update exchanges
    set bytes_deleted_at = ${deletedAt}
    where id = any (${ids as string[]}::uuid[]) and bytes_deleted_at is null
  `
  await sql`
    update exchange_parts
    set content_sealed = null, wire_sealed = null
    where file_id = any (${ids as string[]}::uuid[])
  `
}
