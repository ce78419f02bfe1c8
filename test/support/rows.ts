import { join } from 'sql-template-tag'
import type { Pool } from '../../src/db/connect.ts'
import type { Parameter } from '../../src/db/driver/sql.ts'

/** The number of rows of each table, to compare before and after a refused request. */
export async function rowCounts(sql: Pool): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name
    from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
    order by table_name
  `
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await sql<{ count: number }[]>`select count(*) from ${sql(name)}`
    counts[name] = row?.count ?? 0
  }
  return counts
}

/** The webhook bodies of a payment in the order of writing. Ids of one millisecond have no order. */
export async function webhookBodies(sql: Pool, paymentId: string): Promise<unknown[]> {
  const events = await sql<{ body: string }[]>`
    select distinct id, body
    from events
    where subject_id = ${paymentId}
    order by id
  `
  return events.map(({ body }) => JSON.parse(body))
}

/** Every row of every table as text, without the last use of a key, a grant or a session, which is written later. */
export async function allRows(sql: Pool): Promise<Set<string>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name
    from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'
  `
  const rows = await Promise.all(
    tables.map(async ({ name }) => {
      const texts = await sql<{ row: string }[]>`
        select (to_jsonb(t) - array['last_used_at', 'last_seen_at'])::text as row
        from ${sql(name)} t
      `
      return texts.map(({ row }) => `${name} ${row}`)
    }),
  )
  return new Set(rows.flat())
}

/** Inserts a row, by the names of its columns. */
export async function insertRow(sql: Pool, table: string, columns: Record<string, Parameter>): Promise<void> {
  const values = join(
    Object.values(columns).map((value) => sql`${value}`),
    ', ',
  )
  await sql`insert into ${sql(table)} (${sql(Object.keys(columns))}) values (${values})`
}
