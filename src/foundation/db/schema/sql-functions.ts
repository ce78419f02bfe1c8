import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDistributed, isOnCitus, useCustomPlans } from '../cluster/by-platform.ts'
import type { Sql } from '../connect.ts'
import { runAsCaller } from './citus-rights.ts'

const SOURCE_FOLDER = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * An SQL function of the database.
 *
 * @property signature its parameters and return type, as written
 * @property calls the functions that it calls
 */
export type SqlFunction = { name: string; sql: string; checksum: string; signature: string; calls: string[] }

let functionsOfProgram: Promise<SqlFunction[]> | undefined

/**
 * Reads all SQL functions, sorted so that each follows the functions that it calls. Each file defines one function with the file's name.
 * Files are read once per process.
 */
export function readSqlFunctions(): Promise<SqlFunction[]> {
  functionsOfProgram ??= readFunctionFiles()
  return functionsOfProgram
}

async function readFunctionFiles(): Promise<SqlFunction[]> {
  const paths = await functionPaths()
  const texts = await Promise.all(paths.map((path) => readFile(`${SOURCE_FOLDER}/${path}`, 'utf8')))
  const names = paths.map(nameOf)
  const functions = names.map((name, index) => sqlFunction(name, texts[index] as string, names))
  return sortByCalls(functions)
}

export const sqlFunctionNames = async (): Promise<string[]> => (await functionPaths()).map(nameOf)

const functionPaths = async (): Promise<string[]> =>
  (await Array.fromAsync(glob('**/sql/*.sql', { cwd: SOURCE_FOLDER }))).sort()

const nameOf = (path: string): string => basename(path, '.sql')

function sqlFunction(name: string, sql: string, names: readonly string[]): SqlFunction {
  const code = sql.replaceAll(/--.*$/gm, '')
  return {
    name,
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    signature: signatureOf(name, code),
    calls: names.filter((other) => other !== name && new RegExp(`\\b${other}\\(`).test(code)),
  }
}

/** Returns the signature of a function. @throws Error unless the file defines this function and nothing else */
function signatureOf(name: string, code: string): string {
  const definition = /^\s*create or replace function (\w+)(\(.*?)\s+language\s.*?\$\$.*?\$\$;\s*$/s.exec(code)
  if (definition?.[1] !== name) throw new Error(`${name}.sql must define the function ${name}, and nothing else`)
  return (definition[2] as string).replaceAll(/\s+/g, ' ')
}

/** Sorts functions so that each follows the functions that it calls. @throws Error if functions call each other in a circle */
export function sortByCalls(functions: readonly SqlFunction[]): SqlFunction[] {
  const ordered: SqlFunction[] = []
  let rest = [...functions]
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name))
    const next = rest.filter(({ calls }) => !calls.some((name) => waiting.has(name)))
    if (next.length === 0) throw new Error(`SQL functions call each other in a circle: ${[...waiting].join(', ')}`)
    ordered.push(...next)
    rest = rest.filter((fn) => !next.includes(fn))
  }
  return ordered
}

/**
 * Creates or replaces the functions whose file has changed, and drops those without a file. Runs after the numbered migrations, in their
 * transaction.
 *
 * @returns the names of the functions that were created or replaced
 */
export async function applySqlFunctions(tx: Sql): Promise<string[]> {
  await tx`
    create table if not exists sql_functions (
      name       text primary key,
      signature  text not null,
      checksum   text not null,
      applied_at timestamptz not null default now()
    )
  `
  const functions = await readSqlFunctions()
  const rows = await tx<AppliedFunction[]>`select name, signature, checksum from sql_functions`
  const applied = new Map(rows.map((row) => [row.name, row]))
  const changed = functions.filter(({ name, checksum }) => applied.get(name)?.checksum !== checksum)
  const signatures = new Map(functions.map(({ name, signature }) => [name, signature]))
  // Replacing a function keeps it available to running programs. A function with a new signature cannot be replaced, so it is dropped
  // first.
  const stale = rows.filter(({ name, signature }) => signatures.get(name) !== signature)
  for (const { name } of stale) await dropFunction(tx, name)
  for (const fn of changed) await createFunction(tx, fn)
  if (await isDistributed(tx)) await useCustomPlans(tx)
  if (await isOnCitus(tx)) await runAsCaller(tx)
  return changed.map(({ name }) => name)
}

/** Lists the functions that the database lacks or has in another version. */
export async function listOutdatedFunctions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string; checksum: string }[]>`select name, checksum from sql_functions`
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  return (await readSqlFunctions())
    .filter(({ name, checksum }) => applied.get(name) !== checksum)
    .map(({ name }) => name)
}

type AppliedFunction = { name: string; signature: string; checksum: string }

async function dropFunction(tx: Sql, name: string): Promise<void> {
  await tx`drop function if exists ${tx(name)}`
  await tx`delete from sql_functions where name = ${name}`
}

async function createFunction(tx: Sql, { name, sql, signature, checksum }: SqlFunction): Promise<void> {
  await tx.unsafe(sql)
  await tx`
    insert into sql_functions (name, signature, checksum)
    values (${name}, ${signature}, ${checksum})
    on conflict (name) do update
    set signature = excluded.signature, checksum = excluded.checksum, applied_at = now()
  `
}
