import { startHelper } from '../support/helper.ts'
import { postgresProcesses, withCpu } from '../support/measure.ts'
import type { Measurement } from '../support/samples.ts'
import { install, startService, withDatabase } from '../support/service.ts'
import type { Comparison, Stage, StageContext, Subject } from '../support/stage.ts'
import { depositedPayments } from '../support/targets.ts'
import { makeWorld } from '../support/world.ts'
import type { ReturnsProcess } from './returns-process.ts'

// A day on which every debit is returned: one bank file with 10,000 returns. Each return fails its payment.

const RETURNS = 10_000
const USERS = 200
const CONNECTIONS = 64
const TIMEOUT_SECONDS = 300

const comparisons: Comparison[] = [
  { caseName: 'returns', subject: 'returns', yardstick: null, of: 'rate', floor: null, aim: null },
]

export const returnsCases = { cases: ['returns'], prepare }

async function prepare(context: StageContext): Promise<Stage> {
  const { server, say, load } = context
  say(`making ${USERS} users of a platform in production`)
  const settings = { REQUESTS_PER_SECOND: '1000', REQUEST_BURST: '100000' }
  const installation = await install(server, { environment: 'production', database: 'returns', settings })
  const world = await withDatabase(installation, (deps) => makeWorld(deps, { name: 'returning', userCount: USERS }))
  const bank = startHelper<ReturnsProcess>('cases/returns-process.ts')
  const watched = { worker: () => [bank.pid], postgres: () => postgresProcesses(context) }

  async function makePayments(): Promise<void> {
    const service = await startService(installation)
    const targets = depositedPayments(world)
    const { statuses } = await load.call('run', {
      ...{ url: service.url, targets, connections: CONNECTIONS, hasIdempotencyKeys: true },
      ...{ seconds: TIMEOUT_SECONDS, leadInSeconds: 0, maxRequests: RETURNS },
    })
    await service.stop()
    if (statuses[201] !== RETURNS) throw new Error(`${RETURNS} payments, answers ${JSON.stringify(statuses)}`)
  }
  const measure = async (): Promise<Measurement> => {
    await makePayments()
    const count = await bank.call('sendAll', installation)
    const measured = await withCpu(watched, async () => {
      const seconds = await bank.call('readReturns', { installation, count })
      const none = Number.NaN
      return { count, seconds, perSecond: count / seconds, p50: none, p95: none, p99: none, max: none }
    })
    await bank.call('verify', installation)
    say(`${count} returns in ${seconds(measured)}`)
    return measured
  }
  const title = `${RETURNS.toLocaleString('en-US')} returns in one file, of debits that have settled`
  const subjects: Subject[] = [{ name: 'returns', title, measure }]
  return { subjects, comparisons, notes, end: bank.end }
}

const seconds = ({ seconds, count }: Measurement) =>
  `${seconds.toFixed(1)} s, ${Math.round((seconds / count) * 1e6)} µs for each`

const notes = ['Returns are read in rounds of 10,000, regardless of their duration. --seconds has no effect.']
