import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { startTestService } from './support/service.ts'

// GET /v3/audit: who did what, when and from where.

const service = await startTestService({ after })

type Entry = Record<
  'id' | 'date' | 'action' | 'actor' | 'actor_id' | 'user_id' | 'subject' | 'address' | 'user_agent',
  string | null
>

test('keys, users and settings are written down, with the key that did it', async () => {
  const { api, id } = await service.newOwner()
  const [key] = api.credential.split(':')
  const user = await service.newUser(undefined, api)
  const made = await api.post('/v3/user/api_key', { name: 'second' })
  await api.del(`/v3/user/api_key/${made.body.id}`)
  await api.put('/v3/user', { developer: { webhook_uri: 'https://hooks.example.com/a?token=hidden' } })
  await api.put('/v3/user', { user: { first_name: 'Ada', ssn: '123456789' } })
  await user.put('/v3/user', { user: { last_name: 'Lovelace' } })
  await api.del(`/v3/user/${user.id}`)
  const { audit, total } = (await api.get('/v3/audit')).body as { audit: Entry[]; total: number }
  assert.deepEqual(
    audit.map(({ action, subject }) => [action, subject]),
    [
      ['user_deleted', user.id],
      ['profile_changed', 'lastName'],
      ['profile_changed', 'firstName, ssn'],
      ['webhook_uri_changed', 'hooks.example.com'],
      ['api_key_revoked', made.body.id],
      ['api_key_created', made.body.id],
      ['user_created', user.id],
    ],
  )
  assert.equal(total, audit.length)
  assert.deepEqual(new Set(audit.map(({ actor }) => actor)), new Set(['api_key']))
  assert.deepEqual([audit[0]?.actor_id, audit[0]?.user_id, audit[0]?.address], [key, id, '127.0.0.1'])
  assert.equal(audit[1]?.user_id, user.id)
})

test('what is refused leaves no entry', async () => {
  const { api } = await service.newOwner()
  await api.put('/v3/user', { developer: { webhook_uri: 'http://example.com' } })
  await api.del(`/v3/user/api_key/${'0'.repeat(32)}`)
  await api.post('/v3/user', { user_id: 'x' })
  assert.deepEqual((await api.get('/v3/audit')).body.audit, [])
})

test('is the owner’s: a user gets 403, an application too, another platform sees nothing of it', async () => {
  const holder = await newAccountHolder(service)
  const user = await service.newUser(undefined, holder.api)
  const application = await registerApplication(holder.browser)
  const tokens = await obtainTokens(service, holder.browser, application)
  assert.deepEqual([(await user.get('/v3/audit')).status, (await user.get('/v3/audit')).body.code], [403, 'owner_only'])
  assert.equal((await service.as(`Bearer ${tokens.access_token}`).get('/v3/audit')).body.code, 'insufficient_scope')
  assert.equal((await service.as('').get('/v3/audit')).body.code, 'unauthorized')
  assert.deepEqual((await (await service.newOwner()).api.get('/v3/audit')).body.audit, [])
  assert.deepEqual((await holder.browser.get('/v3/audit')).body, (await holder.api.get('/v3/audit')).body)
})

test('is read in pages, by number or by cursor, each entry once, newest first', async () => {
  const { api } = await service.newOwner()
  const made: string[] = []
  for (let count = 0; count < 23; count++) made.unshift((await service.newUser(undefined, api)).id)
  const first = await api.get('/v3/audit?per_page=10&page=3')
  assert.deepEqual([first.body.page, first.body.pages, first.body.total, first.body.audit.length], [3, 3, 23, 3])
  const met: Entry[] = []
  let next: string | null = '/v3/audit?per_page=10'
  while (next) {
    const { body, headers } = await api.get(next)
    met.push(...body.audit)
    const [, url] = /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
    next = url ? url.slice(service.baseUrl.length) : null
  }
  assert.deepEqual(
    met.map(({ subject }) => subject),
    made,
  )
  assert.equal((await api.get('/v3/audit?q=api_key')).body.total, 0)
  const oldestFirst = await api.get('/v3/audit?q=user_created&sort=%2BDATE')
  assert.deepEqual([oldestFirst.body.total, oldestFirst.body.audit[0].subject], [23, made.at(-1)])
})
