import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { after, suite, type TestContext, test } from 'node:test'
import { SERVICE_ROLE } from '#embedded-postgres'
import type { EnvironmentName } from '../src/foundation/core/environment.ts'
import { connect, type Pool } from '../src/foundation/db/connect.ts'
import { databaseOfUrl } from '../src/foundation/db/schema/create-database.ts'
import { migrate } from '../src/foundation/db/schema/migrate.ts'
import { migrateDatabase, prepareDatabase } from '../src/foundation/db/schema/prepare-database.ts'
import { findDifferences, rightsOn } from '../src/foundation/db/schema/service-role.ts'
import { StartProblem } from '../src/foundation/lib/start-problem.ts'
import { createTestDatabase, serviceUrlOf } from './support/postgres.ts'
import { missingDatabase } from './support/process.ts'

const database = await createTestDatabase()
after(database.drop)
const service = connect(database.url, { max: 2, applicationName: 'test' })
const owner = connect(database.ownerUrl, { max: 2, applicationName: 'test' })
after(() => Promise.all([service.end(), owner.end()]))

const role = { name: SERVICE_ROLE, environment: 'sandbox' } as const

const refusal = (message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StartProblem, String(error))
  assert.match(error.message, message)
  return true
}

/** A separate database for tests that change rights. */
async function ownDatabase(t: TestContext) {
  const { url, ownerUrl, drop } = await createTestDatabase()
  const sql = connect(ownerUrl, { max: 1, applicationName: 'test' })
  t.after(async () => {
    await sql.end()
    await drop()
  })
  return { url, ownerUrl, sql }
}

suite('the service role', () => {
  test('has exactly the rights of the table, on every table and function', async () => {
    assert.deepEqual(await findDifferences(owner, role), { tables: [], functions: [] })
    const [count] = await owner<{ tables: number }[]>`
      select count(*)::integer as tables from pg_tables where schemaname = 'public'
    `
    assert.ok((count?.tables ?? 0) > 60)
    assert.deepEqual(rightsOn('transfers', 'production'), ['SELECT', 'INSERT'])
    assert.deepEqual(rightsOn('sessions', 'production'), ['SELECT', 'INSERT', 'UPDATE', 'DELETE'])
  })

  test('owns nothing, and is no superuser', async () => {
    const [row] = await service`
      select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls,
        exists (select 1 from pg_shdepend where refobjid = r.oid and deptype = 'o') as owns_something,
        has_database_privilege(current_database(), 'CREATE') as can_create_schema,
        has_database_privilege(current_database(), 'TEMPORARY') as can_create_temporary_table,
        has_schema_privilege('public', 'CREATE') as can_create
      from pg_roles r
      where rolname = current_user
    `
    assert.deepEqual(new Set(Object.values(row as object)), new Set([false]))
  })

  const refused = {
    'change a transfer': "update transfers set cents = 1, status = 'POSTED'",
    'delete a transfer': 'delete from transfers',
    'lock a transfer': 'select from transfers for update',
    'empty the ledger': 'truncate transfers',
    'change an audit entry': "update audit_entries set action = 'x'",
    'delete audit entries': 'delete from audit_entries',
    'change a seal': 'update audit_seals set sequence = 1',
    'delete seals': 'delete from audit_seals',
    'change an unsealed entry': 'update audit_unsealed set entry_id = platform_id',
    'delete payments': 'delete from payments',
    'empty a table': 'truncate sessions',
    'note a migration': "insert into migrations (number, name, checksum) values (9999, 'x', 'x')",
    'forget a migration': 'delete from migrations',
    'note a function': "update sql_functions set checksum = 'x'",
    'create a table': 'create table mine (id integer)',
    'create a temporary table': 'create temporary table transfers (id integer)',
    'create a schema': 'create schema mine',
    'create a function': "create function mine() returns integer language sql as 'select 1'",
    'replace a function':
      "create or replace function standing_v1(_own text, _owner text) returns text language sql as 'select null::text'",
    'drop a table': 'drop table sessions',
    'drop a function': 'drop function end_pending_transfers_v1',
    'alter a table': 'alter table transfers drop constraint transfers_cents_check',
    'disable triggers': 'alter table transfers disable trigger all',
    'add an index': 'create index on transfers (cents)',
    'give itself rights': `grant update on transfers to ${SERVICE_ROLE}`,
    'become the owner': 'set role remit',
    'turn off triggers and foreign keys': "set session_replication_role = 'replica'",
  }

  for (const [what, statement] of Object.entries(refused)) {
    test(`cannot ${what}`, async () => {
      const error = await service.unsafe(statement).then(
        () => null,
        (problem: Error & { code?: string; message: string }) => problem,
      )
      // PostgreSQL only warns if a role grants a right that it does not have.
      if (statement.startsWith('grant') && error === null) {
        assert.deepEqual(await findDifferences(owner, role), { tables: [], functions: [] })
        return
      }
      assert.equal(error?.code, '42501', String(error))
    })
  }

  test('no other role may call a function', async () => {
    const rows = await owner`
      select proname from pg_proc
      where pronamespace = 'public'::regnamespace and has_function_privilege('public', oid, 'EXECUTE')
    `
    assert.deepEqual([...rows], [])
  })

  test('every function with the rights of its owner has a fixed search path, with pg_temp at its end', async () => {
    const rows = await owner<{ name: string; config: string[] | null }[]>`
      select proname as name, proconfig as config from pg_proc where pronamespace = 'public'::regnamespace and prosecdef
      order by proname
    `
    assert.deepEqual(
      rows.map(({ name, config }) => [name, config]),
      ['analyze_grown_tables_v1', 'end_pending_transfers_v1'].map((name) => [
        name,
        ['search_path=pg_catalog, public, pg_temp'],
      ]),
    )
  })
})

suite('a pending transfer', () => {
  const [platformId, paymentId] = [randomUUID(), randomUUID()]

  async function insertTransfer(status: string): Promise<string> {
    const id = randomUUID()
    await service`
      insert into transfers (platform_id, id, debit, credit, cents, status, reason, payment_id, created_at)
      values (${platformId}, ${id}, ${`wallet:${id}`}, 'payable', 100, ${status}, 'test', ${paymentId}, now())
    `
    return id
  }

  const end = (id: string, status: string | null) => service`
    select (
      end_pending_transfers_v1(
        ${platformId}, ${[paymentId]}, ${[`wallet:${id}`]}, array['payable'], ${[status]}::text[], array[now()]
      )
    )[1] as cents
  `

  const stored = async (id: string) => {
    const [row] = await service`
      select cents, status, ended_at is not null as is_ended from transfers where platform_id = ${platformId} and id = ${id}
    `
    return { ...row }
  }

  for (const status of ['POSTED', 'VOIDED']) {
    test(`becomes ${status} by the function, once, and keeps its amount`, async () => {
      const id = await insertTransfer('PENDING')
      assert.equal((await end(id, status))[0]?.cents, 100)
      assert.deepEqual(await stored(id), { cents: 100, status, isEnded: true })
      for (const again of ['POSTED', 'VOIDED']) await assert.rejects(end(id, again), { code: 'P0002' })
      assert.deepEqual(await stored(id), { cents: 100, status, isEnded: true })
    })
  }

  test('gets no other status, and a posted one does not change', async () => {
    const pending = await insertTransfer('PENDING')
    for (const status of ['PENDING', 'OTHER', null]) await assert.rejects(end(pending, status), { code: 'P0001' })
    assert.equal((await stored(pending)).status, 'PENDING')
    const posted = await insertTransfer('POSTED')
    await assert.rejects(end(posted, 'VOIDED'), { code: 'P0002' })
    assert.equal((await stored(posted)).status, 'POSTED')
  })
})

suite('a migration', () => {
  test('grants the role its rights on new tables, and revokes other rights', async (t) => {
    const { ownerUrl, sql } = await ownDatabase(t)
    await sql.unsafe(`
      create table later (id integer);
      create function later() returns integer language sql as 'select 1';
      grant update on transfers to ${SERVICE_ROLE};
      revoke select on users from ${SERVICE_ROLE};
    `)
    const { tables, functions } = await findDifferences(sql, role)
    assert.deepEqual(
      tables.map(({ table, right, has }) => `${table} ${right} ${has}`),
      [
        ...['DELETE', 'INSERT', 'SELECT', 'UPDATE'].map((right) => `later ${right} false`),
        'transfers UPDATE true',
        'users SELECT false',
      ],
    )
    assert.deepEqual(
      functions.map(({ name }) => name),
      ['later'],
    )
    await migrate(ownerUrl, role)
    assert.deepEqual(await findDifferences(sql, role), { tables: [], functions: [] })
  })

  test('lets only the demo empty its tables', async (t) => {
    const { ownerUrl, sql } = await ownDatabase(t)
    const mayEmpty = async () =>
      (await sql`select has_table_privilege(${SERVICE_ROLE}, 'transfers', 'TRUNCATE') as may`)[0]?.may
    await migrate(ownerUrl, { ...role, environment: 'demo' })
    assert.equal(await mayEmpty(), true)
    assert.ok(!rightsOn('mail_suppressions', 'demo').includes('TRUNCATE'))
    await migrate(ownerUrl, { ...role, environment: 'production' })
    assert.equal(await mayEmpty(), false)
  })

  test('names the missing role, and how to create it', async (t) => {
    const { ownerUrl } = await ownDatabase(t)
    await assert.rejects(
      migrate(ownerUrl, { ...role, name: 'nobody "here"' }),
      refusal(
        /^PostgreSQL does not have the role "nobody "here"" of DATABASE_URL\. Create it first: create role "nobody ""here""" login password '…'$/,
      ),
    )
  })

  test('by a role that cannot create tables is refused, with the setting that names the owner', async (t) => {
    const { url } = await ownDatabase(t)
    await assert.rejects(
      migrate(url),
      refusal(/^The role "remit_service" cannot create tables .* MIGRATE_DATABASE_URL/),
    )
  })
})

suite('docs/operating.md', async () => {
  const [, setUp = '', handOver = ''] = (await readFile(new URL('../docs/operating.md', import.meta.url), 'utf8'))
    .split('```sql\n')
    .map((part) => part.split('```')[0] as string)
  const newRole = `owner_${randomUUID().slice(0, 8)}`

  /** Runs SQL with a role and a database of this test. */
  async function runAs(sql: Pool, text: string, database: string) {
    const own = text
      .replaceAll('remit_owner', newRole)
      .replaceAll('…', 'secret')
      .replaceAll('database remit ', `database "${database}" `)
    for (const statement of own.split(/;\n(?=create|alter|do)/)) {
      if (!statement.includes('create role remit_service')) await sql.unsafe(statement)
    }
  }

  const ownUrlOf = (url: string) => {
    const own = new URL(url)
    own.username = newRole
    own.password = 'secret'
    return own.href
  }

  const tables = (sql: Pool) => sql<{ owner: string }[]>`
    select distinct tableowner as owner from pg_tables where schemaname = 'public'
  `

  test('sets up an owner who is no superuser, and a service that production accepts', async (t) => {
    const url = missingDatabase(t)
    t.after(() => owner.unsafe(`drop role if exists ${newRole}`))
    await runAs(owner, setUp, databaseOfUrl(url))
    const databaseUrl = serviceUrlOf(url)
    await migrateDatabase({ databaseUrl, ownerUrl: ownUrlOf(url) }, 'production')
    await prepareDatabase({ databaseUrl, ownerUrl: null }, 'production')
    const sql = connect(databaseUrl, { max: 1, applicationName: 'test' })
    assert.deepEqual([...(await tables(sql))], [{ owner: newRole }])
    await assert.rejects(sql`create temporary table mine (id integer)`, { code: '42501' })
    await sql.end()
  })

  test('hands a database from a superuser to an owner', async (t) => {
    const { url, ownerUrl, sql } = await ownDatabase(t)
    t.after(() => owner.unsafe(`drop role if exists ${newRole}`))
    await runAs(sql, handOver, databaseOfUrl(url))
    await sql`update sql_functions set checksum = 'older'`
    await migrateDatabase({ databaseUrl: url, ownerUrl: ownUrlOf(ownerUrl) }, 'production')
    await prepareDatabase({ databaseUrl: url, ownerUrl: null }, 'production')
    assert.deepEqual([...(await tables(sql))], [{ owner: newRole }])
  })
})

suite('a process that must not migrate', () => {
  const prepare = (databaseUrl: string, environment: EnvironmentName = 'production') =>
    prepareDatabase({ databaseUrl, ownerUrl: null }, environment)

  test('starts on a migrated database as the service role', async () => {
    for (const environment of ['production', 'sandbox'] as const) await prepare(database.url, environment)
  })

  test('is refused on a database that is missing, empty, or behind, and changes nothing', async (t) => {
    const missing = missingDatabase(t)
    await assert.rejects(prepare(missing), refusal(/^There is no database "test_\w+"\. Run remit migrate/))
    const { url, sql } = await ownDatabase(t)
    await sql`delete from migrations where number = (select max(number) from migrations)`
    await assert.rejects(
      prepare(url),
      refusal(/^The database "test_\w+" lacks the migration \d{4}_\w+\.sql\. Run remit migrate/),
    )
    await sql`drop table migrations`
    await assert.rejects(prepare(url), refusal(/^The database "test_\w+" is empty\. Run remit migrate/))
  })

  test('is refused on a database with functions of another version', async (t) => {
    const { url, sql } = await ownDatabase(t)
    await sql`update sql_functions set checksum = 'another' where name = 'standing_v1'`
    await assert.rejects(prepare(url), refusal(/has another version of the function standing_v1\. Run remit migrate/))
  })

  test('is refused in production as a role that could change the schema or the ledger, and allowed in the sandbox', async (t) => {
    const { url, ownerUrl, sql } = await ownDatabase(t)
    await assert.rejects(
      prepare(ownerUrl),
      refusal(/^The role "\w+" could change .*: it is a superuser\. .*docs\/operating\.md\.$/),
    )
    await prepare(ownerUrl, 'sandbox')
    await sql.unsafe(`grant update on transfers to ${SERVICE_ROLE}`)
    await assert.rejects(prepare(url), refusal(/: it has UPDATE on transfers\./))
    await prepare(url, 'sandbox')
    await sql.unsafe(
      `revoke update on transfers from ${SERVICE_ROLE}; grant create on schema public to ${SERVICE_ROLE}`,
    )
    await assert.rejects(prepare(url), refusal(/: it can create tables and functions\./))
    await sql.unsafe(`alter table sessions owner to ${SERVICE_ROLE}`)
    await assert.rejects(prepare(url), refusal(/: it owns the tables, it can create/))
  })

  test('is refused in production as a role that could get more rights', async (t) => {
    const { url, ownerUrl, sql } = await ownDatabase(t)
    const name = `eager_${randomUUID().slice(0, 8)}`
    const eager = new URL(url)
    eager.username = name
    eager.password = 'secret'
    t.after(() => owner.unsafe(`drop role ${name}`))
    await sql.unsafe(`create role ${name} login password 'secret'`)
    await migrate(ownerUrl, { name, environment: 'production' })
    await prepare(eager.href)
    const ways = {
      [`alter role ${name} createrole`]: /: it can give itself other roles \(CREATEROLE\)\./,
      [`alter role ${name} nocreaterole; grant pg_write_server_files to ${name}`]:
        /: it can write files or run programs/,
      [`revoke pg_write_server_files from ${name}; alter role ${name} noinherit; grant remit to ${name}`]:
        /: it can become a superuser,/,
    }
    for (const [statements, reason] of Object.entries(ways)) {
      await sql.unsafe(statements)
      await assert.rejects(prepare(eager.href), refusal(reason))
    }
  })

  test('reports the missing right, and who can grant it', async (t) => {
    const { url, sql } = await ownDatabase(t)
    await sql.unsafe(`revoke insert on payments from ${SERVICE_ROLE}`)
    for (const environment of ['production', 'sandbox'] as const) {
      await assert.rejects(
        prepare(url, environment),
        refusal(
          /^The role "remit_service" lacks INSERT on the table payments\. Run remit migrate with MIGRATE_DATABASE_URL/,
        ),
      )
    }
    await sql.unsafe(
      `grant insert on payments to ${SERVICE_ROLE}; revoke execute on function standing_v1 from ${SERVICE_ROLE}`,
    )
    await assert.rejects(prepare(url), refusal(/lacks EXECUTE on the function standing_v1/))
  })

  test('is refused on a database that was migrated for another role', async (t) => {
    const { url, sql } = await ownDatabase(t)
    await sql.unsafe(`drop owned by ${SERVICE_ROLE}`)
    await assert.rejects(
      prepare(url),
      refusal(/^The database "test_\w+" gives the role "remit_service" no rights\. Run/),
    )
  })

  test('ignores other tables and functions in the same schema', async (t) => {
    const { url, ownerUrl, sql } = await ownDatabase(t)
    const other = `other_${randomUUID().slice(0, 8)}`
    await sql.unsafe(`
      create role ${other};
      create table report (id integer);
      create function report() returns integer language sql as 'select 1';
      alter table report owner to ${other};
      alter function report() owner to ${other};
    `)
    t.after(() => owner.unsafe(`drop role ${other}`))
    await migrate(ownerUrl, role)
    await prepare(url)
    await sql.unsafe('drop table report; drop function report()')
  })

  test('in sandbox and demo with two roles migrates as the owner', async (t) => {
    const ownerUrl = missingDatabase(t)
    const databaseUrl = serviceUrlOf(ownerUrl)
    await prepareDatabase({ databaseUrl, ownerUrl }, 'demo')
    await prepare(databaseUrl, 'demo')
    const nameless = databaseUrl.replace(/\/\/.*@/, '//')
    await assert.rejects(
      prepareDatabase({ databaseUrl: nameless, ownerUrl }, 'demo'),
      refusal(/^DATABASE_URL must name a role/),
    )
  })

  test('outside of production with a single role uses the role of the service', async () => {
    const { url } = database
    await prepareDatabase({ databaseUrl: url, ownerUrl: url }, 'sandbox')
    assert.equal(databaseOfUrl(url), databaseOfUrl(database.ownerUrl))
  })
})
