import type { Sql } from '../db/connect.ts'

export type ExchangeState = {
  /** Null: no file was ever written. */
  exchangeId: string | null
  lastNumber: number
  hasPublished: boolean
}

/** How far the database knows the exchange. */
export async function readExchangeState(sql: Sql): Promise<ExchangeState> {
  const [row] = await sql<ExchangeState[]>`
    select
      (select exchange_id from bank_file_exchange) as exchange_id,
      (select coalesce(max(number), 0) from bank_files)::bigint as last_number,
      exists (select 1 from bank_files where published_at is not null) as has_published
  `
  return row as ExchangeState
}

/** Ties the database to a folder. */
export async function upsertExchangeId(sql: Sql, exchangeId: string): Promise<void> {
  await sql`
    insert into bank_file_exchange (exchange_id)
    values (${exchangeId})
    on conflict (is_only) do update
    set exchange_id = excluded.exchange_id
  `
}
