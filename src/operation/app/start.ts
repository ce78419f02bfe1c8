import { publishedOwner } from '../../foundation/core/demo-rules.ts'
import { type KeyRing, newMasterKey, parseMasterKeys } from '../../foundation/core/seal.ts'
import { borrowDatabase, type EmbeddedPostgres, startDatabase } from '../../foundation/db/embedded-database.ts'
import { type DatabaseUrls, migrateDatabase } from '../../foundation/db/schema/prepare-database.ts'
import { readOrCreatePrivateFile, shownPath } from '../../foundation/lib/files/files.ts'
import { createLog, type Log } from '../../foundation/lib/log.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { startTracing } from '../../foundation/lib/trace/start-tracing.ts'
import { resetDemoWhenDue } from '../sandbox/demo-worker.ts'
import { type Config, type EnvironmentConfig, unknownVariables } from './config.ts'
import { writeFirstOwner } from './first-owner.ts'
import { type MetricsServer, serveMetrics } from './metrics-server.ts'
import { type Role, type Service, type ServiceOptions, startService } from './service.ts'
import { VERSION } from './version.ts'

export type Running = {
  services: Service[]
  /** Reads the files with the connections again. */
  reload(): Promise<void>
  stop(): Promise<void>
}

/** Starts all services of a configuration: the embedded database if no other one is set, and each environment. @throws StartProblem */
export async function startAll(config: Config, roles: readonly Role[]): Promise<Running> {
  const log = createLog(config.logLevel)
  for (const name of unknownVariables()) log.warn({ name }, 'unknown setting in the environment: check its spelling')
  const postgres = needsEmbedded(config) ? await startDatabase({ dataDir: config.dataDir, log }) : null
  const endTracing = config.tracing && (await startTracing({ ...config.tracing, version: VERSION }))
  const services: Service[] = []
  let metrics: RunningMetrics | null = null
  const stop = async () => {
    await metrics?.server.stop()
    const ends = await Promise.allSettled(services.map((service) => service.stop()))
    for (const end of ends) if (end.status === 'rejected') log.error({ err: end.reason }, 'shutdown failed')
    await postgres?.stop()
    await endTracing?.().catch((error) => log.warn({ err: error }, 'the last spans were not exported'))
  }
  try {
    metrics = await startMetrics(config, log)
    const keyRing = await readKeyRing(config)
    const environments = () => services.map(({ deps, baseUrl: url }) => ({ name: deps.settings.name, url }))
    for (const environment of config.environments) {
      services.push(
        await startEnvironment(config, environment, { roles, log, keyRing, postgres, environments, metrics }),
      )
    }
    if (metrics) console.log(`metrics ${metrics.server.url}`)
    if (roles.includes('http')) await announce(config, services, postgres)
    else console.log(services.map(({ deps }) => `working ${deps.settings.name}`).join('\n'))
  } catch (error) {
    await stop()
    throw error
  }
  const reload = async () => void (await Promise.all(services.map((service) => service.reload())))
  return { services, reload, stop }
}

type RunningMetrics = NonNullable<ServiceOptions['metrics']> & { server: MetricsServer }

async function startMetrics({ metrics: settings }: Config, log: Log): Promise<RunningMetrics | null> {
  if (!settings) return null
  const { createMetrics } = await import('./metrics.ts')
  const metrics = createMetrics(log)
  const { verifyLedgerEveryMinutes: minutes } = settings
  const server = await serveMetrics(metrics, settings)
  return { metrics, server, verifyLedgerEveryMs: minutes === 0 ? null : minutes * 60_000 }
}

/** Loaded only if an environment has banks. */
const openFile = async (path: string) =>
  (await import('../../connections/config/current-connections-actions.ts')).openConnections(path)

async function startEnvironment(
  config: Config,
  environment: EnvironmentConfig,
  given: Pick<ServiceOptions, 'roles' | 'log' | 'keyRing' | 'environments' | 'metrics'> & {
    postgres: EmbeddedPostgres | null
  },
): Promise<Service> {
  const { connectionsFile } = environment
  return startService({
    settings: environment.settings,
    ...(connectionsFile !== null && { connections: await openFile(connectionsFile) }),
    ...databaseUrlsOf(environment, given.postgres),
    host: config.host,
    port: environment.port,
    keyRing: given.keyRing,
    log: given.log,
    roles: given.roles,
    ...(given.environments && { environments: given.environments }),
    metrics: given.metrics ?? null,
  })
}

/** Opens the database of one environment for a single command, whether or not the service is running. */
export async function withEnvironmentDatabase<T>(
  config: Config,
  environment: EnvironmentConfig,
  work: (service: Service) => Promise<T>,
): Promise<T> {
  const log = createLog(config.logLevel)
  const isEmbedded = environment.databaseUrl === null
  const postgres = isEmbedded ? await borrowDatabase({ dataDir: config.dataDir, log }) : null
  try {
    const keyRing = await readKeyRing(config)
    const service = await startEnvironment(config, environment, { roles: [], log, keyRing, postgres })
    try {
      return await work(service)
    } finally {
      await service.stop()
    }
  } finally {
    await postgres?.stop()
  }
}

/**
 * Migrates the databases of all environments and grants the service role its rights.
 *
 * @param isDistributed whether to distribute the tables over the workers of Citus
 * @param onMigrated is called with the names of the distributed tables
 * @throws StartProblem
 */
export async function migrateAll(
  config: Config,
  { isDistributed }: { isDistributed: boolean },
  onMigrated: (environment: EnvironmentConfig, distributed: string[]) => void,
): Promise<void> {
  const log = createLog(config.logLevel)
  const postgres = needsEmbedded(config) ? await borrowDatabase({ dataDir: config.dataDir, log }) : null
  try {
    for (const environment of config.environments) {
      const { databaseUrl, ownerUrl } = databaseUrlsOf(environment, postgres)
      const owner = ownerUrl ?? environment.migrateUrl ?? databaseUrl
      const options = { distribute: isDistributed }
      onMigrated(
        environment,
        await migrateDatabase({ databaseUrl, ownerUrl: owner }, environment.settings.name, options),
      )
    }
  } finally {
    await postgres?.stop()
  }
}

const needsEmbedded = ({ environments }: Config) => environments.some(({ databaseUrl }) => databaseUrl === null)

function databaseUrlsOf(
  { databaseUrl, migrateUrl, settings }: EnvironmentConfig,
  postgres: EmbeddedPostgres | null,
): DatabaseUrls {
  // In production only the `migrate` command migrates.
  const mayMigrate = settings.name !== 'production'
  if (databaseUrl !== null) return { databaseUrl, ownerUrl: mayMigrate ? (migrateUrl ?? databaseUrl) : null }
  if (!postgres) throw new StartProblem('A separate process for requests or background work needs DATABASE_URL.')
  const name = `remit_${settings.name}`
  return { databaseUrl: postgres.serviceUrl(name), ownerUrl: postgres.url(name) }
}

/** Reads the master keys. The first start of sandbox and demo creates them. @throws StartProblem */
export async function readKeyRing({ masterKeys, masterKeysFile }: Config): Promise<KeyRing> {
  return parseMasterKeys(masterKeys ?? (await readOrCreatePrivateFile(masterKeysFile, newMasterKey)).trim())
}

/** Prints the URLs. Other programs may wait for the last lines. */
async function announce(config: Config, services: Service[], postgres: EmbeddedPostgres | null): Promise<void> {
  const lines = [`Remit ${VERSION}`, '']
  for (const { deps, baseUrl } of services) {
    lines.push(`  ${deps.settings.name.padEnd(10)} ${baseUrl}    API reference: ${baseUrl}/docs`)
  }
  for (const [index, service] of services.entries()) {
    const { deps, baseUrl } = service
    const { databaseUrl } = databaseUrlsOf(config.environments[index] as EnvironmentConfig, postgres)
    if (deps.settings.firstOwner === 'in_data_directory') {
      const { email, path, headers } = await writeFirstOwner(deps, { dataDir: config.dataDir, baseUrl, databaseUrl })
      lines.push('', `Sign in at ${baseUrl} as ${email}. The password is in ${shownPath(path)}.`)
      lines.push('', `Make your first request to the ${deps.settings.name} with this owner’s API key:`, '')
      lines.push(`  curl -H @${quoted(shownPath(headers))} ${baseUrl}/v3/user`)
    }
    if (deps.settings.firstOwner === 'published') {
      await resetDemoWhenDue(deps)
      const { email, password, published } = publishedOwner
      const { key, secret } = published.apiKey
      lines.push('', `The ${deps.settings.name} is public and resets every day. Sign in at ${baseUrl} as ${email}`)
      lines.push(`with the password ${password}, or use its API key:`, '')
      lines.push(`  curl -H 'Authorization: ${key}:${secret}' ${baseUrl}/v3/user`)
    }
    if (deps.settings.firstOwner === 'none') {
      lines.push(
        '',
        `To create an owner for ${deps.settings.name}: npm run remit -- owner create --environment ${deps.settings.name} --email YOU@EXAMPLE.COM --name 'YOUR COMPANY'`,
      )
    }
  }
  lines.push('', ...services.map(({ deps, baseUrl }) => `ready ${deps.settings.name} ${baseUrl}`))
  console.log(lines.join('\n'))
}

const quoted = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)
