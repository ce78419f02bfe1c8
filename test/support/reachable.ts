import { dirname, join, normalize } from 'node:path'
// TypeScript 7 has no API to parse with.
import ts from '../../web/node_modules/typescript/lib/typescript.js'

// Finds the code that runs for a request: the declarations that its roots name, those that these name, and so on. Names
// are resolved within files and through imports. Functions in values, such as `deps.wake`, are not found: add the
// functions that create them as roots.

/** A function, constant or class at the top of a file. */
export type Declaration = { path: string; name: string; text: string }

type Names = ReadonlyMap<string, { path: string; name: string }>
type Unit = Declaration & { mentioned: ReadonlySet<string> }
type Parsed = { units: Unit[]; imported: Names }

/** @param roots `path#name`, or `path#*` for all of a file @returns the roots and all declarations that they reach */
export function reachableFrom(
  roots: readonly string[],
  files: readonly { path: string; syntax: ts.SourceFile }[],
): Declaration[] {
  const parsed = new Map(files.map(({ path, syntax }) => [path, unitsOf(path, syntax)]))
  const find = (path: string, name: string): Unit[] => {
    const file = parsed.get(path)
    const units = file?.units.filter((unit) => name === '*' || unit.name === name) ?? []
    const from = file?.imported.get(name)
    if (name.startsWith('.')) return find(normalize(join(dirname(path), name)), '*')
    return units.length === 0 && from ? find(from.path, from.name) : units
  }
  const found = new Set(
    roots.flatMap((root) => {
      const [path, name] = root.split('#') as [string, string]
      const units = find(path, name)
      if (units.length === 0) throw new Error(`there is no ${root}`)
      return units
    }),
  )
  for (const unit of found) {
    for (const name of unit.mentioned) for (const next of find(unit.path, name)) found.add(next)
  }
  return [...found].map(({ path, name, text }) => ({ path, name, text }))
}

function unitsOf(path: string, source: ts.SourceFile): Parsed {
  const units: Unit[] = []
  const imported = new Map<string, { path: string; name: string }>()
  for (const statement of source.statements) {
    for (const [local, name, from] of importsOf(statement)) {
      if (from.startsWith('.')) imported.set(local, { path: normalize(join(dirname(path), from)), name })
    }
    for (const name of namesOf(statement)) {
      units.push({ path, name, text: statement.getText(source), mentioned: mentionedIn(statement) })
    }
  }
  return { units, imported }
}

/** The local name, the name in the other file, and that file. Types have no code. */
function importsOf(statement: ts.Statement): [string, string, string][] {
  const isImport = ts.isImportDeclaration(statement)
  if (!isImport && !ts.isExportDeclaration(statement)) return []
  const list = isImport ? statement.importClause?.namedBindings : statement.exportClause
  const from = (statement.moduleSpecifier as ts.StringLiteral | undefined)?.text
  if (!from || !list || ts.isNamespaceImport(list) || ts.isNamespaceExport(list)) return []
  return [...list.elements].map(({ name, propertyName }) => [name.text, (propertyName ?? name).text, from])
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return [statement.name?.text ?? '']
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
}

/** Identifiers that can name a declaration, not members of a value; and the files that are imported when they are needed. */
function mentionedIn(statement: ts.Statement): Set<string> {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    if (ts.isIdentifier(node)) found.add(node.text)
    else if (isImport(node) && node.arguments[0] && ts.isStringLiteral(node.arguments[0]))
      found.add(node.arguments[0].text)
    else if (ts.isPropertyAccessExpression(node)) visit(node.expression)
    else if (ts.isPropertyAssignment(node)) visit(node.initializer)
    else ts.forEachChild(node, visit)
  }
  ts.forEachChild(statement, visit)
  return found
}

const isImport = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
