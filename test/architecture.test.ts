import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readSqlFunctions } from '../src/foundation/db/schema/sql-functions.ts'
// TypeScript 7 has no API to parse with.
import ts from '../web/node_modules/typescript/lib/typescript.js'
import { reachableFrom } from './support/reachable.ts'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** The entries of `src`, lowest first: each may import those before it. */
const WINGS = ['foundation', 'webhook', 'people', 'connections', 'money', 'payments', 'orders', 'operation', 'main.ts']

/** Machinery folders, whose files have no suffix. */
const MACHINERY = [
  'foundation/lib',
  'foundation/core',
  'foundation/db',
  'foundation/http',
  'operation/scheduler',
  'operation/app',
  'operation/cli',
  'operation/doctor',
  'main.ts',
]

/** Folders that may read the system clock. All others use `deps.clock`. */
const CLOCK_READERS = MACHINERY.filter((folder) => folder !== 'foundation/http')

/** The maximum number of source files in a folder, and of lines in a source file. */
const MAX_FILES = 22
const MAX_LINES = 400

/** The maximum number of lines of a function, including nested functions. */
const TOO_MANY_LINES = 80

/** What a kind of file may import, beside `lib` and `core`: kinds of its own folder, and kinds of the folders below. */
const KINDS: Record<string, { own: string[]; below: string[] }> = {
  types: { own: ['types'], below: ['types'] },
  rules: { own: ['types', 'rules', 'status'], below: ['types', 'rules', 'status'] },
  status: { own: ['rules', 'status'], below: ['rules', 'status'] },
  store: { own: ['rules', 'status', 'store'], below: ['rules', 'status', 'store', 'db'] },
  actions: { own: ['rules', 'status', 'store', 'actions'], below: ['rules', 'status', 'actions', 'db', 'http'] },
  schema: { own: ['types', 'rules', 'status', 'schema'], below: ['rules', 'status', 'schema', 'http'] },
  routes: { own: ['rules', 'status', 'schema', 'actions'], below: ['rules', 'status', 'schema', 'http'] },
  /** The file that lists all routes of a wing. */
  wing: { own: ['routes', 'actions'], below: ['routes', 'actions', 'http'] },
  worker: { own: ['rules', 'status', 'store', 'actions'], below: ['rules', 'status', 'actions', 'db'] },
}

/**
 * Ways to bypass the types of a dependency. Without them, TypeScript refuses members that a dependency does not
 * publish.
 */
const AROUND_TYPES =
  /\.prototype\b|\._\w|\['_\w|\bas any\b|\bas unknown as\b|\bReflect\.|defineProperty|PrototypeOf|@ts-/

/** Allowed lines that look like a bypass. */
const WITHIN_TYPES: Record<string, string[]> = {
  'payments/drawing/micr-rules.ts': [') as unknown as Record<MicrSymbol, readonly string[]>'],
  'payments/drawing/paper-font-actions.ts': ['document.registerFont(font, openFont(font) as unknown as Buffer)'],
  'foundation/db/driver/sql.ts': ['}) as unknown as Sql'],
  'foundation/lib/files/drawable-png.ts': ['data.subarray(8) as unknown as ['],
  // Supported by its maintainer (panva/node-oidc-provider, discussion 1410).
  'people/oauth/provider-actions.ts': [
    'Client.prototype.compareClientSecret = ',
    'Client.prototype.redirectUriAllowed = ',
  ],
}

type Import = { from: string; isTypeOnly: boolean }
type SourceFile = {
  path: string
  folder: string
  kind: string
  text: string
  syntax: ts.SourceFile
  imports: Import[]
}

async function sourceFiles(): Promise<SourceFile[]> {
  const paths = (await Array.fromAsync(glob('**/*.ts', { cwd: src }))).filter((path) => !path.endsWith('.test.ts'))
  return Promise.all(paths.sort().map(readSource))
}

async function readSource(path: string): Promise<SourceFile> {
  const text = await readFile(join(src, path), 'utf8')
  const imports = [...text.matchAll(/^(?:import|export) (type )?[^'"]*?from '(\.[^']+)'/gms)].map(([, type, from]) => ({
    from: normalize(join(dirname(path), from as string)),
    isTypeOnly: type !== undefined,
  }))
  const syntax = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  return { path, folder: folderOf(path), kind: kindOf(path), text, syntax, imports }
}

/**
 * `money/ach/file/ach-file-store.ts` belongs to the folder `money/ach`, and `money/money-routes.ts` to its wing. The wing `webhook` is one
 * folder.
 */
function folderOf(path: string): string {
  const [wing, folder, file] = path.split('/') as [string, string | undefined, string | undefined]
  return wing === 'webhook' || file === undefined ? wing : `${wing}/${folder}`
}

/** The list of all routes of a wing. */
const isRouteList = (path: string) => path.split('/').length === 2 && path.endsWith('-routes.ts')

const wingOf = (path: string): string => path.split('/')[0] as string

function kindOf(path: string): string {
  const folder = folderOf(path)
  if (isRouteList(path)) return 'wing'
  if (MACHINERY.includes(folder)) return folder === 'foundation/core' ? 'lib' : folder.replace(/^.*\//, '')
  return /-([a-z]+)\.ts$/.exec(path)?.[1] ?? 'none'
}

const files = await sourceFiles()

test('src has one entry for each wing', () => {
  assert.deepEqual([...new Set(files.map(({ path }) => wingOf(path)))].toSorted(), WINGS.toSorted())
})

test('folders and files stay below their maximum size', () => {
  const folders = Map.groupBy(files, ({ path }) => dirname(path))
  const full = [...folders].filter(([, inside]) => inside.length > MAX_FILES).map(([folder]) => folder)
  const long = files.filter(({ text }) => text.split('\n').length - 1 > MAX_LINES)
  assert.deepEqual({ full, long: long.map(({ path }) => path) }, { full: [], long: [] })
})

test('every function fits on a screen, in TypeScript and in SQL', async () => {
  const pages = await Array.fromAsync(glob('../web/src/**/*.{ts,tsx}', { cwd: src }))
  const typeScript = [...files, ...(await Promise.all(pages.map(readSource)))]
  const inTypeScript = typeScript.flatMap(functionLengths)
  assert.ok(inTypeScript.length > 1_000, `${inTypeScript.length} functions were found`)
  const paths = await Array.fromAsync(glob('**/sql/*.sql', { cwd: src }))
  const inSql = await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(src, path), 'utf8')
      return { name: path, length: text.slice(text.indexOf('create ')).trimEnd().split('\n').length }
    }),
  )
  assert.deepEqual(
    [...inTypeScript, ...inSql].filter(({ length }) => length >= TOO_MANY_LINES),
    [],
  )
})

/** Returns the functions of a file with their first and last lines. */
function functionLengths({ path, syntax: source }: SourceFile): { name: string; length: number }[] {
  const lineOf = (position: number) => source.getLineAndCharacterOfPosition(position).line
  const found: { name: string; length: number }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const firstLine = lineOf(node.getStart(source))
      found.push({ name: `${path}:${firstLine + 1}`, length: lineOf(node.end) - firstLine + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

test('the packages have small files, folders and functions, and no circles', async () => {
  const paths = await Array.fromAsync(glob('../packages/*/{src,printer}/**/*.ts', { cwd: src }))
  const parts = await Promise.all(paths.filter((path) => !path.includes('/generated/')).map(readSource))
  assert.ok(parts.length > 30, `${parts.length} files were found`)
  const folders = Map.groupBy(parts, ({ path }) => dirname(path))
  const full = [...folders].filter(([, inside]) => inside.length > MAX_FILES).map(([folder]) => folder)
  const long = parts.filter(({ text }) => text.split('\n').length - 1 > MAX_LINES).map(({ path }) => path)
  const functions = parts.flatMap(functionLengths).filter(({ length }) => length >= TOO_MANY_LINES)
  const circle = circleIn(new Map(parts.map(({ path, imports }) => [path, imports.map(({ from }) => from)])))
  assert.deepEqual({ full, long, functions, circle }, { full: [], long: [], functions: [], circle: [] })
})

test('the suffix of a file matches its content', () => {
  const nameless = files.filter(({ folder, kind }) => !MACHINERY.includes(folder) && !(kind in KINDS))
  assert.deepEqual(
    nameless.map(({ path }) => path),
    [],
  )
})

test('wings depend only on lower wings', () => {
  const rank = (path: string) => WINGS.indexOf(wingOf(path))
  const upwards = files.flatMap(({ path, imports }) =>
    imports.filter(({ from }) => rank(from) > rank(path)).map(({ from }) => `${path} imports ${from}`),
  )
  assert.deepEqual(upwards, [])
})

test('the folders of a wing have no circular dependencies', () => {
  const within = files.map(({ folder, imports }) => ({
    folder,
    others: imports.map(({ from }) => folderOf(from)).filter((other) => other !== folder),
  }))
  const byFolder = Map.groupBy(within, ({ folder }) => folder)
  const circle = circleIn(
    new Map([...byFolder].map(([folder, parts]) => [folder, parts.flatMap(({ others }) => others)])),
  )
  assert.deepEqual(circle, [])
})

test('no private member of a dependency is read or replaced', () => {
  const around = files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => AROUND_TYPES.test(line) && !WITHIN_TYPES[path]?.some((part) => line.includes(part)))
      .map((line) => `${path}: ${line.trim()}`),
  )
  assert.deepEqual(around, [])
})

test('no files import each other in a circle', () => {
  assert.deepEqual(circleIn(new Map(files.map(({ path, imports }) => [path, imports.map(({ from }) => from)]))), [])
})

test('no pages of the dashboard import each other in a circle', async () => {
  const pages = await Promise.all(
    (await Array.fromAsync(glob('../web/src/**/*.{ts,tsx}', { cwd: src }))).map(readSource),
  )
  assert.ok(pages.length > 100, `${pages.length} files were found`)
  assert.deepEqual(circleIn(new Map(pages.map(({ path, imports }) => [path, imports.map(({ from }) => from)]))), [])
})

/** Returns the nodes of a graph that are on a circle, or between two circles. */
function circleIn(edges: ReadonlyMap<string, readonly string[]>): string[] {
  let rest = new Map(edges)
  for (;;) {
    const reached = new Set([...rest.values()].flat())
    const waiting = [...rest].filter(([name, next]) => reached.has(name) && next.some((other) => rest.has(other)))
    if (waiting.length === rest.size) return [...rest.keys()]
    rest = new Map(waiting)
  }
}

test('each kind of file imports only what its row allows', () => {
  const offences = files.flatMap(({ path, folder, kind, imports }) => {
    const allowed = KINDS[kind]
    if (!allowed) return []
    return imports
      .filter(({ from, isTypeOnly }) => {
        const importedKind = kindOf(from)
        if (importedKind === 'lib' || isTypeOnly) return false
        return !(folderOf(from) === folder ? allowed.own : allowed.below).includes(importedKind)
      })
      .map(({ from }) => `${path} imports ${from}`)
  })
  assert.deepEqual(offences, [])
})

test('rules are pure: they await nothing', () => {
  const waiting = files.filter(({ kind, text }) => ['rules', 'status'].includes(kind) && /\b(async|await)\b/.test(text))
  assert.deepEqual(
    waiting.map(({ path }) => path),
    [],
  )
})

test('SQL is only in stores and in db', () => {
  const withSql = files.filter(({ text }) => /\b(?:sql|tx|admin|pool)(?:<[^`]*?>)?`/.test(text))
  const elsewhere = withSql.filter(({ path, folder }) => folder !== 'foundation/db' && !path.endsWith('-store.ts'))
  assert.deepEqual(
    elsewhere.map(({ path }) => path),
    [],
  )
})

/** Code that answers requests, and code that creates what requests use. */
const OF_REQUESTS = [
  'operation/app/http-service.ts#buildHttp',
  'foundation/db/cluster/nodes.ts#watchNodes',
  'foundation/db/platform-clock.ts#createPlatformClocks',
]

/**
 * The page Bank statements concerns the payments of all platforms. Only operators can call its routes, and programs
 * cannot.
 */
const OF_OPERATORS = ['money/reconciliation/statement-routes.ts', 'money/reconciliation/decision/reconcile-routes.ts']

/** The part of a decision that a lower folder calls as a hook. Only the routes above, and commands, get the hook. */
const OF_DECISIONS = 'payments/check/paid/matched-check-actions.ts'

test('a request runs no statement about several platforms: only background steps, commands and operator requests do', async () => {
  for (const { text } of files.filter(({ path }) => OF_OPERATORS.includes(path))) {
    assert.match(text, /^const page = \{\s+access: 'session',\s+permission: 'operate',/m)
    assert.equal([...text.matchAll(/^ {2}(get|post)\(/gm)].length, [...text.matchAll(/^ {6}\.\.\.page,$/gm)].length)
  }
  const marked: string[] = []
  for (const { name, sql, calls } of await readSqlFunctions()) {
    if (MARKED.test(sql) || calls.some((called) => marked.includes(called))) marked.push(name)
  }
  const crossing = new RegExp(`${MARKED.source}|\\b(?:${marked.join('|')})\\(`)
  const crossingsIn = <Part extends { text: string }>(parts: readonly Part[]) =>
    parts.filter(({ text }) => crossing.test(text))
  const naming = (word: string) => pathsOf(files.filter(({ text }) => text.includes(word)))
  assert.deepEqual(naming('matched-check-actions.ts'), ['operation/scheduler/leg-handlers.ts'])
  assert.deepEqual(naming('reconcileHooks'), [
    'money/money-routes.ts',
    'operation/app/all-routes.ts',
    'operation/cli/statement/reconcile-command.ts',
    'operation/scheduler/leg-handlers.ts',
  ])
  const ofOthers = files.filter(({ path }) => !OF_OPERATORS.includes(path) && path !== OF_DECISIONS)
  const ofRequests = reachableFrom(OF_REQUESTS, ofOthers)
  assert.ok(ofRequests.some(({ name }) => name === 'acceptPaymentRows'))
  assert.deepEqual(
    crossingsIn(ofRequests).map(({ path, name }) => `${path}#${name}`),
    [],
  )
  const ofCommands = reachableFrom(['operation/cli/command-table.ts#*'], files)
  assert.deepEqual(pathsOf(crossingsIn(ofCommands)), pathsOf(crossingsIn(files)))
})

const pathsOf = (parts: readonly { path: string }[]) => [...new Set(parts.map(({ path }) => path))].sort()

/** The mark that `allPlatforms` gives a statement. */
const MARKED = /\$\{allPlatforms\(|\/\* all platforms:/

test('only one file reads the environment, and only one place reads the clock', () => {
  const readers = files.filter(({ text }) => text.includes('process.env')).map(({ path }) => path)
  assert.deepEqual(readers, ['operation/app/config.ts'])
  const domain = files.filter(({ folder }) => !CLOCK_READERS.includes(folder))
  const clocks = domain.filter(({ text }) => /Date\.now\(\)|new Date\(\)/.test(text)).map(({ path }) => path)
  assert.deepEqual(clocks, [])
})
