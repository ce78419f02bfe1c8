import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connect } from '../src/foundation/db/connect.ts'
import { databaseOfUrl, withDatabase } from '../src/foundation/db/schema/create-database.ts'
import { createTestDatabase } from './support/postgres.ts'
import { startTestService } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'
import { newPayee, newSender } from './support/webhooks.ts'

// On a real Citus, the node of a platform accepts its payments: the coordinator sends the whole call to it
// (docs/scale-out.md). Each server counts the calls of its functions.

const servers = (process.env.TEST_CITUS ?? '').split(',')
const database = await createTestDatabase()
const nodes = servers.map((url) =>
  connect(withDatabase(url, databaseOfUrl(database.url)), { max: 1, applicationName: 'test' }),
)
for (const sql of nodes) await sql.unsafe(`alter database ${databaseOfUrl(database.url)} set track_functions = 'pl'`)
const service = await startTestService({ after }, { databaseUrl: database.url })
after(async () => {
  await Promise.all(nodes.map((sql) => sql.end({ timeout: 5 })))
  await database.drop()
})

/**
 * Returns how often each server has called a function, the coordinator first.
 *
 * @param schema a pattern of the names of schemas
 */
async function callsOf(name: string, schema: string): Promise<number[]> {
  const counts = nodes.map(async (sql) => {
    const [row] = await sql<{ calls: number }[]>`
      select coalesce(sum(calls), 0)::integer as calls
      from pg_stat_user_functions
      where funcname = ${name} and schemaname like ${schema}
    `
    return row?.calls ?? 0
  })
  return Promise.all(counts)
}

/** Waits for the expected counts, because a server publishes them about once a second. */
async function assertCalls(name: string, expected: number[], schema = '%'): Promise<void> {
  await waitUntil(`${expected} calls of ${name}`, async () => (await callsOf(name, schema)).join() === expected.join())
}

/** The schemas of the shards, where calls are fast (shard-schemas.ts). */
const OF_SHARDS = 'remit\\_%'

/** Expects one call on the server of a platform. */
async function onceAt(platformId: string): Promise<number[]> {
  const [place] = await service.ownerSql<{ port: number }[]>`
    select nodeport as port
    from pg_dist_placement
    join pg_dist_node using (groupid)
    where shardid = get_shard_id_for_distribution_column('users', ${platformId}::uuid)
  `
  return servers.map((url) => (Number(new URL(url).port) === place?.port ? 1 : 0))
}

const sum = (one: number[], other: number[]) => one.map((count, index) => count + (other[index] ?? 0))

test('a node accepts the payments of its platforms, and the coordinator runs none of their statements', async () => {
  const first = await service.newOwner()
  const second = await service.newOwner()
  const none = servers.map(() => 0)
  let [plain, other] = [none, none]
  for (const { api, id } of [first, second]) {
    await waitUntil('the service knows the node', async () => service.deps.nodes.placeOf(id) !== null)
    const sender = await newSender(service, api)
    const payee = await newPayee(service, api)
    const here = await onceAt(id)
    async function send(order: object) {
      const { status, body } = await sender.post('/v3/check/digital', { amount: 10, name: 'Payee', ...order })
      assert.equal(status, 201, JSON.stringify(body))
    }
    await send({ recipient: 'somebody@example.com' })
    plain = sum(plain, here)
    await send({ recipient: { id: payee.userId, account: payee.bankId } }) // deposited at once
    other = sum(other, here)
    await send({ recipient: second.email, description: 'to another platform, or its own' })
    ;[plain, other] = [sum(plain, here), sum(other, here)] // the function for plain payments leaves it undone
  }
  await assertCalls('accept_plain_payments_on_node_v1', plain)
  await assertCalls('accept_plain_payments_v1', plain, OF_SHARDS)
  await assertCalls('accept_payments_on_node_v1', other)
  await assertCalls('accept_payments_v1', other, OF_SHARDS)
  await assertCalls('write_payments_v1', other, OF_SHARDS)
  await assertCalls('accept_payments_v1', none, 'public')
})

test('a node finds the payee of another platform by its receiving address', async () => {
  const { api } = await service.newOwner()
  const payee = await service.newOwner()
  const sender = await newSender(service, api)
  await service.ownerSql`update receiving_addresses set verified_at = now() where platform_id = ${payee.id}`
  const { body } = await sender.post('/v3/check/digital', { amount: 10, name: 'Payee', recipient: payee.email })
  const [payment] = await service.ownerSql<
    { recipientId: string }[]
  >`select recipient_id from payments where id = ${body.id}`
  assert.equal(payment?.recipientId, payee.id)
})
