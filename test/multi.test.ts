import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import type { Answer, Api } from './support/api.ts'
import { readPages } from './support/check-pdf.ts'
import { refusingRecords } from './support/crash.ts'
import { png } from './support/images.ts'
import { waitUntilWaiting } from './support/locks.ts'
import { assertLedger, balanceOf, newWallet } from './support/money.ts'
import { refuseSecondPlatform } from './support/one-platform.ts'
import { triggerStatus } from './support/payments.ts'
import { rowCounts, webhookBodies } from './support/rows.ts'
import { addBank, addVerifiedBank, startTestService, type TestUser } from './support/service.ts'

// A payment to several recipients: one deposits it after all others have endorsed it.

const service = await startTestService({ after })
const { clock, deps, doDueWork, newOwner, newUser, owner, secrets } = service
await refuseSecondPlatform(service.ownerSql)
const DAY = 24 * 3_600
const PIN = 'a sealed word'

const sender = await newUser()
await addVerifiedBank(sender)
const wallet = await newWallet(sender, 10_000)

const recipientOf = ({ userId }: TestUser, index: number, given: object = {}) => ({
  name: `Payee ${index + 1}`,
  recipient: userId,
  ...given,
})

const refusalOf = ({ status, body }: Answer) => [status, body.code]
const sendMulti = (recipients: object[], given: object = {}, options = {}) =>
  sender.post('/v3/check/multi', { amount: 50, recipients, ...given }, options)
const endorse = (api: Api, id: string, body: object = { name: 'Signed Name' }) =>
  api.post(`/v3/check/endorse/${id}`, body)
const deposit = async (user: TestUser, id: string, account?: string) =>
  user.post(`/v3/check/deposit/${id}`, { account: account ?? (await addBank(user)) })
const statusOf = async (api: Api, id: string): Promise<string> => (await api.get(`/v3/check/${id}`)).body.status

/** A payment to new users. */
async function newMulti(count = 2, given: object = {}) {
  const users = await Promise.all(Array.from({ length: count }, () => newUser()))
  const { status, body, text } = await sendMulti(
    users.map((user, index) => recipientOf(user, index)),
    given,
  )
  assert.equal(status, 201, text)
  return { id: body.id as string, body, users: users as [TestUser, TestUser, ...TestUser[]] }
}

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.advance(DAY)
    await doDueWork()
  }
}

test('each recipient sees the payment in its list, and no other user does', async () => {
  const { id, body, users } = await newMulti(3, { description: 'Shared' })
  assert.deepEqual(
    [body.status, body.name, body.recipient],
    ['UNPAID', 'Payee 1, Payee 2 and Payee 3', users.map(({ userId }) => userId).join(', ')],
  )
  for (const user of users) {
    const { checks, total } = (await user.get('/v3/check')).body
    assert.deepEqual([total, checks[0].id, checks[0].direction, checks[0].status], [1, id, 'INCOMING', 'UNPAID'])
    assert.deepEqual((await user.get(`/v3/check/${id}`)).body, body)
  }
  const [stranger, foreign] = [await newUser(), (await newOwner()).api]
  for (const api of [stranger, foreign]) assert.equal((await api.get(`/v3/check/${id}`)).status, 404)
  const found = (await owner.get(`/v3/payment?q=Shared`)).body.payments
  assert.deepEqual(found.filter((payment: { id: string }) => payment.id === id).length, 1, 'the owner sees it once')
})

test('one deposits after all others have endorsed, and every status reaches the list of each', async () => {
  const { id, users } = await newMulti(3)
  const [first, second, third] = users as [TestUser, TestUser, TestUser]
  assert.deepEqual(refusalOf(await deposit(first, id)), [400, 'endorsements_missing'])
  assert.deepEqual((await endorse(second, id)).text, '{}')
  const missing = await deposit(first, id)
  assert.deepEqual(refusalOf(missing), [400, 'endorsements_missing'])
  assert.match(missing.body.message, /^Payee 3 must endorse/)
  assert.equal((await endorse(third, id)).status, 201)
  const deposited = await deposit(first, id)
  assert.deepEqual([deposited.status, deposited.body.status], [201, 'IN_PROCESS'])
  await passDays(9)
  for (const user of users) {
    const { checks, total } = (await user.get('/v3/check')).body
    assert.deepEqual([total, checks[0].id, checks[0].status], [1, id, 'PAID'])
  }
  assert.deepEqual(refusalOf(await deposit(second, id)), [403, 'not_the_recipient'])
  assert.deepEqual(
    (await webhookBodies(deps.sql, id)).map((body) => (body as { status: string }).status),
    ['IN_PROCESS', 'PAID'],
  )
  await assertLedger(service)
})

test('each recipient’s webhook_uri gets each status once', async () => {
  const { id, users } = await newMulti(2)
  for (const user of users) await user.put('/v3/user', { developer: { webhook_uri: `http://localhost:9/${user.id}` } })
  await endorse(users[1], id)
  await deposit(users[0], id)
  const told = await deps.sql<{ userId: string }[]>`
    select e.user_id
    from deliveries d
    join endpoints e on e.platform_id = d.platform_id and e.id = d.endpoint_id
    where d.subject_id = ${id}
  `
  assert.deepEqual(told.map(({ userId }) => userId).sort(), users.map((user) => user.id).sort())
})

test('from a wallet into the wallet of the depositor the payment is PAID at once', async () => {
  const { id, users } = await newMulti(2, { account: wallet })
  const target = await newWallet(users[1], 0)
  await endorse(users[0], id)
  assert.equal((await deposit(users[1], id, target)).body.status, 'PAID')
  assert.equal(await balanceOf(users[1], target), 50)
  assert.equal(await statusOf(users[0], id), 'PAID')
  await assertLedger(service)
})

test('a recipient who may only endorse cannot deposit, and its endorsement is required', async () => {
  const users = [await newUser(), await newUser()] as [TestUser, TestUser]
  const { body } = await sendMulti([recipientOf(users[0], 0, { endorse_only: true }), recipientOf(users[1], 1)])
  await endorse(users[1], body.id)
  assert.deepEqual(refusalOf(await deposit(users[0], body.id)), [403, 'endorse_only'])
  assert.deepEqual(refusalOf(await users[0].post(`/v3/check/print/${body.id}`)), [403, 'endorse_only'])
  assert.deepEqual(refusalOf(await deposit(users[1], body.id)), [400, 'endorsements_missing'])
  await endorse(users[0], body.id)
  assert.equal((await deposit(users[1], body.id)).status, 201)
})

test('a returned payment is deposited again only by the same recipient', async () => {
  const { id, users } = await newMulti(2, { account: wallet })
  for (const user of users) await endorse(user, id)
  await deposit(users[0], id)
  await triggerStatus(sender, id, 'FAILED', { return_code: 'R01' })
  assert.deepEqual(refusalOf(await deposit(users[1], id)), [403, 'not_the_recipient'])
  assert.equal((await deposit(users[0], id)).body.status, 'IN_PROCESS')
  await assertLedger(service)
})

test('an endorsement is refused to others, a second time, and when the payment has ended', async () => {
  const { id, users } = await newMulti(2)
  const { body: single } = await sender.post('/v3/check/digital', {
    amount: 1,
    name: 'Alone',
    recipient: users[0].userId,
  })
  const before = await rowCounts(deps.sql)
  const stranger = await newUser()
  for (const [api, payment, refusal] of [
    [stranger, id, [404, 'payment_not_found']],
    [sender, id, [403, 'not_the_recipient']],
    [users[0], single.id, [400, 'not_endorsable']],
  ] as const) {
    assert.deepEqual(refusalOf(await endorse(api, payment)), refusal)
  }
  for (const [body, field, code] of [
    [{}, 'name', 'invalid_request'],
    [{ name: 'S' }, 'name', 'invalid_request'],
    [{ name: 'n'.repeat(256) }, 'name', 'invalid_request'],
    [{ name: 'Signed', signature: 'no image' }, 'signature', 'invalid_signature_image'],
    [{ name: 'Signed', signature: 7 }, 'signature', 'invalid_request'],
  ] as const) {
    const { status, body: refused } = await endorse(users[0], id, body)
    assert.deepEqual([status, refused.code, Object.keys(refused.errors)], [400, code, [field]])
  }
  const { users: _, ...counts } = await rowCounts(deps.sql)
  assert.equal(counts.payment_recipients, before.payment_recipients)
  assert.equal((await endorse(users[0], id)).status, 201)
  assert.deepEqual(refusalOf(await endorse(users[0], id)), [400, 'not_endorsable'])
  assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
  assert.deepEqual(refusalOf(await endorse(users[1], id)), [400, 'not_endorsable'])
  assert.deepEqual(refusalOf(await deposit(users[1], id)), [400, 'not_depositable'])
})

test('malformed and impossible recipients are refused with the field, and nothing is written', async () => {
  const [one, two] = [await newUser(), await newUser()]
  const stranger = await newUser(undefined, (await newOwner()).api)
  const [a, b] = [recipientOf(one, 0), recipientOf(two, 1)]
  const before = await rowCounts(deps.sql)
  for (const [recipients, code, field] of [
    [[a], 'invalid_request', 'recipients'],
    [[a, b, a, b, a, b], 'invalid_request', 'recipients'],
    [[a, { ...b, name: 'B' }], 'invalid_request', 'recipients.1.name'],
    [[a, { ...b, endorse_only: 'yes' }], 'invalid_request', 'recipients.1.endorse_only'],
    [
      [
        { ...a, name: 'a'.repeat(100) },
        { ...b, name: 'b'.repeat(100) },
      ],
      'invalid_request',
      'recipients',
    ],
    [[a, a], 'invalid_request', 'recipients.1.recipient'],
    [
      [
        { ...a, endorse_only: true },
        { ...b, endorse_only: true },
      ],
      'invalid_request',
      'recipients',
    ],
    [[a, { ...b, recipient: sender.userId }], 'own_recipient', 'recipients.1.recipient'],
    [[a, { ...b, recipient: stranger.userId }], 'invalid_recipient', 'recipients.1.recipient'],
    [[{ ...a, recipient: '+14155552671' }, b], 'invalid_recipient', 'recipients.0.recipient'],
  ] as const) {
    const { status, body } = await sendMulti(recipients as unknown as object[])
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, code, [field]])
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('the names together have at most 180 characters, which are counted as code points', async () => {
  const users = [await newUser(), await newUser()]
  const send = (lengths: number[]) =>
    sendMulti(users.map((user, index) => recipientOf(user, index, { name: '💸'.repeat(lengths[index] as number) })))
  const { status, body } = await send([87, 88])
  assert.deepEqual([status, body.name], [201, `${'💸'.repeat(87)} and ${'💸'.repeat(88)}`])
  const refused = await send([88, 88])
  assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [400, ['recipients']])
})

test('a repeated key gets the same payment, and its recipients are written once', async () => {
  const users = [await newUser(), await newUser()] as const
  const recipients = users.map((user, index) => recipientOf(user, index, { pin: { description: 'Word', value: PIN } }))
  secrets.add(PIN)
  const send = () => sendMulti(recipients, {}, { idempotencyKey: 'several' })
  const answers = await Promise.all([send(), send()])
  assert.deepEqual(
    answers.map(({ status, text }) => [status, text]),
    [
      [201, answers[0].text],
      [201, answers[0].text],
    ],
  )
  const rows = await deps.sql<{ pinSealed: Buffer; pinDescription: string }[]>`
    select pin_sealed, pin_description
    from payment_recipients
    where payment_id = ${answers[0].body.id}
  `
  assert.deepEqual(
    rows.map(({ pinSealed, pinDescription }) => [deps.keyRing.openText(pinSealed, 'payment pin'), pinDescription]),
    [
      [PIN, 'Word'],
      [PIN, 'Word'],
    ],
  )
})

test('an endorsement with a signature commits with the record of its key, so a repetition after a crash gets 201', async () => {
  const { id, users } = await newMulti()
  const body = { name: 'Signed Name', signature: png(60, 20).toString('base64') }
  const endorseOnce = () => users[0].post(`/v3/check/endorse/${id}`, body, { idempotencyKey: 'signed once' })
  assert.equal((await refusingRecords(service.ownerSql, endorseOnce)).status, 500)
  for (let time = 0; time < 2; time++) assert.deepEqual(refusalOf(await endorseOnce()), [201, undefined])
  assert.deepEqual(refusalOf(await endorse(users[0], id)), [400, 'not_endorsable'])
})

test('a concurrent endorsement and void: either the payment is void and not endorsed, or it was endorsed before', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, users } = await newMulti(2)
    const [endorsed, voided] = await Promise.all([endorse(users[0], id), sender.del(`/v3/check/${id}`)])
    assert.deepEqual([voided.status, await statusOf(sender, id)], [200, 'VOID'])
    const [row] = await deps.sql`
      select status from payment_recipients where payment_id = ${id} and user_id = ${users[0].id}
    `
    assert.equal(row?.status, endorsed.status === 201 ? 'ENDORSED' : 'WAITING')
    if (endorsed.status !== 201) assert.equal(endorsed.body.code, 'not_endorsable')
  }
})

test('while a void is being committed, an endorsement waits for it and is refused', async () => {
  const { id, users } = await newMulti(2)
  const waiting = await deps.sql.begin(async (sql) => {
    await sql`update payments set status = 'VOID' where id = ${id}`
    const answer = endorse(users[0], id)
    const blocked = waitUntilWaiting(service.ownerSql, 1).then(() => 'blocked')
    const isFirst = await Promise.race([answer.then(() => 'answered'), blocked])
    assert.equal(isFirst, 'blocked')
    return { answer }
  })
  assert.deepEqual(refusalOf(await waiting.answer), [400, 'not_endorsable'])
})

test('of two concurrent deposits, or a deposit and a void, one succeeds', async () => {
  for (let round = 0; round < 3; round++) {
    const { id, users } = await newMulti(2, { account: wallet })
    for (const user of users) await endorse(user, id)
    const accounts = [await addBank(users[0]), await addBank(users[1])]
    const answers = await Promise.all(users.map((user, index) => deposit(user, id, accounts[index])))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 403])
    const rows = await deps.sql`select status from payment_recipients where payment_id = ${id} order by status`
    assert.deepEqual(
      rows.map(({ status }) => status),
      ['DEPOSITOR', 'ENDORSED'],
    )
    const other = await newMulti(2)
    await endorse(other.users[1], other.id)
    const account = await addBank(other.users[0])
    const [deposited] = await Promise.all([
      deposit(other.users[0], other.id, account),
      sender.del(`/v3/check/${other.id}`),
    ])
    const status = await statusOf(sender, other.id)
    // A deposited payment can still be voided before its debit is sent.
    assert.equal(status, 'VOID')
    assert.ok(deposited.status === 201 || deposited.body.code === 'not_depositable', deposited.text)
  }
  assert.ok(isClean(await verifyLedger(deps)))
})

test('the names and signatures of those who endorsed are on the back of the printed check', async () => {
  const { id, users } = await newMulti(3)
  const signature = png(60, 20).toString('base64')
  await endorse(users[0], id, { name: 'Ada Endorser', signature })
  await endorse(users[1], id, { name: 'Bob Endorser', signature: null })
  const third = users[2] as TestUser
  const answer = await fetch(`${service.baseUrl}/v3/check/print/${id}`, {
    method: 'POST',
    headers: { authorization: third.credential },
  })
  assert.equal(answer.status, 200)
  const [, back] = readPages(Buffer.from(await answer.arrayBuffer()))
  const texts = back?.texts.map(({ text }) => text) ?? []
  assert.ok(texts.includes('Ada Endorser') && texts.includes('Bob Endorser'), texts.join())
  assert.equal(await statusOf(users[0], id), 'PRINTED')
})

/** A payment to a user and to the owner of another platform. */
async function newBetweenPlatforms(given: object = {}) {
  const [near, { api: far, email, id: farPlatform }] = [await newUser(), await newOwner()]
  const { status, body, text } = await sendMulti(
    [recipientOf(near, 0), { name: 'Payee 2', recipient: email.toUpperCase() }],
    given,
  )
  assert.equal(status, 201, text)
  const listed = async (api: Api) => (await api.get('/v3/check')).body.checks[0]
  return { id: body.id as string, near, far, farPlatform, listed }
}

test('an owner of another platform sees the payment in its list, endorses it, and follows its status', async () => {
  const { id, near, far, farPlatform, listed } = await newBetweenPlatforms()
  assert.equal((await far.get('/v3/check')).body.total, 0, 'it is still in the outbox')
  await service.applyOutbox()
  const { direction, status } = await listed(far)
  assert.deepEqual([direction, status, (await far.get(`/v3/check/${id}`)).status], ['INCOMING', 'UNPAID', 200])
  assert.deepEqual(refusalOf(await deposit(near, id)), [400, 'endorsements_missing'])
  assert.equal((await endorse(far, id)).status, 201)
  assert.deepEqual(refusalOf(await endorse(far, id)), [400, 'not_endorsable'])
  assert.equal((await deposit(near, id)).body.status, 'IN_PROCESS')
  const late = await far.post(`/v3/check/deposit/${id}`, { account: await addBank(far) })
  assert.deepEqual(refusalOf(late), [403, 'not_the_recipient'])
  await passDays(9)
  await service.applyOutbox()
  assert.equal((await listed(far)).status, 'PAID')
  const events = await deps.sql`select 1 from events where platform_id = ${farPlatform} and subject_id = ${id}`
  assert.equal(events.length, 2, 'IN_PROCESS and PAID')
  const { audit } = (await far.get('/v3/audit')).body
  assert.equal(audit.filter(({ action }: { action: string }) => action === 'payment_endorsed').length, 1)
  await assertLedger(service)
})

test('an owner of another platform repeats an endorsement whose process crashed before it recorded the answer', async () => {
  const { id, far, farPlatform } = await newBetweenPlatforms()
  await service.applyOutbox()
  const endorseOnce = (name: string) =>
    far.post(`/v3/check/endorse/${id}`, { name }, { idempotencyKey: 'endorsed once' })
  const crashed = await refusingRecords(service.ownerSql, () => endorseOnce('Grace'), { onPlatform: farPlatform })
  assert.equal(crashed.status, 500)
  for (let time = 0; time < 2; time++) assert.deepEqual(refusalOf(await endorseOnce('Grace')), [201, undefined])
  assert.deepEqual(refusalOf(await endorseOnce('Ada')), [422, 'idempotency_key_reused'])
  assert.deepEqual(refusalOf(await endorse(far, id)), [400, 'not_endorsable'])
})

test('an owner of another platform who may not deposit is refused before the account is checked', async () => {
  const [near, { api: far, email }] = [await newUser(), await newOwner()]
  const { body } = await sendMulti([recipientOf(near, 0), { name: 'Payee 2', recipient: email, endorse_only: true }])
  const other = await newBetweenPlatforms()
  await service.applyOutbox()
  const account = { account: '0'.repeat(32) }
  assert.deepEqual(refusalOf(await far.post(`/v3/check/deposit/${body.id}`, account)), [403, 'endorse_only'])
  const missing = await other.far.post(`/v3/check/deposit/${other.id}`, account)
  assert.deepEqual(refusalOf(missing), [400, 'endorsements_missing'])
})

test('an owner of another platform deposits into its wallet after the others have endorsed', async () => {
  const { id, near, far, listed } = await newBetweenPlatforms({ account: wallet })
  await service.applyOutbox()
  const into = await newWallet(far, 0)
  const give = () => far.post(`/v3/check/deposit/${id}`, { account: into })
  assert.deepEqual(refusalOf(await give()), [400, 'endorsements_missing'])
  assert.equal((await endorse(near, id)).status, 201)
  assert.equal((await give()).body.status, 'PAID')
  await service.applyOutbox()
  assert.equal(await balanceOf(far, into), 50)
  assert.deepEqual([(await listed(far)).status, await statusOf(near, id)], ['PAID', 'PAID'])
  await assertLedger(service)
})
