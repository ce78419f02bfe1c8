import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type HostileServer, startHostileServer } from './support/hostile-sftp.ts'
import { randomFrom, seedFrom } from './support/seed.ts'
import { TRANSFERRED, type TransferTask } from './support/transfer.ts'

// The long run is npm run worker-crashes. CRASH_SEED repeats the moments of a run.
const ROUNDS = Number(process.env.TEST_CRASH_ROUNDS ?? 6)
const SEED = seedFrom('CRASH_SEED')
const random = randomFrom(SEED)

const CHILD = fileURLToPath(new URL('support/transfer-child.ts', import.meta.url))
const bytes = randomBytes(20_000)

const KINDS = ['rename', 'fetch', 'direct'] as const

test(`a process that is killed at any step of a transfer leaves only work that the next one can finish (CRASH_SEED=${SEED})`, {
  timeout: 600_000 + ROUNDS * 30_000,
}, async (t) => {
  const hostile = await startHostileServer()
  t.after(() => hostile.stop())
  const begin = async (kind: (typeof KINDS)[number]): Promise<TransferTask> => {
    const folder = await mkdtemp(join(tmpdir(), 'remit-transfer-'))
    t.after(() => rm(folder, { recursive: true }))
    hostile.files.clear()
    if (kind === 'fetch') hostile.files.set(`/out/${TRANSFERRED}`, bytes)
    else await writeFile(join(folder, TRANSFERRED), bytes)
    return { kind, folder, port: hostile.port, fingerprint: hostile.fingerprint, diesBeforePublish: false }
  }
  const requests = new Map<string, number>()
  for (const kind of KINDS) requests.set(kind, await countRequests(await begin(kind), hostile))
  const killed: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const kind = KINDS[round % KINDS.length] as (typeof KINDS)[number]
    const task = await begin(kind)
    const diesBeforePublish = kind !== 'fetch' && random() < 0.1
    const atRequest = diesBeforePublish ? null : Math.floor(random() * (requests.get(kind) as number)) + 1
    const cuts = random() < 0.5
    const moment = `${kind} ${atRequest ?? 'before it is recorded'}${cuts ? '' : ' after it was served'}`
    killed.push(moment)
    await runKilled({ ...task, diesBeforePublish }, { hostile, atRequest, cuts })
    await assertOnce(task, { hostile, outcome: await run(task), moment })
  }
  t.diagnostic(`killed at request ${killed.join(', ')}`)
})

/** The number of requests of an uninterrupted transfer. */
async function countRequests(task: TransferTask, hostile: HostileServer): Promise<number> {
  let count = 0
  hostile.onRequest = () => ++count > 0
  assert.equal(await run(task), 'done')
  return count
}

/** @param given.cuts whether the last request is not served */
async function runKilled(
  task: TransferTask,
  { hostile, atRequest, cuts }: { hostile: HostileServer; atRequest: number | null; cuts: boolean },
): Promise<void> {
  const child = start(task)
  let count = 0
  hostile.onRequest = () => {
    if (++count !== atRequest) return true
    child.kill('SIGKILL')
    return !cuts
  }
  const [, signal] = await once(child, 'exit')
  hostile.onRequest = () => true
  assert.equal(signal, 'SIGKILL', `it ended after ${count} requests`)
}

const start = (task: TransferTask): ChildProcess =>
  spawn(process.execPath, [CHILD, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] })

async function run(task: TransferTask): Promise<string> {
  const child = start(task)
  const output = text(child.stdout as NonNullable<ChildProcess['stdout']>)
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
  return (await output).trim()
}

/**
 * Checks that the file is in its place once, complete and under no second name, or that the operator is asked whether
 * the bank has it.
 */
async function assertOnce(
  { kind, folder }: TransferTask,
  { hostile, outcome, moment }: { hostile: HostileServer; outcome: string; moment: string },
): Promise<void> {
  const onServer = [...hostile.files]
  if (kind === 'fetch') {
    assert.deepEqual({ outcome, onServer }, { outcome: 'done', onServer: [] }, moment)
    assert.deepEqual(await readFile(join(folder, TRANSFERRED)), bytes, moment)
  } else if (outcome === 'other_content') {
    // The file was about to be created under its final name: it is unknown whether the bank took it away.
    assert.deepEqual({ kind, onServer }, { kind: 'direct', onServer: [] }, moment)
  } else {
    assert.deepEqual({ outcome, onServer }, { outcome: 'done', onServer: [[`/in/${TRANSFERRED}`, bytes]] }, moment)
  }
}
