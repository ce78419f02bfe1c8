import { appendFile, chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer } from '../support/test-server.ts'
import { production } from './acts.ts'
import { asTest, drawHistory, live, type Outcome, shrink } from './history.ts'
import { sandbox } from './sandbox/sandbox-acts.ts'

// A process of `npm run world`. It runs the histories of some seeds, one after another, on its own PostgreSQL, and writes a line of JSON
// for each into a file. Arguments: a `Plan` as JSON.

export type Plan = {
  seeds: number[]
  steps: number
  report: string
  isShrunk: boolean
  endsWithFailure: boolean
  isSandbox: boolean
}

/** The report of a process about a seed. */
export type Report = Omit<Outcome, 'trace'> & { seed: number; seconds: number }

const plan = JSON.parse(process.argv[2] as string) as Plan
const kind = plan.isSandbox ? sandbox : production
const serverFolder = await mkdtemp(join(tmpdir(), 'remit-world-'))
await chmod(serverFolder, 0o711) // so that the user who runs PostgreSQL for root can enter the folder
const postgres = await startTestServer(serverFolder)
process.env.TEST_RUN_DATABASE_URL = postgres.url('postgres')
process.env.TEST_RUN_SERVICE_URL = postgres.serviceUrl('postgres')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end(1))
// Once in 300,000 steps, Node.js 24.21 missed that a file was opened, until another operation on a file ended. A seed then waited forever.
setInterval(() => void stat(serverFolder).catch(() => {}), 10_000).unref()
for (const seed of plan.seeds) if ((await liveOnce(seed)) && plan.endsWithFailure) break
await end(0)

async function end(code: number): Promise<void> {
  await postgres.stop()
  await rm(serverFolder, { recursive: true, force: true })
  process.exit(code)
}

/** @returns whether a promise was broken */
async function liveOnce(seed: number): Promise<boolean> {
  const start = performance.now()
  const history = drawHistory(kind, seed, plan.steps)
  const { trace, ...outcome } = await live(kind, history)
  const { failure, digest } = outcome
  const seconds = Math.round((performance.now() - start) / 1_000)
  await appendFile(plan.report, `${JSON.stringify({ seed, seconds, ...outcome } satisfies Report)}\n`)
  console.log(`seed ${seed}: ${outcome.steps} steps in ${seconds} s, digest ${digest}, ${failure?.promise ?? 'clean'}`)
  if (!failure) return false
  console.log(`step ${failure.step} (${failure.act}): ${failure.message}\n${trace.slice(-30).join('\n')}`)
  const which = plan.isSandbox ? '--sandbox ' : ''
  console.log(`npm run world -- ${which}--seed ${seed} --steps ${plan.steps} --shrink shortens it.`)
  if (plan.isShrunk) console.log(asTest(kind, await shrink(kind, { history, failure }, console.log), failure))
  return true
}
