import { pino } from 'pino'
import { type Role, type Service, type ServiceOptions, startService } from '../../src/app/service.ts'
import { createOwner } from '../../src/auth/owner/owner-actions.ts'
import { type EnvironmentName, type EnvironmentSettings, environmentDefaults } from '../../src/core/environment.ts'
import { type KeyRing, newMasterKey, parseMasterKeys } from '../../src/core/seal.ts'
import { connect, type Pool } from '../../src/db/connect.ts'
import { SERVICE_ROLE } from '../../src/db/embedded/embedded-service-role.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { inTransaction } from '../../src/db/transaction.ts'
import type { Clock } from '../../src/lib/clock.ts'
import type { Log } from '../../src/lib/log.ts'
import { doDueWork } from '../../src/scheduler/due-work.ts'
import { createCourier, deliverDueWebhooks, endCourier } from '../../src/webhook/delivery/webhook-worker.ts'
import { type Api, createApi } from './api.ts'
import { type FakeClock, fakeClock } from './clock.ts'
import { createTestDatabase, ownerUrlOf } from './postgres.ts'
import { collectSecrets, type Secrets } from './secrets.ts'

export type TestService = {
  service: Service
  deps: Service['deps']
  baseUrl: string
  listeningAt: string
  /** As the service connects, which is all that `deps.sql` may. */
  databaseUrl: string
  /** The owner of the tables: for what the service may not do. */
  ownerSql: Pool
  keyRing: KeyRing
  clock: FakeClock
  /** A client as the owner of a platform. */
  owner: Api
  secrets: Secrets
  /** A client with a credential, '' for none. */
  as(credential: string): Api
  /** Makes another platform. */
  newOwner(name?: string): Promise<{ api: Api; id: string; email: string; webhookKey: string }>
  /** Makes a user of a platform, of the first one unless another owner is named. */
  newUser(userId?: string, owner?: Api): Promise<TestUser>
  /** Does everything that is due on every platform, in order. @returns how much */
  doDueWork(): Promise<number>
  /** Delivers every webhook that is due, once. @returns how many attempts were made */
  deliverWebhooks(): Promise<number>
}

export type TestUser = Api & { id: string; userId: string }

export type TestServiceOptions = {
  environment?: EnvironmentName
  settings?: Partial<EnvironmentSettings>
  roles?: readonly Role[]
  metrics?: ServiceOptions['metrics']
  databaseUrl?: string
  keyRing?: KeyRing
  realClock?: Clock
}

/** Of every owner that `newOwner` makes. */
export const PASSWORD = 'correct horse battery'

let nameCount = 0
const uniqueName = (prefix: string) => `${prefix}-${process.pid}-${++nameCount}`

/** A test, or `{ after }` of node:test for all tests of a file. */
type Lifetime = { after(end: () => Promise<void>): void }

/** Starts a real service on a database of its own. Its domain time stands still; its background work is called. */
export async function startTestService(t: Lifetime, options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.databaseUrl ? null : await createTestDatabase()
  const databaseUrl = options.databaseUrl ?? (database?.url as string)
  const secrets = collectSecrets()
  const clock = fakeClock()
  const keyRing = options.keyRing ?? parseMasterKeys(newMasterKey())
  const ownerSql = connect(ownerUrlOf(databaseUrl), { max: 4, applicationName: 'test owner' })
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
  })
  const { deps, baseUrl, listeningAt } = service
  const courier = createCourier(uniqueName('courier'), deps.settings)
  t.after(async () => {
    try {
      await secrets.refuseIn(deps.sql)
    } finally {
      await endCourier(courier)
      await service.stop()
      await ownerSql.end({ timeout: 5 })
      await database?.drop()
    }
  })

  const as = (credential: string) => createApi(baseUrl, credential, secrets)

  async function newOwner(name = uniqueName('Owner')) {
    const email = `${uniqueName('owner')}@example.com`
    secrets.add(PASSWORD)
    const { id, apiKey, webhookKey } = await inTransaction(deps, (tx) =>
      createOwner(tx, { email, password: PASSWORD, name }),
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
      if (status !== 201) throw new Error(`no user was made: ${text}`)
      return { ...as(`${body.key}:${body.secret}`), id: body.id, userId }
    },
    doDueWork: async () => {
      let count = 0
      for (;;) {
        const done = await doDueWork(deps)
        if (done === 0) return count
        count += done
      }
    },
    deliverWebhooks: () => deliverDueWebhooks(deps, courier),
  }
}

/** Everything is logged, and searched for secrets at the end of the run. */
function testLog(): Log {
  return pino({ level: 'debug' }, logFile)
}

const logFile = pino.destination({ dest: process.env.TEST_RUN_LOG ?? '/dev/null', append: true, sync: true })

let accountCount = 10_000_000_000 + process.pid * 1_000

export const newAccountNumber = (): string => String(++accountCount)

/** Adds a bank to a user. @returns its id */
export async function addBank(user: Api, account = newAccountNumber()): Promise<string> {
  const { body, status, text } = await user.post('/v3/bank', { routing: '021000021', account, type: 'CHECKING' })
  if (status !== 201) throw new Error(`no bank was added: ${text}`)
  return body.id
}

/** Adds a bank to a user and verifies it. @returns its id */
export async function addVerifiedBank(user: Api): Promise<string> {
  const id = await addBank(user)
  await user.post('/v3/bank/release', { account: id })
  const { status, text } = await user.post('/v3/bank/verify', { account: id, amount_1: 0.07, amount_2: 0.15 })
  if (status !== 200) throw new Error(`the bank was not verified: ${text}`)
  return id
}
