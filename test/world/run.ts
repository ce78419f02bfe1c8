import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { reportOf, sumOf } from './coverage.ts'
import type { Outcome } from './history.ts'
import { plant, planted } from './planted.ts'

// npm run world -- [--steps 20000] [--seed S] [--seeds 1] [--shrink]: long histories of the world, two seeds at a time.
// npm run world -- --planted [--fault TEXT]: whether the world finds the faults of planted.ts, all or those with this text in their names.

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    seeds: { type: 'string', default: '1' },
    shrink: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    fault: { type: 'string', default: '' },
    partitioned: { type: 'boolean', default: false },
  },
})

/** Each process has a PostgreSQL of its own. */
const PROCESSES = 2

const first = Number(values.seed)
const steps = Number(values.steps)
const reports = await mkdtemp(join(tmpdir(), 'remit-world-'))

type Report = Omit<Outcome, 'trace'> & { seed: number }
type Given = { root?: string; steps?: number; isQuiet?: boolean }

/** Lives through one history in a process of its own. @returns null if the process ended before the history */
async function live(seed: number, { root = process.cwd(), steps: count = steps, isQuiet }: Given = {}) {
  const path = join(reports, `${seed}-${root.replaceAll('/', '-')}`)
  const env = {
    TEST_TIMEOUT_MS: String(24 * 60 * 60 * 1000),
    // One server with its plain tables is what most people run, and is faster.
    ...(!values.partitioned && { TEST_PLAIN_TABLES: '1' }),
    ...process.env,
    WORLD_STEPS: String(count),
    WORLD_SEED: String(seed),
    WORLD_REPORT: path,
    ...(values.shrink && { WORLD_SHRINK: '1' }),
  }
  const child = spawn(process.execPath, ['test/run.ts', 'test/world/world.test.ts'], {
    cwd: root,
    stdio: isQuiet ? 'ignore' : 'inherit',
    env,
  })
  const code = await new Promise<number>((resolve) => child.on('exit', (exit) => resolve(exit ?? 1)))
  const text = await readFile(path, 'utf8').catch(() => null)
  return { code, report: text === null ? null : (JSON.parse(text) as Report) }
}

/** Takes items from a list, in two processes. */
const inTwo = async <Item>(items: Item[], work: (item: Item, process: number) => Promise<void>): Promise<void> => {
  const takeAll = async (process: number) => {
    for (let item = items.shift(); item !== undefined; item = items.shift()) await work(item, process)
  }
  await Promise.all(Array.from({ length: PROCESSES }, (_, process) => takeAll(process)))
}

async function runSeeds(): Promise<void> {
  const done: Report[] = []
  await inTwo(Array.from({ length: Number(values.seeds) }, (_, index) => first + index), async (seed) => {
    const { code, report } = await live(seed)
    if (code !== 0) process.exitCode = code
    if (report) done.push(report)
  })
  done.sort((one, other) => one.seed - other.seed)
  for (const { seed, steps: taken, digest, failure } of done)
    console.log(`seed ${seed}: ${taken} steps, digest ${digest}, ${failure ? `FAILED: ${failure.promise}` : 'clean'}`)
  const total = done.reduce((sum, { steps: taken }) => sum + taken, 0)
  console.log(`${total} steps of ${done.length} seeds\n${reportOf(sumOf(done.map(({ coverage }) => coverage)))}`)
}

/** Histories of this many steps are cheap, and a fault is often found in the first days of a world. */
const PLANTED_STEPS = 1_000

async function findPlanted(): Promise<void> {
  const faults = Object.keys(planted).filter((name) => name.includes(values.fault))
  await inTwo(faults, async (name, process) => {
    const root = join(tmpdir(), `remit-planted-${process}`)
    await plant(name, { root: '.', folder: root })
    let taken = 0
    for (let seed = first; taken < steps; seed++) {
      const { report } = await live(seed, { root, steps: PLANTED_STEPS, isQuiet: true })
      if (!report) throw new Error(`the program does not run with "${name}"`)
      taken += report.steps
      if (!report.failure) continue
      const { step, promise } = report.failure
      console.log(`found: ${name}: step ${taken}, which is step ${step} of seed ${seed}: ${promise}`)
      return
    }
    globalThis.process.exitCode = 1
    console.log(`NOT FOUND in ${taken} steps: ${name}`)
  })
}

await (values.planted ? findPlanted() : runSeeds())
await rm(reports, { recursive: true, force: true })
