import { connect, type Pool, type Sql } from '../../src/foundation/db/connect.ts'
import { createSql, type Parameter } from '../../src/foundation/db/driver/sql.ts'

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** The effort of a statement: the rows it read, those of them from tables and not from indexes alone, the rows it sorted, and the tables it scanned completely. */
export type Effort = { rowsRead: number; rowsOfTables: number; rowsSorted: number; scanned: string[] }

/** Runs and measures a store function on a connection like the service's; changes are rolled back. */
export async function effortOf(databaseUrl: string, run: (sql: Sql) => Promise<unknown>): Promise<Effort> {
  const pool = connect(databaseUrl, { max: 1, applicationName: 'explain', usesIndexes: true })
  const efforts: Effort[] = []
  const undo = new Error('undone')
  try {
    await pool.begin(async (sql) => {
      await run(explaining(sql, efforts))
      throw undo
    })
  } catch (error) {
    if (error !== undo) throw error
  } finally {
    await pool.end()
  }
  return {
    rowsRead: efforts.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    rowsOfTables: efforts.reduce((sum, { rowsOfTables }) => sum + rowsOfTables, 0),
    rowsSorted: Math.max(0, ...efforts.map(({ rowsSorted }) => rowsSorted)),
    scanned: efforts.flatMap(({ scanned }) => scanned),
  }
}

/** Runs a store function that calls SQL functions. @returns the rows that it read from all tables */
export async function rowsReadBy(databaseUrl: string, run: (sql: Sql) => Promise<unknown>): Promise<number> {
  const pool = connect(databaseUrl, { max: 1, applicationName: 'explain', usesIndexes: true })
  try {
    return await pool.begin(async (sql) => {
      // PostgreSQL adds up the transactions of a second.
      const before = await rowsReadSoFar(sql)
      await run(sql)
      return (await rowsReadSoFar(sql)) - before
    })
  } finally {
    await pool.end()
  }
}

async function rowsReadSoFar(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as count
    from pg_stat_xact_user_tables
  `
  return row?.count ?? 0
}

/** Analyzes tables without sampling. With a sample, the plans would differ from run to run. */
export async function analyzeAllRows(sql: Pool, tables: string[]): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local default_statistics_target = 10000`
    for (const table of tables) await tx`analyze ${tx(table)}`
  })
}

/** Statements that are explained instead of run. */
const explaining = (sql: Sql, efforts: Effort[]): Sql =>
  createSql(async ({ text, values }) => {
    const [row] = await sql.unsafe(`explain (analyze, format json) ${text}`, values as Parameter[])
    efforts.push(effortOfPlan((row as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'][0].Plan))
    return Object.assign([], { count: 0, command: 'EXPLAIN' })
  })

function effortOfPlan(plan: PlanNode): Effort {
  const nodes = [plan]
  for (const node of nodes) nodes.push(...(node.Plans ?? []))
  const rowsOf = (node: PlanNode) =>
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
    node['Actual Loops']
  const sum = (picked: PlanNode[]) => picked.reduce((total, node) => total + rowsOf(node), 0)
  return {
    rowsRead: sum(nodes.filter((node) => node['Relation Name'] || node['Index Name'])),
    rowsOfTables: sum(nodes.filter((node) => node['Relation Name'] && node['Node Type'] !== 'Index Only Scan')),
    rowsSorted: sum(nodes.filter((node) => /Sort$/.test(node['Node Type'])).flatMap(({ Plans = [] }) => Plans)),
    scanned: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])),
  }
}
