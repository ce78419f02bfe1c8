import assert from 'node:assert/strict'
import { chownSync, writeFileSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { startEmbeddedPostgres } from '#embedded-postgres'
import { connect } from '../src/foundation/db/connect.ts'
import { addressProblem } from '../src/foundation/db/driver/server-address.ts'
import { createDatabaseIfMissing } from '../src/foundation/db/schema/create-database.ts'
import { createLog } from '../src/foundation/lib/log.ts'
import { StartProblem } from '../src/foundation/lib/start-problem.ts'
import { createAuthority } from './support/certificates.ts'
import { testServerUrl } from './support/postgres.ts'

const folder = await mkdtemp(join(tmpdir(), 'remit-tls-'))
await chmod(folder, 0o711) // so that the user who runs PostgreSQL for root can pass through
const [authority, other] = [createAuthority('Ours'), createAuthority('Another')]
const rootFile = join(folder, 'root.pem')
const otherFile = join(folder, 'other.pem')
await Promise.all([writeFile(rootFile, authority.cert), writeFile(otherFile, other.cert)])

suite('a server on another machine', () => {
  const required =
    'must have sslmode=verify-full, because db.example.com is another machine ' +
    '(with sslrootcert=FILE for an authority of your own; DATABASE_ALLOW_PLAINTEXT=true permits an unprotected connection)'
  const withHost = (query: string) => `postgres://remit:secret@db.example.com/remit${query}`
  const rows: [query: string, problem: string | null][] = [
    ['', required],
    ['?sslmode=disable', required],
    ['?sslmode=require', required],
    ['?sslmode=verify-ca', required],
    ['?sslmode=verify-ca&sslrootcert=system', required],
    ['?sslmode=prefer', 'must have an sslmode of disable, require, verify-ca, verify-full'],
    ['?sslmode=verify-full', null],
    ['?sslmode=verify-full&sslrootcert=system', null],
    [`?sslmode=verify-full&sslrootcert=${rootFile}`, null],
    [`?sslmode=verify-ca&sslrootcert=${rootFile}`, null],
    [`?sslmode=require&sslrootcert=${rootFile}`, null],
    ['?sslmode=verify-full&sslrootcert=/nowhere.pem', 'names /nowhere.pem as sslrootcert, which holds no certificate'],
  ]

  for (const [query, problem] of rows) {
    test(`${query || 'without sslmode'}: ${problem ?? 'is used'}`, () => {
      assert.equal(addressProblem(withHost(query), { allowsPlaintext: false }), problem)
    })
  }

  test('is used without TLS where the operator allows it', () => {
    for (const query of ['', '?sslmode=disable', '?sslmode=require'])
      assert.equal(addressProblem(withHost(query), { allowsPlaintext: true }), null)
  })

  test('is recognized as local by its host', () => {
    const isLocal = (rest: string) => addressProblem(`postgres://${rest}`, { allowsPlaintext: false }) === null
    const here = [
      'localhost/d',
      '127.0.0.1/d',
      '127.8.9.1:6432/d',
      '[::1]:5432/d',
      '/d',
      '/d?host=/var/run/postgresql',
      'localhost:1,[::1]:2/d',
    ]
    const elsewhere = [
      '10.0.0.5/d',
      '0.0.0.0/d',
      '[fd00::1]/d',
      'localhost.example.com/d',
      'localhost,db/d',
      'localhost:5432,db:5432/d',
      '/d?host=db',
    ]
    assert.deepEqual(
      here.filter((rest) => !isLocal(rest)),
      [],
    )
    assert.deepEqual(elsewhere.filter(isLocal), [])
  })
})

suite('a PostgreSQL with TLS', async () => {
  const server = await startTlsServer()
  after(server.stop)

  /** Returns whether the connection is encrypted, or why there is none. */
  async function connectWith(query: string, host = 'localhost'): Promise<boolean | string> {
    const url = new URL(server.url)
    url.hostname = host
    const sql = connect(`${url.href}?${query}`, { max: 1, applicationName: 'test' })
    try {
      const [row] = await sql<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
      return row?.ssl ?? 'no row'
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }

  test('is used with TLS by every sslmode but disable', async () => {
    assert.equal(await connectWith('sslmode=disable'), false)
    assert.equal(await connectWith('sslmode=require'), true)
    assert.equal(await connectWith(`sslmode=verify-ca&sslrootcert=${rootFile}`, '127.0.0.1'), true)
    assert.equal(await connectWith(`sslmode=verify-full&sslrootcert=${rootFile}`), true)
  })

  test('must prove its identity with a certificate for its name, of a trusted authority', async () => {
    assert.notEqual(await connectWith('sslmode=verify-full'), true)
    assert.notEqual(await connectWith(`sslmode=verify-full&sslrootcert=${otherFile}`), true)
    assert.notEqual(await connectWith(`sslmode=verify-full&sslrootcert=${rootFile}`, '127.0.0.1'), true)
    assert.notEqual(await connectWith(`sslmode=verify-ca&sslrootcert=${otherFile}`), true)
    assert.notEqual(await connectWith(`sslmode=require&sslrootcert=${otherFile}`), true)
  })

  test('listens and notifies over TLS', async (t) => {
    const sql = connect(`${server.url}?sslmode=verify-full&sslrootcert=${rootFile}`, {
      max: 1,
      applicationName: 'test',
    })
    t.after(() => sql.end({ timeout: 1 }))
    const heard = Promise.withResolvers<string>()
    await sql.listen('test', heard.resolve)
    await sql.notify('test', 'something')
    assert.equal(await heard.promise, 'something')
  })

  const refused = (message: RegExp) => (error: unknown) => {
    assert.ok(error instanceof StartProblem, String(error))
    assert.match(error.message, message)
    return true
  }

  test('with an invalid certificate prevents the start of the service, with the reason', async () => {
    await assert.rejects(
      createDatabaseIfMissing(`${server.url}?sslmode=verify-full&sslrootcert=${otherFile}`),
      refused(/^PostgreSQL: cannot connect to the database "postgres": .*certificate/),
    )
  })

  test('without TLS prevents the start of the service, with the reason', async () => {
    await assert.rejects(
      createDatabaseIfMissing(`${testServerUrl()}?sslmode=verify-full&sslrootcert=${rootFile}`),
      refused(/^PostgreSQL: cannot connect to the database "postgres": the server does not offer TLS/),
    )
  })
})

/** The embedded server with a certificate for `localhost`. */
async function startTlsServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const options = { dataDir: join(folder, 'data'), log: createLog('warn') }
  const first = await startEmbeddedPostgres(options)
  const record = JSON.parse(await readFile(join(options.dataDir, 'postgres.json'), 'utf8'))
  const cluster = join(options.dataDir, record.cluster)
  const { uid, gid } = await stat(cluster)
  const { cert, key } = authority.issue(['localhost'])
  for (const [name, text] of Object.entries({ 'server.crt': cert, 'server.key': key })) {
    writeFileSync(join(cluster, name), text, { mode: 0o600 })
    chownSync(join(cluster, name), uid, gid)
  }
  const sql = connect(first.url('postgres'), { max: 1, applicationName: 'test' })
  await sql.unsafe(`alter system set ssl_cert_file = '${join(cluster, 'server.crt')}'`)
  await sql.unsafe(`alter system set ssl_key_file = '${join(cluster, 'server.key')}'`)
  await sql`alter system set ssl = on`
  await sql.end()
  await first.stop()
  const server = await startEmbeddedPostgres(options)
  const url = new URL(server.url('postgres'))
  url.hostname = 'localhost'
  return {
    url: url.href,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
