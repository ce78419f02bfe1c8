import { join } from 'sql-template-tag'
import type { Pool } from '../../src/foundation/db/connect.ts'
import type { Fragment, Parameter } from '../../src/foundation/db/driver/sql.ts'

/**
 * Runs one statement over all tables that the role may read. `select` is the select list for a table `t`. A statement
 * for each of seventy tables took a third of the CPU time of some test files.
 */
export async function readEachTable<Row extends object>(
  sql: Pool,
  select: Fragment,
): Promise<(Row & { table: string })[]> {
  return readTables(sql, await findTables(sql), select)
}

type Table = { name: string; isEmpty: boolean }

/** A table without a page has no row. On a cluster, the pages are on other nodes. */
const findTables = (sql: Pool): Promise<Table[]> => sql<Table[]>`
  select
    t.relname::text as name,
    ${!process.env.TEST_CITUS} and pg_relation_size(t.oid) = 0
      and not exists (select from pg_inherits p where p.inhparent = t.oid and pg_relation_size(p.inhrelid) > 0) as is_empty
  from pg_class t
  where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
    and has_table_privilege(t.oid, 'select')
  order by t.relname
`

/** Planning a read of all tables takes longer than a test, and most of them are empty. */
function readTables<Row extends object>(sql: Pool, tables: Table[], select: Fragment) {
  const statements = tables
    .filter(({ isEmpty }) => !isEmpty)
    .map(({ name }) => sql`select ${name}::text as "table", ${select} from ${sql(name)} t`)
  return sql<(Row & { table: string })[]>`${join(statements, ' union all ')}`
}

/** The log of requests gets a row for a refused request too, a little later. */
const isWrittenLater = (table: string): boolean => table.startsWith('request_log')

/** The number of rows of each table, to compare before and after a refused request. */
export async function rowCounts(sql: Pool): Promise<Record<string, number>> {
  const tables = await findTables(sql)
  const counts = await readTables<{ count: number }>(sql, tables, sql`count(*) as count`)
  const countOf = new Map(counts.map(({ table, count }) => [table, count]))
  const compared = tables.filter(({ name }) => !isWrittenLater(name))
  return Object.fromEntries(compared.map(({ name }) => [name, countOf.get(name) ?? 0]))
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

/** Every row of every table as text, without the last use of a key, a grant or a session, which is written later and extends a session. */
export async function allRows(sql: Pool): Promise<Set<string>> {
  const extended = sql`case when to_jsonb(t) ? 'last_seen_at' then 'expires_at' else '' end`
  const withoutUses = sql`(to_jsonb(t) - array['last_used_at', 'last_seen_at', ${extended}])::text as row`
  const rows = await readEachTable<{ row: string }>(sql, withoutUses)
  return new Set(rows.filter(({ table }) => !isWrittenLater(table)).map(({ table, row }) => `${table} ${row}`))
}

/** Inserts a row, by the names of its columns. */
export async function insertRow(sql: Pool, table: string, columns: Record<string, Parameter>): Promise<void> {
  const values = join(
    Object.values(columns).map((value) => sql`${value}`),
    ', ',
  )
  await sql`insert into ${sql(table)} (${sql(Object.keys(columns))}) values (${values})`
}

/** Copies a row with new ids, to reach the maximum number of a user's objects. */
export async function copyRows(sql: Pool, table: string, { id, count }: { id: string; count: number }): Promise<void> {
  await sql`
    insert into ${sql(table)}
    select copy.*
    from ${sql(table)} t
    cross join generate_series(1, ${count}) n
    cross join lateral jsonb_populate_record(t, jsonb_build_object('id', md5(t.id::text || n)::uuid)) copy
    where t.id = ${id}
  `
}
