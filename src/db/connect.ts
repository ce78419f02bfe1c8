import postgres from 'postgres'

/** A pool of connections, or the one connection of a transaction: stores take either. */
export type Sql = postgres.Sql<CustomTypes> | postgres.TransactionSql<CustomTypes>
export type Pool = postgres.Sql<CustomTypes>

type CustomTypes = { uuid: string; bigint: number; date: string }
type TypeParsers = { [Name in keyof CustomTypes]: postgres.PostgresType<CustomTypes[Name]> }

/** Longest a statement may run and wait for a row, in milliseconds: a request that needs longer gets 503. */
const STATEMENT_TIMEOUT_MS = 10_000
const LOCK_TIMEOUT_MS = 5_000

/**
 * Opens a pool. Columns arrive in camelCase; `uuid` as 32 hex digits, `bigint` as a safe integer, `date` as
 * `YYYY-MM-DD`, `timestamptz` as a `Date`.
 */
export function connect(url: string, options: { max: number; applicationName: string }): Pool {
  return postgres<TypeParsers>(url, {
    max: options.max,
    connect_timeout: 5,
    idle_timeout: 0,
    max_lifetime: null,
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
    onnotice: () => {},
    transform: { column: { from: postgres.toCamel, to: postgres.fromCamel } },
    connection: {
      application_name: options.applicationName,
      TimeZone: 'UTC',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      lock_timeout: LOCK_TIMEOUT_MS,
      idle_in_transaction_session_timeout: 30_000,
    },
    types: {
      uuid: {
        to: 2950,
        from: [2950],
        serialize: (id: string) => id,
        parse: (text: string) => text.replaceAll('-', ''),
      },
      bigint: { to: 20, from: [20], serialize: (value: number) => String(value), parse: parseSafeInteger },
      date: { to: 1082, from: [1082], serialize: (day: string) => day, parse: (text: string) => text },
    },
  })
}

function parseSafeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint of the database is not a safe integer')
  return value
}
