import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../src/foundation/db/connect.ts'
import { inTransaction, inUndoneTransaction } from '../src/foundation/db/transaction.ts'
import { deleteMember, updateRole } from '../src/people/auth/team/member-store.ts'
import { deleteApiKeys } from '../src/people/user/api-key/api-key-store.ts'
import { type ChangedKeys, followKeyChanges } from '../src/people/user/api-key/key-changes-store.ts'
import type { Api } from './support/api.ts'
import { createTestDatabase } from './support/postgres.ts'
import { type MessageAction, startPostgresProxy } from './support/postgres-proxy.ts'
import { startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'
import { waitUntil } from './support/wait-until.ts'

// Processes cache API keys and notify each other of changed keys (src/people/user/api-key/key-changes-store.ts).

const keyOf = (api: Api): string => api.credential.slice(0, 32)

test('a key in use is not read again until another process revokes it', async (t) => {
  const database = await createTestDatabase()
  const first = await startTestService(t, { databaseUrl: database.url })
  const second = await startTestService(t, { databaseUrl: database.url, keyRing: first.keyRing })
  const admin = connect(database.ownerUrl, { max: 1, applicationName: 'admin' })
  t.after(async () => {
    await admin.end()
    await database.drop()
  })
  const user = await first.newUser()
  const isAccepted = async () => (await second.as(user.credential).get('/v3/user')).status === 200
  const isAcceptedWithoutRow = async () => {
    assert.ok(await isAccepted())
    const [row] = await admin<{ row: string }[]>`
      delete from api_keys where user_id = ${user.id} returning to_jsonb(api_keys)::text as row
    `
    await sleep(1_000)
    const isRemembered = await isAccepted()
    await admin`insert into api_keys select * from jsonb_populate_record(null::api_keys, ${row?.row ?? ''}::jsonb)`
    await waitUntil('the key is accepted again', isAccepted)
    return isRemembered
  }
  // A machine that pauses for half a second reads the key again.
  await waitUntil('the key is cached', isAcceptedWithoutRow)
  await first.owner.del(`/v3/user/${user.id}/api_key/${keyOf(user)}`)
  await waitUntil('the key is refused', async () => !(await isAccepted()))
})

test('changes that end or limit keys are reported when they commit', async (t) => {
  const service = await startTestService(t)
  const { deps, owner, newUser } = service
  const heard: ChangedKeys[] = []
  const changes = followKeyChanges(deps.sql, (changed) => void heard.push(changed))
  t.after(async () => changes.end())
  changes.keepFollowing()
  await waitUntil('it listens', () => changes.knownUntil() > 0)
  const { id: platformId } = await service.newOwner()
  const member = { platformId, loginId: (await newMember(service, platformId, 'admin')).loginId }
  const [one, two] = [await newUser(), await newUser()]
  await inUndoneTransaction(deps, (tx) => deleteApiKeys(tx.sql, { platformId: one.id, userId: one.id }, null))
  await inUndoneTransaction(deps, (tx) => updateRole(tx.sql, { ...member, from: 'admin', to: 'viewer' }))
  await owner.del(`/v3/user/${one.id}/api_key/${keyOf(one)}`)
  await owner.del(`/v3/user/${two.id}`)
  await inTransaction(deps, (tx) => updateRole(tx.sql, { ...member, from: 'admin', to: 'viewer' }))
  await inTransaction(deps, (tx) => deleteMember(tx.sql, { ...member, role: 'viewer' }))
  const joined = { platformId }
  const expected = ['all', joined, { keys: [keyOf(one)] }, { keys: [keyOf(two)] }, { platformId }, { platformId }]
  await waitUntil('all are heard', () => heard.length >= expected.length)
  assert.deepEqual(heard, expected)
})

test('the changes are known as long as notifications arrive, and after a lost connection all keys have changed', async (t) => {
  const database = await createTestDatabase()
  const proxy = await startPostgresProxy(database.ownerUrl)
  const sql = connect(proxy.url, { max: 1, applicationName: 'test' })
  t.after(async () => {
    await sql.end({ timeout: 1 })
    await proxy.goDown()
    await database.drop()
  })
  const heard: ChangedKeys[] = []
  const changes = followKeyChanges(sql, (changed) => void heard.push(changed))
  t.after(async () => changes.end())
  /** Following ends half a minute after the last use of a key. */
  const isKnownAfter = (time: number) => {
    changes.keepFollowing()
    return changes.knownUntil() > time
  }
  await waitUntil('the changes are known', () => isKnownAfter(0))
  const once = performance.now()
  await waitUntil('they stay known', () => isKnownAfter(once))

  const onNotification = (action: MessageAction) => {
    proxy.decide = ({ from, type }) => (from === 'server' && type === 'A' ? action : 'pass') // A: a notification
  }
  heard.length = 0
  onNotification('lose')
  changes.keepFollowing()
  await waitUntil('the connection is lost', () => proxy.lostCount > 0)
  onNotification('pass')
  await waitUntil('everything has changed', () => heard.includes('all'))
  const again = performance.now()
  await waitUntil('the changes are known again', () => isKnownAfter(again))

  onNotification('swallow')
  const lostBefore = proxy.lostCount
  changes.keepFollowing()
  await waitUntil('the connection is silent', () => proxy.lostCount > lostBefore)
  const silent = performance.now()
  for (let left = 10; left > 0; left--) {
    await sleep(100)
    assert.ok(!isKnownAfter(silent))
  }
})
