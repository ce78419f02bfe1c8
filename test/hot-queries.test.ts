import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fill } from '../bench/fill/fill.ts'
import { fillPlatform } from '../bench/fill/fill-world.ts'
import { makeWorld } from '../bench/support/world.ts'
import { EVERY_PERMISSION } from '../src/foundation/core/permission-rules.ts'
import { connect, type Sql } from '../src/foundation/db/connect.ts'
import type { Paging } from '../src/foundation/db/paging.ts'
import { NOTHING_SKIPPED } from '../src/foundation/db/skipped.ts'
import { idempotencyClaim } from '../src/foundation/http/idempotency/idempotency.ts'
import { DAY_MS } from '../src/foundation/lib/clock.ts'
import { listDueItems, listDuePlatforms } from '../src/operation/scheduler/due-store.ts'
import { dueSources } from '../src/operation/scheduler/due-table.ts'
import { acceptPayment } from '../src/payments/payment/accept/accept-actions.ts'
import { acceptPlainPaymentRows } from '../src/payments/payment/accept/accept-plain-store.ts'
import { type AcceptanceRow, acceptPaymentRows } from '../src/payments/payment/accept/accept-store.ts'
import { findAccountKinds } from '../src/payments/payment/accept/account-kinds-store.ts'
import { type Order, senderOf } from '../src/payments/payment/accept/prepare-actions.ts'
import { countPayments, listPayments, type PaymentConditions } from '../src/payments/payment/list/payment-list-store.ts'
import { findPayment } from '../src/payments/payment/payment-store.ts'
import { type SearchConditions, type Side, searchSide } from '../src/payments/payment/search/payment-search-store.ts'
import {
  type ApiKeyRow,
  findApiKeys,
  findKeyHolders,
  findWorkingApiKeys,
} from '../src/people/user/api-key/api-key-store.ts'
import { connection, connectionsOf } from './support/ach.ts'
import { effortOf } from './support/explain.ts'
import { ownerUrlOf } from './support/postgres.ts'
import { startTestService } from './support/service.ts'

// Frequent queries read few more rows than they return, even from large tables.

const PAYMENTS = 30_000
const { deps, databaseUrl, ownerSql, keyRing, clock } = await startTestService(
  { after },
  { environment: 'production', roles: [], connections: connectionsOf([connection({ folder: '/nowhere' })]) },
)
const world = await makeWorld(deps, { name: 'hot', userCount: 20 })
const { platformId } = world
const [user, recipient] = world.users as [(typeof world.users)[number], (typeof world.users)[number]]
const long = connect(databaseUrl, { max: 1, applicationName: 'test', usesIndexes: true })
after(() => long.end())

type AcceptRows = typeof acceptPlainPaymentRows

/** A payment that is deposited at creation, and one that waits. */
const kinds: { recipient: Order['recipient']; accept: AcceptRows }[] = [
  { recipient: { id: recipient.userId, account: recipient.bankId }, accept: acceptPaymentRows },
  { recipient: recipient.userId, accept: acceptPlainPaymentRows },
]

/**
 * Accepts a payment of each kind on one connection, like a group.
 * @returns the number of rows that each read from each table
 */
async function readByAccepting(key: string): Promise<Record<string, number>[]> {
  const read = []
  for (const [index, kind] of kinds.entries()) read.push(await readByAcceptingOne(`${key} ${index}`, kind))
  return read
}

async function readByAcceptingOne(key: string, { recipient, accept }: (typeof kinds)[number]) {
  let read: Record<string, number> = {}
  const caller = {
    platformId,
    userId: user.id,
    isOwner: false,
    permissions: EVERY_PERMISSION,
    credential: { kind: 'api_key', id: '0'.repeat(32) },
    origin: { address: '127.0.0.1', userAgent: null },
  } as const
  const request = {
    headers: { 'idempotency-key': key },
    raw: { headersDistinct: { 'idempotency-key': [key] } },
    method: 'POST',
    routeOptions: { url: '/v3/check/digital' },
    params: {},
    body: { key },
  }
  await acceptPayment(
    {
      how: 'withOthers',
      deps: {
        ...deps,
        acceptTogether: (acceptance) =>
          long.begin(async (sql) => {
            // PostgreSQL adds up the counts of transactions once a second.
            const before = await rowsRead(sql)
            const [outcome] = await accept(sql, deps.settings, [acceptance])
            const after = await rowsRead(sql)
            read = Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]))
            return outcome as AcceptanceRow
          }),
      },
    },
    {
      sender: senderOf(caller),
      order: { amount: 10, name: 'Customer', recipient },
      claim: idempotencyClaim({ ...deps, keyRing }, request as never, caller),
    },
  )
  return read
}

async function rowsRead(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql<{ name: string; count: number }[]>`
    select relname::text as name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::bigint as count
    from pg_stat_xact_user_tables
  `
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

/** A concurrent reader prevents vacuum from marking pages as all-visible. */
async function vacuumToTheEnd(): Promise<void> {
  for (;;) {
    const [row] = await deps.sql<{ isDone: boolean }[]>`
      select bool_and(relallvisible = relpages) as is_done from pg_class where relname = 'payments'
    `
    if (row?.isDone) return
    await ownerSql`vacuum analyze payments`
  }
}

/** Only tables that grow with the number of payments. */
const tooMany = (read: readonly Record<string, number>[]) =>
  read.map((one) => Object.entries(one).filter(([table, count]) => table !== 'users' && count > 20))

// PostgreSQL may cache a generic plan at the sixth execution.
for (let index = 0; index < 8; index++) await readByAccepting(`while it is small ${index}`)
await deps.sql`
  insert into idempotency_records (platform_id, key_digest, fingerprint, status, answer, created_at)
  select ${platformId}, sha256(n::text::bytea), '', 201, '{}', ${clock.now()}
  from generate_series(1, 5000) n
`

const readWhenGrown = await readByAccepting('grown')
const platform = await fillPlatform(deps, world)
await fill({ databaseUrl: ownerUrlOf(databaseUrl), platforms: [platform], hasBigUser: true, count: PAYMENTS })
await vacuumToTheEnd()

const readWhenFilled = await readByAccepting('filled')
const [row] = await deps.sql<[{ id: string; createdAt: string }]>`
  select id, created_at::text
  from payments
  where platform_id = ${platformId} and sender_id = ${user.id}
  order by created_at desc, id desc
  offset 1000
  limit 1
`
const mine = { platformId, userId: user.id }
const [apiKey] = (await findApiKeys(deps.sql, [user.authorization.slice(0, 32)])) as [ApiKeyRow]
const first: Paging = { limit: 50, sort: { field: 'DATE', direction: 'desc' }, page: 1, offset: 0, after: null }
const later: Paging = { ...first, after: { value: row.createdAt, id: row.id } }
const list = (filter: PaymentConditions, paging: Paging) => (sql: Sql) =>
  listPayments(sql, { platformId, userIds: [user.id] }, { conditions: filter, paging })
const search = (side: Side, conditions: Partial<SearchConditions>) => (sql: Sql) =>
  searchSide(
    sql,
    {
      searched: { platformId, userId: null },
      side,
      conditions: { fromId: null, untilId: null, ...conditions },
      after: null,
    },
    { window: WINDOW, limit: 26 },
  )
const WINDOW = 5_000
const now = new Date()
const due = { platformId, until: now, limit: 50, except: [], silence: null, isOneInstant: false }
const dueFirst = { ...due, isOneInstant: true }

test('a plan cached while the tables were small does not scan them when they have grown', () => {
  assert.deepEqual(tooMany(readWhenGrown), [[], []])
})

test('accepting a payment reads few rows of tables with tens of thousands', () => {
  assert.deepEqual(tooMany(readWhenFilled), [[], []])
})

for (const [name, run] of Object.entries({
  'an API key with its user': (sql) => findWorkingApiKeys(sql, [user.authorization.slice(0, 32)]),
  'an API key': (sql) => findApiKeys(sql, [user.authorization.slice(0, 32)]),
  'the user of an API key': (sql) => findKeyHolders(sql, platformId, [apiKey]),
  'the kinds of accounts': (sql) =>
    findAccountKinds(sql, platformId, [{ platformId, fundingId: user.bankId, destinationId: recipient.bankId }]),
  'a payment': (sql) => findPayment(sql, { platformId, paymentId: row.id }),
  'a first page': list({}, first),
  'a page by cursor': list({}, later),
  'a page of one direction': list({ direction: 'OUTGOING' }, later),
  'a page of some days': list({ from: new Date('2000-01-01'), until: new Date('2999-12-31') }, later),
  'a page with a status': list({ status: 'PAID' }, later),
  'a page of a search': list({ q: 'services' }, later),
  'a search of the platform': search('sent', {}),
  'a search for a status that few payments have': search('sent', { status: 'FAILED' }),
  'a search for a status that no payment has, beside many of its kind': search('sent', { status: 'REFUNDED' }),
  'platforms with due work': (sql) =>
    listDuePlatforms(sql, { now, hasMovableClock: false, silence: null, skipped: NOTHING_SKIPPED }),
  'legs that are due': (sql) => listDueItems(sql, dueSources.leg, due),
  'payments that expire': (sql) => listDueItems(sql, dueSources.expiry, due),
  'payments that are refunded': (sql) => listDueItems(sql, dueSources.refund, due),
  'legs that are due first': (sql) => listDueItems(sql, dueSources.leg, dueFirst),
  'payments that expire first': (sql) => listDueItems(sql, dueSources.expiry, dueFirst),
} satisfies Record<string, (sql: Sql) => Promise<unknown>>)) {
  test(`${name}: reads few more rows than it returns, and sorts no whole table`, async () => {
    const { rowsRead, rowsSorted, scanned } = await effortOf(databaseUrl, run)
    assert.ok(rowsRead <= 1_000, `${rowsRead} rows read`)
    assert.ok(rowsSorted <= 250, `${rowsSorted} rows sorted`)
    assert.deepEqual(
      scanned.filter((table) => ['payments', 'legs'].includes(table)),
      [],
    )
  })
}

test('a search that finds nothing reads its window once', async () => {
  const { rowsRead } = await effortOf(databaseUrl, search('sent', { q: 'is nowhere' }))
  assert.ok(rowsRead <= WINDOW + 100, `${rowsRead} rows read`)
})

test('a search reports its position only if it read its window without filling the page', async () => {
  const full = await search('sent', { q: 'services' })(deps.sql)
  assert.deepEqual([full.rows.length, full.end], [26, null])
  const cut = await search('sent', { q: 'is nowhere' })(deps.sql)
  const [row] = await deps.sql<{ id: string }[]>`
    select id from payments where platform_id = ${platformId} order by id desc offset ${WINDOW - 1} limit 1
  `
  assert.deepEqual([cut.rows, cut.end?.id], [[], row?.id])
  assert.equal((await search('sent', { status: 'REFUNDED' })(deps.sql)).end, null)
})

test('pages of several users in one statement are sorted', async () => {
  const userIds = world.users.map(({ id }) => id)
  const pages = await listPayments(deps.sql, { platformId, userIds }, { conditions: {}, paging: first })
  for (const { rows } of pages) {
    const ids = rows.map(({ id }) => id)
    assert.ok(ids.length > first.limit)
    assert.deepEqual(ids, [...ids].sort().reverse())
    assert.deepEqual(new Set(rows.map(({ direction }) => direction)), new Set(['INCOMING', 'OUTGOING']))
  }
})

test('the total of a list is counted only with indexes', async () => {
  await ownerSql`vacuum payments`
  for (const conditions of [{}, { direction: 'OUTGOING' }, { direction: 'INCOMING' }] as const) {
    const { rowsRead, rowsOfTables } = await effortOf(databaseUrl, (sql) =>
      countPayments(sql, { ...mine, ...conditions }),
    )
    assert.ok(rowsRead > 1_000, `${rowsRead} rows`)
    assert.equal(rowsOfTables, 0)
  }
})

test('the total of a list is correct below and above the number that is counted with a page', async () => {
  // The first user has thousands of payments. Shorter periods have fewer.
  const counted = new Set<boolean>()
  for (const days of [365, 60, 40, 30, 20, 10, 5, 1]) {
    const from = new Date(now.getTime() - days * DAY_MS)
    for (const direction of [undefined, 'OUTGOING', 'INCOMING'] as const) {
      const [page] = await listPayments(
        deps.sql,
        { platformId, userIds: [user.id] },
        { conditions: { from, direction }, paging: first },
      )
      const total = await countPayments(deps.sql, { ...mine, from, direction })
      const [expected] = await deps.sql<{ count: number }[]>`
        select count(*)
        from (
          select 'OUTGOING' as direction, created_at from payments where sender_id = ${user.id}
          union all
          select 'INCOMING', created_at from payments where recipient_id = ${user.id}
        ) both_sides
        where created_at >= ${from} and direction = coalesce(${direction ?? null}, direction)
      `
      assert.equal(total, expected?.count)
      if (page?.total != null) assert.equal(page.total, total)
      counted.add(page?.total != null)
    }
  }
  assert.equal(counted.size, 2)
})
