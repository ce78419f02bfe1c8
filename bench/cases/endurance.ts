import type { LoadMethods } from '../load/load-process.ts'
import { residentBytes } from '../support/cpu.ts'
import { startServer } from '../support/database.ts'
import { startHelper } from '../support/helper.ts'
import { describeMachine, type Machine } from '../support/machine.ts'
import { createProgress } from '../support/progress.ts'
import { median } from '../support/samples.ts'
import { install, startService, withDatabase } from '../support/service.ts'
import { depositedPayments, plainPayments, read } from '../support/targets.ts'
import { makeWorld } from '../support/world.ts'

// Memory during a long load, including webhooks, ledger and rails.

const USERS = 1_000
const CONNECTIONS = 64
const SAMPLES = 60
/** The number of samples in each compared part: a tenth of the whole. */
const COMPARED = SAMPLES / 10

export type Endurance = {
  takenAt: string
  machine: Machine
  minutes: number
  perSecond: number
  done: number
  p99: number
  /** Resident memory at even intervals. */
  residentMiB: number[]
}

export async function measureEndurance({ minutes, perSecond }: { minutes: number; perSecond: number }) {
  const progress = createProgress()
  const server = await startServer()
  const load = startHelper<LoadMethods>('load/load-process.ts')
  try {
    progress.say(`making ${USERS} users`)
    const production = await install(server, { environment: 'production', database: 'endurance' })
    const world = await withDatabase(production, (deps) => makeWorld(deps, { name: 'enduring', userCount: USERS }))
    const service = await startService(production)
    const residentMiB: number[] = []
    const sample = () => {
      residentMiB.push(Math.round(residentBytes(service.pid) / 2 ** 20))
      progress.say(`${residentMiB.at(-1)} MiB, sample ${residentMiB.length} of ${SAMPLES}`)
    }
    const lists = world.users.map(({ authorization }) => read(authorization, '/v3/check?per_page=50'))
    const deposited = depositedPayments(world)
    const targets = plainPayments(world).flatMap((plain, index) => [
      plain,
      deposited[index] ?? plain,
      lists[index] ?? plain,
    ])
    const timer = setInterval(sample, (60_000 * minutes) / SAMPLES)
    const { measured } = await load.call('run', {
      ...{ url: service.url, targets, connections: CONNECTIONS, perSecond },
      ...{ seconds: 60 * minutes, leadInSeconds: 0, hasIdempotencyKeys: true },
    })
    clearInterval(timer)
    await service.stop()
    return {
      ...{ takenAt: new Date().toISOString(), machine: describeMachine(server.folder), minutes, perSecond },
      ...{ done: measured.count, p99: measured.p99, residentMiB },
    }
  } finally {
    progress.done()
    await load.end()
    await server.stop()
  }
}

export function enduranceLines({ minutes, done, p99, residentMiB }: Endurance): string[] {
  const early = median(residentMiB.slice(COMPARED, 2 * COMPARED))
  const late = median(residentMiB.slice(-COMPARED))
  return [
    `${minutes} minutes, ${done.toLocaleString('en-US')} requests, p99 ${p99.toFixed(1)} ms`,
    `resident memory: ${early} MiB in the second tenth of the time, ${late} MiB in the last, ${Math.max(...residentMiB)} MiB at most`,
  ]
}
