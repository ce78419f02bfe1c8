import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { newMasterKey, parseMasterKeys } from '../src/foundation/core/seal.ts'
import type { Pool } from '../src/foundation/db/connect.ts'
import { nextAchWindow } from '../src/foundation/lib/banking-day.ts'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import {
  achFolder,
  connection,
  connectionsOf,
  copyPayments,
  fileSettings,
  readOutbound,
  upload,
} from './support/ach.ts'
import { sendPayment } from './support/payments.ts'
import { randomFrom, seedFrom } from './support/seed.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

// The long run is npm run worker-crashes. CRASH_SEED repeats the kill times of a run.
const ROUNDS = Number(process.env.TEST_CRASH_ROUNDS ?? 4)
const SEED = seedFrom('CRASH_SEED')
const random = randomFrom(SEED)
const LEGS_PER_ROUND = 200
/** Longer than it takes to make and write a file. */
const LONGEST_LIFE_MS = 500
const ROUNDS_PER_DAY = 30

const CHILD = fileURLToPath(new URL('support/ach-file-child.ts', import.meta.url))

test(`a worker that is killed repeatedly while it writes leaves each entry in exactly one complete file (CRASH_SEED=${SEED})`, {
  timeout: 600_000 + ROUNDS * 15_000,
}, async (t) => {
  const folder = await achFolder(t)
  const masterKey = newMasterKey()
  const service = await startTestService(t, {
    environment: 'production',
    settings: { ...fileSettings, stateFolder: folder },
    connections: connectionsOf([connection({ folder })]),
    keyRing: parseMasterKeys(masterKey),
  })
  const { deps, databaseUrl } = service
  const [sender, recipient] = [await service.newUser(), await service.newUser()]
  await addVerifiedBank(sender)
  const account = await addBank(recipient)
  await sendPayment(sender, { amount: 0.01, recipient: { id: recipient.userId, account } })

  const seen = {
    'nothing was committed': 0,
    'it was committed, not recorded as written': 0,
    'a file was half written': 0,
    'all was written': 0,
  }
  const uploaded: string[] = []
  let now = nextAchWindow(service.clock.now())
  let killed = 0
  for (let round = 0; killed < ROUNDS; round++) {
    const fromCents = 2 + round * LEGS_PER_ROUND
    await copyPayments(deps.sql, { fromCents, toCents: fromCents + LEGS_PER_ROUND - 1 })
    if (round % ROUNDS_PER_DAY === ROUNDS_PER_DAY - 1) now = nextAchWindow(new Date(now.getTime() + 20 * 3_600_000))
    const moment = chooseMoment(round, join(folder, 'outbound'))
    const child = startChild([databaseUrl, folder, masterKey, now.toISOString()])
    await lineOf(child, 'ready')
    await moment()
    child.kill('SIGKILL')
    await once(child, 'close')
    killed++
    const state = await stateOf(deps.sql, folder)
    seen[state]++
    const isUploaded = state === 'it was committed, not recorded as written' || random() < 0.5
    if (isUploaded) uploaded.push(...(await upload(folder)))
    await readOutbound(folder) // a file with its final name is complete
  }
  const child = startChild([databaseUrl, folder, masterKey, now.toISOString()])
  while (!(await isAllWritten(deps.sql))) await sleep(50)
  child.kill('SIGKILL')
  await once(child, 'close')
  t.diagnostic(`killed ${killed} times: ${JSON.stringify(seen)}`)

  uploaded.push(...(await upload(folder)))
  assert.equal(new Set(uploaded).size, uploaded.length, `uploaded twice: ${uploaded.sort()}`)
  const files = await readOutbound(folder)
  const entries = files.flatMap((file) => file.entries)
  const pulls = entries.filter(({ description }) => description === 'PAYMENT').map(({ cents }) => cents)
  assert.deepEqual(
    pulls.sort((a, b) => a - b),
    Array.from({ length: killed * LEGS_PER_ROUND + 1 }, (_, index) => index + 1),
  )
  assert.equal(entries.length, pulls.length + 3, 'and the micro-deposits')
  assert.equal(new Set(entries.map(({ trace }) => trace)).size, entries.length)
  const [row] = await deps.sql<{ names: string[]; entries: number; sent: number }[]>`
    select
      (select array_agg(name || '.ach' order by name) from exchanges) as names, (select count(*) from ach_entries) as entries,
      (select count(*) from legs where status = 'SENT') as sent
  `
  assert.deepEqual(
    row,
    { names: files.map(({ name }) => name), entries: entries.length, sent: entries.length },
    'database and folder agree',
  )
  const verification = await verifyLedger(deps)
  assert.ok(isClean(verification), JSON.stringify(verification, null, 1))
})

const startChild = (args: string[]): ChildProcess =>
  spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })

async function lineOf({ stdout }: ChildProcess, wanted: string): Promise<void> {
  for await (const text of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    if (String(text).includes(wanted)) return
  }
  throw new Error(`the child ended before it said ${wanted}`)
}

/**
 * A random moment, and in every other round one while a file is being written. It begins to look before the worker starts, because the worker
 * can be faster than this process.
 *
 * @returns waits for the moment
 */
function chooseMoment(round: number, outbound: string): () => Promise<unknown> {
  if (round % 2 === 0) return () => sleep(random() * LONGEST_LIFE_MS)
  const awaited = round % 4 === 1 ? /\.part$/ : /\.ach$/
  const watcher = watch(outbound)
  const seen = new Promise<void>((resolve) => {
    watcher.on('change', (_, name) => awaited.test(String(name)) && resolve())
  })
  return async () => {
    await seen
    watcher.close()
    if (random() < 0.5) await sleep(1)
  }
}

type State =
  | 'nothing was committed'
  | 'it was committed, not recorded as written'
  | 'a file was half written'
  | 'all was written'

/** Returns the progress of the worker when it was killed. */
async function stateOf(sql: Pool, folder: string): Promise<State> {
  const [row] = await sql<{ waiting: number; unwritten: number }[]>`
    select
      (select count(*) from legs where file_at is not null) as waiting,
      (select count(*) from exchanges where published_at is null) as unwritten
  `
  if ((await readdir(join(folder, 'outbound'))).some((name) => name.startsWith('.'))) return 'a file was half written'
  if (row?.waiting) return 'nothing was committed'
  return row?.unwritten ? 'it was committed, not recorded as written' : 'all was written'
}

async function isAllWritten(sql: Pool): Promise<boolean> {
  const [row] = await sql<{ left: number }[]>`
    select
      (select count(*) from legs where file_at is not null)
      + (select count(*) from exchanges where published_at is null) as left
  `
  return row?.left === 0
}
