import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signIn } from './support/browser.ts'
import { png } from './support/images.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { sendPayment } from './support/payments.ts'
import { newBank, payNewRecipient } from './support/recipients.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'
import { newPayee } from './support/webhooks.ts'

// GET /v3/audit lists actions with their actor, time and address.

const service = await startTestService({ after })

type Entry = Record<
  'id' | 'date' | 'action' | 'actor' | 'actor_id' | 'user_id' | 'subject' | 'address' | 'user_agent',
  string | null
>

test('actions on keys, users and settings are recorded with the key that performed them', async () => {
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

test('the ids of entries have names: users, keys with a name, without one and revoked, applications, banks and payments', async () => {
  const { api, id } = await service.newOwner('Ada Company')
  const user = await service.newUser(undefined, api)
  const key = (await api.post('/v3/user/api_key', { name: 'Accounting' })).body.id
  const bank = await addVerifiedBank(user)
  await user.put(`/v3/bank/${bank}`, { name: 'Payroll' })
  const { id: payment } = await sendPayment(user, { amount: 12.5, name: 'Bob Payee' })
  await user.del(`/v3/check/${payment}`)
  const keyWithoutName = (await api.post('/v3/user/api_key', {})).body.id as string
  const revoked = (await api.post('/v3/user/api_key', { name: 'Old' })).body.id as string
  await api.del(`/v3/user/api_key/${revoked}`)
  const { body } = await api.get('/v3/audit')
  const names = body.names as Record<string, string>
  const created = /^API key created [A-Z][a-z]+ \d+, \d{4}, ends in ([0-9a-f]{4})$/
  assert.equal(created.exec(names[keyWithoutName] ?? '')?.[1], keyWithoutName.slice(-4))
  assert.equal(names[revoked], `Revoked API key, ends in ${revoked.slice(-4)}`)
  const actors = new Set(body.audit.map(({ actor_id }: { actor_id: string }) => actor_id)) as Set<string>
  assert.equal(actors.size, 2, 'the owner and the user')
  for (const actor of actors) assert.match(names[actor] ?? '', created)
  for (const one of [keyWithoutName, revoked, ...actors]) delete names[one]
  const expected = { [id]: 'Ada Company', [key]: 'Accounting', [bank]: 'Payroll', [payment]: '$12.50 to Bob Payee' }
  assert.deepEqual(names, { ...expected, [user.id]: `Name of ${user.userId}` })
  const foreign = (await (await service.newOwner()).api.get('/v3/audit')).body.names
  assert.ok(
    ![...Object.keys(expected), revoked, keyWithoutName].some((one) => one in foreign),
    'only of its own platform',
  )
})

test('each action that affects money is recorded: accounts, signature, deposits, voids, the clock', async () => {
  const { api, id } = await service.newOwner()
  const { bankId: otherId, ...payee } = await newPayee(service, api)
  const sender = await service.newUser(undefined, api)
  const bankId = await addVerifiedBank(sender)
  const second = await addBank(sender)
  await sender.put(`/v3/bank/${second}`, { default: true, billing: true, name: 'Second' })
  await sender.put(`/v3/bank/${second}`, { default: true })
  await sender.put('/v3/user', { bank: { default: bankId } })
  await sender.del(`/v3/bank/${second}`)
  await sender.post('/v3/user/signature', { signature: png(300, 100).toString('base64') })
  const wallet = (await payee.post('/v3/account/wallet', { name: 'Cash' })).body.id
  await payee.del(`/v3/account/wallet/${wallet}`)
  const card = { card_number: '4242424242424242', expiration_date: '2099-12' }
  const [first, other] = [await payee.post('/v3/account/card', card), await payee.post('/v3/account/card', card)]
  await payee.put(`/v3/account/card/${other.body.id}`, { default: true })
  await payee.del(`/v3/account/card/${other.body.id}`)
  const deposited = await sendPayment(sender, { recipient: payee.userId })
  await payee.post(`/v3/check/deposit/${deposited.id}`, { account: otherId })
  const voided = await sendPayment(sender)
  await sender.del(`/v3/check/${voided.id}`)
  const printed = await sendPayment(sender, { recipient: payee.userId })
  for (let copy = 0; copy < 2; copy++) await payee.post(`/v3/check/print/${printed.id}`)
  const linked = await payNewRecipient(service, sender)
  assert.equal((await linked.page.deposit('bank', newBank())).status, 200)
  await sender.put('/v3/user/webhook', { status: 'VERIFIED' })
  await api.put('/v3/sandbox/clock', { now: '2026-12-01 00:00:00' })

  const entries = (await api.get('/v3/audit?per_page=100')).body.audit as Entry[]
  const cardOf = ({ body }: { body: { id: string } }) => `${body.id} card`
  assert.deepEqual(
    entries.map(({ action, user_id: user, subject }) => `${action} ${user} ${subject}`).sort(),
    [
      ['user_created', id, payee.id],
      ['bank_added', payee.id, otherId],
      ['user_created', id, sender.id],
      ['bank_added', sender.id, bankId],
      ['bank_verified', sender.id, bankId],
      ['bank_added', sender.id, second],
      ['bank_default_changed', sender.id, second],
      ['bank_billing_changed', sender.id, second],
      ['bank_default_changed', sender.id, bankId],
      ['bank_removed', sender.id, second],
      ['bank_billing_changed', sender.id, bankId],
      ['signature_stored', sender.id, sender.id],
      ['wallet_added', payee.id, wallet],
      ['wallet_removed', payee.id, wallet],
      ['destination_added', payee.id, cardOf(first)],
      ['destination_added', payee.id, cardOf(other)],
      ['destination_default_changed', payee.id, cardOf(other)],
      ['destination_removed', payee.id, cardOf(other)],
      ['destination_default_changed', payee.id, cardOf(first)],
      ['payment_deposited', payee.id, `${deposited.id} into bank ${otherId}`],
      ['payment_voided', sender.id, voided.id],
      ['payment_printed', payee.id, printed.id],
      ['payment_deposited', 'null', `${linked.id} by link as BANK`],
      ['user_status_triggered', sender.id, `${sender.id} VERIFIED`],
      ['clock_advanced', id, '2026-12-01 00:00:00'],
    ]
      .map((words) => words.join(' '))
      .sort(),
  )
  assert.equal(entries.find(({ user_id: user }) => user === null)?.actor, 'anonymous')
})

test('a refused action leaves no entry', async () => {
  const { api } = await service.newOwner()
  await api.put('/v3/user', { developer: { webhook_uri: 'http://example.com' } })
  await api.del(`/v3/user/api_key/${'0'.repeat(32)}`)
  await api.post('/v3/user', { user_id: 'x' })
  assert.deepEqual((await api.get('/v3/audit')).body.audit, [])
})

test('is only for the owner: a user and an application get 403, and another platform sees nothing of it', async () => {
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

test('is read in pages, by number or by cursor, and contains each entry once, newest first', async () => {
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

test('an entry of a session has the name and email of the person, even after the session has ended', async () => {
  const { id, email } = await service.newOwner('Grace')
  const browser = await signIn(service, { email })
  await browser.put('/v3/user', { user: { first_name: 'Grace' } })
  await browser.post('/web/v1/sign-out')
  const { audit, names } = (await (await signIn(service, { email })).get('/v3/audit')).body
  const changed = audit.find(({ action }: Entry) => action === 'profile_changed')
  assert.deepEqual([changed.actor, changed.user_id, names[changed.actor_id]], ['owner', id, `Grace (${email})`])
})
