import type { LoadJob } from '../load/load-job.ts'
import { cpuSeconds, familyOf } from './cpu.ts'
import type { Measurement } from './samples.ts'
import type { StageContext } from './stage.ts'

/** The processes whose CPU time is reported, by role. */
export type Watched = Record<string, () => readonly number[]>

export const postgresProcesses = ({ server }: Pick<StageContext, 'server'>) => familyOf(server.pid)

/** Reports the CPU time per request for each process. The warm-up is included in both counts. */
export async function withCpu(watched: Watched, run: () => Promise<Measurement>): Promise<Measurement> {
  const read = () => Object.entries(watched).map(([name, pids]) => [name, cpuSeconds(pids())] as const)
  const before = new Map(read())
  const begin = performance.now()
  const measured = await run()
  const took = (performance.now() - begin) / 1000
  const done = measured.perSecond * took
  const perOne = (name: string, seconds: number) => Math.max(0, ((seconds - (before.get(name) ?? 0)) / done) * 1e6)
  return { ...measured, cpu: Object.fromEntries(read().map(([name, seconds]) => [name, perOne(name, seconds)])) }
}

type HttpLoad = Omit<LoadJob, 'seconds' | 'leadInSeconds'> & { seconds: number; pid: number }

const LEAD_IN_SECONDS = 0.5

/** Puts load on a server and measures it. Every answer must be successful. */
export async function measureHttp(context: StageContext, { pid, ...job }: HttpLoad): Promise<Measurement> {
  const { load } = context
  const watched = { server: () => [pid], postgres: () => postgresProcesses(context), load: () => [load.pid] }
  return withCpu(watched, async () => {
    const { measured, statuses } = await load.call('run', { ...job, leadInSeconds: LEAD_IN_SECONDS })
    const bad = Object.entries(statuses).filter(([status]) => !/^2/.test(status))
    if (bad.length > 0)
      throw new Error(`${job.url} answered ${bad.map(([status, n]) => `${n} × ${status}`).join(', ')}`)
    if (measured.count === 0) throw new Error(`${job.url} answered nothing in ${job.seconds} s`)
    return measured
  })
}
