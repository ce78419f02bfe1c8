import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connect, type Pool, type Sql } from '../src/foundation/db/connect.ts'
import { createDatabaseIfMissing } from '../src/foundation/db/schema/create-database.ts'
import { migrate, readMigrations } from '../src/foundation/db/schema/migrate.ts'
import { StartProblem } from '../src/foundation/lib/start-problem.ts'
import { applyFormerMigrations, formerMigrations } from './support/former-migrations.ts'
import { createTestDatabase } from './support/postgres.ts'
import { missingDatabase } from './support/process.ts'
import { dumpSchema } from './support/schema-dump.ts'

const RELEASE_0_1 = 9
const UNRELEASED = 29

function open(t: TestContext, url: string): Pool {
  const sql = connect(url, { max: 1, applicationName: 'test' })
  t.after(() => sql.end({ timeout: 5 }))
  return sql
}

/** A database after a former migration. */
async function formerDatabase(t: TestContext, last: number) {
  const url = missingDatabase(t)
  await createDatabaseIfMissing(url)
  const sql = open(t, url)
  await sql.begin((tx) => applyFormerMigrations(tx, last))
  return { url, sql }
}

async function currentSchema(t: TestContext): Promise<string> {
  const { ownerUrl: url, drop } = await createTestDatabase()
  t.after(drop)
  return dumpSchema(open(t, url))
}

const history = (sql: Sql | Pool) =>
  (sql as Sql)<{ number: number; name: string; checksum: string }[]>`
    select number, name, checksum
    from migrations
    order by number
  `.then((rows) => rows.map((row) => ({ ...row })))

const currentHistory = async () =>
  (await readMigrations()).map(({ number, name, checksum }) => ({ number, name, checksum }))

const id = (digit: number) => `${digit}0000000-0000-0000-0000-000000000000`

/** A payment of each kind with its money and its files, as version 0.1 stored them. */
async function insertRows(sql: Pool): Promise<void> {
  const [platform, leg, payment, file] = [1, 2, 3, 4].map(id) as [string, string, string, string]
  await sql`
    insert into users (platform_id, id, name, status, merchant, brand, webhook_key_sealed, created_at)
    values (${platform}, ${platform}, 'Ada', 'VERIFIED', '{}', '{}', '\\x01', '2026-03-02')
  `
  await sql`insert into user_counters (platform_id, user_id) values (${platform}, ${platform})`
  await sql`
    insert into transfers (platform_id, id, debit, credit, cents, status, reason, created_at)
    values (${platform}, ${id(5)}, ${`receivable:${platform}`}, 'payable', 700, 'POSTED', 'x', '2026-03-02')
  `
  await sql`
    insert into payments (
      platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, funding_id,
      deposit_options, status, created_at, updated_at, expires_at
    )
    values (
      ${platform}, ${payment}, ${platform}, 'PHYSICAL', '1', false, 1000, 'Grace Hopper', 'x', ${id(6)}, '{MAIL}',
      'MAILED', '2026-03-02', now(), now()
    )
  `
  await sql`
    insert into legs (
      platform_id, id, purpose, subject_id, user_id, rail, direction, cents, status, created_at
    )
    values (${platform}, ${leg}, 'payment_push', ${payment}, ${platform}, 'MAIL', 'credit', 1000, 'SENT', '2026-03-02')
  `
  await sql`
    insert into print_files (id, kind, pdf_sealed, list_sealed, created_at, written_at)
    values (${file}, 'print', '\\x02', '\\x03', '2026-03-02', '2026-03-02')
  `
  await sql`
    insert into paper_checks (
      platform_id, leg_id, payment_id, account_digest, account_last4, serial, cents, print_file_id
    )
    values (${platform}, ${leg}, ${payment}, '\\x01', '6789', 1001, 1000, ${file})
  `
  await sql`insert into check_serials (account_digest, last_serial) values ('\\x01', 1001)`
  await sql`
    insert into audit_entries (platform_id, id, action, actor, created_at)
    values (${platform}, ${id(7)}, 'signed_in', 'owner', '2026-03-02')
  `
}

async function rejects(url: string, message: RegExp): Promise<void> {
  await assert.rejects(migrate(url), (error: unknown) => {
    assert.ok(error instanceof StartProblem, String(error))
    assert.match(error.message, message)
    return true
  })
}

test('a database of version 0.1 gets the schema of a new one and keeps its rows', async (t) => {
  const { url, sql } = await formerDatabase(t, RELEASE_0_1)
  await insertRows(sql)
  const current = await currentHistory()
  assert.deepEqual(
    (await migrate(url)).migrations,
    current.slice(1).map(({ name }) => name),
  )
  assert.deepEqual(await history(sql), current)
  assert.equal(await dumpSchema(sql), await currentSchema(t))
  const [row] = await sql`
    select
      p.name, p.status, c.issued_on::text as issued_on, f.name as file_name, f.status as file_status,
      (select count(*)::integer from bank_file_parts) as part_count,
      (select debt_cents::integer from user_counters) as debt_cents,
      (select count(*)::integer from audit_unsealed) as unsealed_count
    from payments p
    join legs l on l.platform_id = p.platform_id and l.subject_id = p.id
    join paper_checks c on c.platform_id = l.platform_id and c.leg_id = l.id
    join bank_files f on f.id = c.print_file_id
  `
  assert.deepEqual(
    { ...row },
    {
      name: 'Grace Hopper',
      status: 'MAILED',
      issuedOn: '2026-03-02',
      fileName: `print-${id(4).replaceAll('-', '')}`,
      fileStatus: 'WRITTEN',
      partCount: 2,
      debtCents: 700,
      unsealedCount: 1,
    },
  )
  assert.deepEqual(await migrate(url), { migrations: [], functions: [] })
})

test('a database of an unreleased version gets the schema of a new one', async (t) => {
  const { url, sql } = await formerDatabase(t, UNRELEASED)
  const current = await currentHistory()
  assert.deepEqual(
    (await migrate(url)).migrations,
    current.filter(({ number }) => number > UNRELEASED).map(({ name }) => name),
  )
  assert.deepEqual(await history(sql), current)
  assert.equal(await dumpSchema(sql), await currentSchema(t))
})

test('an unreleased version that ended in the middle is continued', async (t) => {
  const { url, sql } = await formerDatabase(t, 23)
  await migrate(url)
  assert.deepEqual(await history(sql), await currentHistory())
  assert.equal(await dumpSchema(sql), await currentSchema(t))
})

test('of two processes that adopt a database at once, one migrates it and the other waits', async (t) => {
  const { url, sql } = await formerDatabase(t, RELEASE_0_1)
  const current = await currentHistory()
  const migrated = await Promise.all([migrate(url), migrate(url)])
  assert.deepEqual(migrated.map(({ migrations }) => migrations.length).sort(), [0, current.length - 1])
  assert.deepEqual(await history(sql), current)
})

test('a database with only some migrations of version 0.1 is refused and unchanged', async (t) => {
  const { url, sql } = await formerDatabase(t, 6)
  const before = await history(sql)
  await rejects(
    url,
    /^The database lacks the migration 0007_check_serials\.sql of version 0\.1\. Start version 0\.1 with this database first, then this version\.$/,
  )
  assert.deepEqual(await history(sql), before)
})

test('a database whose migrations differ from those of version 0.1 is refused and unchanged', async (t) => {
  const { url, sql } = await formerDatabase(t, RELEASE_0_1)
  await sql`update migrations set checksum = 'another' where number = 3`
  const before = await history(sql)
  await rejects(url, /^Migration 0003_payments\.sql of this database differs from version 0\.1\. .* Restore a backup/)
  assert.deepEqual(await history(sql), before)
})

test('an edited migration of an unreleased version is refused', async (t) => {
  const { url, sql } = await formerDatabase(t, 12)
  await sql`update migrations set checksum = 'another' where number = 12`
  await rejects(url, /^Migration 0012_bounded_clocks\.sql was changed after it was applied/)
  assert.equal((await history(sql))[0]?.name, formerMigrations[0]?.name)
})
