import { type AddressInfo, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import type { EnvironmentLink } from '../../foundation/core/environment.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Pool } from '../../foundation/db/connect.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import {
  GROUPS_IN_FLIGHT,
  GROUPS_IN_FLIGHT_ON_CLUSTER,
  groupTransactions,
} from '../../foundation/db/group-transactions.ts'
import { isMigrated } from '../../foundation/db/schema/migrate.ts'
import { createWriteProbe } from '../../foundation/db/write-probe.ts'
import type { Authenticate } from '../../foundation/http/caller.ts'
import { createOneAtATime } from '../../foundation/http/idempotency/idempotency.ts'
import { readPages } from '../../foundation/http/pages.ts'
import { createServer } from '../../foundation/http/server.ts'
import { createCommitTogether } from '../../foundation/lib/concurrency/commit-together.ts'
import type { Wakeups } from '../../foundation/lib/concurrency/wakeups.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { createRequestLog } from '../../foundation/request-log/request-log-actions.ts'
import { processorEvents } from '../../money/payout/payout-event-routes.ts'
import { type AcceptDeps, acceptanceOrders } from '../../payments/payment/accept/accept-actions.ts'
import { createAccountKindsReader } from '../../payments/payment/accept/prepare-actions.ts'
import { createPaymentStreams } from '../../payments/payment/stream/stream-actions.ts'
import { unsubscribePages } from '../../payments/recipient/unsubscribe-routes.ts'
import { createSessionAuthenticator, hasSessionCookie } from '../../people/auth/session/session-actions.ts'
import { authorizationServer } from '../../people/oauth/authorization-routes.ts'
import { allowsScope } from '../../people/oauth/scope-rules.ts'
import { createTokenAuthenticator, isBearer } from '../../people/oauth/token-actions.ts'
import { type ApiKeyAuthenticator, createApiKeyAuthenticator } from '../../people/user/api-key/api-key-actions.ts'
import { refusesStopped } from '../../people/user/stopped-rules.ts'
import { requireActive } from '../../people/user/user-lock-actions.ts'
import type { Lines } from '../../webhook/delivery/webhook-post-actions.ts'
import { allRoutes } from './all-routes.ts'
import { readApiExamples } from './api-examples.ts'
import { VERSION } from './version.ts'
import { webhookDocument } from './webhook-document.ts'

const MAX_GROUP_SIZE = 100
const MAX_PAYMENTS_AT_ONCE = 5_000
/** The milliseconds that calls may wait before new ones are refused (docs/adr/0021-overload.md). */
const MAX_WAIT_MS = 100

/** Creates the HTTP server of one environment. It does not listen yet. @throws StartProblem */
export async function buildHttp(
  deps: Deps,
  groupSql: Pool,
  {
    baseUrl,
    lines,
    wakeups,
    environments,
  }: { baseUrl: () => string; lines: Lines; wakeups: Wakeups; environments: () => EnvironmentLink[] },
): Promise<FastifyInstance> {
  const apiKeys = createApiKeyAuthenticator(deps)
  const canWrite = createWriteProbe(deps.sql, deps.realClock)
  const oneAtATime = createOneAtATime()
  const pages = await readPages()
  let made: Promise<Provider> | null = null
  // Loaded at the first use, because loading it takes as long as everything else together.
  const provider = () =>
    (made ??= import('../../people/oauth/provider-actions.ts').then(({ createProvider }) =>
      createProvider(deps, { issuer: baseUrl(), errorPage: pages.errorPage }),
    ))
  const context = { version: VERSION, environments }
  const streams = createPaymentStreams(deps)
  const requestLog = deps.settings.keepsRequestLog ? createRequestLog(deps) : null
  const app = await createServer(deps, {
    authenticate: authenticateBy(deps, apiKeys),
    allowsScope,
    stoppedGuard: { refuses: refusesStopped, requireActive },
    oneAtATime,
    routes: allRoutes(withAcceptTogether(deps, groupSql), {
      apiKeys,
      oneAtATime,
      provider,
      lines,
      wakeups,
      context,
      baseUrl,
      streams,
    }),
    parts: [
      pages.part,
      unsubscribePages(deps),
      processorEvents(deps),
      authorizationServer(provider, deps.settings.baseUrl),
    ],
    missingPage: pages.missingPage,
    apiReference: {
      version: VERSION,
      baseUrl: deps.settings.baseUrl,
      examples: readApiExamples(),
      webhooks: webhookDocument,
    },
    isReady: async () => (await isMigrated(deps.sql)) && canWrite().then(() => true),
    ...(requestLog && { noteAnswer: requestLog.note }),
  })
  app.addHook('preClose', async () => streams.end())
  app.addHook('onClose', async () => apiKeys.end())
  if (requestLog) app.addHook('onClose', requestLog.end)
  return app
}

/** Authenticates an application, a program with an API key, or the browser of a signed-in owner (specification.md 2). */
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

function withAcceptTogether(deps: Deps, groupSql: Pool): AcceptDeps {
  const acceptTogether = createCommitTogether({
    orders: acceptanceOrders(deps, groupSql),
    transactions: groupTransactions(deps.sql),
    maxGroupSize: MAX_GROUP_SIZE,
    maxGroupsInFlight: deps.isDistributed ? GROUPS_IN_FLIGHT_ON_CLUSTER : GROUPS_IN_FLIGHT,
    maxCalls: MAX_PAYMENTS_AT_ONCE,
    maxWaitMs: MAX_WAIT_MS,
    whenFull: () => new ApiError('overloaded'),
    whenUnknown: () => new ApiError('outcome_unknown'),
    onCommitted: deps.meter.groupCommitted,
  })
  return { ...deps, acceptTogether, readAccountKinds: createAccountKindsReader(deps.sql) }
}

/**
 * The number of new connections that may wait to be accepted. The system drops or resets further ones, and a client cannot distinguish that
 * from a payment whose answer was lost. Node's default is 511. Linux allows 4,096 by default (`net.core.somaxconn`).
 */
const MAX_NEW_CONNECTIONS = 4_096

/** Starts to listen. @returns the URL. @throws StartProblem */
export async function listen(app: FastifyInstance, { host, port }: { host: string; port: number }): Promise<string> {
  try {
    // For "localhost" Fastify opens a second server on ::1 and closes it without waiting for its requests.
    await app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port, backlog: MAX_NEW_CONNECTIONS })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') throw new StartProblem(`Port ${port} is in use. Choose another one with --port.`)
    if (code === 'EACCES')
      throw new StartProblem(`This user is not allowed to open port ${port}. Choose a port above 1024.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartProblem(`Cannot listen on ${host}: this machine has no such address. Check REMIT_HOST.`)
    throw error
  }
  const { port: actualPort } = app.server.address() as AddressInfo
  const name = ['0.0.0.0', '::', '127.0.0.1', '::1'].includes(host) ? 'localhost' : host
  return `http://${isIPv6(name) ? `[${name}]` : name}:${actualPort}`
}
