import { connect } from '../../src/foundation/db/connect.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { inTransaction } from '../../src/foundation/db/transaction.ts'
import { newId } from '../../src/foundation/lib/ids.ts'
import { upsertWebhookUrl } from '../../src/webhook/endpoint/webhook-store.ts'
import { startHelper } from '../support/helper.ts'
import { postgresProcesses, withCpu } from '../support/measure.ts'
import type { Measurement } from '../support/samples.ts'
import { install, startService, withDatabase } from '../support/service.ts'
import type { Comparison, Stage, StageContext } from '../support/stage.ts'
import { makeWorld, type World } from '../support/world.ts'
import type { Receiver } from '../yardsticks/receiver.ts'
import type { WebhookLoop } from '../yardsticks/webhook-loop.ts'

// Delivers due webhooks to many endpoints.

const ENDPOINTS = 100
const IN_FLIGHT_EACH = 8
const FIRST_GUESS_PER_SECOND = 1_000
const TIMEOUT_SECONDS = 120

const comparisons: Comparison[] = [
  { caseName: 'webhooks', subject: 'webhooks', yardstick: 'undici', of: 'rate', floor: 0.15, aim: 0.3 },
]

export const webhookCases = { cases: ['webhooks'], prepare }

async function prepare(context: StageContext): Promise<Stage> {
  const { server, say } = context
  say(`making ${ENDPOINTS} endpoints`)
  const sandbox = await install(server, { environment: 'sandbox', database: 'webhooks' })
  const receiver = startHelper<Receiver>('yardsticks/receiver.ts')
  const loop = startHelper<WebhookLoop>('yardsticks/webhook-loop.ts')
  const url = await receiver.call('listen')
  const urls = Array.from({ length: ENDPOINTS }, (_, index) => `${url}/${index}`)
  const world = await withDatabase(sandbox, (deps) => makeListeningWorld(deps, urls))
  const sql = connect(sandbox.databaseUrl, { max: 1, applicationName: 'bench' })
  const service = await startService(sandbox)
  const watched = (pid: number) => ({
    server: () => [pid],
    postgres: () => postgresProcesses(context),
    receiver: () => [receiver.pid],
  })
  /** Chooses a number of webhooks that takes about the requested time. */
  const counted = (pid: number, send: (count: number) => Promise<unknown>) => {
    let perSecond = FIRST_GUESS_PER_SECOND
    return async (seconds: number): Promise<Measurement> => {
      const count = Math.ceil((seconds * perSecond) / ENDPOINTS) * ENDPOINTS
      const measured = await withCpu(watched(pid), async () => {
        await receiver.call('expect', count)
        await send(count)
        return asMeasurement(count, await receiver.call('received', { timeoutSeconds: TIMEOUT_SECONDS }))
      })
      perSecond = measured.perSecond
      return measured
    }
  }
  const subjects = [
    {
      name: 'webhooks',
      title: `webhooks that are due, to ${ENDPOINTS} endpoints`,
      measure: counted(service.pid, async (count) => {
        await untilNothingIsDue(sql)
        await enqueue(sql, world, count)
      }),
    },
    {
      name: 'undici',
      title: `bare undici with both signatures, ${IN_FLIGHT_EACH} at a time to each`,
      measure: counted(loop.pid, (count) => loop.call('post', { urls, count, inFlightEach: IN_FLIGHT_EACH })),
    },
  ]
  const end = async () => {
    await service.stop()
    await Promise.all([sql.end(), receiver.end(), loop.end()])
  }
  return { subjects, comparisons, notes: [], end }
}

/** The rate between the first and the last webhook at the receiver. Individual latencies are not visible there. */
function asMeasurement(expected: number, { count, seconds }: { count: number; seconds: number }): Measurement {
  if (count < expected) throw new Error(`${count} of ${expected} webhooks arrived within ${TIMEOUT_SECONDS} s`)
  const none = Number.NaN
  return { count, seconds, perSecond: (count - 1) / seconds, p50: none, p95: none, p99: none, max: none }
}

async function makeListeningWorld(deps: Deps, urls: string[]): Promise<World> {
  const world = await makeWorld(deps, { name: 'listeners', userCount: urls.length })
  const { platformId } = world
  for (const [index, url] of urls.entries()) {
    const userId = world.users[index]?.id as string
    const endpoint = { platformId, userId, id: newId(deps), url, now: deps.clock.now() }
    await inTransaction(deps, (tx) => upsertWebhookUrl(tx.sql, endpoint, endpoint))
  }
  return world
}

type Database = ReturnType<typeof connect>

/** Creates one event for each of `count` payments, each with one due delivery, all at once. */
async function enqueue(sql: Database, { platformId }: World, count: number): Promise<void> {
  await sql`
    with endpoint as (
      select id, row_number() over (order by id) - 1 as place
      from endpoints
      where platform_id = ${platformId} and kind = 'webhook_uri'
    ),
    event as (
      select uuid_of_time_v1(now()) as id, gen_random_uuid() as subject_id, n % ${ENDPOINTS}::int as place
      from generate_series(1, ${count}::int) n
    ),
    happened as (
      insert into events (platform_id, id, type, subject_id, body, created_at)
      select
        ${platformId}, id, 'CHECK', subject_id,
        format(
          '{"id":"%s","status":"PAID","type":"CHECK","deposit_option":"ACH"}', replace(subject_id::text, '-', '')
        ),
        now()
      from event
    )
    insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
    select ${platformId}, endpoint.id, event.id, event.subject_id, 'PENDING', now()
    from event
    join endpoint using (place)
  `
}

/** Waits until the last deliveries are recorded, shortly after the receiver has acknowledged them. */
async function untilNothingIsDue(sql: Database): Promise<void> {
  for (;;) {
    const [row] = await sql<{ isDue: boolean }[]>`
      select exists (select from deliveries where status = 'PENDING') as is_due
    `
    if (!row?.isDue) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
