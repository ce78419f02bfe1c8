import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../src/foundation/db/deps.ts'
import type { LoadMethods } from '../load/load-process.ts'
import { residentBytes } from '../support/cpu.ts'
import { type Server, startServer } from '../support/database.ts'
import { startHelper } from '../support/helper.ts'
import { describeMachine, type Machine } from '../support/machine.ts'
import { createProgress } from '../support/progress.ts'
import { type Measurement, median } from '../support/samples.ts'
import { type Installation, install, type RunningService, startService, withDatabase } from '../support/service.ts'
import { figure } from '../support/table.ts'
import { depositedPayments, plainPayments } from '../support/targets.ts'
import { makeWorld, type World } from '../support/world.ts'

// The cost of the service, and its behavior under overload.

const USERS = 1_000
const STARTS = 5
const CONNECTIONS = 64
const OVERLOAD_CONNECTIONS = 6_000
const OVERLOAD = 2

export type Cost = {
  takenAt: string
  machine: Machine
  startMs: number[]
  bytesOfPayment: { plain: number; deposited: number }
  residentMiB: { idle: number; load: number; afterLoad: number; samples: number[] }
  overload: Overload
}

type Overload = {
  capacityPerSecond: number
  offeredPerSecond: number
  statuses: Record<number, number>
  acceptedPerSecond: number
  acceptedP50: number
  acceptedP99: number
  /** Seconds after the overload until a request takes at most twice as long as before. */
  recoveredAfterSeconds: number
}

type Context = {
  server: Server
  load: ReturnType<typeof startHelper<LoadMethods>>
  seconds: number
  say(text: string): void
}

/** Measures and prints start time, memory, disk space and behavior under overload. */
export async function measureCost({ seconds }: { seconds: number }): Promise<Cost> {
  const progress = createProgress()
  const server = await startServer()
  const load = startHelper<LoadMethods>('load/load-process.ts')
  const context: Context = { server, load, seconds, say: progress.say }
  try {
    const machine = describeMachine(server.folder)
    context.say(`making ${USERS} users`)
    const production = await install(server, { environment: 'production', database: 'cost' })
    const world = await withDatabase(production, (deps) => makeWorld(deps, { name: 'costing', userCount: USERS }))
    const startMs = await measureStarts(context, production)
    const service = await startService(production)
    try {
      await sleep(3_000)
      const idle = residentMiBOf(service)
      const bytesOfPayment = await measureBytes(context, { production, service, world })
      const residentMiB = { idle, ...(await measureMemory(context, { service, world })) }
      const overload = await measureOverload(context, { service, world })
      return { takenAt: new Date().toISOString(), machine, startMs, bytesOfPayment, residentMiB, overload }
    } finally {
      await service.stop()
    }
  } finally {
    progress.done()
    await load.end()
    await server.stop()
  }
}

async function measureStarts({ say }: Context, production: Installation): Promise<number[]> {
  const times: number[] = []
  for (let index = 1; index <= STARTS; index++) {
    say(`start ${index} of ${STARTS}`)
    const service = await startService(production)
    times.push(service.startMs)
    await service.stop()
  }
  return times
}

type Served = { service: RunningService; world: World }

const job = ({ service }: Served, seconds: number) => ({
  url: service.url,
  connections: CONNECTIONS,
  seconds,
  leadInSeconds: 0,
  hasIdempotencyKeys: true,
})

/** The growth of the database, including the record of the Idempotency-Key, which is kept for a day. */
async function measureBytes(
  { load, say }: Context,
  { production, ...served }: Served & { production: Installation },
): Promise<Cost['bytesOfPayment']> {
  const growth = async (name: string, targets: ReturnType<typeof plainPayments>) => {
    say(`bytes of a payment: ${name}`)
    const before = await withDatabase(production, readSize)
    await load.call('run', { ...job(served, 600), targets, maxRequests: 20_000 })
    const after = await withDatabase(production, readSize)
    return (after.bytes - before.bytes) / (after.payments - before.payments)
  }
  return {
    plain: await growth('plain', plainPayments(served.world)),
    deposited: await growth('deposited', depositedPayments(served.world)),
  }
}

async function readSize({ sql }: Deps): Promise<{ bytes: number; payments: number }> {
  const [row] = await sql<[{ bytes: number; payments: number }]>`
    select
      (select sum(pg_total_relation_size(oid))::bigint from pg_class where relkind = 'r') as bytes,
      (select count(*) from payments) as payments
  `
  return row
}

const MIB = 2 ** 20

const residentMiBOf = ({ pid }: RunningService) => Math.round(residentBytes(pid) / MIB)

async function measureMemory(
  { load, say, seconds }: Context,
  served: Served,
): Promise<Omit<Cost['residentMiB'], 'idle'>> {
  const resident = () => residentMiBOf(served.service)
  say('memory under full load')
  const samples: number[] = []
  const timer = setInterval(() => samples.push(resident()), (1000 * seconds) / 20)
  await load.call('run', { ...job(served, seconds), targets: plainPayments(served.world) })
  clearInterval(timer)
  await sleep(5_000)
  return { load: Math.max(...samples), afterLoad: resident(), samples }
}

async function measureOverload({ load, say, seconds }: Context, served: Served): Promise<Overload> {
  const targets = plainPayments(served.world)
  say('what it can take')
  const { measured: full } = await load.call('run', { ...job(served, seconds / 2), leadInSeconds: 1, targets })
  const { measured: calm } = await load.call('run', { ...job(served, 1), connections: 1, targets })
  const offeredPerSecond = OVERLOAD * full.perSecond
  say(`${Math.round(offeredPerSecond)} payments a second are asked for`)
  const { measured, statuses } = await load.call('run', {
    ...job(served, seconds),
    ...{ targets, leadInSeconds: 1, connections: OVERLOAD_CONNECTIONS, perSecond: offeredPerSecond },
  })
  const stoppedAt = performance.now()
  const request = async () => (await load.call('run', { ...job(served, 0.1), connections: 1, targets })).measured
  const isNormal = ({ count, p50 }: Measurement) => count > 0 && p50 <= 2 * calm.p50
  while (!isNormal(await request()) && performance.now() - stoppedAt < 30_000);
  return {
    capacityPerSecond: full.perSecond,
    offeredPerSecond,
    statuses,
    acceptedPerSecond: measured.perSecond,
    acceptedP50: measured.p50,
    acceptedP99: measured.p99,
    recoveredAfterSeconds: (performance.now() - stoppedAt) / 1000,
  }
}

export function costLines({ startMs, bytesOfPayment, residentMiB, overload }: Cost): string[] {
  const refused = overload.statuses[503] ?? 0
  const all = Object.values(overload.statuses).reduce((sum, count) => sum + count, 0)
  return [
    `start to ready: ${figure(median(startMs))} ms (${startMs.map((ms) => figure(ms)).join(', ')})`,
    `disk: ${figure(bytesOfPayment.plain)} bytes a payment, ${figure(bytesOfPayment.deposited)} deposited, indexes and the Idempotency-Key's record included`,
    `resident memory: ${residentMiB.idle} MiB idle, ${residentMiB.load} MiB at most under load, ${residentMiB.afterLoad} MiB after it`,
    `overload: it takes ${figure(overload.capacityPerSecond)} a second; asked for ${figure(overload.offeredPerSecond)} it accepted ${figure(overload.acceptedPerSecond)} with p50 ${figure(overload.acceptedP50)} ms and p99 ${figure(overload.acceptedP99)} ms and answered 503 to ${figure((100 * refused) / all)} % (${JSON.stringify(overload.statuses)}); back to normal ${figure(overload.recoveredAfterSeconds)} s after the load had stopped`,
  ]
}
