import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { suite, type TestContext, test } from 'node:test'
import { environmentDefaults } from '../src/foundation/core/environment.ts'
import { parseMasterKeys } from '../src/foundation/core/seal.ts'
import { connect } from '../src/foundation/db/connect.ts'
import { claimDatabase } from '../src/foundation/db/identity.ts'
import { createDatabaseIfMissing, databaseOfUrl, withDatabase } from '../src/foundation/db/schema/create-database.ts'
import { isMigrated, migrate, readMigrations } from '../src/foundation/db/schema/migrate.ts'
import { readSqlFunctions, sortByCalls } from '../src/foundation/db/schema/sql-functions.ts'
import { createLog } from '../src/foundation/lib/log.ts'
import { StartProblem } from '../src/foundation/lib/start-problem.ts'
import { startService } from '../src/operation/app/service.ts'
import { createTestDatabase, testServerUrl } from './support/postgres.ts'
import { missingDatabase } from './support/process.ts'

const files = (await readdir(new URL('../migrations/', import.meta.url))).filter((name) => /^\d{4}_/.test(name)).sort()

/** Creates a key ring from letters. The keys are the same in every test. */
const ringOf = (...ids: string[]) =>
  parseMasterKeys(ids.map((id) => `${id}:${createHash('sha256').update(id).digest('base64')}`).join(','))

function open(t: TestContext, url: string) {
  const sql = connect(url, { max: 4, applicationName: 'test' })
  t.after(() => sql.end({ timeout: 5 }))
  return sql
}

async function migratedDatabase(t: TestContext) {
  const { ownerUrl: url, drop } = await createTestDatabase()
  t.after(drop)
  return { url, sql: open(t, url) }
}

async function functionNames(sql: ReturnType<typeof open>): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select proname as name
    from pg_proc
    where pronamespace = 'public'::regnamespace
    order by 1
  `
  return rows.map(({ name }) => name)
}

const refusal = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StartProblem, String(error))
  assert.match(error.message, message)
  return true
}

const start = (databaseUrl: string, ring = ringOf('one')) =>
  startService({
    settings: environmentDefaults.sandbox,
    databaseUrl,
    ownerUrl: databaseUrl,
    host: '127.0.0.1',
    port: 0,
    keyRing: ring,
    log: createLog('silent'),
    roles: [],
  })

suite('migrations', () => {
  test('are applied once, in order, with their checksums', async (t) => {
    const url = missingDatabase(t)
    await createDatabaseIfMissing(url)
    assert.deepEqual((await migrate(url)).migrations, files)
    assert.deepEqual(await migrate(url), { migrations: [], functions: [] })
    const sql = open(t, url)
    const rows = await sql<{ number: number; name: string; checksum: string }[]>`
      select number, name, checksum
      from migrations
      order by number
    `
    assert.deepEqual(
      rows.map(({ name }) => name),
      files,
    )
    for (const { number, name, checksum } of rows) {
      assert.equal(number, Number(name.slice(0, 4)))
      const text = await readFile(new URL(`../migrations/${name}`, import.meta.url), 'utf8')
      assert.equal(checksum, createHash('sha256').update(text).digest('hex'))
    }
    assert.equal(await isMigrated(sql), true)
  })

  test('five processes at once, which also create the database: one migrates, the others wait', async (t) => {
    const url = missingDatabase(t)
    const applied = await Promise.all(
      Array.from({ length: 5 }, async () => {
        await createDatabaseIfMissing(url)
        return migrate(url)
      }),
    )
    assert.deepEqual(
      applied.map(({ migrations }) => migrations).filter((names) => names.length > 0),
      [files],
    )
  })

  test('a database that is newer than the program is refused and not changed', async (t) => {
    const { url, sql } = await migratedDatabase(t)
    await sql`insert into migrations (number, name, checksum) values (9001, '9001_from_the_future.sql', 'x')`
    const message =
      /^The database is newer than this program: it has migration 9001_from_the_future\.sql.* Run the newer version\.$/
    await assert.rejects(migrate(url), refusal(message))
    await assert.rejects(start(url), refusal(message))
    assert.equal((await sql`select count(*) from settings`)[0]?.count, 0)
  })

  test('an edited migration that was applied is refused and named', async (t) => {
    const { url, sql } = await migratedDatabase(t)
    await sql`update migrations set checksum = 'another' where number = 2`
    await assert.rejects(start(url), refusal(new RegExp(`^Migration ${files[1]} was changed after it was applied`)))
  })

  test('a database that lacks a migration in the middle is refused', async (t) => {
    const { url, sql } = await migratedDatabase(t)
    await sql`delete from migrations where number = 2`
    await assert.rejects(migrate(url), refusal(/but not 0002_\w+\.sql, which comes before it/))
  })

  test('define no function', async () => {
    const withFunction = (await readMigrations()).filter(({ sql }) => /\$\$|\bcreate\b[^;]*\bfunction\b/i.test(sql))
    assert.deepEqual(
      withFunction.map(({ name }) => name),
      [],
    )
  })

  test('a database that lacks a migration is not ready', async (t) => {
    const { sql } = await migratedDatabase(t)
    assert.equal(await isMigrated(sql), true)
    await sql`delete from migrations where number = ${Number(files.at(-1)?.slice(0, 4))}`
    assert.equal(await isMigrated(sql), false)
  })
})

suite('SQL functions', () => {
  test('are created in the order of their calls, replaced when their file changes, and dropped when it is deleted', async (t) => {
    const { url, sql } = await migratedDatabase(t)
    const functions = await readSqlFunctions()
    for (const [index, { name, calls }] of functions.entries()) {
      const earlier = functions.slice(0, index).map((fn) => fn.name)
      assert.deepEqual(
        calls.filter((called) => !earlier.includes(called)),
        [],
        name,
      )
    }
    await sql.unsafe(
      `create or replace function standing_v1(_own text, _owner text) returns text language sql as 'select _own'`,
    )
    await sql`update sql_functions set checksum = 'another' where name = 'standing_v1'`
    await sql`create function gone_v1(_number integer) returns integer language sql as 'select _number'`
    await sql`insert into sql_functions (name, signature, checksum) values ('gone_v1', '(_number integer)', 'x')`
    assert.deepEqual(await migrate(url), { migrations: [], functions: ['standing_v1'] })
    assert.equal((await sql`select standing_v1('ACTIVE', 'CLOSED')`)[0]?.standingV1, 'CLOSED')
    assert.deepEqual(await functionNames(sql), functions.map(({ name }) => name).sort())
  })

  test('can change their parameters', async (t) => {
    const { url, sql } = await migratedDatabase(t)
    await sql`drop function standing_v1`
    await sql`create function standing_v1(_own text) returns boolean language sql as 'select true'`
    await sql`update sql_functions set checksum = 'x', signature = '(_own text) returns boolean' where name = 'standing_v1'`
    assert.deepEqual((await migrate(url)).functions, ['standing_v1'])
    assert.equal((await sql`select standing_v1('ACTIVE', 'CLOSED')`)[0]?.standingV1, 'CLOSED')
  })

  test('of an operator are not changed', async (t) => {
    const { url, sql } = await migratedDatabase(t)
    await sql`create function monitoring() returns integer language sql as 'select 1'`
    await migrate(url)
    assert.equal((await sql`select monitoring()`)[0]?.monitoring, 1)
  })

  test('that call each other in a circle are refused', () => {
    const fn = (name: string, calls: string[]) => ({ name, calls, sql: '', checksum: '', signature: '' })
    assert.deepEqual(
      sortByCalls([fn('a', ['b']), fn('b', [])]).map(({ name }) => name),
      ['b', 'a'],
    )
    assert.throws(() => sortByCalls([fn('a', ['b']), fn('b', ['a'])]), /in a circle: a, b/)
  })
})

suite('the identity of a database', () => {
  test('a database of one environment is refused to another', async (t) => {
    const { sql } = await migratedDatabase(t)
    await claimDatabase(sql, 'sandbox', ringOf('one'))
    await claimDatabase(sql, 'sandbox', ringOf('one'))
    await assert.rejects(
      claimDatabase(sql, 'demo', ringOf('one')),
      refusal(/^This database belongs to the environment sandbox\. Set another database for demo\.$/),
    )
  })

  test('a missing or different master key is refused with its id, and no key of the ring is stored', async (t) => {
    const { url, sql } = await migratedDatabase(t)
    await claimDatabase(sql, 'sandbox', ringOf('one'))
    await assert.rejects(
      claimDatabase(sql, 'sandbox', ringOf('two')),
      refusal(
        /^The database still needs master key one, which is not in REMIT_MASTER_KEYS or the file.* for: new digests\. /,
      ),
    )
    const another = parseMasterKeys(`one:${Buffer.alloc(32, 7).toString('base64')}`)
    const message = /^The database is sealed with a different master key one than the one in REMIT_MASTER_KEYS/
    await assert.rejects(claimDatabase(sql, 'sandbox', another), refusal(message))
    await assert.rejects(start(url, another), refusal(message))
    assert.deepEqual(
      (await sql`select id from master_keys`).map(({ id }) => id),
      ['one'],
    )
  })

  test('a new key is put before the old one, which stays: it opens values, and its digests are known', async (t) => {
    const { sql } = await migratedDatabase(t)
    const [before, after] = [ringOf('one'), ringOf('two', 'one')]
    await claimDatabase(sql, 'sandbox', before)
    await claimDatabase(sql, 'sandbox', after)
    const sealed = before.seal('an account number', 'bank account')
    assert.equal(after.openText(sealed, 'bank account'), 'an account number')
    const digest = before.digest('an account number', 'bank account', 'one')
    assert.ok(after.isDigestOf(digest, 'an account number', 'bank account'))
    assert.throws(() => before.open(after.seal('x', 'bank account'), 'bank account'))
    await assert.rejects(
      claimDatabase(sql, 'sandbox', ringOf('two')),
      refusal(/still needs master key one, which is not in/),
    )
    await sql`insert into mail_suppressions (email_digest, created_at, email_sealed) values (${before.digest('x', 'mail recipient', 'one')}, now(), ${after.seal('x', 'suppressed email')})`
    await assert.rejects(
      claimDatabase(sql, 'sandbox', ringOf('one')),
      refusal(/still needs master key two, which is not in .* for: addresses that refuse mail \(1\)\. /),
    )
    await sql`delete from mail_suppressions`
    await claimDatabase(sql, 'sandbox', ringOf('one')) // nothing needs the other one
  })

  test('when two processes claim an empty database with different keys, one gets it and the other is refused', async (t) => {
    const { sql } = await migratedDatabase(t)
    const results = await Promise.allSettled(['one', 'two'].map((id) => claimDatabase(sql, 'sandbox', ringOf(id))))
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.equal((await sql`select id from master_keys`).length, 1)
  })
})

suite('a missing database', () => {
  test('is created with any name', async (t) => {
    const url = missingDatabase(t)
    const odd = withDatabase(url, `${databaseOfUrl(url)}_demo`)
    await createDatabaseIfMissing(odd)
    await createDatabaseIfMissing(odd)
    assert.equal((await open(t, odd)`select current_database() as name`)[0]?.name, databaseOfUrl(odd))
  })

  test('is requested if the role may not create it', async (t) => {
    const admin = connect(testServerUrl(), { max: 1, applicationName: 'test' })
    const url = new URL(missingDatabase(t))
    url.username = databaseOfUrl(url.href)
    url.password = 'secret'
    await admin.unsafe(`create role ${url.username} login password 'secret'`)
    try {
      const message = /^PostgreSQL: cannot create the database "test_\w+": permission denied to create database$/
      await assert.rejects(start(url.href), refusal(message))
    } finally {
      await admin.unsafe(`drop role ${url.username}`)
      await admin.end({ timeout: 5 })
    }
  })
})
