import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { environmentDefaults } from '../../src/foundation/core/environment.ts'
import { newMasterKey, parseMasterKeys } from '../../src/foundation/core/seal.ts'
import type { Pool } from '../../src/foundation/db/connect.ts'
import { inTransaction } from '../../src/foundation/db/transaction.ts'
import { newId } from '../../src/foundation/lib/ids.ts'
import { createLog } from '../../src/foundation/lib/log.ts'
import { type Service, startService } from '../../src/operation/app/service.ts'
import { createUser } from '../../src/people/user/user-actions.ts'
import { type Child, startChild } from './child.ts'
import type { ReceiverMethods } from './receiver.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/remit.js', import.meta.url))

export type Target = { platformId: string; endpointId: string; path: string }

/** A database with endpoints on several platforms, a receiver and workers, each in its own process. */
export type Scene = {
  sql: Pool
  receiver: Child<ReceiverMethods>
  receiverUrl: string
  /** Creates platforms, each with an endpoint that subscribes to INVOICE. */
  makeTargets(paths: string[]): Promise<Target[]>
  /** `heapMiB`: the memory limit of the worker. The default is that of Node.js. */
  startWorker(options?: { heapMiB?: number }): Promise<WorkerProcess>
  end(): Promise<void>
}

export type WorkerProcess = { pid: number; residentMiB(): number; end(signal: NodeJS.Signals): Promise<void> }

export async function startScene(databaseUrl: string): Promise<Scene> {
  const masterKeys = newMasterKey()
  const home = await mkdtemp(join(tmpdir(), 'remit-load-'))
  const service = await startService({
    settings: { ...environmentDefaults.sandbox, allowsLocalWebhooks: true },
    databaseUrl,
    ownerUrl: databaseUrl,
    host: '127.0.0.1',
    port: 0,
    keyRing: parseMasterKeys(masterKeys),
    log: createLog('warn'),
    roles: [],
  })
  const receiver = startChild<ReceiverMethods>('receiver.ts')
  const receiverUrl = `http://127.0.0.1:${await receiver.ask('listen')}`
  const workers = new Set<WorkerProcess>()
  return {
    sql: service.deps.sql,
    receiver,
    receiverUrl,
    makeTargets: async (paths) => {
      const targets: Target[] = []
      for (const path of paths) targets.push(await makeTarget(service, path, receiverUrl))
      return targets
    },
    startWorker: async ({ heapMiB } = {}) => {
      const env = {
        PATH: process.env.PATH,
        HOME: home,
        DATABASE_URL: databaseUrl,
        REMIT_MASTER_KEYS: masterKeys,
        REMIT_ALLOW_LOCAL_WEBHOOKS: 'true',
        REMIT_SANDBOX_BASE_URL: 'http://127.0.0.1:1', // stands for the address of the pages
      }
      const options = heapMiB ? [`--max-old-space-size=${heapMiB}`] : []
      const worker = await launchWorker(home, env, options)
      workers.add(worker)
      return worker
    },
    end: async () => {
      for (const worker of workers) await worker.end('SIGKILL')
      receiver.end()
      await service.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function makeTarget({ deps }: Service, path: string, receiverUrl: string): Promise<Target> {
  const { id } = await inTransaction(deps, (tx) => createUser(tx, { platformId: null, externalId: null, name: 'Load' }))
  const endpointId = newId(deps)
  await deps.sql`
    insert into endpoints (platform_id, id, user_id, kind, url, event_types, created_at)
    values (${id}, ${endpointId}, ${id}, 'endpoint', ${receiverUrl + path}, '{INVOICE}', now())
  `
  return { platformId: id, endpointId, path }
}

async function launchWorker(home: string, env: NodeJS.ProcessEnv, options: string[]): Promise<WorkerProcess> {
  const further = process.env.LOAD_NODE_OPTIONS?.split(' ') ?? []
  const args = [...options, ...further, PROGRAM, 'worker', '--environments', 'sandbox']
  const child = spawn(process.execPath, args, { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data) => /^working /m.test(String(data)) && resolve())
    child.once('exit', (code) => reject(new Error(`the worker ended with ${code}`)))
  })
  const pid = child.pid as number
  return {
    pid,
    residentMiB: () => (Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4_096) / 2 ** 20,
    end: (signal) => {
      child.kill(signal)
      return exited
    },
  }
}

/**
 * Writes due events without waking a worker: the same number for each target, four for each subject.
 *
 * @returns the number of events
 */
export async function writeBacklog(
  sql: Pool,
  targets: Pick<Target, 'platformId' | 'endpointId'>[],
  perTarget: number,
  now = new Date(),
): Promise<number> {
  for (const [index, target] of targets.entries()) {
    for (let from = 0; from < perTarget; from += ROWS_PER_STATEMENT) {
      const until = Math.min(from + ROWS_PER_STATEMENT, perTarget)
      await writeDue(sql, target, { first: index * perTarget, from, until, now })
    }
  }
  return targets.length * perTarget
}

/** A statement must not run longer than ten seconds. */
const ROWS_PER_STATEMENT = 20_000

async function writeDue(
  sql: Pool,
  { platformId, endpointId }: Pick<Target, 'platformId' | 'endpointId'>,
  { first, from, until, now }: { first: number; from: number; until: number; now: Date },
): Promise<void> {
  await sql`
    with made as (
      select
        n, uuid_of_time_v1(${now}) as id,
        ('00000000-0000-7000-8000-' || lpad(to_hex(${first}::integer + n / 4 * 4), 12, '0'))::uuid as subject_id
      from generate_series(${from}::integer, ${until - 1}::integer) n
    ),
    happened as (
      insert into events (platform_id, id, type, subject_id, body, created_at)
      select ${platformId}, id, 'INVOICE', subject_id, ${bodyOf(sql, first)}, ${now}
      from made
    )
    insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
    select ${platformId}, ${endpointId}, id, subject_id, 'PENDING', ${now}
    from made
    order by n
  `
}

const bodyOf = (sql: Pool, first: number) => sql`
  format(
    '{"id":"%s","status":"PAID","type":"INVOICE","deposit_option":"ACH","number":%s,"sequence":%s}',
    replace(subject_id::text, '-', ''), ${first}::integer + n, n % 4
  )
`

/** Writes one event like the service and wakes the workers. @returns the time of its commit */
export async function writeEvent(sql: Pool, { platformId }: Target, number: number): Promise<number> {
  const subject = (Math.floor(number / 400) * 100 + (number % 100)).toString(16).padStart(32, '0')
  const sequence = Math.floor(number / 100) % 4
  const body = JSON.stringify({ id: subject, status: 'PAID', type: 'INVOICE', deposit_option: 'ACH', number, sequence })
  await sql`
    select record_event_v1(${platformId}, 'INVOICE', ${subject}, uuid_of_time_v1(now()), ${body}, ${new Date()})
  `
  return performance.timeOrigin + performance.now()
}

/** Polls ten times a second until `isThere`; fails when nothing has changed for two minutes. */
export async function waitUntil(isThere: () => Promise<boolean>, stuckAfterMs = 120_000): Promise<void> {
  const deadline = performance.now() + stuckAfterMs
  while (!(await isThere())) {
    if (performance.now() > deadline) throw new Error('the condition was not reached')
    await sleep(100)
  }
}
