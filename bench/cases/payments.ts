import { fill } from '../fill/fill.ts'
import { fillPlatform } from '../fill/fill-world.ts'
import type { Target } from '../load/load-job.ts'
import { startHelper } from '../support/helper.ts'
import { measureHttp, postgresProcesses, withCpu } from '../support/measure.ts'
import {
  asOwner,
  type Installation,
  install,
  type RunningService,
  startService,
  withDatabase,
} from '../support/service.ts'
import type { Comparison, Stage, StageContext, Subject } from '../support/stage.ts'
import { depositedPayments, fileOfPayments, plainPayments, walletPayments } from '../support/targets.ts'
import { makeWorld, type World } from '../support/world.ts'
import type { BareAnswers } from '../yardsticks/bare-answers.ts'
import { prepareTpcB } from '../yardsticks/pgbench.ts'
import type { SqlLoops } from '../yardsticks/sql-loops.ts'

// Accepting payments: the hot path, with production's checks.

const CONNECTIONS = 64
const USERS = 1_000
/** The number of platforms of the case `platforms`, with two users on each. */
const PLATFORMS = 100

const comparisons: Comparison[] = [
  { caseName: 'post', subject: 'post', yardstick: 'tpcb', of: 'rate', floor: 2, aim: 3 },
  { caseName: 'post', subject: 'post', yardstick: 'bare-post', of: 'rate', floor: 0.15, aim: 0.25 },
  { caseName: 'platforms', subject: 'platforms', yardstick: 'post', of: 'rate', floor: 0.8, aim: 0.9 },
  { caseName: 'deposited', subject: 'deposited', yardstick: 'post', of: 'rate', floor: 0.4, aim: 0.6 },
  { caseName: 'wallet', subject: 'wallet', yardstick: 'post', of: 'rate', floor: null, aim: null },
  { caseName: 'file', subject: 'file', yardstick: null, of: 'latency', floor: null, aim: null },
  { caseName: 'request-log', subject: 'post', yardstick: 'unlogged', of: 'rate', floor: 0.93, aim: 0.98 },
  { caseName: 'single', subject: 'single', yardstick: 'insert', of: 'latency', floor: 2.5, aim: 1.5 },
]

export const paymentCases = {
  cases: ['post', 'platforms', 'deposited', 'wallet', 'file', 'request-log', 'single'],
  prepare,
}

async function prepare(context: StageContext): Promise<Stage> {
  const { server, say } = context
  say(`creating ${USERS} users of a platform in production`)
  const production = await install(server, { environment: 'production', database: 'payments' })
  await asOwner(production, (sql) => sql`create table bench_payments (like payments including all)`)
  const world = await withDatabase(production, (deps) => makeWorld(deps, { name: 'payers', userCount: USERS }))
  await fill({
    databaseUrl: production.databaseUrl,
    platforms: [await withDatabase(production, (deps) => fillPlatform(deps, world))],
    hasBigUser: false,
    count: 20_000,
  })
  const worlds = context.wanted('platforms') ? await makePlatforms(production) : []
  if (context.wanted('post')) say('filling the tables of TPC-B')
  const tpcB = context.wanted('post') ? await prepareTpcB(server) : null
  const bare = startHelper<BareAnswers>('yardsticks/bare-answers.ts')
  const loops = startHelper<SqlLoops>('yardsticks/sql-loops.ts')
  const service = await startService(production)
  const unlogged = context.wanted('request-log') ? await startService(withoutRequestLog(production)) : null
  const bareUrl = await bare.call('acceptPayments')
  const insert = { databaseUrl: production.databaseUrl, platformId: world.platformId, clients: 1 }
  const subjects: Subject[] = [
    ...serviceSubjects(context, service, { world, worlds }),
    ...(unlogged
      ? [
          postSubject(context, unlogged, {
            name: 'unlogged',
            title: 'post, without the request log',
            targets: plainPayments(world),
          }),
        ]
      : []),
    ...(tpcB
      ? [{ ...tpcB, measure: (seconds: number) => withCpu(ofPostgres(context), () => tpcB.measure(seconds)) }]
      : []),
    {
      name: 'bare-post',
      title: 'Fastify: parses, validates and returns an equal answer, no database',
      measure: (seconds) =>
        measureHttp(context, {
          url: bareUrl,
          pid: bare.pid,
          targets: plainPayments(world),
          connections: CONNECTIONS,
          hasIdempotencyKeys: true,
          seconds,
        }),
    },
    {
      name: 'insert',
      title: 'a bare insert and its commit over postgres.js, one at a time',
      measure: (seconds) => withCpu(ofPostgres(context), () => loops.call('inserts', { ...insert, seconds })),
    },
  ]
  const end = async () => {
    await Promise.all([service.stop(), unlogged?.stop(), bare.end(), loops.end(), tpcB?.end()])
  }
  return { subjects, comparisons, notes, end }
}

const notes = [
  `Payments are sent to production with all its checks: VERIFIED senders, sending limits (each user has its own, which is never reached), numbers. ${USERS} users, each with its own API key. Each request is counted, but the rate limit of the platform is ten times that of production.`,
]

const withoutRequestLog = (production: Installation): Installation => ({
  ...production,
  variables: { ...production.variables, REMIT_PRODUCTION_REQUEST_LOG: 'false' },
})

const ofPostgres = (context: StageContext) => ({ postgres: () => postgresProcesses(context) })

const makePlatforms = (production: Installation): Promise<World[]> =>
  withDatabase(production, async (deps) => {
    const worlds: World[] = []
    for (let index = 0; index < PLATFORMS; index++) {
      worlds.push(await makeWorld(deps, { name: `platform-${index}`, userCount: 2 }))
    }
    return worlds
  })

function serviceSubjects(
  context: StageContext,
  service: RunningService,
  { world, worlds }: { world: World; worlds: World[] },
): Subject[] {
  const post = (name: string, title: string, targets: Target[], connections = CONNECTIONS): Subject =>
    postSubject(context, service, { name, title, targets, connections })
  return [
    post('post', `POST /v3/check/digital, ${CONNECTIONS} connections`, plainPayments(world)),
    post(
      'platforms',
      `POST /v3/check/digital of ${2 * PLATFORMS} users on ${PLATFORMS} platforms`,
      worlds.flatMap(plainPayments),
    ),
    post('deposited', 'POST /v3/check/digital, deposited at once', depositedPayments(world)),
    post('wallet', 'POST /v3/check/digital from wallet to wallet', walletPayments(world)),
    post('file', 'POST /v3/check/csv, 1,500 rows, one request at a time', fileOfPayments(world), 1),
    post('single', 'POST /v3/check/digital, one request at a time', plainPayments(world), 1),
  ]
}

const postSubject = (
  context: StageContext,
  { url, pid }: RunningService,
  {
    name,
    title,
    targets,
    connections = CONNECTIONS,
  }: { name: string; title: string; targets: Target[]; connections?: number },
): Subject => ({
  name,
  title,
  measure: (seconds) => measureHttp(context, { url, pid, targets, connections, hasIdempotencyKeys: true, seconds }),
})
