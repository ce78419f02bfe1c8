import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { SERVICE_ROLE } from '#embedded-postgres'
import { connect } from '../src/db/connect.ts'
import { databaseOfUrl } from '../src/db/schema/create-database.ts'
import { isTenantTable } from '../src/db/schema/distribution.ts'
import { readSqlFunctions } from '../src/db/schema/sql-functions.ts'
import { recordApiExamples } from './support/api-story.ts'
import { type Crossing, findTenantStatements, logPlans } from './support/crossings.ts'
import { partitionTables } from './support/partitioned.ts'
import { createTestDatabase, testServerUrl } from './support/postgres.ts'

// Every operation of the API, on tables in partitions by platform: what a statement of a request may touch on a cluster. The
// partitions also refuse keys that span platforms.

const LOOKING = 'finds the platforms that have work'

/** The statements that may touch several platforms: by the function that runs them, or by how they begin. */
const ALLOWED: Readonly<Record<string, string>> = {
  waiting_endpoints_v2: LOOKING,
  'select platform_id, bool_or(is_cut)': LOOKING,
  'select platform_id from outbox': LOOKING,
}

const isAllowedBy = (entry: string, { text, within }: Crossing): boolean => within === entry || text.startsWith(entry)

const database = await createTestDatabase()
after(database.drop)
const server = connect(testServerUrl(), { max: 1, applicationName: 'test' })
await partitionTables(database.ownerUrl, { name: SERVICE_ROLE, environment: 'sandbox' })
await logPlans(server, databaseOfUrl(database.url))
await server.end({ timeout: 5 })
await recordApiExamples(database.url)
const log = createReadStream(process.env.TEST_RUN_SERVER_LOG as string)
const statements = (await findTenantStatements(createInterface({ input: log }))).filter(({ text }) => !isOfTests(text))
const crossings: Crossing[] = statements
  .filter(({ isAcross }) => isAcross)
  .map(({ isAcross: _isAcross, lookedUpTables: _lookedUpTables, ...crossing }) => crossing)

/** The search for secrets in all tables at the end of each test service. */
function isOfTests(text: string): boolean {
  return /^select \$1::text as "table"/.test(text)
}

test('each statement of a request touches one platform, except for those that are listed', () => {
  const others = crossings.filter((crossing) => !Object.keys(ALLOWED).some((entry) => isAllowedBy(entry, crossing)))
  assert.deepEqual(others, [])
})

test('the list has no statement that touches one platform', () => {
  const unused = Object.keys(ALLOWED).filter((entry) => !crossings.some((crossing) => isAllowedBy(entry, crossing)))
  assert.deepEqual(unused, [])
})

// The node of the platform does not have the tables of the coordinator.
test('no statement that reads tables of platforms looks up a row of the coordinator for each of its rows', async () => {
  const isOfCoordinator = (table: string) => !/_p\d$/.test(table) && !isTenantTable(table)
  const lookups = statements.filter(({ lookedUpTables }) => lookedUpTables.some(isOfCoordinator))
  assert.deepEqual(
    lookups.map(({ text, within, lookedUpTables }) => ({ lookedUpTables, text, within })),
    [],
  )
})

// Citus sends a statement to a node with the functions that it calls. A node refuses their own statements.
test('no statement that reads tables of platforms calls a function that does', async () => {
  const isCalled = new RegExp(`\\b(${(await functionsThatReadTables()).join('|')})\\(`)
  const calls = statements.filter(({ text }) => isCalled.test(text))
  assert.deepEqual(
    calls.map(({ text, within }) => ({ call: isCalled.exec(text)?.[1], text, within })),
    [],
  )
})

/** What partitions do not show, and the files that have it still. Issue 19 has the way to mend each. */
const REFUSED: Readonly<Record<string, { pattern: RegExp; left: readonly string[] }>> = {
  // Citus sends it to the node wrongly, so that the node compares a text with a boolean.
  'a case with an operand in a function': { pattern: /^(?!.*--).*\bcase\s+[\w.]+\s+when\b/im, left: [] },
  // Citus ends its backend, and with it all connections of the coordinator.
  'an element of an array in the assignments of an update': {
    pattern: /\bset (?:(?!\bfrom\b|\bwhere\b|;)[\s\S])*(?<!\$\{)\b\w+(?<!\barray)\[\w/,
    left: [],
  },
  'a recursive query': { pattern: /^\s*with recursive\b/im, left: [] },
  // Citus refuses its parameters. Order_states_v1 and order_states_v2 read tables by other functions only.
  'a function in SQL that names a table of platforms': {
    pattern: new RegExp(
      `language sql\\b(?:[^-]|-(?!-))*\\b(?:from|join|into|update) (?:${(await tenantTables()).join('|')})\\b`,
    ),
    left: [],
  },
  // Nodes do not know the type.
  'a type that contains a row of a table': {
    pattern: /\bpayment_event\b/,
    left: ['payment/sql/record_payment_events_v1.sql'],
  },
  // The name of a constraint does not arrive.
  'the name of a violated constraint': { pattern: /\bconstraint === /, left: [] },
}

/** The tables of platforms. */
async function tenantTables(): Promise<string[]> {
  const schema = await readFile('migrations/schema.sql', 'utf8')
  return [...schema.matchAll(/^create table (\w+) /gm)].map(([, table]) => table as string).filter(isTenantTable)
}

/** Functions with a statement about a table of platforms, and the functions that call them. */
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

/** Of the checks of the ledger, which run on the whole database. */
const OF_THE_OPERATOR = ['ledger/verify-store.ts']

/** A cluster accepts plain payments with the same function as all others (`acceptanceOrders`). */
const OF_ONE_SERVER = ['payment/accept/sql/accept_plain_payments_v1.sql', 'payment/accept/sql/plain_sender_v1.sql']

test('no SQL has what a cluster refuses, except for the files that are listed', async () => {
  const paths = await Array.fromAsync(glob(['**/*-store.ts', '**/sql/*.sql', 'db/**/*.ts'], { cwd: 'src' }))
  const texts = await Promise.all(paths.map((path) => readFile(`src/${path}`, 'utf8')))
  for (const [what, { pattern, left }] of Object.entries(REFUSED)) {
    const found = paths.filter(
      (path, index) => ![...OF_THE_OPERATOR, ...OF_ONE_SERVER].includes(path) && pattern.test(texts[index] as string),
    )
    assert.deepEqual(found.sort(), left, what)
  }
})
