import { connect, type Sql } from '../../src/foundation/db/connect.ts'
import { isTenantTable } from '../../src/foundation/db/schema/distribution.ts'
import { grantServiceRights, type ServiceRole } from '../../src/foundation/db/schema/service-role.ts'
import { dumpSchema } from './schema-dump.ts'

// A stand-in for a cluster: each tenant table in two partitions by platform_id, and PostgreSQL refuses keys without
// platform_id. All rows are in the first partition. The second one, for an id that no platform has, stays empty.
// PostgreSQL plans to read it only for statements that do not name one platform. It logs these statements.

/** Replaces the schema of a freshly migrated database by one with partitions. */
export async function partitionTables(url: string, role: ServiceRole): Promise<void> {
  const pool = connect(url, { max: 1, applicationName: 'test run' })
  try {
    await pool.begin(async (sql) => {
      const schema = await dumpSchema(sql)
      const rows = await filledTables(sql)
      await sql.unsafe('drop schema public cascade; create schema public; set local check_function_bodies = off')
      await sql.unsafe(REPORT_CROSSING)
      for (const statement of partitioned(schema)) await sql.unsafe(statement)
      for (const [table, content] of rows) {
        await sql`insert into ${sql(table)} select * from json_populate_recordset(null::${sql(table)}, ${content}::json)`
      }
      await grantServiceRights(sql, role)
    })
  } finally {
    await pool.end({ timeout: 5 })
  }
}

/** The rows that the migrations wrote, as JSON. */
async function filledTables(sql: Sql): Promise<[string, string][]> {
  const tables = await sql<{ name: string }[]>`
    select relname as name
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
  `
  const filled: [string, string][] = []
  for (const { name } of tables) {
    const [row] = await sql<{ rows: string | null }[]>`select json_agg(t)::text as rows from ${sql(name)} t`
    if (row?.rows) filled.push([name, row.rows])
  }
  return filled
}

/**
 * Returns the statements that create a schema with partitions from one without. Partitions and foreign keys are created
 * last, because they name other tables. The second partition gets only the unique indexes, because each test copies
 * them all.
 */
function partitioned(schema: string): string[] {
  const statements = schema.split(/(?<=;)\n\n(?=create |CREATE )/)
  const made: string[] = []
  const late: string[] = []
  for (const statement of statements) {
    const [, table, body, rest] = /^create table (\w+) \(\n(.*?)\n\)(.*?);?\n*$/s.exec(statement) ?? []
    if (!table || body === undefined || rest === undefined) {
      const [, indexed] = /^CREATE INDEX \w+ ON public\.(\w+) /.exec(statement) ?? []
      if (indexed && isTenantTable(indexed))
        late.push(statement.replace(`ON public.${indexed} `, `ON public.${indexed}_p0 `))
      else made.push(statement)
      continue
    }
    const lines = body.split(/,\n(?= {2}\S)/)
    const isForeignKey = (line: string) => /^ {2}constraint \w+ FOREIGN KEY /.test(line)
    late.push(...lines.filter(isForeignKey).map((line) => `alter table ${table} add ${line.trim()}`))
    const columns = lines.filter((line) => !isForeignKey(line)).join(',\n')
    if (rest.startsWith(' FOR VALUES')) {
      const parent = table.replace(/_\d+$/, '')
      made.push(`create table ${table} partition of ${parent}${rest}`)
    } else if (isTenantTable(table)) {
      made.push(`create table ${table} (\n${columns}\n) partition by range (platform_id)`)
      late.push(...partitionsOf(table, rest))
    } else made.push(`create table ${table} (\n${columns}\n)${rest}`)
  }
  return [...made, ...late]
}

/** No platform has this id. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** PostgreSQL evaluates an immutable function in the statistics of a table whenever it plans to read the table. */
const partitionsOf = (table: string, options: string): string[] => [
  `create table ${table}_p0 partition of ${table} for values from (minvalue) to ('${LAST_ID}')${options}`,
  `create table ${table}_p1 partition of ${table} for values from ('${LAST_ID}') to (maxvalue)`,
  `create statistics testing.${table} on (testing.report_crossing('${table}') or platform_id is null) from ${table}_p1`,
]

/** `readEachTable`, with a part for each table. */
const IS_SEARCH_OF_ROWS = `current_query() like 'select $1::text as "table", %'`

/**
 * Reports a statement of the program. A generic plan reads all partitions, because it does not know the values:
 * PostgreSQL makes one after five executions of a statement. It also makes some for functions and foreign keys, whose
 * statements are not reported. `cluster.test.ts` checks the statements of functions.
 */
const REPORT_CROSSING = `
  create schema testing;
  grant usage on schema testing to public;
  create function testing.report_crossing(_table text) returns boolean language plpgsql immutable as $$
  declare
    calls text;
  begin
    get diagnostics calls = pg_context;
    if calls like E'%\\n%' or current_setting('application_name') not like 'remit%' or ${IS_SEARCH_OF_ROWS} then
      return true;
    end if;
    if current_setting('testing.reported', true) is distinct from current_query()
      and not exists (select from pg_prepared_statements where statement = current_query() and custom_plans >= 5)
    then
      raise log '%', json_build_object('crossing', current_query());
    end if;
    perform set_config('testing.reported', current_query(), false);
    return true;
  end $$
`
