import type { Sql } from '../../src/foundation/db/connect.ts'

// auto_explain logs the plan of each statement, also of those in functions. A plan that names the second partition of a table, or
// several platforms, reads or writes more than one platform (partitioned.ts).

type PlanNode = { 'Relation Name'?: string; 'Parent Relationship'?: string; Plans?: PlanNode[] }

/**
 * A statement whose plan touches several platforms.
 *
 * @property text on one line, as in its source @property within the function that runs it, null for a statement of the
 * program
 */
export type Crossing = { text: string; tables: string[]; within: string | null }
/** @property lookedUpTables the tables that it reads again for each row */
export type TenantStatement = Crossing & { isAcross: boolean; lookedUpTables: string[] }

/**
 * Makes the server log the plans of a database's statements, from the next connection on. Only a superuser may do so.
 */
export async function logPlans(sql: Sql, database: string): Promise<void> {
  const [server] = await sql<{ version: number }[]>`select current_setting('server_version_num')::integer as version`
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_nested_statements': 'on',
    'auto_explain.log_format': 'json',
    // PostgreSQL 15 logs no parameters.
    ...((server?.version ?? 0) >= 160_000 && { 'auto_explain.log_parameter_max_length': '0' }),
    // Citus also plans with values if a plan without them has no node.
    plan_cache_mode: 'force_custom_plan',
    log_error_verbosity: 'default', // names the function of a nested statement
  }
  await sql.unsafe("load 'auto_explain'")
  for (const [name, value] of Object.entries(settings)) {
    await sql.unsafe(`alter database "${database}" set ${name} = '${value}'`)
  }
}

/** Returns the statements in a server's log that touch a partition, each once. */
export async function findTenantStatements(lines: AsyncIterable<string>): Promise<TenantStatement[]> {
  const found = new Map<string, TenantStatement>()
  for await (const { plan, context } of loggedPlans(lines)) {
    const { 'Query Text': query, Plan } = JSON.parse(plan) as { 'Query Text': string; Plan: PlanNode }
    const { tables, hasGuard, lookedUpTables } = tablesOf(Plan)
    if (tables.length === 0) continue
    const isAcross = hasGuard || SEVERAL_PLATFORMS.test(JSON.stringify(Plan))
    const text = query.replaceAll(/--.*/g, '').replaceAll(/\s+/g, ' ').trim()
    const within = /PL\/pgSQL function (\w+)\(/.exec(context)?.[1] ?? null
    const key = `${within}: ${text}`
    if (isAcross || !found.has(key)) found.set(key, { text, tables, within, isAcross, lookedUpTables })
  }
  return [...found.values()]
}

/**
 * Returns each plan in the log with the caller of its statement. The lines of an entry after the first start with a
 * tab.
 */
async function* loggedPlans(lines: AsyncIterable<string>): AsyncGenerator<{ plan: string; context: string }> {
  let plan = ''
  let context = ''
  let part: 'plan' | 'context' | null = null
  for await (const line of lines) {
    if (line.startsWith('\t')) {
      if (part === 'plan') plan += `${line}\n`
      if (part === 'context') context += `${line}\n`
      continue
    }
    if (part === 'plan' && line.includes(' CONTEXT:  ')) {
      part = 'context'
      context = line
      continue
    }
    if (plan) yield { plan, context }
    part = / LOG: {2}duration: [\d.]+ ms {2}plan:$/.test(line) ? 'plan' : null
    plan = ''
    context = ''
  }
  if (plan) yield { plan, context }
}

/** A condition with a list of platforms. */
const SEVERAL_PLATFORMS = /platform_id = ANY \('\{[^}]+,/

/** The tables of a plan, and whether the second partition of one is among them. */
function tablesOf(plan: PlanNode): Pick<TenantStatement, 'tables' | 'lookedUpTables'> & { hasGuard: boolean } {
  const names = nodesOf(plan).flatMap(nameOf)
  const lookups = nodesOf(plan).filter(({ 'Parent Relationship': relation }) => relation === 'SubPlan')
  return {
    tables: sorted(names.flatMap((name) => /^(\w+)_p[01]$/.exec(name)?.[1] ?? [])),
    hasGuard: names.some((name) => name.endsWith('_p1')),
    lookedUpTables: sorted(lookups.flatMap(nodesOf).flatMap(nameOf)),
  }
}

const sorted = (names: string[]): string[] => [...new Set(names)].sort()

const nameOf = (node: PlanNode): string[] => (node['Relation Name'] ? [node['Relation Name']] : [])

function nodesOf(plan: PlanNode): PlanNode[] {
  const nodes = [plan]
  for (const node of nodes) nodes.push(...(node.Plans ?? []))
  return nodes
}
