import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { ReloadableConnections } from '../../connections/config/current-connections-actions.ts'
import { removalProblem } from '../../connections/overview/removed-connection-actions.ts'
import { type CurrentConnections, NO_CONNECTIONS } from '../../foundation/core/connections.ts'
import { createDrawings } from '../../foundation/core/drawing.ts'
import type { EnvironmentLink, EnvironmentSettings } from '../../foundation/core/environment.ts'
import { noMeter } from '../../foundation/core/meter.ts'
import type { KeyRing } from '../../foundation/core/seal.ts'
import { isDistributed, isOnCitus } from '../../foundation/db/cluster/by-platform.ts'
import { type Nodes, oneNode, watchNodes } from '../../foundation/db/cluster/nodes.ts'
import { connect } from '../../foundation/db/connect.ts'
import type { Deps, ReadEventObject } from '../../foundation/db/deps.ts'
import { GROUP_LOCK_TIMEOUT_MS, GROUPS_IN_FLIGHT_ON_CLUSTER } from '../../foundation/db/group-transactions.ts'
import { claimDatabase } from '../../foundation/db/identity.ts'
import { createPlatformClocks } from '../../foundation/db/platform-clock.ts'
import { type DatabaseUrls, prepareDatabase } from '../../foundation/db/schema/prepare-database.ts'
import { createFailures } from '../../foundation/db/step-failures.ts'
import { countOpenCases } from '../../foundation/exception/open-case-store.ts'
import { type Clock, systemClock } from '../../foundation/lib/clock.ts'
import { createWakeups } from '../../foundation/lib/concurrency/wakeups.ts'
import { type Random, systemRandom } from '../../foundation/lib/ids.ts'
import type { Log } from '../../foundation/lib/log.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { inStepSpan } from '../../foundation/lib/trace/trace.ts'
import { createMailer } from '../../foundation/mail/mail-worker.ts'
import { createLedgerCheck, type LedgerCheck } from '../../money/ledger/ledger-worker.ts'
import { createCourier, endCourier } from '../../webhook/delivery/webhook-worker.ts'
import { findBacklog } from '../scheduler/backlog-store.ts'
import { achHooks, legHandlers, orderHooks, payoutHooks } from '../scheduler/leg-handlers.ts'
import { startWorker, type Worker } from '../scheduler/worker.ts'
import { backgroundSteps } from './background-steps.ts'
import type { Metrics } from './metrics.ts'
import { answerReloads, reloadConnections } from './reload-channel.ts'
import { applicationNameOf } from './version.ts'
import { createNotifier, WORK_CHANNEL } from './wake-channel.ts'

/** `http` answers requests and `worker` does the background work. One process can do both. */
export type Role = 'http' | 'worker'

export type ServiceOptions = DatabaseUrls & {
  settings: EnvironmentSettings
  /** The connections to banks. Those from a file can be reloaded. */
  connections?: CurrentConnections | ReloadableConnections
  host: string
  /** The port. 0 chooses a free port. */
  port: number
  keyRing: KeyRing
  log: Log
  roles: readonly Role[]
  /** The environments that the pages link to, including this one. */
  environments?: () => EnvironmentLink[]
  /** The metrics, or null for none. The process with the background work also verifies the ledger at this interval. Null: never. */
  metrics?: { metrics: Metrics; verifyLedgerEveryMs: number | null } | null
  /** The milliseconds between two runs of background work that are not caused by a wake-up. */
  pollMs?: number
  clock?: Clock
  realClock?: Clock
  random?: Random
  /** The milliseconds after which a connection counts as lost if its server does not answer. */
  answerTimeoutMs?: number
}

/** A running environment. */
export type Service = {
  deps: Deps
  /** The URL for clients. */
  baseUrl: string
  /** The URL at which the process listens. Behind a proxy, it differs from the public URL. */
  listeningAt: string
  /** Reads `connections.json` again, and logs the outcome. */
  reload(): Promise<void>
  /** Finishes running work, then closes everything. */
  stop(): Promise<void>
}

const POOL_SIZE = 12
const POLL_MS = 1_000

/** Starts an environment. @throws StartProblem */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { settings, roles } = options
  await prepareDatabase(options, settings.name)
  const resources = openResources(options)
  const parts: Parts = { app: null, worker: null, ledgerCheck: null, nodes: oneNode }
  const stop = () => stopService(resources, parts)
  try {
    let listeningAt = ''
    const baseUrl = () => settings.baseUrl ?? listeningAt
    const deps = await createDeps(options, { resources, parts, baseUrl })
    if (roles.length > 0) await refuseRemovedConnections(deps)
    if (roles.includes('worker')) await startWork(deps, options, { resources, parts, baseUrl })
    if (roles.includes('http')) listeningAt = await startHttp(deps, options, { resources, parts, baseUrl })
    const reload = await startReloads(deps, options, resources)
    watchService(options, resources)
    return { deps, baseUrl: baseUrl(), listeningAt, reload, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Resources = ReturnType<typeof openResources>

/** Opens the resources that do not need the database to answer. They are closed when the service stops. */
function openResources({ settings, databaseUrl, answerTimeoutMs }: ServiceOptions) {
  const applicationName = applicationNameOf(settings.name)
  const shared = { usesIndexes: true, ...(answerTimeoutMs !== undefined && { answerTimeoutMs }) }
  return {
    applicationName,
    sql: connect(databaseUrl, { max: POOL_SIZE, applicationName, ...shared }),
    groupSql: connect(databaseUrl, {
      max: GROUPS_IN_FLIGHT_ON_CLUSTER, // connections are opened when they are needed
      applicationName: `${applicationName} groups`,
      lockTimeoutMs: GROUP_LOCK_TIMEOUT_MS,
      ...shared,
    }),
    courier: createCourier(`${applicationName} ${randomBytes(4).toString('hex')}`, settings),
    mailer: settings.mailServer && createMailer(settings.mailServer),
    wakeups: createWakeups(),
    drawings: createDrawings(new URL('./drawing-process.ts', import.meta.url)),
  }
}

/** The running parts. Which ones run depends on the roles of the process. */
type Parts = { app: FastifyInstance | null; worker: Worker | null; ledgerCheck: LedgerCheck | null; nodes: Nodes }

async function stopService({ sql, groupSql, courier, mailer, wakeups, drawings }: Resources, parts: Parts) {
  courier.ending.abort()
  wakeups.close()
  await parts.app?.close()
  parts.app = null // the routes take megabytes, and callers may keep the service
  drawings.images.end()
  drawings.paper.end()
  await parts.ledgerCheck?.stop()
  await parts.worker?.stop()
  await parts.nodes.stop()
  await endCourier(courier)
  mailer?.close()
  await Promise.all([sql.end({ timeout: 5 }), groupSql.end({ timeout: 5 })])
}

async function createDeps(options: ServiceOptions, { resources, parts, baseUrl }: Running): Promise<Deps> {
  const { settings, keyRing, log, metrics, clock = systemClock } = options
  const { sql, wakeups, drawings } = resources
  await claimDatabase(sql, settings.name, keyRing)
  const notify = createNotifier(sql)
  if (await isOnCitus(sql)) parts.nodes = watchNodes({ sql, log })
  return {
    sql,
    isDistributed: await isDistributed(sql),
    nodes: parts.nodes,
    settings,
    connections: options.connections ?? NO_CONNECTIONS,
    keyRing,
    log,
    meter: metrics?.metrics.meterOf(settings.name) ?? noMeter,
    failures: createFailures(),
    drawings,
    random: options.random ?? systemRandom,
    clock,
    clocks: createPlatformClocks(sql, { base: clock, isMovable: settings.hasMovableClock }),
    realClock: options.realClock ?? systemClock,
    actor: null,
    pageUrl: (path) => (baseUrl() ? `${baseUrl()}${path}` : null),
    readEventObject: createLateReader(baseUrl),
    wake: () => {
      wakeups.notify()
      if (parts.worker) parts.worker.wake()
      else notify()
    },
  }
}

/** Creates a reader of event objects. The routes are loaded at the first use, because most commands need none. */
function createLateReader(baseUrl: () => string): ReadEventObject {
  let made: Promise<ReadEventObject> | null = null
  return async (deps, event) => {
    made ??= import('./event-objects.ts').then(({ createEventObjectReader }) => createEventObjectReader({ baseUrl }))
    return (await made)(deps, event)
  }
}

/**
 * Refuses to start if a removed connection has open work. A command runs nevertheless, because it may end that work. @throws StartProblem
 */
async function refuseRemovedConnections(deps: Deps): Promise<void> {
  const problem = deps.settings.railNetwork === 'file' ? await removalProblem(deps, deps.connections.current()) : null
  if (problem !== null) throw new StartProblem(problem)
}

type Running = { resources: Resources; parts: Parts; baseUrl: () => string }

async function startWork(deps: Deps, options: ServiceOptions, { resources, parts, baseUrl }: Running): Promise<void> {
  const { settings, databaseUrl, log, metrics, pollMs = POLL_MS } = options
  const { applicationName, courier, mailer } = resources
  const everyMs = metrics?.verifyLedgerEveryMs ?? null
  if (everyMs !== null) parts.ledgerCheck = createLedgerCheck(deps, { databaseUrl, applicationName, everyMs })
  const tools = { courier, mailer, baseUrl, legHandlers, achHooks, orderHooks, payoutHooks }
  const steps = [...backgroundSteps(), ...(parts.ledgerCheck ? [parts.ledgerCheck] : [])]
    // Binds each step to this environment.
    .map((step) => ({ ...step, run: () => inStepSpan(step.name, () => step.run(deps, tools)) }))
  parts.worker = startWorker({ steps, log, meter: deps.meter, pollMs })
  await deps.sql.listen(WORK_CHANNEL, deps.wake)
  if (settings.baseUrl === null && !options.roles.includes('http')) warnAboutMissingBaseUrl(log, settings)
}

/** Starts the HTTP server. Returns the URL at which it listens. */
async function startHttp(deps: Deps, options: ServiceOptions, { resources, parts, baseUrl }: Running): Promise<string> {
  const { groupSql, courier, wakeups } = resources
  // Loaded only by processes that answer requests, so that commands start faster.
  const { buildHttp, listen } = await import('./http-service.ts')
  parts.app = await buildHttp(deps, groupSql, {
    baseUrl,
    lines: courier.lines,
    wakeups,
    environments: options.environments ?? (() => [{ name: options.settings.name, url: baseUrl() }]),
  })
  return listen(parts.app, options)
}

/**
 * Returns a function that reloads the connections. In a service, `remit connections reload` also calls it. A command does not listen for
 * that.
 */
async function startReloads(
  deps: Deps,
  { connections, roles }: ServiceOptions,
  { applicationName }: Resources,
): Promise<() => Promise<void>> {
  if (!connections || !('reload' in connections) || roles.length === 0) return async () => {}
  const reload = () => reloadConnections(deps, connections)
  await answerReloads(deps.sql, { process: applicationName, reload })
  return async () => void (await reload())
}

function watchService({ metrics, settings, clock = systemClock }: ServiceOptions, { sql, groupSql }: Resources): void {
  metrics?.metrics.watch(settings.name, {
    pools: { main: () => sql.load(), groups: () => groupSql.load() },
    backlog: () => findBacklog(sql, clock.now()),
    openCases: () => countOpenCases(sql, clock.now()),
  })
}

/** Warns that this process has no URL for links. A process without HTTP knows it only from its settings. */
const warnAboutMissingBaseUrl = (log: Log, { name }: EnvironmentSettings) =>
  log.warn(
    { environment: name },
    `this worker invites no recipients: set REMIT_${name.toUpperCase()}_BASE_URL for their links`,
  )
