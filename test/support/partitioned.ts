import { useCustomPlans } from '../../src/db/cluster/by-platform.ts'
import { connect, type Sql } from '../../src/db/connect.ts'
import { isTenantTable } from '../../src/db/schema/distribution.ts'
import { grantServiceRights, type ServiceRole } from '../../src/db/schema/service-role.ts'
import { dumpSchema } from './schema-dump.ts'

// A stand-in for a cluster: each tenant table in two partitions by the hash of platform_id. A platform's rows are in one
// partition of each table, as they are on one node of Citus, and PostgreSQL refuses keys without platform_id.

export const PARTITIONS = 2

/** Replaces the schema of a freshly migrated database by one with partitions. */
export async function partitionTables(url: string, role: ServiceRole): Promise<void> {
  const pool = connect(url, { max: 1, applicationName: 'test run' })
  try {
    await pool.begin(async (sql) => {
      const schema = await dumpSchema(sql)
      const rows = await filledTables(sql)
      await sql.unsafe('drop schema public cascade; create schema public; set local check_function_bodies = off')
      for (const statement of partitioned(schema)) await sql.unsafe(statement)
      for (const [table, content] of rows) {
        await sql`insert into ${sql(table)} select * from json_populate_recordset(null::${sql(table)}, ${content}::json)`
      }
      await useCustomPlans(sql)
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
 * The statements that make a schema with partitions, given one without. Partitions and foreign keys are made last, because
 * they name other tables.
 */
function partitioned(schema: string): string[] {
  const statements = schema.replace(/^--.*\n/, '').split(/(?<=;)\n\n(?=create |CREATE )/)
  const made: string[] = []
  const late: string[] = []
  for (const statement of statements) {
    const [, table, body, rest] = /^create table (\w+) \(\n(.*?)\n\)(.*?);?\n*$/s.exec(statement) ?? []
    if (!table || body === undefined || rest === undefined) {
      made.push(statement)
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
      made.push(`create table ${table} (\n${columns}\n) partition by hash (platform_id)`)
      late.push(...partitionsOf(table, rest))
    } else made.push(`create table ${table} (\n${columns}\n)${rest}`)
  }
  return [...made, ...late]
}

const partitionsOf = (table: string, options: string): string[] =>
  Array.from(
    { length: PARTITIONS },
    (_, index) =>
      `create table ${table}_p${index} partition of ${table} for values with (modulus ${PARTITIONS}, remainder ${index})${options}`,
  )
