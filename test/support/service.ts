import { hash } from '@node-rs/argon2'
import { pino } from 'pino'
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici'
import { SERVICE_ROLE } from '#embedded-postgres'
import type { CurrentConnections } from '../../src/foundation/core/connections.ts'
import {
  type EnvironmentName,
  type EnvironmentSettings,
  environmentDefaults,
} from '../../src/foundation/core/environment.ts'
import { type KeyRing, newMasterKey, parseMasterKeys } from '../../src/foundation/core/seal.ts'
import { connect, type Pool } from '../../src/foundation/db/connect.ts'
import { migrate } from '../../src/foundation/db/schema/migrate.ts'
import { inTransaction } from '../../src/foundation/db/transaction.ts'
import type { Clock } from '../../src/foundation/lib/clock.ts'
import type { Random } from '../../src/foundation/lib/ids.ts'
import type { Log } from '../../src/foundation/lib/log.ts'
import { type Role, type Service, type ServiceOptions, startService } from '../../src/operation/app/service.ts'
import { doDueWork } from '../../src/operation/scheduler/due-work.ts'
import { applyOutbox } from '../../src/operation/scheduler/outbox-work.ts'
import { createCheckedOwner } from '../../src/people/auth/owner/owner-actions.ts'
import { createCourier, deliverDueWebhooks, endCourier } from '../../src/webhook/delivery/webhook-worker.ts'
import { type Api, createApi } from './api.ts'
import { type FakeClock, fakeClock } from './clock.ts'
import { assertBooks } from './money.ts'
import { createTestDatabase, ownerUrlOf, patient } from './postgres.ts'
import { releasedWhenRun } from './released.ts'
import { collectSecrets, type Secrets } from './secrets.ts'

export type TestService = {
  service: Service
  deps: Service['deps']
  baseUrl: string
  listeningAt: string
  /** The URL for the service role. `deps.sql` has no other rights. */
  databaseUrl: string
  /** The owner of the tables, for actions that the service may not do. */
  ownerSql: Pool
  keyRing: KeyRing
  clock: FakeClock
  /** A client of a platform's owner. */
  owner: Api
  secrets: Secrets
  /** A client with a credential, '' for none. */
  as(credential: string): Api
  /** Creates another platform. */
  newOwner(name?: string): Promise<{ api: Api; id: string; email: string; webhookKey: string }>
  /** Creates a user of the first platform, or of the given owner's. */
  newUser(userId?: string, owner?: Api): Promise<TestUser>
  /** Runs all due work on every platform, in order. @returns the number of steps */
  doDueWork(): Promise<number>
  applyOutbox(): Promise<number>
  /** Delivers every due webhook once. `random`: for the nonces of the attempts. @returns the number of attempts */
  deliverWebhooks(random?: Random): Promise<number>
}

export type TestUser = Api & { id: string; userId: string }

export type TestServiceOptions = {
  environment?: EnvironmentName
  settings?: Partial<EnvironmentSettings>
  /** The banks, for production. */
  connections?: CurrentConnections
  roles?: readonly Role[]
  metrics?: ServiceOptions['metrics']
  pollMs?: number
  databaseUrl?: string
  answerTimeoutMs?: number
  keyRing?: KeyRing
  realClock?: Clock
  /** Whether the test's clock is also the real time. */
  isRealTimeSimulated?: boolean
  random?: Random
  /** Whether the ledger must balance when the service ends. */
  verifiesBooks?: boolean
}

/**
 * On a busy machine, a process can wait longer than the service would. A test about lost connections sets its own
 * limit.
 */
const PATIENT_MS = 10 * 60_000

/** The password of owners created by `newOwner`. */
export const PASSWORD = 'correct horse battery'

/**
 * Hashed once in a process, and cheaply: a run signs in hundreds of times, and each check costs as much as the hash.
 */
let passwordHash: Promise<string> | undefined
export const hashOfPassword = () => (passwordHash ??= hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 }))

let nameCount = 0
const uniqueName = (prefix: string) => `${prefix}-${process.pid}-${++nameCount}`

/** A test, or `{ after }` of node:test for all tests of a file. */
type Lifetime = { after(end: () => Promise<void>): void }

/** Starts a real service on its own database. Domain time changes only on request, and background work runs only when called. */
export async function startTestService(t: Lifetime, options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.databaseUrl ? null : await createTestDatabase()
  const databaseUrl = options.databaseUrl ?? (database?.url as string)
  const secrets = collectSecrets()
  const clock = fakeClock()
  const keyRing = options.keyRing ?? parseMasterKeys(newMasterKey())
  const ownerSql = connect(ownerUrlOf(databaseUrl), { max: 4, applicationName: 'test owner', ...patient })
  const environment = options.environment ?? 'sandbox'
  if (database && environment === 'demo') await migrate(database.ownerUrl, { name: SERVICE_ROLE, environment })
  const service = await startService({
    settings: {
      ...environmentDefaults[environment],
      allowsLocalWebhooks: true,
      requestsPerSecond: 100_000,
      requestBurst: 100_000,
      addressRequestsPerSecond: 100_000,
      addressRequestBurst: 100_000,
      ...options.settings,
    },
    ...(options.connections && { connections: options.connections }),
    databaseUrl,
    ownerUrl: null,
    host: '127.0.0.1',
    port: 0,
    keyRing,
    log: testLog(),
    roles: options.roles ?? ['http'],
    metrics: options.metrics ?? null,
    clock,
    ...(options.realClock && { realClock: options.realClock }),
    ...(options.isRealTimeSimulated && { realClock: clock }),
    ...(options.random && { random: options.random }),
    ...(options.pollMs && { pollMs: options.pollMs }),
    answerTimeoutMs: options.answerTimeoutMs ?? PATIENT_MS,
  })
  const { deps, baseUrl, listeningAt } = service
  const courier = createCourier(uniqueName('courier'), deps.settings)
  t.after(
    releasedWhenRun(async () => {
      try {
        if (options.verifiesBooks) await assertBooks(deps)
        await secrets.refuseIn(deps.sql)
      } finally {
        await endCourier(courier)
        closeKeptConnections()
        await service.stop()
        await ownerSql.end({ timeout: 5 })
        await database?.drop()
      }
    }),
  )

  const as = (credential: string) => createApi(baseUrl, credential, secrets)

  async function newOwner(name = uniqueName('Owner')) {
    const email = `${uniqueName('owner')}@example.com`
    secrets.add(PASSWORD)
    const passwordHash = await hashOfPassword()
    const { id, apiKey, webhookKey } = await inTransaction(deps, (tx) =>
      createCheckedOwner(tx, { email, passwordHash, name }),
    )
    secrets.add(apiKey.secret)
    secrets.add(webhookKey)
    return { api: as(`${apiKey.key}:${apiKey.secret}`), id, email, webhookKey }
  }

  const owner = (await newOwner()).api

  return {
    service,
    deps,
    baseUrl,
    listeningAt,
    databaseUrl,
    ownerSql,
    keyRing,
    clock,
    owner,
    secrets,
    as,
    newOwner,
    newUser: async (userId = uniqueName('user'), by = owner) => {
      const { body, status, text } = await by.post('/v3/user', { user_id: userId, name: `Name of ${userId}` })
      if (status !== 201) throw new Error(`no user was created: ${text}`)
      return { ...as(`${body.key}:${body.secret}`), id: body.id, userId }
    },
    doDueWork: async () => {
      const count = await untilDone(() => doDueWork(deps))
      await untilDone(() => applyOutbox(deps))
      return count
    },
    /** The effects of payments on other platforms than their sender's. */
    applyOutbox: () => untilDone(() => applyOutbox(deps)),
    deliverWebhooks: async (random = deps.random) => {
      await untilDone(() => applyOutbox(deps))
      return deliverDueWebhooks({ ...deps, random }, courier)
    },
  }
}

/** `fetch` keeps connections open, and a stopping service waits a quarter of a second for their last requests. */
function closeKeptConnections(): void {
  const former = getGlobalDispatcher()
  setGlobalDispatcher(new Agent())
  void former.close() // after running requests are answered
}

async function untilDone(pass: () => Promise<number>): Promise<number> {
  let count = 0
  for (;;) {
    const done = await pass()
    if (done === 0) return count
    count += done
  }
}

/** Logs everything. The run searches the log for secrets at its end. Without a run, as in the world, nobody reads it. */
function testLog(): Log {
  return pino({ level: process.env.TEST_RUN_LOG ? 'debug' : 'silent' }, logFile)
}

const logFile = pino.destination({ dest: process.env.TEST_RUN_LOG ?? '/dev/null', append: true, sync: true })

let accountCount = 10_000_000_000 + process.pid * 1_000

export const newAccountNumber = (): string => String(++accountCount)

/** Adds a bank to a user. @returns its id */
export async function addBank(user: Pick<Api, 'post'>, account = newAccountNumber()): Promise<string> {
  const { body, status, text } = await user.post('/v3/bank', { routing: '021000021', account, type: 'CHECKING' })
  if (status !== 201) throw new Error(`no bank was added: ${text}`)
  return body.id
}

/** Adds a bank to a user and verifies it. @returns its id */
export async function addVerifiedBank(user: Pick<Api, 'post'>, account = newAccountNumber()): Promise<string> {
  const id = await addBank(user, account)
  await user.post('/v3/bank/release', { account: id })
  const { status, text } = await user.post('/v3/bank/verify', { account: id, amount_1: 0.07, amount_2: 0.15 })
  if (status !== 200) throw new Error(`the bank was not verified: ${text}`)
  return id
}
