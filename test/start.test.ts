import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createConnection, createServer, type Socket } from 'node:net'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { SERVICE_ROLE } from '#embedded-postgres'
import { freePort } from '../packages/embedded-postgres/src/embedded-port.ts'
import { publishedOwner } from '../src/foundation/core/demo-rules.ts'
import { newMasterKey } from '../src/foundation/core/seal.ts'
import { connect, type Pool } from '../src/foundation/db/connect.ts'
import { main } from '../src/main.ts'
import { writeFirstOwner } from '../src/operation/app/first-owner.ts'
import { VERSION } from '../src/operation/app/version.ts'
import { commandTable } from '../src/operation/cli/command-table.ts'
import { type Api, createApi } from './support/api.ts'
import { connectionsFolder, twoBanks, writeConnections } from './support/connections.ts'
import { lockAllCounters, waitUntilWaiting } from './support/locks.ts'
import { serviceUrlOf } from './support/postgres.ts'
import {
  beginProcess,
  migratedDatabase,
  missingDatabase,
  type RemitProcess,
  readFirstOwner,
  runRemit,
  startProcess,
  temporaryFolder,
} from './support/process.ts'
import { listProcesses } from './support/processes.ts'
import { collectSecrets } from './support/secrets.ts'
import { addVerifiedBank, startTestService } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'

// The program as users start it: every test starts bin/remit.js.

const apiOf = (url: string, { key, secret }: { key: string; secret: string }): Api =>
  createApi(url, `${key}:${secret}`, collectSecrets())

/** The output of a shell for the commands that a start shows. */
function shownCommands({ stdout }: RemitProcess): string[] {
  return [...stdout().matchAll(/^ {2}(curl .*)$/gm)].map(([, command]) => command as string)
}

const runInShell = (command: string, cwd: string) =>
  JSON.parse(execFileSync('sh', ['-c', `${command} --silent --show-error --fail`], { cwd, encoding: 'utf8' }))

async function asOwner<T>(dataDir: string, database: string, work: (sql: Pool) => Promise<T>): Promise<T> {
  const { password, port } = JSON.parse(await readFile(join(dataDir, 'postgres.json'), 'utf8'))
  const sql = connect(`postgres://remit:${password}@127.0.0.1:${port}/${database}`, { max: 1, applicationName: 'test' })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** The roles with which the sandbox is connected. */
const rolesOfService = (dataDir: string) =>
  asOwner(dataDir, 'postgres', async (sql) => {
    const rows = await sql<{ role: string }[]>`
      select distinct usename::text as role from pg_stat_activity where application_name like 'remit sandbox%'
    `
    return rows.map(({ role }) => role)
  })

suite('remit start', { concurrency: 2 }, () => {
  test('in an empty folder: URLs, a curl command that works as pasted, sandbox.json; the next start keeps the owner', async (t) => {
    const home = await temporaryFolder(t)
    const args = ['start', '--port', '0']
    const first = await startProcess(t, args, { home })
    const [sandboxUrl, demoUrl] = [first.url('sandbox'), first.url('demo')]
    const lines = first.stdout().trimEnd().split('\n')
    assert.equal(lines[0], `Remit ${VERSION}`)
    assert.deepEqual(lines.slice(-2), [`ready sandbox ${sandboxUrl}`, `ready demo ${demoUrl}`])
    assert.match(sandboxUrl, /^http:\/\/localhost:\d+$/)
    for (const url of [sandboxUrl, demoUrl]) {
      assert.ok(first.stdout().includes(`${url}/docs`))
      assert.equal((await fetch(`${url}/docs`)).status, 200)
      assert.equal((await fetch(`${url}/readyz`)).status, 200)
    }

    const commands = shownCommands(first)
    assert.equal(commands.length, 2)
    for (const command of commands) assert.ok(runInShell(command, home).user.id, command)

    const path = join(home, '.remit', 'sandbox.json')
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    assert.equal((await stat(join(home, '.remit'))).mode & 0o066, 0, 'no other user may read it')
    const owner = await readFirstOwner(join(home, '.remit'))
    assert.deepEqual(Object.keys(owner), [
      'environment',
      'base_url',
      'auth_url',
      'database_url',
      'email',
      'password',
      'key',
      'secret',
      'webhook_key',
    ])
    assert.deepEqual([owner.environment, owner.base_url, owner.auth_url], ['sandbox', sandboxUrl, sandboxUrl])
    const api = apiOf(sandboxUrl, owner)
    assert.equal((await api.post('/v3/user', { user_id: 'first', name: 'First user' })).status, 201)
    const shownKey = (await api.post('/v3/user/api_key', { name: 'another' })).body.webhook_key
    assert.equal(shownKey, owner.webhook_key)
    const sql = connect(owner.database_url, { max: 1, applicationName: 'test' })
    assert.equal((await sql`select email from logins`)[0]?.email, owner.email)
    await sql.end({ timeout: 5 })
    assert.equal(
      (await apiOf(demoUrl, owner).get('/v3/user')).status,
      401,
      'a key of one environment does not work in another',
    )
    assert.equal((await apiOf(demoUrl, publishedOwner.published.apiKey).get('/v3/user')).status, 200)

    for (const secret of [owner.secret, owner.webhook_key, owner.password]) {
      assert.ok(!first.stdout().includes(secret) && !first.stderr().includes(secret))
    }
    assert.deepEqual(await rolesOfService(join(home, '.remit')), [SERVICE_ROLE])
    const { code, signal, stderr } = await first.end()
    assert.deepEqual([code, signal], [0, null], stderr)

    const second = await startProcess(t, args, { home })
    const again = await readFirstOwner(join(home, '.remit'))
    const { base_url: _first, auth_url: _second, ...kept } = owner
    assert.deepEqual(again, { ...kept, base_url: second.url(), auth_url: second.url() })
    const users = await apiOf(second.url(), again).get('/v3/user/list')
    assert.deepEqual(
      users.body.users.map(({ user_id }: { user_id: string }) => user_id),
      ['first'],
    )
    t.diagnostic(`first start ${Math.round(first.startMs)} ms, second start ${Math.round(second.startMs)} ms`)
    assert.equal((await second.end('SIGINT')).code, 0)
  })

  test('two instances run at the same time, each with its own data directory and port', async (t) => {
    const home = await temporaryFolder(t)
    const portOne = await freePorts()
    const portTwo = await freePorts({ except: portOne })
    const start = (dataDir: string, port: number) =>
      startProcess(t, ['start', '--data-dir', join(home, dataDir), '--port', String(port)], { home })
    const [one, two] = await Promise.all([start('one', portOne), start('a folder "two"', portTwo)])
    assert.equal(one.url(), `http://localhost:${portOne}`)
    assert.equal(one.url('demo'), `http://localhost:${portOne + 1}`)
    assert.equal(two.url(), `http://localhost:${portTwo}`)
    const owners = [
      await readFirstOwner(join(home, 'one')),
      await readFirstOwner(join(home, 'a folder "two"')),
    ] as const
    assert.notEqual(owners[0].key, owners[1].key)
    assert.equal((await apiOf(one.url(), owners[0]).get('/v3/user')).status, 200)
    assert.equal((await apiOf(two.url(), owners[1]).get('/v3/user')).status, 200)
    assert.equal((await apiOf(two.url(), owners[0]).get('/v3/user')).status, 401)
    for (const command of shownCommands(two)) assert.ok(runInShell(command, home).user.id, command)

    const third = await runRemit(['start', '--data-dir', join(home, 'one'), '--port', '0'], { home })
    assert.equal(third.code, 1)
    assert.match(third.stderr, new RegExp(`in use by another remit process \\(pid ${one.child.pid}\\)`))

    const created = await runRemit(
      ['owner', 'create', '--data-dir', join(home, 'one'), '--email', 'beside@example.com', '--name', 'Beside'],
      { home },
    )
    assert.equal(created.code, 0, created.stderr)
    assert.equal((await apiOf(one.url(), JSON.parse(created.stdout)).get('/v3/user')).status, 200)
    const exits = await Promise.all([one.end(), two.end()])
    assert.deepEqual(
      exits.map(({ code }) => code),
      [0, 0],
    )

    const without = await runRemit(
      ['owner', 'create', '--data-dir', join(home, 'one'), '--email', 'without@example.com', '--name', 'Without'],
      { home },
    )
    assert.equal(without.code, 0, without.stderr)
    assert.equal(JSON.parse(without.stdout).email, 'without@example.com')
  })
})

suite('two concurrent processes on one empty database', { concurrency: 2 }, () => {
  for (const [name, dataDirs] of [
    ['a data directory each', ['one', 'two']],
    ['one data directory', ['both', 'both']],
  ] as const) {
    test(`${name}: both start, each with an owner that works, and the demo is created once`, async (t) => {
      const home = await temporaryFolder(t)
      const database = missingDatabase(t)
      const options = { home, env: { DATABASE_URL: database } }
      const processes = await Promise.all(
        dataDirs.map((dir) => startProcess(t, ['start', '--data-dir', join(home, dir), '--port', '0'], options)),
      )
      for (const [index, { url }] of processes.entries()) {
        const owner = await readFirstOwner(join(home, dataDirs[index] as string))
        for (const other of processes) assert.equal((await apiOf(other.url(), owner).get('/v3/user')).status, 200)
        assert.equal((await apiOf(url('demo'), publishedOwner.published.apiKey).get('/v3/user')).status, 200)
        assert.equal(owner.database_url, database)
      }
      const demo = connect(`${database}_demo`, { max: 1, applicationName: 'test' })
      assert.deepEqual(
        (await demo`select email from logins`).map(({ email }) => email),
        [publishedOwner.email],
      )
      await demo.end({ timeout: 5 })
      for (const started of processes) {
        for (const command of shownCommands(started)) assert.ok(runInShell(command, home).user.id, command)
      }
      const exits = await Promise.all(processes.map((started) => started.end()))
      assert.deepEqual(
        exits.map(({ code }) => code),
        [0, 0],
      )
    })
  }
})

test('a new first owner is created when its file is damaged or of another database, or its key was revoked', async (t) => {
  const service = await startTestService(t)
  const dataDir = await temporaryFolder(t)
  const path = join(dataDir, 'sandbox.json')
  const place = { dataDir, baseUrl: service.baseUrl, databaseUrl: service.databaseUrl }
  const write = async () => {
    await writeFirstOwner(service.deps, place)
    const owner = await readFirstOwner(dataDir)
    for (const secret of [owner.secret, owner.password, owner.webhook_key]) service.secrets.add(secret)
    assert.equal((await apiOf(service.baseUrl, owner).get('/v3/user')).status, 200)
    return owner
  }
  let last = await write()
  assert.deepEqual(await write(), last)
  const spoils = [
    () => apiOf(service.baseUrl, last).del(`/v3/user/api_key/${last.key}`),
    () => writeFile(path, '{"key": "half'),
    () => writeFile(path, '[]'),
    () => writeFile(path, JSON.stringify({ ...last, secret: 'A'.repeat(40) })),
    () => writeFile(path, JSON.stringify({ ...last, key: 'f'.repeat(32) })),
    () => rm(path),
  ]
  for (const spoil of spoils) {
    await spoil()
    const next = await write()
    assert.notEqual(next.key, last.key)
    assert.deepEqual(Object.keys(next), Object.keys(last))
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    last = next
  }
})

suite('SIGTERM', { concurrency: 2 }, () => {
  const isGone = (url: string): Promise<boolean> =>
    fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    )
  const LIMITS = { REMIT_SANDBOX_REQUESTS_PER_SECOND: '100000', REMIT_SANDBOX_REQUEST_BURST: '100000' }

  async function startForLoad(t: TestContext) {
    const home = await temporaryFolder(t)
    const database = await migratedDatabase(t)
    const port = await freePort() // requests follow its end, and no other test's server may receive them
    const args = ['start', '--environments', 'sandbox', '--port', String(port)]
    const remit = await startProcess(t, args, { home, env: { DATABASE_URL: database, ...LIMITS } })
    const owner = await readFirstOwner(join(home, '.remit'))
    const api = apiOf(remit.url(), owner)
    const sql = connect(database, { max: 2, applicationName: 'test' })
    t.after(() => sql.end({ timeout: 5 }))
    return { remit, api, sql, bankId: await addVerifiedBank(api) }
  }

  test('under load: every payment that was made was answered, no open connection is cut off, and the exit code is 0', async (t) => {
    const { remit, api, sql } = await startForLoad(t)
    const agent = new Agent({ keepAlive: true, maxSockets: 20 })
    const outcomes = new Map<string, number>()
    let isOver = false
    const body = JSON.stringify({ amount: 1, name: 'Somebody', recipient: 'somebody@example.com' })
    const send = () =>
      new Promise<void>((resolve) => {
        const note = (outcome: string) => {
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
          resolve()
        }
        const headers = { authorization: api.credential, 'content-type': 'application/json' }
        const sent = request(`${remit.url()}/v3/check/digital`, { method: 'POST', agent, headers }, (response) => {
          response.resume()
          response.on('end', () => note(String(response.statusCode)))
          response.on('error', () => note('an incomplete answer'))
        })
        sent.on('error', ({ code }: NodeJS.ErrnoException) => {
          if (code === 'ECONNREFUSED') isOver = true
          // Connections that the system accepted while the service stopped listening never reached the service.
          note(sent.reusedSocket ? `an open connection: ${code}` : 'a new connection refused')
        })
        sent.end(body)
      })
    const clients = Array.from({ length: 20 }, async () => {
      while (!isOver) await send()
    })
    await waitUntil('100 payments are made', () => (outcomes.get('201') ?? 0) >= 100)
    const begin = performance.now()
    const { code, stderr } = await remit.end()
    const ms = Math.round(performance.now() - begin)
    isOver = true
    await Promise.all(clients)
    agent.destroy()
    const [row] = await sql<{ count: number }[]>`select count(*) from payments`
    t.diagnostic(
      `${outcomes.get('201')} payments; stopped in ${ms} ms: ${JSON.stringify(Object.fromEntries(outcomes))}`,
    )
    assert.equal(code, 0, stderr)
    assert.equal(row?.count, outcomes.get('201'))
    assert.deepEqual(new Set(outcomes.keys()).difference(new Set(['201', 'a new connection refused'])), new Set())
  })

  test('a running request is finished and answered, new ones are refused, and silent connections do not delay the end', async (t) => {
    const { remit, api, sql, bankId } = await startForLoad(t)
    const { port } = new URL(remit.url())
    const silent = await Promise.all(
      ['', 'POST /v3/user HTTP/1.1\r\nhost: a\r\n'].map((text) => openConnection(Number(port), text)),
    )
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let answer: ReturnType<Api['put']> | null = null
    await sql.begin(async (tx) => {
      await lockAllCounters(tx)
      answer = api.put(`/v3/bank/${bankId}`, { name: 'renamed while ending' })
      await waitUntilWaiting(sql, 1)
      remit.child.kill('SIGTERM')
      await waitUntil('new requests are refused', () => isGone(remit.url()))
      release()
    })
    await released
    const { status, headers } = await (answer as unknown as ReturnType<Api['put']>)
    assert.equal(status, 200)
    assert.equal(headers.get('connection'), 'close')
    assert.equal((await remit.exited).code, 0)
    assert.equal((await sql`select name from banks`)[0]?.name, 'renamed while ending')
    for (const socket of silent) socket.destroy()
  })

  test('a second signal ends it at once', async (t) => {
    const { remit, api, sql, bankId } = await startForLoad(t)
    await sql.begin(async (tx) => {
      await lockAllCounters(tx)
      const cut = api.put(`/v3/bank/${bankId}`, { name: 'never' }).catch(() => 'cut')
      await waitUntilWaiting(sql, 1)
      remit.child.kill('SIGTERM')
      await waitUntil('the first signal has arrived', () => isGone(remit.url()))
      await sleep(100) // signals within this time count as one
      assert.equal(remit.child.exitCode, null)
      while (remit.child.exitCode === null) await Promise.race([remit.end('SIGTERM'), sleep(50)]) // a busy process counts later
      assert.equal((await remit.exited).code, 1)
      assert.equal(await cut, 'cut')
    })
  })

  test('two signals also end the embedded PostgreSQL, and the next start works', async (t) => {
    const home = await temporaryFolder(t)
    const args = ['start', '--port', '0', '--environments', 'sandbox']
    const record = join(home, '.remit', 'postgres.json')
    const isRunning = () => {
      if (!existsSync(record)) return false
      const { cluster } = JSON.parse(readFileSync(record, 'utf8'))
      return listProcesses().some(({ command }) => /postgres /.test(command) && command.includes(cluster))
    }
    // If it ends within the pause, the second signal reaches no process, or one that no longer has a handler (null).
    for (const [what, pauseMs, isReady, codes] of [
      ['while it starts', 130, false, [0, 1, null]],
      ['at the same time', 0, true, [0]],
      ['shortly after one another', 130, true, [0, 1, null]],
    ] as const) {
      const remit = await (isReady ? startProcess : beginProcess)(t, args, { home })
      await waitUntil('PostgreSQL runs', isRunning)
      remit.child.kill('SIGINT')
      if (pauseMs > 0) await sleep(pauseMs) // a timer, even of 0 ms, can take longer than two signals may be apart to count as one
      const { code, stderr } = await remit.end('SIGTERM')
      assert.ok(
        codes.some((allowed) => allowed === code),
        `${what}: exit code ${code}: ${stderr}`,
      )
      await waitUntil('PostgreSQL has ended', () => !isRunning())
    }
    const again = await startProcess(t, args, { home })
    assert.equal((await again.end()).code, 0)
  })
})

suite('start problems are reported', { concurrency: 2 }, () => {
  /** Returns the output without the log, which contains steps that found the database too slow. */
  const problemIn = (stderr: string): string =>
    stderr
      .split('\n')
      .filter((line) => !line.startsWith('{'))
      .join('\n')
      .trim()

  test('a port in use, and nothing is left running', async (t) => {
    const home = await temporaryFolder(t)
    const options = { home, env: { DATABASE_URL: missingDatabase(t) } }
    const port = await freePorts()
    const taken = createServer().listen(port + 1, '127.0.0.1')
    t.after(() => void taken.close())
    const { code, stdout, stderr } = await runRemit(['start', '--port', String(port)], options)
    assert.equal(code, 1)
    assert.equal(problemIn(stderr), `Port ${port + 1} is in use. Choose another one with --port.`)
    assert.equal(stdout, '')
  })

  test('a host that does not belong to this machine', async (t) => {
    const home = await temporaryFolder(t)
    const env = { DATABASE_URL: await migratedDatabase(t), REMIT_HOST: '203.0.113.7' }
    const { code, stderr } = await runRemit(['start', '--environments', 'sandbox', '--port', '0'], { home, env })
    assert.deepEqual(
      [code, problemIn(stderr)],
      [1, 'Cannot listen on 203.0.113.7: this machine has no such address. Check REMIT_HOST.'],
    )
  })

  test('a database server that is unreachable or refuses the password', async (t) => {
    const home = await temporaryFolder(t)
    const nobody = `postgres://remit:secret@127.0.0.1:${await freePorts()}/remit`
    const refused = new URL(missingDatabase(t))
    refused.password = 'guessed'
    for (const [url, message] of [
      [nobody, /^PostgreSQL: cannot connect to the database "remit": .*ECONNREFUSED/],
      [refused.href, /^PostgreSQL: cannot connect to the database "test_\w+": password authentication failed/],
    ] as const) {
      const { code, stderr } = await runRemit(['start', '--port', '0'], { home, env: { DATABASE_URL: url } })
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.ok(!stderr.includes('guessed') && !stderr.includes('    at '), stderr)
    }
  })

  test('every problem of the configuration at once, and misspelled settings', async (t) => {
    const home = await temporaryFolder(t)
    const env = { REMIT_PORT: 'http', REMIT_LOG_LEVEL: 'loud', REMIT_MASTER_KEYS: 'k1:short' }
    const { code, stderr } = await runRemit(['start', '--environments', 'staging'], { home, env })
    assert.equal(code, 1)
    for (const name of [...Object.keys(env), 'REMIT_ENVIRONMENTS'])
      assert.match(stderr, new RegExp(`^ {2}${name} must be `, 'm'))
    assert.ok(!stderr.includes('k1:short'))

    const misspelt = { DATABASE_URL: await migratedDatabase(t), REMIT_PROT: '5000' }
    const remit = await startProcess(t, ['start', '--environments', 'sandbox', '--port', '0'], { home, env: misspelt })
    assert.match(remit.stderr(), /"name":"REMIT_PROT".*check its spelling/)
    assert.equal((await remit.end()).code, 0)
  })

  test('a folder that is not writable', async (t) => {
    const home = await temporaryFolder(t)
    await writeFile(join(home, 'file'), '')
    const env = { DATABASE_URL: await migratedDatabase(t) }
    const args = ['start', '--environments', 'sandbox', '--port', '0', '--data-dir', join(home, 'file', 'inside')]
    const { code, stderr } = await runRemit(args, { home, env })
    assert.equal(code, 1)
    assert.match(problemIn(stderr), /^Cannot (write|read) .*inside/)
    assert.ok(!stderr.includes('    at '), stderr)
  })

  const old = oldNode()
  const skip = old ? false : 'no older Node.js is here'

  test('an older Node.js starts the one that npm installed, with its arguments and exit code', {
    skip,
  }, async (t) => {
    const home = await temporaryFolder(t)
    const { code, stdout } = await runRemit(['--version'], { home, node: old as string })
    assert.deepEqual([code, stdout.trim()], [0, VERSION])
    const refused = await runRemit(['start', '--port', 'http'], { home, node: old as string })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^The configuration is invalid. Fix these settings:\n {2}REMIT_PORT must be/)
  })

  test('an older Node.js without one from npm reports the required version', { skip }, async (t) => {
    const home = await temporaryFolder(t)
    const [bin, program] = [join(home, 'bin'), join(home, 'bin', 'remit.js')]
    await mkdir(bin)
    await copyFile(new URL('../bin/remit.js', import.meta.url), program)
    await writeFile(join(home, 'package.json'), '{"type": "module"}')
    const { status, stderr } = spawnSync(old as string, [program, 'start'], { encoding: 'utf8' })
    assert.equal(status, 1)
    assert.match(stderr, /^Remit needs Node\.js 24\.0 or newer; this is \d+\./)
    assert.ok(!stderr.includes('    at '), stderr)
  })

  test('package-lock.json names every Node.js that can be installed, with its integrity', async () => {
    const read = async (path: string) => readFile(new URL(path, import.meta.url), 'utf8')
    const { packages } = JSON.parse(await read('../package-lock.json'))
    const { optionalDependencies, allowScripts } = JSON.parse(await read('../package.json'))
    const program = await read('../bin/remit.js')
    const programs = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'))
    const platforms = programs.map(([name, version]) => {
      const locked = packages[`node_modules/${name}`]
      assert.equal(locked.version, version)
      assert.match(locked.integrity, /^sha512-/)
      assert.deepEqual([locked.optional, locked.hasInstallScript, locked.bin], [true, undefined, { node: 'bin/node' }])
      assert.ok(program.includes(`'${locked.os} ${locked.cpu}': '${name}'`))
      return `${locked.os} ${locked.cpu}`
    })
    assert.deepEqual(platforms.sort(), ['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64'])
    assert.deepEqual([packages['node_modules/node'], allowScripts.node], [undefined, undefined])
  })
})

suite('commands', { concurrency: 2 }, () => {
  test('version and help are printed, and each command and each group has its own help', async (t) => {
    const printed = t.mock.method(console, 'log', () => {})
    const run = async (...args: string[]) => {
      printed.mock.resetCalls()
      assert.equal(await main(args), 0)
      return printed.mock.calls.map((call) => call.arguments[0]).join('\n')
    }
    const help = await run('help')
    assert.equal(await run(), help)
    assert.equal(await run('-h'), help)
    for (const ways of [['version'], ['--version'], ['-v'], ['start', '--version']]) {
      assert.equal(await run(...ways), VERSION)
    }
    assert.ok(help.split('\n').length < 70, 'a line for each command')
    assert.ok(
      help.split('\n').every((line) => line.length <= 80),
      help,
    )
    for (const row of Object.values(commandTable).flat()) {
      assert.match(help, new RegExp(`^ {2}${row.name} .* {2}${row.does}$`, 'm'))
      const own = await run(row.name, '--help')
      assert.match(own, new RegExp(`^Usage: remit ${row.name} `))
      for (const one of 'commands' in row ? row.commands : []) {
        assert.match(own, new RegExp(`^ {2}${one.name} .* ${one.does}$`, 'm'))
        assert.match(await run('help', row.name, one.name), new RegExp(`^Usage: remit ${row.name} ${one.name} `))
      }
    }

    const listen = await run('listen', '--help')
    assert.equal(await run('help', 'listen'), listen)
    assert.match(listen, /Forward signed sandbox events .*\n\nOptions:\n {2}--forward-to <url> +the URL that receives/)
    assert.match(listen, /Examples:\n {2}remit listen --forward-to http:\/\/localhost:3000\/hook$/)
    assert.match(await run('user', 'limits', '-h'), /--day <dollars>/)
  })

  test('an unknown command or option is reported with a similar one, and nothing is created', async (t) => {
    const print = t.mock.method(console, 'error', () => {})
    const home = await temporaryFolder(t)
    const refusals = [
      [['strat'], "error: unknown command 'strat'\n(Did you mean start?)\nRun remit --help for a list of commands."],
      [['user', 'delete'], "error: unknown command 'delete'\nRun remit user --help for a list of commands."],
      [['keys', '--environment', 'sandbox', 'all'], "error: unknown command 'all'\nRun remit keys --help"],
      [['keys', '--environment', 'sandbox', 'rotate'], "error: 'rotate' must come before its options\nRun remit keys"],
      [['nothing', '--help'], "error: unknown command 'nothing'\nRun remit --help for a list of commands."],
      [['help', 'user', 'nothing'], "error: unknown command 'nothing'\nRun remit user --help for a list of commands."],
      [
        ['start', 'now'],
        "error: too many arguments for 'start'. Expected 0 arguments but got 1: now.\nRun remit start",
      ],
      [['start', '--prot', '4000'], "error: unknown option '--prot'\n(Did you mean --port?)\nRun remit start --help"],
      [
        ['keys', 'show', '--environment', 'staging'],
        "error: option '--environment <name>' argument 'staging' is invalid.",
      ],
      [['bank'], 'Usage: remit bank <command> [options]'],
    ] as const
    for (const [args, message] of refusals) {
      print.mock.resetCalls()
      assert.equal(await main([...args, '--data-dir', home]), 1)
      const printed = print.mock.calls.map((call) => call.arguments[0]).join('\n')
      assert.ok(printed.startsWith(message), printed)
    }
    assert.deepEqual(await readdir(home), [])
  })

  test('a shell completes commands, options and names of environments', async (t) => {
    const printed = t.mock.method(console, 'log', () => {})
    const complete = async (...words: string[]) => {
      printed.mock.resetCalls()
      assert.equal(await main(['complete', '--', ...words]), 0)
      return printed.mock.calls.map((call) => String(call.arguments[0]).split('\t')[0])
    }
    assert.deepEqual(await complete('ver'), ['verify-ledger', 'verify-audit', ':4'])
    assert.deepEqual(await complete('user', 'l'), ['limits', ':4'])
    assert.deepEqual(await complete('user', 'limits', '--p'), ['--payment', ':4'])
    assert.deepEqual(await complete('keys', 'rotate', '--environment', ''), ['sandbox', 'demo', 'production', ':4'])
    for (const shell of ['bash', 'zsh', 'fish']) {
      printed.mock.resetCalls()
      assert.equal(await main(['complete', shell]), 0)
      assert.match(String(printed.mock.calls[0]?.arguments[0]), /remit complete --/)
    }
  })

  test('migrate updates every environment, even in two concurrent processes', async (t) => {
    const home = await temporaryFolder(t)
    const database = missingDatabase(t)
    const options = { home, env: { DATABASE_URL: database } }
    const results = await Promise.all([runRemit(['migrate'], options), runRemit(['migrate'], options)])
    for (const { code, stdout, stderr } of results) {
      assert.equal(code, 0, stderr)
      assert.equal(stdout, 'sandbox: up to date\ndemo: up to date\n')
    }
    const distributed = await runRemit(['migrate', '--distributed'], options)
    assert.deepEqual([distributed.code, distributed.stdout], [1, ''])
    assert.match(distributed.stderr, /does not have the extension citus\. Create it .* See docs\/scale-out\.md\.$/m)
    const sql = connect(database, { max: 1, applicationName: 'test' })
    assert.ok(((await sql`select count(*) from migrations`)[0]?.count ?? 0) > 0)
    await sql.end({ timeout: 5 })
  })

  test('production is migrated only by remit migrate, and served by a role that owns nothing', async (t) => {
    const home = await temporaryFolder(t)
    const owner = missingDatabase(t)
    const production = {
      BASE_URL: 'https://pay.example.com',
      DATABASE_URL: serviceUrlOf(owner),
      CONNECTIONS: await writeConnections(await connectionsFolder(t), twoBanks()),
    }
    const env = {
      REMIT_ENVIRONMENTS: 'production',
      REMIT_MASTER_KEYS: newMasterKey(),
      ...Object.fromEntries(Object.entries(production).map(([name, value]) => [`REMIT_PRODUCTION_${name}`, value])),
    }
    const asOwnerOfTables = { REMIT_PRODUCTION_MIGRATE_DATABASE_URL: owner }
    const tooEarly = await runRemit(['serve', '--port', '0'], { home, env: { ...env, ...asOwnerOfTables } })
    assert.deepEqual([tooEarly.code, tooEarly.stdout], [1, ''])
    assert.match(tooEarly.stderr, /^There is no database "test_\w+"\. Run remit migrate, then start again\.$/m)

    const { REMIT_MASTER_KEYS: _, ...withoutKeys } = env
    const migrated = await runRemit(['migrate'], { home, env: { ...withoutKeys, ...asOwnerOfTables } })
    assert.deepEqual([migrated.code, migrated.stdout], [0, 'production: up to date\n'], migrated.stderr)
    const worker = await startProcess(t, ['worker'], { home, env })
    assert.match(worker.stdout(), /^working production$/m)
    const lowered = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL)
    assert.equal(getPriority(worker.child.pid), lowered)
    assert.equal((await worker.end()).code, 0)

    const owned = await runRemit(['serve', '--port', '0'], {
      home,
      env: { ...env, REMIT_PRODUCTION_DATABASE_URL: owner },
    })
    assert.equal(owned.code, 1)
    assert.match(
      owned.stderr,
      /^The role "\w+" could change the schema or the ledger of production: it is a superuser\./m,
    )
  })

  test('owner create reports missing or wrong values, and creates an owner of the named environment', async (t) => {
    const home = await temporaryFolder(t)
    const options = { home, env: { DATABASE_URL: missingDatabase(t) } }
    const create = (...args: string[]) => runRemit(['owner', 'create', ...args], options)
    const made = await create('--environment', 'demo', '--email', 'Me@Example.com', '--name', 'My company')
    assert.equal(made.code, 0, made.stderr)
    const owner = JSON.parse(made.stdout)
    assert.deepEqual(Object.keys(owner), ['email', 'password', 'key', 'secret', 'webhook_key'])
    assert.match(owner.password, /^[A-Za-z0-9]{20}$/)
    const refusals = await Promise.all([
      create('--environment', 'demo', '--email', 'me@example.com', '--name', 'My company'),
      create('--email', 'me', '--name', 'My company'),
      create('--email', 'you@example.com'),
      create('--email', 'you@example.com', '--name', 'You', '--environment', 'production'),
      create('--email', 'you@example.com', '--name', 'You', '--password', 'a good one '.repeat(19)),
      create('--email', 'you@example.com', '--name', '   '),
    ])
    assert.deepEqual(
      refusals.map(({ code, stderr }) => [code, stderr.trim()]),
      [
        [1, 'Another owner already uses this email address. Use a different one.'],
        [1, 'email must be an email address.'],
        [1, 'remit owner create needs --email and --name.'],
        [1, '--environment must be one of sandbox, demo.'],
        [1, 'password must have at most 200 characters.'],
        [1, 'name must have 2 to 180 characters, not only white space.'],
      ],
    )
  })
})

/** A connection that sends this and then nothing. */
function openConnection(port: number, text: string): Promise<Socket> {
  const socket = createConnection({ port, host: '127.0.0.1' })
  socket.on('error', () => {})
  return new Promise((resolve) => {
    socket.once('connect', () => {
      if (text) socket.write(text)
      resolve(socket)
    })
  })
}

/** A port that is free and whose next one is free, too. Neither is one of the pair at `except`. */
async function freePorts({ except = 0 } = {}): Promise<number> {
  for (;;) {
    const port = await freePort()
    if (Math.abs(port - except) > 1 && (await isFree(port + 1))) return port
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

/** A Node.js on this machine that is too old. */
function oldNode(): string | null {
  const places = ['/usr/bin/node', '/usr/local/bin/node']
  const isOld = (path: string) =>
    Number(/^v(\d+)/.exec(execFileSync(path, ['--version'], { encoding: 'utf8' }))?.[1]) < 24
  return places.find((path) => existsSync(path) && isOld(path)) ?? null
}
