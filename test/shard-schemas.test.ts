import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { SERVICE_ROLE } from '#embedded-postgres'
import type { Nodes } from '../src/foundation/db/cluster/nodes.ts'
import { connect } from '../src/foundation/db/connect.ts'
import { createShardSchemas, dropShardSchemas } from '../src/foundation/db/schema/shard-schemas.ts'
import {
  acceptPaymentRowsOnNode,
  acceptPlainPaymentRowsOnNode,
  type NodeDeps,
} from '../src/payments/payment/accept/accept-node-store.ts'
import type { Acceptance } from '../src/payments/payment/accept/accept-store.ts'
import { prepareOrder } from '../src/payments/payment/accept/prepare-actions.ts'
import type { Api } from './support/api.ts'
import { PLACE, standInForCitus } from './support/citus-stand-in.ts'
import { createTestDatabase, TEMPLATE } from './support/postgres.ts'
import { startTestService } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'
import { newPayee, newSender, setWebhook } from './support/webhooks.ts'

// A worker of a cluster accepts payments in the schema of their shard (shard-schemas.ts). Here, a partition stands for
// the shard. The functions of the schema `public` raise an error, so a payment that is accepted was accepted there.

const database = await createTestDatabase(TEMPLATE)
const service = await startTestService({ after }, { databaseUrl: database.url })
const { deps, ownerSql } = service
const sql = connect(database.url, { max: 2, applicationName: 'test' })
after(async () => {
  await sql.end({ timeout: 5 })
  await database.drop()
})

const nodes: Nodes = {
  answering: () => null,
  placeOf: (platformId) => ({ platformId, ...PLACE }),
  stop: async () => {},
}
const node: NodeDeps = { sql, groupSql: sql, nodes }
const platforms = await Promise.all([service.newOwner(), service.newOwner()])
const senders = await Promise.all(platforms.map(({ api }) => newSender(service, api)))
const payee = await newPayee(service, platforms[0]?.api)

await standInForCitus(ownerSql)
await createShardSchemas(ownerSql, { name: SERVICE_ROLE, environment: 'sandbox' })

async function prepare(index: 0 | 1, order: { recipient: unknown }): Promise<Acceptance> {
  const sender = { platformId: platforms[index]?.id as string, userId: senders[index]?.id as string, grantId: null }
  return prepareOrder(deps, { sender, order: { amount: 10, name: 'Customer', ...order } as never, claim: null })
}

type Group = [Acceptance, ...Acceptance[]]
const sorted = (group: Acceptance[]) => group.toSorted((a, b) => (a.senderId < b.senderId ? -1 : 1)) as Group

const withoutPublic = async (work: () => Promise<void>) => {
  const names = ['accept_payments_v1', 'accept_plain_payments_v1']
  for (const name of names) await ownerSql.unsafe(`alter function public.${name} rename to hidden_${name}`)
  try {
    await work()
  } finally {
    for (const name of names) await ownerSql.unsafe(`alter function public.hidden_${name} rename to ${name}`)
  }
}

const countOf = async (group: readonly Acceptance[]): Promise<number> =>
  (await ownerSql`select from payments where id = any (${group.map(({ id }) => id)}::uuid[])`).length

test('plain payments of several platforms are accepted in the schema of their shard', () =>
  withoutPublic(async () => {
    const group = sorted([
      await prepare(0, { recipient: 'guest@example.com' }),
      await prepare(0, { recipient: payee.userId }),
      await prepare(1, { recipient: 'guest@example.com' }),
    ])
    const rows = await acceptPlainPaymentRowsOnNode(node, deps.settings, group)
    assert.deepEqual(
      rows.map((row, index) => [group[index]?.recipient, row?.outcome]),
      group.map(({ recipient }) => [recipient, 'accepted']),
    )
    assert.equal(await countOf(group), 3)
  }))

test('payments that are deposited at once are accepted there, with numbered deliveries', () =>
  withoutPublic(async () => {
    await setWebhook(platforms[0]?.api as Api, 'https://example.com/events')
    const group = sorted([await prepare(0, { recipient: { id: payee.userId, account: payee.bankId } })])
    const rows = await acceptPaymentRowsOnNode(node, deps.settings, group)
    assert.deepEqual(
      rows.map(({ outcome, isDue }) => ({ outcome, isDue })),
      [{ outcome: 'accepted', isDue: true }],
    )
    const deliveries = await ownerSql`select position from deliveries where subject_id = ${group[0].id}`
    assert.equal(deliveries.length, 1)
  }))

test('an order for a user of another platform reads that platform, too', async () => {
  const other = await newPayee(service, platforms[1]?.api)
  const group = sorted([await prepare(0, { recipient: { id: other.userId, account: other.bankId } as never })])
  const rows = await acceptPaymentRowsOnNode(node, deps.settings, group)
  assert.ok(rows[0])
})

test('a call waits while the shard moves, and then leaves its payments to the new node', async () => {
  const group = sorted([await prepare(0, { recipient: 'guest@example.com' })])
  let accepting: Promise<unknown> = Promise.resolve()
  await ownerSql.begin(async (tx) => {
    await tx`select lock_shard_metadata(7, array[${PLACE.shard}::bigint])`
    accepting = acceptPlainPaymentRowsOnNode(node, deps.settings, group)
    await waitUntil('the call waits', async () => {
      const waiting = await ownerSql`select from pg_locks where locktype = 'advisory' and not granted`
      return waiting.length > 0
    })
    await tx`update pg_dist_placement set groupid = 2`
  })
  assert.deepEqual(await accepting, [null])
  assert.equal(await countOf(group), 0)
  await ownerSql`update pg_dist_placement set groupid = 1`
})

test('without the schemas, the functions of all shards accept payments', async () => {
  await dropShardSchemas(ownerSql)
  const group = sorted([await prepare(0, { recipient: 'guest@example.com' })])
  assert.deepEqual(await acceptPlainPaymentRowsOnNode(node, deps.settings, group), [null])
  const [row] = await acceptPaymentRowsOnNode(node, deps.settings, group)
  assert.equal(row?.outcome, 'accepted')
})
