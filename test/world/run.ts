import { spawn } from 'node:child_process'
import { parseArgs } from 'node:util'

// npm run world -- [--steps 20000] [--seed S] [--seeds 1] [--shrink] [--sandbox]: long histories of the world, two seeds at a time.

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '20000' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    seeds: { type: 'string', default: '1' },
    shrink: { type: 'boolean', default: false },
    sandbox: { type: 'boolean', default: false },
  },
})

/** Each process has a PostgreSQL of its own. */
const PROCESSES = 2

const file = values.sandbox ? 'test/world/sandbox/sandbox.test.ts' : 'test/world/world.test.ts'
const first = Number(values.seed)
const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => first + index)

async function runNext(): Promise<void> {
  for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
    const code = await run(seed)
    if (code !== 0) process.exitCode = code
  }
}

function run(seed: number): Promise<number> {
  const env = {
    TEST_TIMEOUT_MS: String(24 * 60 * 60 * 1000),
    ...process.env,
    WORLD_STEPS: values.steps,
    WORLD_SEED: String(seed),
    ...(values.shrink && { WORLD_SHRINK: '1' }),
  }
  const child = spawn(process.execPath, ['test/run.ts', file], { stdio: 'inherit', env })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 1)))
}

await Promise.all(Array.from({ length: PROCESSES }, runNext))
