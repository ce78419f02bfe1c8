import { spawn, spawnSync } from 'node:child_process'
import { access, mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { reportOf, sumOf } from './coverage.ts'
import type { Plan, Report } from './lives.ts'
import { plant, planted } from './planted.ts'

// npm run world -- [--steps 20000] [--seed S] [--seeds N] [--shrink] [--partitioned]: long histories of the world, one on each core.
// `--steps` is the number of steps for each seed. Without --seeds, more than 20,000 steps are shared among several seeds.
// npm run world -- --sandbox [--steps 20000] [--seed S]: a long history of a sandbox.
// npm run world -- --planted [--fault PATTERN]: whether the world finds the faults of planted.ts, all or those whose names match.

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    seeds: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    partitioned: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
    fault: { type: 'string', default: '' },
    sandbox: { type: 'boolean', default: false },
  },
})

/**
 * Each process runs on its own core, together with its PostgreSQL. Because the two work in turn, moving data and control between cores would
 * take as long as their work.
 */
const PROCESSES = availableParallelism()

/** Returns the command that starts a program on one core, if there is one. */
const onCore = (core: number): string[] =>
  spawnSync('taskset', ['-c', `${core}`, 'true']).status === 0 ? ['taskset', '-c', `${core}`] : []

const first = Number(values.seed)
/** The longest history. A world of many years has large tables, so its steps take longer. */
const MAX_STEPS = 20_000
const allSteps = Number(values.steps)
const seedCount = Number(values.seeds ?? Math.ceil(allSteps / MAX_STEPS))
const steps = values.seeds === undefined ? Math.ceil(allSteps / seedCount) : allSteps
const folder = await mkdtemp(join(tmpdir(), 'remit-world-'))

type Given = Pick<Plan, 'seeds' | 'steps'> & Partial<Plan> & { core: number; root?: string; isQuiet?: boolean }

/** Runs the histories of some seeds in a separate process. */
async function live({ core, root = process.cwd(), isQuiet = false, ...given }: Given): Promise<Report[]> {
  const report = join(folder, `${given.seeds[0]}-${root.replaceAll('/', '-')}`)
  await rm(report, { force: true })
  const { shrink: isShrunk, sandbox: isSandbox } = values
  const plan: Plan = { report, isShrunk, isSandbox, endsWithFailure: false, ...given }
  const inMemory = await access('/dev/shm').then(
    () => '/dev/shm',
    () => tmpdir(),
  )
  const env = {
    TMPDIR: inMemory, // of the database and of the exchange folder
    NODE_COMPILE_CACHE: join(folder, 'compiled'), // the process that draws checks starts often
    // One server with its plain tables is what most people run, and is faster.
    ...(!values.partitioned && { TEST_PLAIN_TABLES: '1' }),
    ...process.env,
  }
  const [program = '', ...args] = [...onCore(core), process.execPath, 'test/world/lives.ts', JSON.stringify(plan)]
  const child = spawn(program, args, { cwd: root, stdio: isQuiet ? 'ignore' : 'inherit', env })
  await new Promise((resolve) => child.on('exit', resolve))
  const lines = await readFile(report, 'utf8').catch(() => '')
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Report)
}

async function runSeeds(): Promise<void> {
  const seeds = Array.from({ length: seedCount }, (_, index) => first + index)
  const shares = Array.from({ length: PROCESSES }, (_, process) => seeds.filter((_, at) => at % PROCESSES === process))
  const done = (
    await Promise.all(shares.map((share, core) => (share.length > 0 ? live({ core, seeds: share, steps }) : [])))
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
  const findNext = async (core: number): Promise<void> => {
    for (let name = faults.shift(); name !== undefined; name = faults.shift()) await find(name, core)
  }
  await Promise.all(Array.from({ length: PROCESSES }, (_, core) => findNext(core)))
}

async function find(name: string, core: number): Promise<void> {
  const root = join(tmpdir(), `remit-planted-${core}`)
  await plant(name, { root: '.', folder: root })
  const seeds = Array.from({ length: Math.ceil(allSteps / PLANTED_STEPS) }, (_, index) => first + index)
  const reports = await live({ core, root, seeds, steps: PLANTED_STEPS, endsWithFailure: true, isQuiet: true })
  const last = reports.at(-1)
  if (!last) throw new Error(`the program does not run with "${name}"`)
  const taken = reports.reduce((sum, report) => sum + report.steps, 0)
  // Without the fault, the same history must keep all promises.
  const [own] = last.failure ? await live({ core, seeds: [last.seed], steps: PLANTED_STEPS, isQuiet: true }) : []
  const isFound = last.failure && own && !own.failure
  if (!isFound) process.exitCode = 1
  const how = `step ${last.failure?.step} of seed ${last.seed}: ${last.failure?.promise}`
  if (isFound) console.log(`found after ${taken} steps: ${name}: ${how}`)
  else if (last.failure) console.log(`the program itself breaks a promise: seed ${last.seed}: ${own?.failure?.promise}`)
  else console.log(`NOT FOUND in ${taken} steps: ${name}`)
}

await (values.planted ? findPlanted() : runSeeds())
await rm(folder, { recursive: true, force: true })
