import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Agent, request } from 'undici'
import { connect, type Pool } from '../src/foundation/db/connect.ts'
import type { Deps } from '../src/foundation/db/deps.ts'
import { NOTHING_SKIPPED } from '../src/foundation/db/skipped.ts'
import { listDueItems, listDuePlatforms } from '../src/operation/scheduler/due-store.ts'
import { dueSources } from '../src/operation/scheduler/due-table.ts'
import { listDueEndpoints } from '../src/webhook/delivery/delivery-store.ts'
import { type Bytes, filledInstallation } from './fill/filled-installation.ts'
import type { Target } from './load/load-job.ts'
import { type Server, startServer } from './support/database.ts'
import { describeMachine } from './support/machine.ts'
import { createProgress } from './support/progress.ts'
import { percentiles } from './support/samples.ts'
import { startService, withDatabase } from './support/service.ts'
import { figure, table } from './support/table.ts'
import { plainPayments, read } from './support/targets.ts'
import type { World } from './support/world.ts'

type Options = { sizes: number[]; requests: number; kept: string | null }
type Latency = { p50: number; p99: number }
type SizeResult = { payments: number; fillSeconds: number; bytes: Bytes; latencies: Record<string, Latency> }

const WARM_UPS = 50
/** Slow requests are repeated less often. */
const MAX_SECONDS_EACH = 20

/** Measures each size in its own database, prints the table and writes it to `results/growth.json`. */
export async function runGrowth({ sizes, requests, kept }: Options): Promise<void> {
  const progress = createProgress()
  const server = await startServer(kept && resolve(kept))
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void server.stop().finally(process.exit))
  const results: SizeResult[] = []
  try {
    const machine = describeMachine(server.folder)
    for (const payments of sizes) {
      results.push(await measureSize(server, { payments, requests, say: progress.say }))
      await writeResults({ takenAt: new Date().toISOString(), machine, settings: server.settings, requests, results })
    }
  } finally {
    progress.done()
    await server.stop()
  }
  console.log(['', ...growthTable(results), '', ...costLines(results), ''].join('\n'))
}

type Sized = { payments: number; requests: number; say(text: string): void }

async function measureSize(server: Server, { payments, requests, say }: Sized): Promise<SizeResult> {
  const text = payments.toLocaleString('en-US')
  const settings = { REQUESTS_PER_SECOND: '1000', REQUEST_BURST: '100000' } // one user makes all requests
  const plan = { environment: 'production', database: `growth${payments}`, settings, payments, say } as const
  const { installation: production, world, fillSeconds, bytes } = await filledInstallation(server, plan)
  const latencies: Record<string, Latency> = {}
  const measureAll = async (cases: Record<string, Run>) => {
    for (const [name, run] of Object.entries(cases)) {
      say(`${text} payments: ${name}`)
      latencies[name] = await measureEach(run, requests)
    }
  }
  const service = await startService(production)
  try {
    await measureAll(await withDatabase(production, (deps) => casesOf(deps, { world, url: service.url })))
  } finally {
    await service.stop()
  }
  const sql = connect(production.databaseUrl, { max: 1, applicationName: 'bench', usesIndexes: true })
  try {
    await makeDue(sql)
    await measureAll(dueCases(sql, world))
    await makeUndue(sql)
  } finally {
    await sql.end()
  }
  return { payments, fillSeconds, bytes, latencies }
}

async function measureEach(run: () => Promise<unknown>, count: number): Promise<Latency> {
  const begin = performance.now()
  for (let index = 0; index < WARM_UPS && isInTime(begin, 5); index++) await run()
  const from = performance.now()
  const times: number[] = []
  for (let index = 0; index < count && isInTime(from, MAX_SECONDS_EACH); index++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  const { p50, p99 } = percentiles(times.sort((a, b) => a - b))
  return { p50, p99 }
}

const isInTime = (from: number, seconds: number) => performance.now() - from < 1000 * seconds

type Run = () => Promise<unknown>

/** Requests of the user with a tenth of all payments. */
async function casesOf(deps: Deps, { world, url }: { world: World; url: string }): Promise<Record<string, Run>> {
  const user = world.users[0] as World['users'][number]
  const ids = await deps.sql<{ id: string }[]>`
    select id
    from payments
    where platform_id = ${world.platformId} and sender_id = ${user.id}
    limit 1000
  `
  const dispatcher = new Agent({ connections: 1, keepAliveTimeout: 60_000 })
  let count = 0
  const send = async ({ method, path, headers, body }: Target) => {
    const key = method === 'POST' ? { 'idempotency-key': `growth-${process.pid}-${++count}` } : {}
    const given = { dispatcher, method, headers: { ...headers, ...key }, ...(body !== undefined && { body }) }
    const answer = await request(`${url}${path}`, given)
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`)
    return answer
  }
  const get = (path: string) => () => send(read(user.authorization, path))
  const behind = async (path: string) => {
    const { link } = (await send(read(user.authorization, path))).headers
    const [, next = null] = /^<(.*)>; rel="next"$/.exec(String(link)) ?? []
    if (next === null) throw new Error(`${path} has no second page`)
    const { pathname, search } = new URL(next)
    return get(pathname + search)
  }
  const order = plainPayments(world)[0] as Target
  return {
    'POST /v3/check/digital': () => send(order),
    'GET /v3/check/{id}': () => get(`/v3/check/${ids[++count % ids.length]?.id}`)(),
    'list by cursor': await behind('/v3/check?per_page=50'),
    'list by cursor, status=PAID': await behind('/v3/check?per_page=50&status=PAID'),
    'list by cursor, direction and dates': await behind(
      '/v3/check?per_page=50&direction=OUTGOING&start_date=2000-01-01&end_date=2999-12-31',
    ),
    'list by cursor, q with many matches': await behind('/v3/check?per_page=50&q=services'),
    'first page, with its total': get('/v3/check?per_page=50'),
    'page 100 of ten, with its total': get('/v3/check?per_page=10&page=100'),
    // With ten thousand payments, the user has a thousand: page 1,000 is empty, and the total is counted.
    'page 1,000 of ten, with its total': get('/v3/check?per_page=10&page=1000'),
    'first page of a q with few matches, with its total': get('/v3/check?per_page=50&q=needle'),
  }
}

/**
 * The number of due rows of each kind, regardless of the time since the fill. No worker processes them during the run.
 */
const DUE = 50

async function makeDue(sql: Pool): Promise<void> {
  await makeUndue(sql)
  await sql`
    update legs set next_at = now()
    where (platform_id, id) in (select platform_id, id from legs where next_at is not null limit ${DUE})
  `
  await sql`
    update payments set expires_at = now()
    where (platform_id, id) in (
      select platform_id, id
      from payments
      where status in ('UNPAID', 'PRINTED', 'MAILED') and expires_at > now()
      order by expires_at
      limit ${DUE}
    )
  `
  await sql`
    update deliveries set status = 'PENDING', next_attempt_at = now()
    where (platform_id, endpoint_id, event_id) in (
      select platform_id, endpoint_id, event_id from deliveries where status = 'DELIVERED' limit ${DUE}
    )
  `
}

async function makeUndue(sql: Pool): Promise<void> {
  await sql`update legs set next_at = now() + interval '2 days' where next_at <= now()`
  await sql`
    update payments set expires_at = now() + interval '2 days'
    where status in ('UNPAID', 'PRINTED', 'MAILED') and expires_at <= now()
  `
  await sql`update deliveries set status = 'DELIVERED', next_attempt_at = null where status = 'PENDING'`
}

/** Queries that the worker repeats. */
function dueCases(sql: Pool, { platformId }: World): Record<string, Run> {
  const until = () => new Date()
  const lease = () => {
    const now = new Date()
    return { now, realNow: now, isSlow: false, after: null, limit: 100 }
  }
  return {
    'due platforms': () =>
      listDuePlatforms(sql, { now: new Date(), hasMovableClock: false, silence: null, skipped: NOTHING_SKIPPED }),
    'due legs of a platform': () =>
      listDueItems(sql, dueSources.leg, {
        ...{ platformId, until: until(), limit: 200, except: [], silence: null },
        isOneInstant: false,
      }),
    'lease of endpoints': () => listDueEndpoints(sql, lease()),
  }
}

function growthTable(results: readonly SizeResult[]): string[] {
  const [first] = results
  const ms = (latency: Latency | undefined) => (latency ? `${figure(latency.p50)} / ${figure(latency.p99)}` : '–')
  const ratio = (name: string, { latencies }: SizeResult) =>
    `${figure((latencies[name]?.p50 ?? Number.NaN) / (first?.latencies[name]?.p50 ?? Number.NaN))} ×`
  const heads = results.flatMap(({ payments }, index) => [
    payments.toLocaleString('en-US'),
    ...(index ? ['ratio'] : []),
  ])
  const rows = Object.keys(first?.latencies ?? {}).map((name) => [
    name,
    ...results.flatMap((size, index) => [ms(size.latencies[name]), ...(index ? [ratio(name, size)] : [])]),
  ])
  return table(['p50 / p99 in ms, with payments', ...heads], rows)
}

const costLines = (results: readonly SizeResult[]): string[] =>
  results.map(({ payments, fillSeconds, bytes }) => {
    const each = (size: number) => Math.round(size / payments).toLocaleString('en-US')
    const largest = Object.entries(bytes.rows)
      .filter(([, size]) => size / payments >= 1)
      .sort(([, a], [, b]) => b - a)
      .map(([name, size]) => `${name} ${each(size)}`)
    return `${payments.toLocaleString('en-US')} payments, filled in ${Math.round(fillSeconds)} s: ${each(bytes.tables + bytes.indexes)} bytes each, indexes ${each(bytes.indexes)} of them (${largest.join(', ')})`
  })

async function writeResults(results: object): Promise<void> {
  const folder = new URL('./results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  await writeFile(new URL('growth.json', folder), `${JSON.stringify(results, null, 1)}\n`)
}
