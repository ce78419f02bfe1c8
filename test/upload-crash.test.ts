import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { readConnections } from '../src/connections/config/connections-actions.ts'
import { calendarOf } from '../src/connections/exchange/bank-calendar-rules.ts'
import { findConnectionState } from '../src/connections/exchange/connection-state-store.ts'
import { contentOf, getOutgoingFiles } from '../src/connections/exchange/outgoing-file-actions.ts'
import { newMasterKey } from '../src/foundation/core/seal.ts'
import type { Pool } from '../src/foundation/db/connect.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { nextAchWindow } from '../src/foundation/lib/banking-day.ts'
import { writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { exchangeBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { copyPayments, fileStatuses } from './support/ach.ts'
import { connectionsFolder, twoBanks, writeConnections } from './support/connections.ts'
import { type FileService, newPair, pay, startFileService } from './support/file-service.ts'
import { type HostileServer, startHostileServer } from './support/hostile-sftp.ts'
import { beginProcess, startProcess } from './support/process.ts'
import { randomFrom, seedFrom } from './support/seed.ts'
import { waitUntil } from './support/wait-until.ts'

// Production in a separate process, which is killed while it uploads. The long run is npm run worker-crashes, where
// CRASH_SEED repeats the kill times.
const ROUNDS = Number(process.env.TEST_CRASH_ROUNDS ?? 2)
const SEED = process.env.TEST_CRASH_ROUNDS ? seedFrom('CRASH_SEED') : 45
const random = randomFrom(SEED)
const LEGS_PER_ROUND = 300
const PACKET_BYTES = 1_024

test(`a service that is killed during an upload sends the file once and completely when it starts again (CRASH_SEED=${SEED})`, {
  timeout: 600_000 + ROUNDS * 60_000,
}, async (t) => {
  const hostile = await startHostileServer()
  t.after(() => hostile.stop())
  const home = await connectionsFolder(t)
  const path = await connectionsTo(hostile, home)
  const connections = await readConnections(path)
  const masterKey = newMasterKey()
  const stateFolder = join(home, 'data', 'production')
  const service = await startFileService(t, {
    connections: { current: () => connections },
    masterKey,
    settings: { stateFolder },
  })
  const { deps, databaseUrl } = service
  const env = {
    REMIT_ENVIRONMENTS: 'production',
    REMIT_DATA_DIR: join(home, 'data'),
    REMIT_MASTER_KEYS: masterKey,
    REMIT_PRODUCTION_BASE_URL: 'https://pay.example.com',
    REMIT_PRODUCTION_DATABASE_URL: databaseUrl,
    REMIT_PRODUCTION_CONNECTIONS: path,
  }
  await pay(await newPair(service), 0.01)

  for (let round = 0; round < ROUNDS; round++) {
    hostile.files.clear()
    const { name, content } = await writeLargeFile(service, round)
    const killed = beginProcess(t, ['worker'], { home, env })
    const [temporary, atBytes, isServed] = [`/in/.${name}.part`, random() * content.length, random() < 0.5]
    hostile.onRequest = () => {
      if ((hostile.files.get(temporary)?.length ?? 0) < atBytes) return true
      killed.child.kill('SIGKILL')
      return isServed
    }
    await once(killed.child, 'close')
    hostile.onRequest = () => true
    assert.deepEqual([...hostile.files.keys()], [temporary], 'it was killed before the file had its name')
    await endLease(deps.sql)
    const next = await startProcess(t, ['worker'], { home, env })
    await waitUntil('the file is TRANSMITTED', async () =>
      Object.values(await fileStatuses(deps.sql)).every((status) => status === 'TRANSMITTED'),
    )
    assert.equal((await next.end()).code, 0)
    assert.deepEqual([...hostile.files], [[`/in/${name}`, content]])
  }
  assert.deepEqual(
    (await getBankCases(deps)).filter(({ kind }) => kind !== 'connection_silent'),
    [],
  )
  await service.assertLedger()
})

test('a process keeps a connection during a long session, and another process gets it afterward', async (t) => {
  const hostile = await startHostileServer()
  const home = await connectionsFolder(t)
  const connections = await readConnections(await connectionsTo(hostile, home))
  const service = await startFileService(t, { connections: { current: () => connections } })
  const { deps } = service
  hostile.faults = { isSilentAfterSignIn: true }
  const pass = exchangeBankFiles(deps)
  await waitUntil(
    'the connection is leased',
    async () => await deps.sql`select from connection_states where lease_id is not null`.anyRow(),
  )
  const leasedUntil = await leaseOf(deps.sql)
  await waitUntil('the lease was renewed', async () => (await leaseOf(deps.sql)) > leasedUntil)
  await exchangeBankFiles(deps)
  assert.equal((await findConnectionState(deps.sql, 'first'))?.tries, 0, 'the other pass did not use it')
  await hostile.stop()
  await pass
  const [row] =
    await deps.sql`select tries, lease_id, leased_until from connection_states where connection_id = 'first'`
  assert.deepEqual(row, { tries: 1, leaseId: null, leasedUntil: null })
})

/** Commits a file with many entries, which the next process finds. */
async function writeLargeFile({ deps, clock }: FileService, round: number): Promise<{ name: string; content: Buffer }> {
  const fromCents = 2 + round * LEGS_PER_ROUND
  await copyPayments(deps.sql, { fromCents, toCents: fromCents + LEGS_PER_ROUND - 1 })
  const calendar = calendarOf(deps.connections.current().all[0] ?? null)
  clock.advance((nextAchWindow(new Date(clock.now().getTime() + 1), calendar).getTime() - clock.now().getTime()) / 1000)
  while ((await writeAchFiles(deps, achHooks)) > 0);
  const [file, ...others] = (await getOutgoingFiles(deps, { isOpenOnly: true })).filter(
    ({ status }) => status === 'WRITTEN',
  )
  assert.ok(file && others.length === 0)
  const content = await contentOf({ ...deps, sql: deps.sql }, file)
  assert.ok(content && content.length > LEGS_PER_ROUND * 94)
  return { name: `${file.name}.ach`, content }
}

/** Advances to the time at which the lease of a killed process has ended, in less than a minute. */
async function endLease(sql: Pool): Promise<void> {
  const leasedUntil = await leaseOf(sql)
  assert.ok(leasedUntil.getTime() <= Date.now() + 60_000, leasedUntil.toISOString())
  await sql`
    update connection_states
    set leased_until = now()
    where connection_id = 'first'
  `
}

async function leaseOf(sql: Pool): Promise<Date> {
  const [row] = await sql<{ leasedUntil: Date | null }[]>`
    select leased_until
    from connection_states
    where connection_id = 'first'
  `
  assert.ok(row?.leasedUntil)
  return row.leasedUntil
}

/** The first bank is the server. The second one is a folder. */
async function connectionsTo({ port, fingerprint }: HostileServer, home: string): Promise<string> {
  const file = twoBanks()
  const transport = {
    ...{
      type: 'sftp',
      host: '127.0.0.1',
      port,
      user: 'acme',
      password_file: 'secrets/server',
      host_keys: [fingerprint],
    },
    ...{ out: '/in', in: '/out', packet_bytes: PACKET_BYTES },
  }
  await writeFile(join(home, 'secrets', 'server'), 'secret\n', { mode: 0o600 })
  Object.assign(file.connections[0] as object, { transport })
  return writeConnections(home, file)
}
