import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { connect } from '../src/foundation/db/connect.ts'
import { isMigrated, migrate, readMigrations } from '../src/foundation/db/schema/migrate.ts'
import { SCHEMA } from '../src/foundation/db/schema/schema-release.ts'
import { readSqlFunctions } from '../src/foundation/db/schema/sql-functions.ts'
import { StartProblem } from '../src/foundation/lib/start-problem.ts'
import { contractions } from './support/contractions.ts'
import { createTestDatabase } from './support/postgres.ts'

// The program of a release serves while the next release migrates the database (CONTRIBUTING.md, "Upgrades while serving").

/** A database that a release after this one has migrated: a newer table, and a newer body of a function. */
async function laterDatabase(t: TestContext, { servesFrom }: { servesFrom: number }) {
  const { ownerUrl: url, drop } = await createTestDatabase()
  const sql = connect(url, { max: 1, applicationName: 'test' })
  t.after(async () => {
    await sql.end({ timeout: 5 })
    await drop()
  })
  await sql`update schema_release set release = ${SCHEMA.release + 1}, serves_from = ${servesFrom}`
  await sql`insert into migrations (number, name, checksum) values (9001, '9001_from_the_future.sql', 'x')`
  await sql`insert into sql_functions (name, signature, checksum) values ('future_v1', '() returns void', 'x')`
  await sql`update sql_functions set checksum = 'newer' where name = 'standing_v1'`
  return { url, sql }
}

suite('a database that a later release has migrated', () => {
  test('is served, and left as it is, by a program that the later release allows', async (t) => {
    const { url, sql } = await laterDatabase(t, { servesFrom: SCHEMA.release })
    const state = () =>
      sql`select name, checksum from sql_functions union all select name, checksum from migrations order by 1`
    const before = [...(await state())]
    assert.deepEqual(await migrate(url), { migrations: [], functions: [] })
    assert.deepEqual([...(await state())], before)
    assert.equal(await isMigrated(sql), true)
  })

  test('is refused by an older program', async (t) => {
    const { url } = await laterDatabase(t, { servesFrom: SCHEMA.release + 1 })
    await assert.rejects(migrate(url), (error: unknown) => {
      assert.ok(error instanceof StartProblem)
      assert.match(error.message, /^The database is newer than this program: .* Run the newer version\.$/)
      return true
    })
  })
})

suite('the schema of this release', () => {
  const { release, servesFrom, previous } = SCHEMA
  const servesPrevious = servesFrom <= previous.release

  test('serves the release before, from release 3 on', () => {
    assert.equal(previous.release, release - 1)
    assert.ok(release < 3 || servesPrevious, 'migrations/release.json: servesFrom is later than the release before')
  })

  test('keeps what the release before uses', {
    skip: !servesPrevious && 'release 2 is installed offline',
  }, async () => {
    const added = (await readMigrations()).filter(({ number }) => number > previous.lastMigration)
    for (const { name, sql } of added) assert.deepEqual(contractions(sql), [], name)
    const functions = new Map((await readSqlFunctions()).map(({ name, signature }) => [name, signature]))
    for (const [name, signature] of Object.entries(previous.functions)) {
      assert.equal(functions.get(name), signature, `${name}: add a function with the next version instead`)
    }
  })
})

suite('contractions', () => {
  const breaking = [
    'alter table users drop column name',
    'alter table users rename column name to full_name',
    'alter table users alter column name set not null',
    'alter table users alter name type varchar(10)',
    'alter table users add column age integer not null',
    'alter table users add constraint adult check (age > 17)',
    'drop table users',
    'drop function standing_v1',
    'create table x (a int);\n\ntruncate users',
  ]
  for (const sql of breaking) test(`are found: ${sql}`, () => assert.equal(contractions(`${sql};\n`).length, 1))

  const harmless = [
    'create table adults (id uuid not null)',
    'alter table users add column age integer',
    'alter table users add column age integer not null default 0',
    'alter table users add column age integer default 0 not null, add column size integer',
    'alter table users add constraint adult check (age > 17) not valid',
    'create index users_age on users (age)',
    '-- contract: unused since release 4\nalter table users drop column age',
    '-- Users who drop column names.\nselect 1',
  ]
  for (const sql of harmless) test(`are not found: ${sql}`, () => assert.deepEqual(contractions(`${sql};\n`), []))
})
