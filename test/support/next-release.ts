import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { readMigrations } from '../../src/foundation/db/schema/migrate.ts'
import type { SchemaRelease } from '../../src/foundation/db/schema/schema-release.ts'
import type { SqlFunction } from '../../src/foundation/db/schema/sql-functions.ts'
import { contractions } from './contractions.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

type Program = {
  migrations: Pick<Awaited<ReturnType<typeof readMigrations>>[number], 'number' | 'name' | 'sql'>[]
  functions: Pick<SqlFunction, 'name' | 'signature'>[]
}

/** The release after a released program. It serves that program, which uses the program's migrations and functions. */
export const releaseAfter = ({ release }: SchemaRelease, { migrations, functions }: Program): SchemaRelease => ({
  release: release + 1,
  servesFrom: release,
  previous: {
    lastMigration: migrations.at(-1)?.number ?? 0,
    functions: Object.fromEntries(functions.map(({ name, signature }) => [name, signature])),
  },
})

/** Returns the ways in which a program breaks the previous release (CONTRIBUTING.md, "Upgrades while serving"). */
export function breaksRelease(
  { release, servesFrom, previous }: SchemaRelease,
  { migrations, functions }: Program,
): string[] {
  if (previous === null) return release === 1 ? [] : [`release ${release} names no previous release`]
  const signatures = new Map(functions.map(({ name, signature }) => [name, signature]))
  const added = migrations.filter(({ number }) => number > previous.lastMigration)
  return [
    ...(servesFrom < release ? [] : [`release ${release} does not serve the previous release`]),
    ...added.flatMap(({ name, sql }) => contractions(sql).map((statement) => `${name}: ${statement}`)),
    ...Object.entries(previous.functions)
      .filter(([name, signature]) => signatures.get(name) !== signature)
      .map(([name]) => `${name}: add a function with the next version instead`),
  ]
}

/** Copies the program and changes it into another release. @param files paths below the program's folder, and their texts */
export async function copyProgram(
  folder: string,
  release: SchemaRelease,
  files: Record<string, string>,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of ['src', 'migrations', 'packages', 'package.json']) {
    await cp(`${ROOT}${name}`, `${folder}/${name}`, {
      recursive: true,
      filter: (path) => !/\.test\.ts$|\/node_modules$/.test(path),
    })
  }
  await symlink(`${ROOT}node_modules`, `${folder}/node_modules`)
  const all = { 'migrations/release.json': JSON.stringify(release), ...files }
  for (const [path, text] of Object.entries(all)) await writeFile(`${folder}/${path}`, text)
}

/** The SQL functions of the program, each with a new body, by path. */
export async function changedFunctions(): Promise<Record<string, string>> {
  const entries = await readdir(`${ROOT}src`, { recursive: true })
  const paths = entries.filter((path) => /\/sql\/\w+\.sql$/.test(path)).map((path) => `src/${path}`)
  const texts = await Promise.all(paths.map((path) => readFile(`${ROOT}${path}`, 'utf8')))
  return Object.fromEntries(paths.map((path, index) => [path, `${texts[index]}-- of the next release\n`]))
}
