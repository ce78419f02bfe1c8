import { loadModule, parsePlPgSQLSync, parseSync } from 'libpg-query'

// Statements that Citus refuses or runs wrongly, although they work on partitions. They are found in the syntax tree of
// PostgreSQL's own parser.

await loadModule()

type Tree = { [key: string]: unknown }
type Node = { kind: string; node: Tree }

export type CitusRules = {
  isTenantTable(name: string): boolean
  /** Names of functions that are not immutable. */
  changing: ReadonlySet<string>
}

// Each was seen on Citus 13.2. With a case that has an operand, the node compares a text with a boolean. An assignment
// to an array element crashes the backend of Citus, and with it all connections of the coordinator. The others are
// refused.
const RECURSIVE = 'a recursive query about tables of platforms'
const CASE_WITH_OPERAND = 'a case with an operand, in a write of a function'
const ARRAY_ELEMENT = 'an assignment to an element of an array'
const CHANGING_TIME = 'a time that a write computes from a column'
const CHANGING_FUNCTION = 'a function that is not immutable, called with a column in an assignment'
const READS_IN_SQL = 'a function in SQL that names a table of platforms'

/** @returns the parts of a statement that Citus refuses */
export const refusalsInStatement = (text: string, rules: CitusRules): string[] =>
  refusalsInTree(parse(text), rules, { isInFunction: false })

/** @param sql `create or replace function …` @returns the parts of its statements that Citus refuses */
export function refusalsInFunction(sql: string, rules: CitusRules): string[] {
  const create = nodesOf(parseSync(sql)).find(({ kind }) => kind === 'CreateFunctionStmt')?.node
  if (!create) throw new Error(`not a function: ${sql.slice(0, 100)}`)
  if (optionOf(create, 'language') === 'sql') {
    return tablesOf(parseSync(optionOf(create, 'as'))).some(rules.isTenantTable) ? [READS_IN_SQL] : []
  }
  // The parser knows no types of this schema.
  const withKnownType = sql.replace(/\breturns \w+\[\]/, 'returns text')
  const expressions = nodesOf(parsePlPgSQLSync(withKnownType)).filter(({ kind }) => kind === 'PLpgSQL_expr')
  return expressions.flatMap(({ node }) => refusalsInTree(parse(node.query as string), rules, { isInFunction: true }))
}

/** A statement, or an expression of PL/pgSQL, which may be assigned to a variable. */
function parse(text: string): unknown {
  try {
    return parseSync(text)
  } catch {
    return parseSync(`select ${text.replace(/^[^']*?:=/, '')}`)
  }
}

function refusalsInTree(tree: unknown, rules: CitusRules, { isInFunction }: { isInFunction: boolean }): string[] {
  const nodes = nodesOf(tree)
  if (!tablesOf(tree).some(rules.isTenantTable)) return []
  const writes = nodes.filter(({ kind }) => /^(Insert|Update|Delete|Merge)Stmt$/.test(kind))
  const assignments = writes.flatMap(({ kind, node }) => assignmentsOf(kind, node))
  const values = assignments.flatMap(({ val }) => nodesOf(val))
  const found = {
    [RECURSIVE]: nodes.some(({ node }) => (node.withClause as Tree | undefined)?.recursive === true),
    [CASE_WITH_OPERAND]:
      isInFunction && writes.some(({ node }) => nodesOf(node).some((one) => one.kind === 'CaseExpr' && one.node.arg)),
    [ARRAY_ELEMENT]: assignments.some(({ indirection }) => indirection !== undefined),
    [CHANGING_TIME]: values.some(({ kind, node }) => kind === 'A_Expr' && addsIntervalToColumn(node)),
    [CHANGING_FUNCTION]: values.some(
      ({ kind, node }) => kind === 'FuncCall' && rules.changing.has(nameOf(node)) && hasColumn(node.args),
    ),
  }
  return Object.entries(found).flatMap(([what, isFound]) => (isFound ? [what] : []))
}

/** The assignments of `update` and of `on conflict do update`. */
function assignmentsOf(kind: string, node: Tree): Tree[] {
  const list = kind === 'UpdateStmt' ? node.targetList : (node.onConflictClause as Tree | undefined)?.targetList
  return ((list ?? []) as { ResTarget: Tree }[]).map(({ ResTarget }) => ResTarget)
}

function addsIntervalToColumn({ name, lexpr, rexpr }: Tree): boolean {
  const isSum = /^[+-]$/.test(stringsOf(name)[0] ?? '')
  return isSum && ((isInterval(lexpr) && hasColumn(rexpr)) || (isInterval(rexpr) && hasColumn(lexpr)))
}

function isInterval(expression: unknown): boolean {
  const [first] = nodesOf(expression)
  if (first?.kind === 'TypeCast') return stringsOf(first.node.typeName).includes('interval')
  return first?.kind === 'FuncCall' && nameOf(first.node) === 'make_interval'
}

/**
 * Returns whether it names a column with its table. PL/pgSQL variables have only one name, and columns in assignments
 * have two.
 */
const hasColumn = (expression: unknown): boolean =>
  nodesOf(expression).some(({ kind, node }) => kind === 'ColumnRef' && (node.fields as unknown[]).length > 1)

const tablesOf = (tree: unknown): string[] =>
  nodesOf(tree).flatMap(({ kind, node }) => (kind === 'RangeVar' || kind === 'relation' ? [String(node.relname)] : []))

/** The last name of a function: without its schema. */
const nameOf = ({ funcname }: Tree): string => stringsOf(funcname).at(-1) as string

const stringsOf = (tree: unknown): string[] =>
  nodesOf(tree).flatMap(({ kind, node }) => (kind === 'String' ? [String(node.sval)] : []))

function optionOf({ options }: Tree, name: string): string {
  const option = (options as { DefElem: Tree }[]).find(({ DefElem }) => DefElem.defname === name)
  return stringsOf(option)[0] ?? ''
}

/** Lists each object of a tree with the key that leads to it, outer objects first. */
function nodesOf(tree: unknown): Node[] {
  if (Array.isArray(tree)) return tree.flatMap(nodesOf)
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([kind, node]) => {
    const isObject = typeof node === 'object' && node !== null && !Array.isArray(node)
    return [...(isObject ? [{ kind, node: node as Tree }] : []), ...nodesOf(node)]
  })
}
