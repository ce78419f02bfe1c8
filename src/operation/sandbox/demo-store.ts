import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { KEPT_BY_DEMO } from '../../foundation/db/schema/service-role.ts'
import { reportChangedKeys } from '../../people/user/api-key/key-changes-store.ts'

const LAST_RESET = 'demo_reset_on'

/** The milliseconds to wait for a lock. This is shorter than the second after which PostgreSQL looks for deadlocks. */
const MAX_LOCK_WAIT_MS = 100

/**
 * Locks the record of the last reset, so that only one process resets. After this call, the transaction fails if it waits long for a lock.
 *
 * @returns the day of the last reset, or null if there was none
 */
export async function lockLastReset(sql: Sql): Promise<string | null> {
  await sql`set local lock_timeout = ${sql.unsafe(String(MAX_LOCK_WAIT_MS))}`
  await sql`
    insert into settings (name, value)
    values (${LAST_RESET}, '')
    on conflict (name) do nothing
  `
  const [row] = await sql<{ value: string }[]>`
    select value
    from settings
    where name = ${LAST_RESET}
    for update
  `
  return row?.value || null
}

export async function readLastReset(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ value: string }[]>`select value from settings where name = ${LAST_RESET}`
  return row?.value || null
}

/** Deletes all rows except the identity of the database, its keys, and the refusals of mail. */
export async function emptyAllTables(sql: Sql, today: string): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name
    from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'
      and table_name::text <> all (${KEPT_BY_DEMO}::text[])
  `
  await sql`${allPlatforms('deletes old rows')} truncate ${sql(tables.map(({ name }) => name))}`
  await sql`update settings set value = ${today} where name = ${LAST_RESET}`
  await reportChangedKeys(sql, 'all')
}
