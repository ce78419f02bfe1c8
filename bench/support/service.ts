import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EnvironmentName } from '../../src/foundation/core/environment.ts'
import { newMasterKey } from '../../src/foundation/core/seal.ts'
import { connect, type Pool } from '../../src/foundation/db/connect.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { migrateDatabase } from '../../src/foundation/db/schema/prepare-database.ts'
import { type EnvironmentConfig, readConfig } from '../../src/operation/app/config.ts'
import { withEnvironmentDatabase } from '../../src/operation/app/start.ts'
import type { Server } from './database.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/remit.js', import.meta.url))

/** The address and limits of production. */
const PRODUCTION_SETTINGS = {
  BASE_URL: 'https://localhost',
  // All load comes from one platform, whose rate limit is 100 times that of a credential.
  REQUESTS_PER_SECOND: '1000',
  REQUEST_BURST: '2000',
}

/** Writes a file with one bank, which exchanges ACH files in a folder. @returns its path */
async function writeConnections(dataDir: string): Promise<string> {
  const path = join(dataDir, 'connections.json')
  const bank = {
    id: 'first',
    transport: { type: 'folder', path: 'bank' },
    zone: 'America/Los_Angeles',
    ach: {
      destination: '091000019',
      destination_name: 'FIRST BANK',
      origin: '1840275936',
      origin_name: 'REMIT INC',
      company_name: 'REMIT INC',
      company_id: '1840275936',
      odfi: '091000019',
      windows: ['14:00', '17:00'],
      acknowledgements: 'none',
    },
  }
  await writeFile(path, JSON.stringify({ connections: [bank], rails: { ACH: 'first' } }))
  return path
}

/** One environment of the service: its configuration and how to start it. */
export type Installation = {
  environment: EnvironmentName
  /** The URL for the owner, who fills the database. The service connects with its own role. */
  databaseUrl: string
  serviceUrl: string
  variables: Record<string, string>
}

export type RunningService = {
  url: string
  pid: number
  /** The time from the start of the process to its ready line. */
  startMs: number
  stop(): Promise<void>
}

/** An environment with its own database, and the default settings except for the given ones. */
export async function install(server: Server, { environment, database, settings = {} }: Given): Promise<Installation> {
  const dataDir = join(server.folder, database)
  await mkdir(dataDir, { recursive: true })
  const name = environment.toUpperCase()
  const own = {
    ...(environment === 'production' && { ...PRODUCTION_SETTINGS, CONNECTIONS: await writeConnections(dataDir) }),
    ...settings,
  }
  const databaseUrl = server.url(database)
  const serviceUrl = server.serviceUrl(database)
  await migrateDatabase({ databaseUrl: serviceUrl, ownerUrl: databaseUrl }, environment)
  return {
    environment,
    databaseUrl,
    serviceUrl,
    variables: {
      REMIT_DATA_DIR: dataDir,
      REMIT_ENVIRONMENTS: environment,
      REMIT_PORT: '0',
      REMIT_LOG_LEVEL: 'warn',
      REMIT_MASTER_KEYS: newMasterKey(),
      REMIT_ALLOW_LOCAL_WEBHOOKS: 'true',
      [`REMIT_${name}_DATABASE_URL`]: serviceUrl,
      ...Object.fromEntries(Object.entries(own).map(([key, value]) => [`REMIT_${name}_${key}`, value])),
    },
  }
}

type Given = { environment: EnvironmentName; database: string; settings?: Record<string, string> }

/** Runs `remit start` or another command until it is ready. */
export async function startService(
  { environment, variables }: Installation,
  { command = 'start', nodeOptions = [] }: { command?: 'start' | 'serve'; nodeOptions?: string[] } = {},
): Promise<RunningService> {
  const begin = performance.now()
  const inherited = Object.entries(process.env).filter(([name]) => !/^(REMIT_|DATABASE_URL$|NODE_)/.test(name))
  const child = spawn(process.execPath, [...nodeOptions, PROGRAM, command], {
    cwd: variables.REMIT_DATA_DIR,
    env: { ...Object.fromEntries(inherited), ...variables, ...(environment === 'production' && (await ownAddress())) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const endWithUs = () => void child.kill()
  process.once('exit', endWithUs)
  void exited.then(() => process.off('exit', endWithUs))
  let text = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part
      const [, ready] = /^ready \S+ (\S+)$/m.exec(text) ?? []
      if (ready) resolve(ready.replace('https:', 'http:')) // here no TLS proxy is in front of the service
    })
    void exited.then(() => reject(new Error(`remit ${command} has ended: ${text}`)))
  })
  return {
    url,
    pid: child.pid as number,
    startMs: performance.now() - begin,
    stop: async () => {
      child.kill()
      await exited
    },
  }
}

/** Production answers only for the host of its base URL, so the port must be known first. */
async function ownAddress(): Promise<Record<string, string>> {
  const server = createServer().listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return { REMIT_PORT: String(port), REMIT_PRODUCTION_BASE_URL: `https://localhost:${port}` }
}

/** Runs statements as the owner of the tables, for objects that the service role may not create. */
export async function asOwner(installation: Installation, make: (sql: Pool) => Promise<unknown>): Promise<void> {
  const { databaseUrl: ownerUrl, serviceUrl: databaseUrl, environment } = installation
  const sql = connect(ownerUrl, { max: 1, applicationName: 'bench' })
  try {
    await make(sql)
  } finally {
    await sql.end()
  }
  await migrateDatabase({ databaseUrl, ownerUrl }, environment) // grants the service role its rights
}

/** Prepares data for a case while the service runs, in the way a command does. */
export function withDatabase<T>({ variables }: Installation, work: (deps: Deps) => Promise<T>): Promise<T> {
  const config = readConfig({}, variables)
  return withEnvironmentDatabase(config, config.environments[0] as EnvironmentConfig, ({ deps }) => work(deps))
}
