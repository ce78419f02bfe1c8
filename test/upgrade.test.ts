import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { SERVICE_ROLE } from '#embedded-postgres'
import { withDatabase } from '../src/foundation/db/schema/create-database.ts'
import { isMigrated, migrate, readMigrations, requireMigrated } from '../src/foundation/db/schema/migrate.ts'
import { SCHEMA, type SchemaRelease } from '../src/foundation/db/schema/schema-release.ts'
import { readSqlFunctions } from '../src/foundation/db/schema/sql-functions.ts'
import { StartProblem } from '../src/foundation/lib/start-problem.ts'
import { contractions } from './support/contractions.ts'
import { breaksRelease, changedFunctions, copyProgram, releaseAfter } from './support/next-release.ts'
import { sendPayment } from './support/payments.ts'
import { createTestDatabase, testServerUrl } from './support/postgres.ts'
import { temporaryFolder } from './support/process.ts'
import { startTestService } from './support/service.ts'
import { newPayee, newSender } from './support/webhooks.ts'

// The program of a release serves while the next release migrates the database (CONTRIBUTING.md, "Upgrades while
// serving"). The present program acts as the previous release, and a copy of it with an invented migration and newer
// functions acts as the next release.

const readProgram = async () => {
  const program = { migrations: await readMigrations(), functions: await readSqlFunctions() }
  return { program, nextRelease: releaseAfter(SCHEMA, program) }
}

const expanding = `
  create table payment_labels (platform_id uuid not null, payment_id uuid not null, label text not null, primary key (platform_id, payment_id));
  alter table payments add column label text, add column is_labeled boolean not null default false;
  create index payments_label on payments (platform_id, label) where label is not null;
`
const added = { number: 9001, name: '9001_labels.sql', sql: expanding }

const addedFunction = `
  create or replace function standing_v2(_own text, _owner text, _label text) returns text language sql as $$
    select standing_v1(_own, _owner)
  $$;
`

/** The function of the next release that migrates a database. */
async function migrationOf(t: TestContext, release: SchemaRelease): Promise<typeof migrate> {
  const folder = `${await temporaryFolder(t)}/next`
  await copyProgram(folder, release, {
    ...(await changedFunctions()),
    'migrations/9001_labels.sql': expanding,
    'src/people/user/sql/standing_v2.sql': addedFunction,
  })
  const next = await import(`${folder}/src/foundation/db/schema/migrate.ts`)
  return next.migrate
}

suite('a database that the next release migrates', () => {
  test('is served by the program of the previous release, which does not change it', async (t) => {
    const running = await startTestService(t)
    const sql = running.ownerSql
    const [database] = await sql<{ name: string }[]>`select current_database() as name`
    const ownerUrl = withDatabase(testServerUrl(), database?.name as string)
    const [sender, payee] = await Promise.all([newSender(running), newPayee(running)])
    const first = await sendPayment(sender)

    const { program, nextRelease } = await readProgram()
    const migrateToNext = await migrationOf(t, nextRelease)
    const migrated = await migrateToNext(ownerUrl, { name: SERVICE_ROLE, environment: 'sandbox' })
    assert.deepEqual(migrated.migrations, ['9001_labels.sql'])
    assert.equal(migrated.functions.length, program.functions.length + 1)
    const state = () =>
      sql`select name, checksum from sql_functions union all select name, checksum from migrations order by 1`
    const before = [...(await state())]

    await sendPayment(sender)
    const deposited = await sendPayment(sender, { recipient: { id: payee.userId, account: payee.bankId } })
    assert.equal(deposited.status, 'IN_PROCESS')
    assert.equal((await sender.get(`/v3/check/${first.id}`)).status, 200)
    assert.equal((await sender.del(`/v3/check/${first.id}`)).status, 200)
    assert.equal(await isMigrated(sql), true)

    assert.equal(await requireMigrated(sql, ownerUrl), true, 'a process of the previous release can start')
    assert.deepEqual(await migrate(ownerUrl), { migrations: [], functions: [] })
    assert.deepEqual([...(await state())], before)
  })

  test('is refused by a program that the next release does not serve', async (t) => {
    const { ownerUrl, drop } = await createTestDatabase()
    t.after(drop)
    const { nextRelease } = await readProgram()
    const migrateToNext = await migrationOf(t, { ...nextRelease, servesFrom: nextRelease.release })
    await migrateToNext(ownerUrl, { name: SERVICE_ROLE, environment: 'sandbox' })
    await assert.rejects(migrate(ownerUrl), (error: unknown) => {
      assert.ok(error instanceof StartProblem)
      assert.match(error.message, /^The database is newer than this program: .* Run the newer version\.$/)
      return true
    })
  })
})

suite('the release before', () => {
  test('keeps everything that it uses in this release', async () => {
    const { program } = await readProgram()
    assert.deepEqual(breaksRelease(SCHEMA, program), [])
  })

  test('keeps everything that it uses in a release that expands', async () => {
    const { program, nextRelease } = await readProgram()
    const expanded = { ...program, migrations: [...program.migrations, added] }
    assert.deepEqual(breaksRelease(nextRelease, expanded), [])
  })

  test('is broken by a later servesFrom, a migration that contracts, and a removed or changed function', async () => {
    const { program, nextRelease } = await readProgram()
    const dropping = { ...added, sql: 'alter table payments drop column name;\n' }
    const functions = program.functions
      .filter(({ name }) => name !== 'record_event_v1')
      .map((fn) => (fn.name === 'standing_v1' ? { ...fn, signature: '(_own text) returns text' } : fn))
    const broken = { migrations: [...program.migrations, dropping], functions }
    assert.deepEqual(breaksRelease({ ...nextRelease, servesFrom: nextRelease.release }, broken).sort(), [
      '9001_labels.sql: alter table payments drop column name',
      `record_event_v1: add a function with the next version instead`,
      `release ${nextRelease.release} does not serve the previous release`,
      `standing_v1: add a function with the next version instead`,
    ])
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
