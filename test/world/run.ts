import { spawn } from 'node:child_process'
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { reportOf, sumOf } from './coverage.ts'
import type { Plan, Report } from './lives.ts'
import { plant, planted } from './planted.ts'

// npm run world -- [--steps 20000] [--seed S] [--seeds 1] [--shrink] [--partitioned]: long histories of the world, three at a time.
// npm run world -- --sandbox [--steps 20000] [--seed S]: a long history of a sandbox.
// npm run world -- --planted [--fault PATTERN]: whether the world finds the faults of planted.ts, all or those whose names match.

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    seeds: { type: 'string', default: '1' },
    shrink: { type: 'boolean', default: false },
    partitioned: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    fault: { type: 'string', default: '' },
    sandbox: { type: 'boolean', default: false },
  },
})

/** The number of processes. Each has its own PostgreSQL, and waits for it half of the time. */
const PROCESSES = 3

const first = Number(values.seed)
const steps = Number(values.steps)
const folder = await mkdtemp(join(tmpdir(), 'remit-world-'))

type Given = Pick<Plan, 'seeds' | 'steps'> & Partial<Plan> & { root?: string; isQuiet?: boolean }

/** Runs the histories of some seeds in a separate process. */
async function live({ root = process.cwd(), isQuiet = false, ...given }: Given): Promise<Report[]> {
  const report = join(folder, `${given.seeds[0]}-${root.replaceAll('/', '-')}`)
  await rm(report, { force: true })
  const plan: Plan = { report, isShrunk: values.shrink, endsWithFailure: false, ...given }
  const inMemory = await access('/dev/shm').then(
    () => '/dev/shm',
    () => tmpdir(),
  )
  const env = {
    TMPDIR: inMemory, // of the database and of the exchange folder
    // One server with its plain tables is what most people run, and is faster.
    ...(!values.partitioned && { TEST_PLAIN_TABLES: '1' }),
    ...process.env,
  }
  const child = spawn(process.execPath, ['test/world/lives.ts', JSON.stringify(plan)], {
    cwd: root,
    stdio: isQuiet ? 'ignore' : 'inherit',
    env,
  })
  await new Promise((resolve) => child.on('exit', resolve))
  const lines = await readFile(report, 'utf8').catch(() => '')
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Report)
}

async function runSeeds(): Promise<void> {
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => first + index)
  const shares = Array.from({ length: PROCESSES }, (_, process) => seeds.filter((_, at) => at % PROCESSES === process))
  const done = (
    await Promise.all(shares.filter(({ length }) => length > 0).map((share) => live({ seeds: share, steps })))
  ).flat()
  const failed = done.filter(({ failure }) => failure)
  if (failed.length > 0 || done.length < seeds.length) process.exitCode = 1
  const total = done.reduce((sum, { steps: taken }) => sum + taken, 0)
  console.log(`${total} steps of ${done.length} seeds, ${failed.length} failed\n${reportOf(sumOf(done))}`)
}

/** Most faults are found in the first days of a world, and short histories are cheaper. */
const PLANTED_STEPS = 1_000

async function findPlanted(): Promise<void> {
  const faults = Object.keys(planted).filter((name) => new RegExp(values.fault).test(name))
  const findNext = async (place: number): Promise<void> => {
    for (let name = faults.shift(); name !== undefined; name = faults.shift()) await find(name, place)
  }
  await Promise.all(Array.from({ length: PROCESSES }, (_, place) => findNext(place)))
}

async function find(name: string, place: number): Promise<void> {
  const root = join(tmpdir(), `remit-planted-${place}`)
  await plant(name, { root: '.', folder: root })
  const seeds = Array.from({ length: Math.ceil(steps / PLANTED_STEPS) }, (_, index) => first + index)
  const reports = await live({ root, seeds, steps: PLANTED_STEPS, endsWithFailure: true, isQuiet: true })
  const last = reports.at(-1)
  if (!last) throw new Error(`the program does not run with "${name}"`)
  const taken = reports.reduce((sum, report) => sum + report.steps, 0)
  // Without the fault, the same history must keep all promises.
  const [own] = last.failure ? await live({ seeds: [last.seed], steps: PLANTED_STEPS, isQuiet: true }) : []
  const isFound = last.failure && own && !own.failure
  if (!isFound) process.exitCode = 1
  const how = `step ${last.failure?.step} of seed ${last.seed}: ${last.failure?.promise}`
  if (isFound) console.log(`found after ${taken} steps: ${name}: ${how}`)
  else if (last.failure) console.log(`the program itself breaks a promise: seed ${last.seed}: ${own?.failure?.promise}`)
  else console.log(`NOT FOUND in ${taken} steps: ${name}`)
}

/** Sandboxes have no report. */
async function runSandbox(): Promise<void> {
  const env = {
    TEST_TIMEOUT_MS: String(24 * 60 * 60 * 1000),
    ...process.env,
    WORLD_STEPS: values.steps,
    WORLD_SEED: values.seed,
  }
  const child = spawn(process.execPath, ['test/run.ts', 'test/world/sandbox/sandbox.test.ts'], {
    stdio: 'inherit',
    env,
  })
  process.exitCode = await new Promise<number>((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

await (values.planted ? findPlanted() : values.sandbox ? runSandbox() : runSeeds())
await rm(folder, { recursive: true, force: true })
