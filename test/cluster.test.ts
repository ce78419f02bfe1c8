import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { after, suite, test } from 'node:test'
import { useCustomPlans } from '../src/foundation/db/cluster/by-platform.ts'
import { connect } from '../src/foundation/db/connect.ts'
import { databaseOfUrl } from '../src/foundation/db/schema/create-database.ts'
import { isTenantTable } from '../src/foundation/db/schema/distribution.ts'
import { readMigrations } from '../src/foundation/db/schema/migrate.ts'
import { readSqlFunctions } from '../src/foundation/db/schema/sql-functions.ts'
import { recordApiExamples } from './support/api-story.ts'
import { type CitusRules, refusalsInFunction, refusalsInStatement } from './support/citus-refusals.ts'
import { purposeOf } from './support/crossing-guard.ts'
import { findTenantStatements, logPlans } from './support/crossings.ts'
import { createTestDatabase, TEMPLATE, testServerUrl } from './support/postgres.ts'

// Calls every operation of the API with tables partitioned by platform, to check the rows that a statement touches on a
// cluster, including within functions. The partitions refuse keys that span platforms.

const database = await createTestDatabase(TEMPLATE)
after(database.drop)
const server = connect(testServerUrl(), { max: 1, applicationName: 'test' })
const ownerSql = connect(database.ownerUrl, { max: 1, applicationName: 'test' })
await useCustomPlans(ownerSql)
await logPlans(server, databaseOfUrl(database.url))
for (const pool of [server, ownerSql]) await pool.end({ timeout: 5 })
await recordApiExamples(database.url)
const log = createReadStream(process.env.TEST_RUN_SERVER_LOG as string)
const statements = (await findTenantStatements(createInterface({ input: log }))).filter(({ text }) => !isOfTests(text))

/** Leaves out the search for secrets in all tables at the end of each test service. */
function isOfTests(text: string): boolean {
  return /^select \$1::text as "table"/.test(text)
}

test('each statement touches one platform, except for marked statements that search for work', () => {
  const others = statements.filter(({ text, isAcross }) => isAcross !== (purposeOf(text) === 'finds work'))
  assert.deepEqual(others, [])
  assert.ok(statements.some(({ within, isAcross }) => within !== null && isAcross))
})

// The node of the platform does not have the tables of the coordinator.
test('no statement that reads platform tables looks up a coordinator row for each of its rows', async () => {
  const isOfCoordinator = (table: string) => !/_p\d$/.test(table) && !isTenantTable(table)
  const lookups = statements.filter(({ lookedUpTables }) => lookedUpTables.some(isOfCoordinator))
  assert.deepEqual(
    lookups.map(({ text, within, lookedUpTables }) => ({ lookedUpTables, text, within })),
    [],
  )
})

// Citus sends a statement to a node with the functions that it calls. A node refuses their own statements.
test('no statement that reads platform tables calls a function that also does', async () => {
  const isCalled = new RegExp(`\\b(${(await functionsThatReadTables()).join('|')})\\(`)
  const calls = statements.filter(({ text }) => isCalled.test(text))
  assert.deepEqual(
    calls.map(({ text, within }) => ({ call: isCalled.exec(text)?.[1], text, within })),
    [],
  )
})

const tables = new Set(await tenantTables())
const rules: CitusRules = { isTenantTable: (name) => tables.has(name), changing: await functionsThatChange() }

/** Functions that are not immutable, at least for some types. */
async function functionsThatChange(): Promise<Set<string>> {
  const sql = connect(database.ownerUrl, { max: 1, applicationName: 'test' })
  const rows = await sql<{ name: string }[]>`select distinct proname as name from pg_proc where provolatile <> 'i'`
  await sql.end({ timeout: 5 })
  return new Set(rows.map(({ name }) => name))
}

/** A cluster calls these functions only in the schema of a shard, where the tables are not distributed (shard-schemas.ts). */
const IN_SHARDS_ONLY = ['plain_sender_v1']

test('no function has a statement that Citus refuses', async () => {
  const found = (await readSqlFunctions()).filter(({ sql }) => refusalsInFunction(sql, rules).length > 0)
  assert.deepEqual(
    found.map(({ name }) => name),
    IN_SHARDS_ONLY,
  )
})

test('no statement of the program is one that Citus refuses', () => {
  const found = statements
    .filter(({ within }) => within === null)
    .map(({ text }) => ({ text, refusals: refusalsInStatement(text, rules) }))
  assert.deepEqual(
    found.filter(({ refusals }) => refusals.length > 0),
    [],
  )
})

suite('SQL that Citus refuses is detected in', () => {
  for (const statement of [
    'with recursive a as (select 1 union all select 2 from a) select from payments, a',
    "update payments set deposit_options[1] = 'ACH'",
    "update payments p set expires_at = p.created_at + interval '1 day'",
    'update payments p set expires_at = make_interval(days => 1) + p.created_at',
    "update payments p set expires_at = date_trunc('day', p.created_at)",
    `insert into payments (id) values ($1)
     on conflict (id) do update set expires_at = excluded.created_at - make_interval(days => 1)`,
  ]) {
    test(statement, () => assert.equal(refusalsInStatement(statement, rules).length, 1))
  }
  for (const body of [
    "begin update payments p set status = case p.kind when 'DIGITAL' then 'UNPAID' end; end",
    "begin if true then update payments p set expires_at = p.created_at + interval '1 day'; end if; end",
    'declare a integer; begin a := array((with recursive b as (select 1) select 1 from payments, b)); end',
  ]) {
    const sql = `create or replace function f() returns void language plpgsql as $$ ${body} $$`
    test(body, () => assert.equal(refusalsInFunction(sql, rules).length, 1))
  }
  test('a function in SQL', () => {
    const sql = 'create or replace function f() returns bigint language sql as $$ select count(*) from payments $$'
    assert.equal(refusalsInFunction(sql, rules).length, 1)
  })
})

test('SQL that Citus accepts is not reported', () => {
  for (const statement of [
    "update payments p set expires_at = now() + interval '1 day', status = case when p.kind = 'DIGITAL' then 'UNPAID' end",
    "select p.created_at + interval '1 day', case p.kind when 'DIGITAL' then 1 end from payments p",
    'with recursive a as (select 1 union all select 2 from a) select from a',
  ]) {
    assert.deepEqual(refusalsInStatement(statement, rules), [], statement)
  }
})

/**
 * Problems that plans and syntax trees do not show, or only for statements that run here, with the files that still
 * have them.
 */
const REFUSED: Readonly<Record<string, { pattern: RegExp; left: readonly string[] }>> = {
  'a recursive query': { pattern: /^\s*with recursive\b/im, left: [] },
  // Nodes do not know the type.
  'a type that contains a row of a table': {
    pattern: /\bpayment_event\b/,
    left: [],
  },
  // The name of a constraint does not arrive.
  'the name of a violated constraint': { pattern: /\bconstraint === /, left: [] },
}

/** Returns the platform tables. */
async function tenantTables(): Promise<string[]> {
  const migrations = (await readMigrations()).map(({ sql }) => sql).join('\n')
  return [...migrations.matchAll(/^create table (\w+) /gm)].map(([, table]) => table as string).filter(isTenantTable)
}

/** Returns the functions with a statement about a platform table, and the functions that call them. */
async function functionsThatReadTables(): Promise<string[]> {
  const functions = await readSqlFunctions()
  let isReader = new RegExp(`\\b(?:from|join|into|update) (?:${(await tenantTables()).join('|')})\\b`)
  for (let known = 0; ; ) {
    const names = functions.filter(({ sql }) => isReader.test(sql.replaceAll(/--.*/g, ''))).map(({ name }) => name)
    if (names.length === known) return names
    known = names.length
    isReader = new RegExp(`${isReader.source}|\\b(?:${names.join('|')})\\(`)
  }
}

/** Tables of the ledger checks, which run on the whole database. */
const OF_THE_OPERATOR = ['ledger/verify-store.ts']

test('no SQL has a part that a cluster refuses, except in the listed files', async () => {
  const paths = await Array.fromAsync(glob(['**/*-store.ts', '**/sql/*.sql', 'db/**/*.ts'], { cwd: 'src' }))
  const texts = await Promise.all(paths.map((path) => readFile(`src/${path}`, 'utf8')))
  for (const [what, { pattern, left }] of Object.entries(REFUSED)) {
    const found = paths.filter((path, index) => !OF_THE_OPERATOR.includes(path) && pattern.test(texts[index] as string))
    assert.deepEqual(found.sort(), left, what)
  }
})
