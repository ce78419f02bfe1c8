import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Pool } from '../src/foundation/db/connect.ts'
import { bankFile, copyPayments, putInbound } from './support/ach.ts'
import { newPair, pay, startFileService } from './support/file-service.ts'
import { randomFrom, seedFrom } from './support/seed.ts'

// The long run is npm run worker-crashes. CRASH_SEED repeats the moments of a run.
const ROUNDS = Number(process.env.TEST_CRASH_ROUNDS ?? 10)
const SEED = seedFrom('CRASH_SEED')
const random = randomFrom(SEED)
const RETURNS = Number(process.env.TEST_RETURNS ?? 600)
/** Returns of payments that no file contained. They are set aside, and the reports must also be complete. */
const UNKNOWN = 40

const CHILD = fileURLToPath(new URL('support/ach-read-child.ts', import.meta.url))

test(`a worker that is killed repeatedly while it reads returns applies each return exactly once (CRASH_SEED=${SEED})`, {
  timeout: 600_000 + ROUNDS * 15_000,
}, async (t) => {
  const service = await startFileService(t)
  const { deps, folder, clock } = service
  await pay(await newPair(service), 0.01)
  await copyPayments(deps.sql, { fromCents: 2, toCents: RETURNS })
  await service.openWindow()
  const debits = (await service.sent()).filter(({ code, description }) => code === '27' && description === 'PAYMENT')
  assert.equal(debits.length, RETURNS)
  const returns = debits.map(({ trace, cents }) => ({ code: 'R01', trace, direction: 'debit' as const, cents }))
  const unknown = Array.from({ length: UNKNOWN }, (_, index) => ({
    code: 'R01',
    trace: `0910000199${String(index).padStart(5, '0')}`,
    direction: 'debit' as const,
    cents: 1,
  }))
  const step = Math.floor(RETURNS / UNKNOWN)
  const entries = unknown.flatMap((one, index) => [one, ...returns.slice(index * step, (index + 1) * step)])
  await putInbound(folder, 'returns.ach', bankFile(entries))

  const progressOf = async () => {
    const [row] = await deps.sql<{ entriesDone: number; isComplete: boolean }[]>`
      select entries_done, completed_at is not null as is_complete from ach_inbound_files
    `
    return row ?? { entriesDone: 0, isComplete: false }
  }
  const seen: number[] = []
  const runKilled = async (round: number) => {
    const before = (await progressOf()).entriesDone
    const hasGoneOn = async () => {
      const { entriesDone, isComplete } = await progressOf()
      return isComplete || (round < ROUNDS && entriesDone > before)
    }
    const args = [service.databaseUrl, folder, service.masterKey, clock.now().toISOString()]
    const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    while (!(await hasGoneOn())) await sleep(1)
    await sleep(random() * 40)
    child.kill('SIGKILL')
    await once(child, 'close')
    seen.push((await progressOf()).entriesDone)
  }
  await holdingMiddle(service.ownerSql, () => runKilled(0))
  for (let round = 1; !(await progressOf()).isComplete; round++) await runKilled(round)
  t.diagnostic(`killed after ${seen.join(', ')} of ${entries.length} entries`)
  assert.ok(seen.length >= 2, 'it was killed in the middle')

  await service.receive('another.ach', bankFile([{ ...(unknown[0] as (typeof unknown)[0]), cents: 2 }]))
  const [row] = await deps.sql<{ failed: number; told: number; used: number; setAside: number }[]>`
    select
      (select count(*) from payments where status = 'FAILED') as failed,
      (select count(*) from events where body like '%"FAILED"%') as told,
      (select count(*) from ach_returns) as used,
      (select count(*) from ach_set_aside) as set_aside
  `
  assert.deepEqual(row, { failed: RETURNS, told: RETURNS, used: RETURNS, setAside: UNKNOWN + 1 })
  assert.match(await service.reports(), new RegExp(`Used: ${RETURNS} returns, 0 corrections`))
  assert.deepEqual((await service.list('inbound/done')).sort(), ['another.ach', 'returns.ach'])
  await service.assertLedger()
})

/** Lets nobody get further than the first entries of a file while `work` runs, however fast the machine is. */
async function holdingMiddle(ownerSql: Pool, work: () => Promise<void>): Promise<void> {
  await ownerSql`
    create function wait_in_the_middle() returns trigger language plpgsql
    as 'begin perform pg_advisory_xact_lock_shared(1); return new; end'
  `
  await ownerSql`
    create trigger wait_in_the_middle before update of entries_done on ach_inbound_files
    for each row when (old.entries_done > 0) execute function wait_in_the_middle()
  `
  await ownerSql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(1)`
    await work()
  })
}
