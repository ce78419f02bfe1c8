import type { Sql } from '../../foundation/db/connect.ts'
import { isUnpublished } from './bank-file-store.ts'

export type ExchangeState = {
  /** The id that ties the database to its folder, or null if no file was ever written. */
  exchangeId: string | null
  lastNumber: number
  /** The number up to which all files were written to the folder. */
  lastNumberWritten: number
  hasPublished: boolean
}

/** Returns the state of the exchange, according to the database. */
export async function readExchangeState(sql: Sql): Promise<ExchangeState> {
  const [row] = await sql<ExchangeState[]>`
    select
      (select exchange_id from bank_file_exchange) as exchange_id,
      (select coalesce(max(number), 0) from bank_files)::bigint as last_number,
      (
        select
          coalesce(
            min(number) filter (where ${isUnpublished(sql)}) - 1,
            max(number), 0
          )
        from bank_files
      )::bigint as last_number_written,
      exists (select 1 from bank_files where published_at is not null) as has_published
  `
  return row as ExchangeState
}

/** Ties the database to a folder, unless another process already did. */
export async function insertExchangeId(sql: Sql, exchangeId: string): Promise<void> {
  await sql`
    insert into bank_file_exchange (exchange_id)
    values (${exchangeId})
    on conflict (is_only) do nothing
  `
}

/** Ties the database to a folder, even if it was tied before. */
export async function upsertExchangeId(sql: Sql, exchangeId: string): Promise<void> {
  await sql`
    insert into bank_file_exchange (exchange_id)
    values (${exchangeId})
    on conflict (is_only) do update
    set exchange_id = excluded.exchange_id
  `
}

/** Records the operator's statement about a recovery. */
export async function insertRecovery(
  sql: Sql,
  recovery: { recoveredAt: Date; hasGaps: boolean; statement: object },
): Promise<void> {
  await sql`
    insert into bank_file_recoveries ${sql.values({ ...recovery, statement: sql.json(recovery.statement) })}
  `
}

/** Returns the time since which all payments are known, or null if there was never a gap. */
export async function findLastGap(sql: Sql): Promise<Date | null> {
  const [row] = await sql<{ recoveredAt: Date | null }[]>`
    select max(recovered_at) as recovered_at
    from bank_file_recoveries
    where has_gaps
  `
  return row?.recoveredAt ?? null
}
