import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect, type Pool } from '../src/foundation/db/connect.ts'
import { databaseOfUrl, withDatabase } from '../src/foundation/db/schema/create-database.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import type { Api } from './support/api.ts'
import { type FileService, startFileService } from './support/file-service.ts'
import { addBank, addVerifiedBank } from './support/service.ts'
import { ask, assertTruth, type RequestedPayment } from './support/truth.ts'
import { waitUntil } from './support/wait-until.ts'

// Disasters of a real Citus under load: npm run citus-recovery, see docs/scale-out.md. All servers are restored to a
// restore point, and a standby replaces a worker. The servers cannot be used again, so create new ones for each run.

const { TEST_CITUS = '', CITUS_BIN = '', CITUS_DATA = '' } = process.env
const folders = CITUS_DATA.split(',')
if (!CITUS_BIN || folders.length !== TEST_CITUS.split(',').length)
  throw new Error(
    'CITUS_BIN must be the folder of pg_ctl, and CITUS_DATA the data directories in the order of TEST_CITUS',
  )

/** A server of the cluster. Its data directory and its address change. */
type Server = { url: string; data: string }
const servers: readonly Server[] = TEST_CITUS.split(',').map((url, index) => ({ url, data: folders[index] as string }))
const [coordinator, ...workers] = servers as readonly [Server, ...Server[]]

const PLATFORMS_PER_WORKER = 2
/** The number of answers of each platform before a phase ends. */
const ANSWERS_PER_PHASE = 10
const PAUSE_MS = 500
const WINDOWS_UNTIL_SENT = 3

const portOf = ({ url }: Server): number => Number(new URL(url).port)
const archiveOf = ({ data }: Server): string => `${data}-wal`

/** Runs a PostgreSQL program as the user who owns the data directories. */
async function run(program: string, ...args: string[]): Promise<void> {
  const { uid, gid } = await stat(coordinator.data)
  const home = dirname(coordinator.data)
  // The servers sign in to each other with the password file.
  const { PATH, PGPASSFILE } = process.env
  await promisify(execFile)(join(CITUS_BIN, program), args, {
    uid,
    gid,
    cwd: home,
    env: { PATH, HOME: home, PGPASSFILE },
  })
}

async function onServer<Result>(server: Server, work: (sql: Pool) => Promise<Result>, database = 'postgres') {
  const sql = connect(withDatabase(server.url, database), { max: 1, applicationName: 'test' })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const start = ({ data }: Server): Promise<void> =>
  run('pg_ctl', '-D', data, '-l', `${data}.log`, '-w', '-t', '300', 'start')
const crash = ({ data }: Server): Promise<void> => run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop')

/** A copy of a running server. */
const copyServer = async ({ url }: Server, to: string, ...options: string[]): Promise<void> => {
  const { hostname, port, username } = new URL(url)
  await run('pg_basebackup', '-h', hostname, '-p', port, '-U', username, '-D', to, '-c', 'fast', ...options)
}

/** A folder of the user who runs the servers. */
async function makeFolder(path: string): Promise<void> {
  const { uid, gid } = await stat(coordinator.data)
  await mkdir(path)
  await chown(path, uid, gid)
}

type Platform = { id: string; email: string; api: Api; sender: Api; payee: { id: string; account: string } }

/** Platforms on each worker, with a sender and a payee whose accounts are known. */
async function newPlatforms(service: FileService): Promise<Platform[]> {
  const platforms: Platform[] = []
  const countOn = new Map(workers.map((worker) => [portOf(worker), 0]))
  while ([...countOn.values()].some((count) => count < PLATFORMS_PER_WORKER)) {
    const { id, email, api } = await service.newOwner()
    const [place] = await service.ownerSql<{ port: number }[]>`
      select nodeport as port
      from pg_dist_placement
      join pg_dist_node using (groupid)
      where shardid = get_shard_id_for_distribution_column('users', ${id}::uuid)
    `
    const count = countOn.get(place?.port as number) as number
    if (count === PLATFORMS_PER_WORKER) continue
    countOn.set(place?.port as number, count + 1)
    const [sender, payee] = [await service.newUser(undefined, api), await service.newUser(undefined, api)]
    await addVerifiedBank(sender)
    platforms.push({ id, email, api, sender, payee: { id: payee.userId, account: await addBank(payee) } })
  }
  await service.openWindow() // their micro-deposits
  return platforms
}

/** A client's request with its times, in milliseconds of the process clock. */
type Span = { begunAt: number; endedAt: number }
type Timed<Asked> = Asked & Span
type RequestedUser = { platform: Platform; body: { id: string; key: string; secret: string } }
type RequestedCents = RequestedPayment & { platform: Platform; cents: number; order: object }

/**
 * Sends payments within each platform, each with a different amount, payments to the next platform, and new users,
 * whose keys are on the coordinator. Requests that a stopped server refuses are repeated.
 */
function startLoad(platforms: readonly Platform[]) {
  const payments: Timed<RequestedCents>[] = []
  const users: Timed<RequestedUser>[] = []
  let isEnding = false
  let count = 0
  const repeatUntil = async (work: () => Promise<void>) => {
    while (!isEnding) {
      await work()
      await sleep(PAUSE_MS)
    }
  }
  const pay = async (platform: Platform, recipient: unknown): Promise<void> => {
    const begunAt = performance.now()
    const cents = 100 + count++
    const order = { amount: cents / 100, recipient, key: `key ${cents}` }
    let asked = await ask(platform.sender, order)
    while (asked.answer.status === 503) asked = await ask(platform.sender, { ...order, description: asked.mark })
    payments.push({ ...asked, platform, cents, order, begunAt, endedAt: performance.now() })
  }
  const addUser = async (platform: Platform): Promise<void> => {
    const begunAt = performance.now()
    const { status, body } = await platform.api.post('/v3/user', { user_id: `new-${count++}`, name: 'New' })
    if (status === 201) users.push({ platform, body, begunAt, endedAt: performance.now() })
    else assert.equal(status, 503)
  }
  const loops = Promise.all(
    platforms.flatMap((platform, index) => {
      const next = platforms[(index + 1) % platforms.length] as Platform
      return [
        repeatUntil(() => pay(platform, platform.payee)),
        repeatUntil(() => pay(platform, next.email)),
        repeatUntil(() => addUser(platform)),
      ]
    }),
  )
  loops.catch(() => {}) // reported at the end
  return {
    payments,
    users,
    haveAnswers: async () => {
      const from = performance.now()
      const isEnough = (platform: Platform) =>
        payments.filter((one) => one.platform === platform && one.begunAt > from).length >= ANSWERS_PER_PHASE
      await waitUntil('each platform has answers', () => platforms.every(isEnough))
    },
    end: async () => {
      isEnding = true
      await loops
    },
  }
}

/** The base backups of docs/scale-out.md. */
async function backUp(): Promise<void> {
  for (const server of servers) await copyServer(server, `${server.data}-base`, '-X', 'none')
}

async function archiveWal(): Promise<void> {
  for (const server of servers) {
    await makeFolder(archiveOf(server))
    const command = `test ! -f ${archiveOf(server)}/%f && cp %p ${archiveOf(server)}/%f`
    await appendFile(join(server.data, 'postgresql.conf'), `archive_command = '${command}'\n`)
    await onServer(server, async (sql) => {
      const [row] = await sql<{ mode: string }[]>`select current_setting('archive_mode') as mode`
      assert.equal(row?.mode, 'on', 'the servers need archive_mode = on')
      await sql`select pg_reload_conf()`
    })
  }
}

/** Creates and archives a restore point. @returns when it began and ended */
async function createRestorePoint({ databaseUrl }: FileService, name: string): Promise<Span> {
  const begunAt = performance.now()
  await onServer(coordinator, (sql) => sql`select citus_create_restore_point(${name})`, databaseOfUrl(databaseUrl))
  const endedAt = performance.now()
  for (const server of servers) {
    const file = await onServer(server, async (sql) => {
      const [row] = await sql<{ name: string }[]>`select pg_walfile_name(pg_switch_wal()) as name`
      return row?.name as string
    })
    await waitUntil('the restore point is archived', async () => (await readdir(archiveOf(server))).includes(file))
  }
  return { begunAt, endedAt }
}

/** Replaces the servers by the base backups and rolls them forward to the restore point. */
async function restore(name: string, service: FileService): Promise<void> {
  for (const server of servers) {
    const archive = archiveOf(server)
    server.data = `${server.data}-base`
    await rollForward(server, { archive, name })
  }
  await recoverPrepared(service)
}

async function rollForward(server: Server, { archive, name }: { archive: string; name: string }): Promise<void> {
  const path = join(server.data, 'postgresql.conf')
  const settings = `${await readFile(path, 'utf8')}archive_mode = off\n`
  const recovery = [
    `restore_command = 'cp ${archive}/%f %p'`,
    `recovery_target_name = '${name}'`,
    'recovery_target_action = promote',
  ]
  await writeFile(path, `${settings}${recovery.join('\n')}\n`)
  await writeFile(join(server.data, 'recovery.signal'), '')
  await start(server)
  await waitUntil('the server is restored', () =>
    onServer(server, async (sql) => {
      const [row] = await sql<{ isRecovering: boolean }[]>`select pg_is_in_recovery() as is_recovering`
      return row?.isRecovering === false
    }),
  )
  await writeFile(path, settings)
}

/** Finishes the transactions that were prepared when a server stopped. */
const recoverPrepared = ({ databaseUrl }: FileService) =>
  onServer(coordinator, (sql) => sql`select recover_prepared_transactions()`, databaseOfUrl(databaseUrl))

/** A time after all other events. */
const END: Span = { begunAt: Number.POSITIVE_INFINITY, endedAt: Number.POSITIVE_INFINITY }

/**
 * Checks that each user that a client knew before the restore point exists with its key, and that no user or key exists
 * alone.
 */
async function assertUsersWhole({ as, ownerSql }: FileService, users: readonly Timed<RequestedUser>[], point = END) {
  for (const { platform, begunAt, endedAt, body } of users) {
    const own = await as(`${body.key}:${body.secret}`).get('/v3/user')
    const listed = await platform.api.get(`/v3/user/${body.id}`)
    const [inKeys] = await ownerSql<{ count: number }[]>`
      select count(*)::int from api_keys where platform_id = ${platform.id} and user_id = ${body.id}
    `
    const exists = listed.status === 200
    assert.deepEqual([own.status, inKeys?.count], exists ? [200, 1] : [401, 0], `the user and its key: ${listed.text}`)
    if (endedAt < point.begunAt) assert.ok(exists, 'a user from before the restore point')
    if (begunAt > point.endedAt) assert.ok(!exists, 'no user from after the restore point')
  }
}

/**
 * Checks that each payment answered before the restore point exists, and none requested after it.
 * @returns the lost ones
 */
async function assertPayments({ ownerSql }: FileService, payments: readonly Timed<RequestedCents>[], point: Span) {
  for (const { answer } of payments) assert.equal(answer.status, 201, answer.text)
  const rows = await ownerSql<{ id: string }[]>`
    select id from payments where id = any (${payments.map(({ answer }) => answer.body.id)})
  `
  const existing = new Set(rows.map(({ id }) => id))
  const isLost = ({ answer }: RequestedPayment) => !existing.has(answer.body.id)
  const before = payments.filter(({ endedAt }) => endedAt < point.begunAt)
  const after = payments.filter(({ begunAt }) => begunAt > point.endedAt)
  assert.equal(before.filter(isLost).length, 0, 'a payment from before the restore point is lost')
  assert.equal(after.filter(isLost).length, after.length, 'a payment from after the restore point exists')
  return payments.filter(isLost)
}

/** Checks that the bank has one debit for each payment within a platform. */
async function assertSentOnce(service: FileService, payments: readonly RequestedCents[]) {
  const expected = payments.filter(({ platform, order }) => Object.values(order).includes(platform.payee))
  const pulls = (await service.sent()).filter(({ code, description }) => code === '27' && description === 'PAYMENT')
  const byNumber = (a: number, b: number) => a - b
  assert.deepEqual(pulls.map(({ cents }) => cents).sort(byNumber), expected.map(({ cents }) => cents).sort(byNumber))
}

async function lastFile({ folder }: FileService): Promise<string> {
  const names = (await readdir(join(folder, 'outbound/sent'))).filter((name) => name.endsWith('.ach'))
  return names.sort().at(-1)?.replace('.ach', '') as string
}

/** Repeats the request of a client with the same key. */
const repeat = ({ platform, mark, order }: RequestedCents) => ask(platform.sender, { ...order, description: mark })

/** Stops a worker permanently and promotes its standby. */
async function failOver(worker: Server, standby: Server, { databaseUrl }: FileService): Promise<void> {
  await crash(worker)
  await run('pg_ctl', '-D', standby.data, '-w', 'promote')
  const [from, to] = [portOf(worker), portOf(standby)]
  await onServer(
    coordinator,
    (sql) => sql`select citus_update_node(nodeid, nodename, ${to}) from pg_dist_node where nodeport = ${from}`,
    databaseOfUrl(databaseUrl),
  )
  process.env.TEST_CITUS = TEST_CITUS.replace(worker.url, standby.url) // where test databases are dropped
}

/** Creates a standby that receives each commit of the worker before the client gets the answer. */
async function startStandby(worker: Server): Promise<Server> {
  const url = new URL(worker.url)
  url.port = String(await freePort())
  const standby = { url: url.href, data: `${worker.data}-standby` }
  await copyServer(worker, standby.data, '-X', 'stream', '-R')
  await appendFile(join(standby.data, 'postgresql.conf'), `port = ${url.port}\n`)
  await start(standby)
  await onServer(worker, async (sql) => {
    await sql`alter system set synchronous_standby_names = '*'`
    await sql`select pg_reload_conf()`
    await waitUntil('the standby is synchronous', async () => {
      const rows = await sql<{ state: string }[]>`select sync_state as state from pg_stat_replication`
      return rows.some(({ state }) => state === 'sync')
    })
  })
  return standby
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

const TIMEOUT_MS = 1_200_000

test('all servers are restored to a restore point that was made under load', { timeout: TIMEOUT_MS }, async (t) => {
  await archiveWal()
  const service = await startFileService(t)
  const platforms = await newPlatforms(service)
  const load = startLoad(platforms)
  await Promise.all([load.haveAnswers(), backUp()])
  await service.doDueWork()
  const [point] = await Promise.all([createRestorePoint(service, 'remit-test'), service.doDueWork()])
  await load.haveAnswers()
  await load.end()
  await service.openWindow() // the bank gets a file that the restored database does not know
  const last = await lastFile(service)

  for (const server of servers) await crash(server)
  await restore('remit-test', service)
  const lost = await assertPayments(service, load.payments, point)
  await assertUsersWhole(service, load.users, point)
  await service.assertLedger()

  const before = (await service.sent()).length
  await service.openWindow()
  assert.equal((await service.sent()).length, before, 'bank files wait for the operator')
  await filesCommand({ lastAch: last }, ['recover'])(service.deps)
  for (const payment of lost) assert.equal((await repeat(payment)).answer.status, 201)
  for (let window = 0; window < WINDOWS_UNTIL_SENT; window++) await service.openWindow()
  await assertSentOnce(service, load.payments)
  t.diagnostic(`${load.payments.length} payments, ${lost.length} of them lost and repeated`)
})

test('a standby replaces a worker, and nothing is lost or duplicated', { timeout: TIMEOUT_MS }, async (t) => {
  const service = await startFileService(t)
  const platforms = await newPlatforms(service)
  const worker = workers[0] as Server
  const standby = await startStandby(worker)
  const load = startLoad(platforms)
  await load.haveAnswers()

  await failOver(worker, standby, service)
  await load.haveAnswers()
  await load.end()
  await recoverPrepared(service)
  await service.doDueWork()

  assert.equal(await assertTruth(service.ownerSql, load.payments), load.payments.length)
  await assertUsersWhole(service, load.users)
  for (let window = 0; window < WINDOWS_UNTIL_SENT; window++) await service.openWindow()
  await assertSentOnce(service, load.payments)
  t.diagnostic(`${load.payments.length} payments and ${load.users.length} users`)
})
