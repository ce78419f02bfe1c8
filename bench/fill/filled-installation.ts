import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EnvironmentName } from '../../src/foundation/core/environment.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import type { Server } from '../support/database.ts'
import { type Installation, install, withDatabase } from '../support/service.ts'
import { makeWorld, type World } from '../support/world.ts'
import { fill } from './fill.ts'
import { fillPlatform } from './fill-world.ts'

export type Bytes = { tables: number; indexes: number; rows: Record<string, number> }

/** A filled database, and the data needed to reuse it. */
type Filled = { masterKeys: string; world: World; fillSeconds: number; bytes: Bytes }

type Plan = {
  environment: EnvironmentName
  database: string
  settings?: Record<string, string>
  payments: number
  say(text: string): void
}

const USERS = 1_000

/** Returns an environment with a platform that has this many payments. Uses the database that an earlier run kept, if there is one. */
export async function filledInstallation(server: Server, { environment, database, settings = {}, ...plan }: Plan) {
  const installed = await install(server, { environment, database, settings })
  const file = join(server.folder, `${database}.json`)
  const filled = await readFilled(file)
  if (filled) {
    const variables = { ...installed.variables, REMIT_MASTER_KEYS: filled.masterKeys }
    return { ...filled, installation: { ...installed, variables } }
  }
  const made = await fillNew(installed, plan)
  await writeFile(file, JSON.stringify(made), { mode: 0o600 })
  return { ...made, installation: installed }
}

async function readFilled(file: string): Promise<Filled | null> {
  const text = await readFile(file, 'utf8').catch(() => null)
  return text && JSON.parse(text)
}

async function fillNew(installed: Installation, { payments, say }: Pick<Plan, 'payments' | 'say'>): Promise<Filled> {
  const { databaseUrl, variables } = installed
  say(`making ${USERS} users`)
  const world = await withDatabase(installed, (deps) => makeWorld(deps, { name: 'growing', userCount: USERS }))
  const platform = await withDatabase(installed, (deps) => fillPlatform(deps, world))
  const empty = await withDatabase(installed, readBytes)
  const begin = performance.now()
  let lastSaid = 0
  const onProgress = (done: number) => {
    if (performance.now() - lastSaid < 5_000) return
    lastSaid = performance.now()
    say(`${done.toLocaleString('en-US')} of ${payments.toLocaleString('en-US')} payments are there`)
  }
  await fill({ databaseUrl, platforms: [platform], hasBigUser: true, count: payments, onProgress })
  const fillSeconds = (performance.now() - begin) / 1000
  const bytes = without(await withDatabase(installed, readBytes), empty)
  return { masterKeys: variables.REMIT_MASTER_KEYS as string, world, fillSeconds, bytes }
}

async function readBytes({ sql }: Deps): Promise<Bytes> {
  const rows = await sql<{ name: string; tables: number; indexes: number }[]>`
    select relname::text as name, pg_table_size(oid)::bigint as tables, pg_indexes_size(oid)::bigint as indexes
    from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
  `
  const sum = (key: 'tables' | 'indexes') => rows.reduce((total, row) => total + row[key], 0)
  const each = rows.map(({ name, tables, indexes }) => [name, tables + indexes] as const)
  return { tables: sum('tables'), indexes: sum('indexes'), rows: Object.fromEntries(each) }
}

const without = (bytes: Bytes, before: Bytes): Bytes => ({
  tables: bytes.tables - before.tables,
  indexes: bytes.indexes - before.indexes,
  rows: Object.fromEntries(Object.entries(bytes.rows).map(([name, size]) => [name, size - (before.rows[name] ?? 0)])),
})
