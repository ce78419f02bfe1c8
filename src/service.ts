import { randomBytes } from 'node:crypto'
import { type AddressInfo, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { auditRoutes } from './audit/audit-routes.ts'
import { deleteBanksOfUser } from './bank/bank-actions.ts'
import { chooseBanks } from './bank/bank-choice-actions.ts'
import { bankRoutes } from './bank/bank-routes.ts'
import { lapseDueBanks } from './bank/bank-worker.ts'
import { connect, type Pool } from './db/connect.ts'
import { createDatabaseIfMissing } from './db/create-database.ts'
import type { Deps } from './db/deps.ts'
import { groupTransactions } from './db/group-transactions.ts'
import { claimDatabase } from './db/identity.ts'
import { isMigrated, migrate } from './db/migrate.ts'
import type { Authenticate } from './http/caller.ts'
import { createOneAtATime, type OneAtATime } from './http/idempotency.ts'
import { sweepIdempotencyRecords } from './http/idempotency-worker.ts'
import { readPages } from './http/pages.ts'
import type { Route } from './http/route.ts'
import { createServer } from './http/server.ts'
import { type Clock, systemClock } from './lib/clock.ts'
import { createCommitTogether } from './lib/commit-together.ts'
import type { EnvironmentName, EnvironmentSettings } from './lib/environment.ts'
import { ApiError } from './lib/errors.ts'
import { type Random, systemRandom } from './lib/ids.ts'
import type { Log } from './lib/log.ts'
import type { KeyRing } from './lib/seal.ts'
import { StartProblem } from './lib/start-problem.ts'
import { mailRoutes } from './mail/mail-routes.ts'
import { createPostman, type Postman, sendDueMails, sweepMails } from './mail/mail-worker.ts'
import { applicationRoutes } from './oauth/application-routes.ts'
import { authorizationServer } from './oauth/authorization-routes.ts'
import { consentRoutes } from './oauth/consent-routes.ts'
import { grantRoutes } from './oauth/grant-routes.ts'
import { sweepTokens } from './oauth/oauth-worker.ts'
import { createProvider } from './oauth/provider-actions.ts'
import { allowsScope } from './oauth/scope-rules.ts'
import { createTokenAuthenticator, isBearer } from './oauth/token-actions.ts'
import { contextRoutes, type ServiceContext } from './owner/context-routes.ts'
import { loginRoutes } from './owner/login-routes.ts'
import { sweepSessions, sweepTries, sweepVerifications } from './owner/owner-worker.ts'
import { createSessionAuthenticator, findCaller, findOwner, hasSessionCookie } from './owner/session-actions.ts'
import { sessionRoutes } from './owner/session-routes.ts'
import { signInRoutes } from './owner/sign-in-routes.ts'
import { signUpRoutes } from './owner/sign-up-routes.ts'
import { twoFactorRoutes } from './owner/two-factor-routes.ts'
import type { AcceptDeps } from './payment/accept-actions.ts'
import { paymentRoutes } from './payment/payment-routes.ts'
import { hasPaymentInProcess, hasUnfinishedPayments } from './payment/payment-store.ts'
import { expireDuePayments } from './payment/payment-worker.ts'
import { resetDemoWhenDue } from './sandbox/demo-worker.ts'
import { sandboxRoutes } from './sandbox/sandbox-routes.ts'
import { type ApiKeyAuthenticator, createApiKeyAuthenticator } from './user/api-key-actions.ts'
import { apiKeyRoutes } from './user/api-key-routes.ts'
import { developerRoutes } from './user/developer-routes.ts'
import { profileRoutes } from './user/profile-routes.ts'
import { userRoutes } from './user/user-routes.ts'
import { VERSION } from './version.ts'
import { createNotifier, listenForWork } from './wake-channel.ts'
import { changeWebhookUri, getWebhookUri, setWebhookUri } from './webhook/webhook-actions.ts'
import type { Lines } from './webhook/webhook-post-actions.ts'
import { sendTestEvent } from './webhook/webhook-test-actions.ts'
import { createCourier, endCourier, startDueWebhooks } from './webhook/webhook-worker.ts'
import { type Step, startWorker, type Worker } from './worker.ts'

/** `http` answers requests, `worker` does the background work; one process can do both. */
export type Role = 'http' | 'worker'

export type ServiceOptions = {
  settings: EnvironmentSettings
  databaseUrl: string
  host: string
  /** 0: any free one. */
  port: number
  keyRing: KeyRing
  log: Log
  roles: readonly Role[]
  /** The environments that pages lead to, this one included. */
  environments?: () => EnvironmentLink[]
  clock?: Clock
  realClock?: Clock
  random?: Random
}

/** Where an environment is. */
export type EnvironmentLink = { name: EnvironmentName; url: string }

/** One environment, running. */
export type Service = {
  deps: Deps
  /** Under which clients reach it. */
  baseUrl: string
  /** Where it listens: behind a proxy another address than the public one. */
  listeningAt: string
  /** Finishes what is under way, then closes everything. */
  stop(): Promise<void>
}

const POOL_SIZE = 12
/** Two groups of payments: one commits while the next one works. */
const GROUP_POOL_SIZE = 2
const MAX_GROUP_SIZE = 100
const MAX_PAYMENTS_AT_ONCE = 5_000
const POLL_MS = 1_000

/** @throws StartProblem */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { settings, databaseUrl } = options
  const log = options.log
  await createDatabaseIfMissing(databaseUrl)
  await migrate(databaseUrl)
  const applicationName = `remit ${settings.name} ${process.pid}`
  const sql = connect(databaseUrl, { max: POOL_SIZE, applicationName })
  const groupSql = connect(databaseUrl, { max: GROUP_POOL_SIZE, applicationName: `${applicationName} groups` })
  const closeDatabase = () => Promise.all([sql.end({ timeout: 5 }), groupSql.end({ timeout: 5 })])
  const courier = createCourier(`${applicationName} ${randomBytes(4).toString('hex')}`, settings)
  const postman = settings.mailServer && createPostman(settings.mailServer)
  let app: FastifyInstance | null = null
  let worker: Worker | null = null
  const stop = async () => {
    courier.ending.abort()
    await app?.close()
    await worker?.stop()
    await endCourier(courier)
    postman?.close()
    await closeDatabase()
  }
  try {
    const keyRing = await claimDatabase(sql, settings.name, options.keyRing)
    const notify = createNotifier(sql)
    const deps: Deps = {
      sql,
      settings,
      keyRing,
      log,
      random: options.random ?? systemRandom,
      clock: options.clock ?? systemClock,
      realClock: options.realClock ?? systemClock,
      wake: () => (worker ? worker.wake() : notify()),
    }
    if (options.roles.includes('worker')) {
      worker = startWorker({ steps: backgroundSteps(deps, courier, postman), log, pollMs: POLL_MS })
      await listenForWork(sql, worker.wake)
    }
    let listeningAt = ''
    const baseUrl = () => settings.baseUrl ?? listeningAt
    if (options.roles.includes('http')) {
      app = await buildHttp(deps, groupSql, {
        baseUrl,
        lines: courier.lines,
        environments: options.environments ?? (() => [{ name: settings.name, url: baseUrl() }]),
      })
      listeningAt = await listen(app, options)
    }
    return { deps, baseUrl: baseUrl(), listeningAt, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The background work, from the most urgent. */
const backgroundSteps = (deps: Deps, courier: ReturnType<typeof createCourier>, postman: Postman | null): Step[] => [
  { name: 'deliver webhooks', run: () => startDueWebhooks(deps, courier), concurrency: 2, isWoken: true },
  { name: 'send mail', run: async () => (postman ? sendDueMails(deps, postman) : 0), concurrency: 1, isWoken: true },
  { name: 'lapse banks', run: () => lapseDueBanks(deps), concurrency: 1, isWoken: false },
  { name: 'expire payments', run: () => expireDuePayments(deps), concurrency: 1, isWoken: false },
  { name: 'sweep idempotency records', run: () => sweepIdempotencyRecords(deps), concurrency: 1, isWoken: false },
  { name: 'sweep mail', run: () => sweepMails(deps), concurrency: 1, isWoken: false },
  { name: 'sweep sessions', run: () => sweepSessions(deps), concurrency: 1, isWoken: false },
  { name: 'sweep verifications', run: () => sweepVerifications(deps), concurrency: 1, isWoken: false },
  { name: 'sweep tries', run: () => sweepTries(deps), concurrency: 1, isWoken: false },
  { name: 'sweep tokens', run: () => sweepTokens(deps), concurrency: 1, isWoken: false },
  { name: 'reset the demo', run: () => resetDemoWhenDue(deps), concurrency: 1, isWoken: false },
]

async function buildHttp(
  deps: Deps,
  groupSql: Pool,
  { baseUrl, lines, environments }: { baseUrl: () => string; lines: Lines; environments: () => EnvironmentLink[] },
): Promise<FastifyInstance> {
  const apiKeys = createApiKeyAuthenticator(deps)
  const oneAtATime = createOneAtATime()
  const pages = await readPages()
  let made: Provider | null = null
  const provider = () => (made ??= createProvider(deps, { issuer: baseUrl(), errorPage: pages.errorPage }))
  const context = { version: VERSION, environments }
  return createServer(deps, {
    authenticate: authenticateBy(deps, apiKeys),
    allowsScope,
    oneAtATime,
    routes: allRoutes(withCommitTogether(deps, groupSql), { apiKeys, oneAtATime, provider, lines, context }),
    parts: [pages.part, authorizationServer(provider, deps.settings.baseUrl)],
    apiReference: { version: VERSION, baseUrl: deps.settings.baseUrl },
    isReady: () => isMigrated(deps.sql),
  })
}

/** An application, a program with an API key, or a browser in which the owner is signed in (api.md 1). */
function authenticateBy(deps: Deps, apiKeys: ApiKeyAuthenticator): Authenticate {
  const authenticateToken = createTokenAuthenticator(deps)
  const authenticateSession = createSessionAuthenticator(deps)
  return (request) => {
    if (isBearer(request)) return authenticateToken(request)
    const isSession = request.headers.authorization === undefined && needsSession(deps, request)
    return isSession ? authenticateSession(request) : apiKeys.authenticate(request)
  }
}

const needsSession = (deps: Deps, request: FastifyRequest): boolean =>
  request.routeOptions.config.access === 'session' || hasSessionCookie(deps, request)

function withCommitTogether(deps: Deps, groupSql: Pool): AcceptDeps {
  const commitTogether = createCommitTogether({
    transactions: groupTransactions(groupSql, deps.sql),
    newGroupId: () => randomBytes(8).readBigInt64BE().toString(),
    maxGroupSize: MAX_GROUP_SIZE,
    maxGroupsInFlight: GROUP_POOL_SIZE,
    maxCalls: MAX_PAYMENTS_AT_ONCE,
    whenFull: () => new ApiError('overloaded'),
    whenUnknown: () => new ApiError('outcome_unknown'),
  })
  return { ...deps, commitTogether }
}

/** Every route, and what the nouns need from those above them. */
export function allRoutes(
  deps: AcceptDeps,
  own: {
    apiKeys: ApiKeyAuthenticator
    oneAtATime: OneAtATime
    provider: () => Provider
    lines: Lines
    context: ServiceContext
  },
): Route[] {
  const { apiKeys, oneAtATime, provider } = own
  return [
    ...userRoutes({
      dependents: { hasPaymentsOnTheirWay: (tx, user) => hasUnfinishedPayments(tx.sql, user), remove: removeUser },
      forgetApiKeys: apiKeys.forget,
    }),
    ...profileRoutes({ chooseBanks, changeWebhookUri }),
    ...apiKeyRoutes(apiKeys),
    ...developerRoutes({ getWebhookUri, sendTestEvent: (given, event) => sendTestEvent(given, own.lines, event) }),
    ...bankRoutes({ hasLegsOnTheirWay: (tx, bank) => hasPaymentInProcess(tx.sql, { ...bank, bankId: bank.id }) }),
    ...paymentRoutes({ acceptDeps: deps, oneAtATime }),
    ...auditRoutes,
    ...contextRoutes(own.context),
    ...signUpRoutes,
    ...signInRoutes,
    ...sessionRoutes,
    ...loginRoutes,
    ...twoFactorRoutes,
    ...mailRoutes,
    ...applicationRoutes,
    ...grantRoutes,
    ...consentRoutes({ provider, findSession: (request) => findCaller(deps, request), findOwner }),
    ...(deps.settings.canTriggerOutcomes ? sandboxRoutes : []),
  ]
}

const removeUser: Parameters<typeof userRoutes>[0]['dependents']['remove'] = async (tx, user) => {
  await deleteBanksOfUser(tx, user)
  await setWebhookUri(tx, user, null)
}

async function listen(app: FastifyInstance, { host, port }: ServiceOptions): Promise<string> {
  try {
    // For the name Fastify opens a second server on ::1, and closes it without waiting for what is under way there.
    await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new StartProblem(`Port ${port} is in use. Choose another one with --port.`)
    if (code === 'EACCES') throw new StartProblem(`Port ${port} may not be opened by this user. Choose one above 1024.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartProblem(`Cannot listen on ${host}: no such address.`)
    throw error
  }
  const { port: actualPort } = app.server.address() as AddressInfo
  const name = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host
  return `http://${isIPv6(name) ? `[${name}]` : name}:${actualPort}`
}
