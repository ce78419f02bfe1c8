import type { Deps } from '../../src/foundation/db/deps.ts'
import { newId } from '../../src/foundation/lib/ids.ts'
import { upsertWebhookUrl } from '../../src/webhook/endpoint/webhook-store.ts'
import type { Target } from '../load/load-job.ts'
import { startHelper } from '../support/helper.ts'
import { postgresProcesses, withCpu } from '../support/measure.ts'
import type { Measurement } from '../support/samples.ts'
import { install, startService, withDatabase } from '../support/service.ts'
import type { Comparison, Stage, StageContext, Subject } from '../support/stage.ts'
import { depositedPayments, paperPayments } from '../support/targets.ts'
import { makeWorld } from '../support/world.ts'
import type { Receiver } from '../yardsticks/receiver.ts'

// Complete payments: accepted, deposited, debited, credited and settled, and each status change acknowledged by the receiver.
// They run in the sandbox, where advancing the clock makes all work due.

const CONNECTIONS = 64
const USERS = 200
const FIRST_GUESS_PER_SECOND = 100
const TIMEOUT_SECONDS = 300
const ADVANCE = 'P30D'

const stated = { yardstick: null, of: 'rate', floor: null, aim: null } as const
const comparisons: Comparison[] = [
  { caseName: 'life', subject: 'life-paper', ...stated },
  { caseName: 'life', subject: 'life', ...stated },
]

export const lifeCases = { cases: ['life'], prepare }

async function prepare(context: StageContext): Promise<Stage> {
  const { server, say } = context
  say(`creating ${USERS} users of a platform in the sandbox`)
  const settings = { REQUESTS_PER_SECOND: '1000', REQUEST_BURST: '100000' }
  const sandbox = await install(server, { environment: 'sandbox', database: 'life', settings })
  const receiver = startHelper<Receiver>('yardsticks/receiver.ts')
  const url = `${await receiver.call('listen')}/owner`
  const world = await withDatabase(sandbox, async (deps) => {
    const made = await makeWorld(deps, { name: 'living', userCount: USERS })
    await listen(deps, made.platformId, url)
    return made
  })
  const service = await startService(sandbox)
  const watched = {
    server: () => [service.pid],
    postgres: () => postgresProcesses(context),
    receiver: () => [receiver.pid],
  }
  const live = (name: string, title: string, targets: Target[], webhooksOfOne: number): Subject => {
    let perSecond = FIRST_GUESS_PER_SECOND
    const run = async (seconds: number): Promise<Measurement> => {
      const count = Math.ceil(perSecond * seconds)
      const begin = performance.now()
      await receiver.call('expect', count * webhooksOfOne)
      const { statuses } = await context.load.call('run', {
        ...{ url: service.url, targets, connections: CONNECTIONS, hasIdempotencyKeys: true },
        ...{ seconds: TIMEOUT_SECONDS, leadInSeconds: 0, maxRequests: count },
      })
      if (statuses[201] !== count) throw new Error(`${count} payments, answers ${JSON.stringify(statuses)}`)
      await advance(service.url, world.authorization)
      const received = await receiver.call('received', { timeoutSeconds: TIMEOUT_SECONDS })
      if (received.count < count * webhooksOfOne) throw new Error(`${received.count} webhooks of ${count} payments`)
      await untilArrived(service.url, world.authorization)
      const took = (performance.now() - begin) / 1000
      const none = Number.NaN
      return { count, seconds: took, perSecond: count / took, p50: none, p95: none, p99: none, max: none }
    }
    const measure = async (seconds: number) => {
      const measured = await withCpu(watched, () => run(seconds))
      perSecond = measured.perSecond
      return measured
    }
    return { name, title, measure }
  }
  const subjects = [
    live(
      'life-paper',
      'the whole life of a mailed check: IN_PROCESS, MAILED, PAID, three webhooks',
      paperPayments(world),
      3,
    ),
    live(
      'life',
      'the whole life of a payment from bank to bank: IN_PROCESS, PAID, two webhooks',
      depositedPayments(world),
      2,
    ),
  ]
  const end = async () => {
    await service.stop()
    await receiver.end()
  }
  return { subjects, comparisons, notes, end }
}

const notes = [
  'A run ends when the receiver has acknowledged the last webhook of all payments, and every leg has settled. The time from the first request to the end counts.',
]

async function listen(deps: Deps, platformId: string, url: string): Promise<void> {
  await upsertWebhookUrl(deps.sql, { platformId, userId: platformId }, { id: newId(deps), url, now: deps.clock.now() })
}

const clock = async (url: string, authorization: string, init: RequestInit = {}): Promise<{ status: string }> => {
  const headers = { authorization, 'content-type': 'application/json' }
  const response = await fetch(`${url}/v3/sandbox/clock`, { ...init, headers })
  if (!response.ok) throw new Error(`the clock answered ${response.status}: ${await response.text()}`)
  return response.json() as Promise<{ status: string }>
}

const advance = (url: string, authorization: string) =>
  clock(url, authorization, { method: 'PUT', body: JSON.stringify({ advance: ADVANCE }) })

async function untilArrived(url: string, authorization: string): Promise<void> {
  while ((await clock(url, authorization)).status !== 'ready') {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
