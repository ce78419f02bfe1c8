import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Answer, Api } from './support/api.ts'
import { newWallet } from './support/money.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { rowCounts } from './support/rows.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

const { deps, newOwner, newUser, owner } = await startTestService({ after })
const PDF = Buffer.from('%PDF-1.4\n%%EOF').toString('base64')

const [user, recipient, neighbour] = [await newUser(), await newUser(), await newUser()]
const foreignOwner = (await newOwner()).api
const foreigner = await newUser(undefined, foreignOwner)
const [bankId] = [await addVerifiedBank(user), await addVerifiedBank(neighbour), await addVerifiedBank(foreigner)]
const pendingBankId = await addBank(user)
await user.post('/v3/bank/release', { account: pendingBankId })
const check = await sendPayment(user, { recipient: recipient.userId, attachment: PDF })
const failed = await sendPayment(user, { recipient: recipient.userId, attachment: PDF })
await triggerStatus(user, failed.id, 'FAILED')
const paid = await sendPayment(user, { recipient: recipient.userId })
await triggerStatus(user, paid.id, 'PAID')
const printed = await sendPayment(user, { recipient: recipient.userId })
await triggerStatus(user, printed.id, 'PRINTED')
const apiKey = (await user.post('/v3/user/api_key', {})).body.id
const walletId = await newWallet(user)
const otherAccounts = {
  card: { card_number: '4242424242424242', expiration_date: '2099-12' },
  paypal: { username: 'payee@example.com' },
  venmo: { username: '+14155552671' },
  interac: { username: 'payee@example.ca' },
  wire: { routing: '021000021', account: '12345678', type: 'CHECKING' },
}
const otherAccountIds: Record<string, string> = {}
for (const [kind, body] of Object.entries(otherAccounts)) {
  otherAccountIds[kind] = (await user.post(`/v3/account/${kind}`, body)).body.id
}

const entryId = (await user.post('/v3/directory', { name: 'Payee', email: 'payee@example.com' })).body.id
const entryBank = { routing: '021000021', account: '640193827481', type: 'CHECKING' }
const entryCard = { card_number: '4242424242424242', expiration_date: '2099-12' }
const entryAccountId = (await user.post(`/v3/directory/${entryId}/account/bank`, entryBank)).body.id

const bookOrder = { account: bankId, number: 5001, mail_type: 'OVERNIGHT' }
const bookAddress = { name: 'Ann', line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' }
const checkbookId = (await user.post('/v3/checkbook', { ...bookOrder, recipient: bookAddress })).body.id

const prepared = { amount: 10, name: 'Somebody', recipient: 'somebody@example.com', attachment: PDF }
const approvalId = (await user.post('/v3/approval/digital', prepared)).body.id
const file = [{ amount: 10, name: 'Somebody', address: { type: 'email', address: 'somebody@example.com' } }]
const batchId = (await user.post('/v3/batch', { name: 'Batch', file })).body.id

const invoiced = { amount: 10, name: 'Payer', description: 'Painting', attachment: PDF }
const invoiceId = (await user.post('/v3/invoice', { ...invoiced, recipient: recipient.userId })).body.id

const repeated = { amount: 10, name: 'Somebody', recipient: 'somebody@example.com', interval: 'WEEKLY' }
const subscriptionId = (await user.post('/v3/subscription/check', { ...repeated, start_date: '2030-01-01' })).body.id

const mailboxId = (await user.post('/v3/mailbox', {})).body.id
const letterId = (await user.post(`/v3/sandbox/mailbox/${mailboxId}/mail`, { sender: 'Ann' })).body.id
const virtualCardId = (await user.post('/v3/account/vcc', {})).body.id

/** A request for an object of the user, and the answers to another user of its platform, another platform, and its owner. */
type Case = {
  route: string
  id: string
  body?: object
  stranger: [status: number, code: string]
  owner: [status: number, code?: string]
}

const user404: Case['stranger'] = [404, 'user_not_found']
const bank404: Case['stranger'] = [404, 'bank_not_found']
const payment404: Case['stranger'] = [404, 'payment_not_found']
const wallet404: Case['stranger'] = [404, 'wallet_not_found']
const destination404: Case['stranger'] = [404, 'destination_not_found']
const entry404: Case['stranger'] = [404, 'directory_entry_not_found']
const holder403: Case['owner'] = [403, 'not_the_holder']
const readable: Case['owner'] = [200]

const cases: Case[] = [
  { route: 'GET /v3/user/{id}', id: user.id, stranger: user404, owner: readable },
  { route: 'DELETE /v3/user/{id}', id: user.id, stranger: user404, owner: [400, 'user_busy'] },
  {
    route: 'DELETE /v3/user/api_key/{id}',
    id: apiKey,
    stranger: [404, 'api_key_not_found'],
    owner: [404, 'api_key_not_found'],
  },
  ...['/v3/bank/{id}', '/v3/account/bank/{id}'].flatMap((path): Case[] => [
    { route: `GET ${path}`, id: bankId, stranger: bank404, owner: readable },
    { route: `PUT ${path}`, id: bankId, body: { name: 'Taken' }, stranger: bank404, owner: holder403 },
    { route: `DELETE ${path}`, id: bankId, stranger: bank404, owner: holder403 },
  ]),
  { route: 'GET /v3/account/wallet/{id}', id: walletId, stranger: wallet404, owner: readable },
  { route: 'GET /v3/account/wallet/{id}/transaction', id: walletId, stranger: wallet404, owner: readable },
  {
    route: 'PUT /v3/account/wallet/{id}',
    id: walletId,
    body: { name: 'Taken' },
    stranger: wallet404,
    owner: holder403,
  },
  { route: 'DELETE /v3/account/wallet/{id}', id: walletId, stranger: wallet404, owner: holder403 },
  // Anyone who may read a wallet may add test money. This request lacks a valid amount.
  {
    route: 'POST /v3/sandbox/wallet/{id}/fund',
    id: walletId,
    body: { amount: 0.011 },
    stranger: wallet404,
    owner: [400, 'invalid_request'],
  },
  ...Object.entries(otherAccountIds).flatMap(([kind, id]): Case[] => {
    const path = `/v3/account/${kind}/{id}`
    const body = { name: 'Taken' }
    return [
      { route: `GET ${path}`, id, stranger: destination404, owner: readable },
      { route: `PUT ${path}`, id, body, stranger: destination404, owner: holder403 },
      { route: `DELETE ${path}`, id, stranger: destination404, owner: holder403 },
    ]
  }),
  ...(
    [
      ['GET /v3/directory/{id}'],
      ['PUT /v3/directory/{id}', { name: 'Taken' }],
      ['DELETE /v3/directory/{id}'],
      ['POST /v3/directory/{id}/account/bank', entryBank],
      ['POST /v3/directory/{id}/account/card', entryCard],
      ['DELETE /v3/directory/{id}/account/{account}'],
    ] as [string, object?][]
  ).map(
    ([route, body]): Case => ({
      route,
      id: entryId,
      ...(body && { body }),
      stranger: entry404,
      owner: entry404, // saved payees are personal
    }),
  ),
  ...(
    [
      ['PUT /v3/account/vcc/{id}', { name: 'Taken' }],
      ['DELETE /v3/account/vcc/{id}'],
      ['GET /v3/account/vcc/{id}/transaction'],
      ['GET /v3/account/vcc/{id}/transaction/{transaction}'],
      ['POST /v3/sandbox/vcc/{id}/spend', { amount: 1 }],
    ] as [string, object?][]
  ).map(
    ([route, body]): Case => ({
      route,
      id: virtualCardId,
      ...(body && { body }),
      stranger: destination404,
      owner: holder403,
    }),
  ),
  ...(
    [
      ['GET /v3/mailbox/{id}'],
      ['GET /v3/mailbox/{id}/mail'],
      ['GET /v3/mailbox/{id}/mail/{item}'],
      ['GET /v3/mailbox/{id}/mail/{item}/attachment'],
      ['POST /v3/sandbox/mailbox/{id}/mail', { sender: 'Ann' }],
    ] as const
  ).map(
    ([route, body]): Case => ({
      route,
      id: mailboxId,
      ...(body && { body }),
      stranger: [404, 'mailbox_not_found'],
      owner: [404, 'mailbox_not_found'],
    }),
  ),
  ...['GET /v3/checkbook/{id}', 'GET /v3/checkbook/{id}/tracking', 'DELETE /v3/checkbook/{id}'].map(
    (route): Case => ({
      route,
      id: checkbookId,
      stranger: [404, 'checkbook_not_found'],
      owner: [404, 'checkbook_not_found'],
    }),
  ),
  ...(
    [
      ['GET /v3/subscription/{id}'],
      ['GET /v3/subscription/{id}/run'],
      ['PUT /v3/subscription/{id}', { skipped: [2] }],
      ['PUT /v3/subscription/{id}/run', { number: 2, skipped: true }],
      ['DELETE /v3/subscription/{id}'],
    ] as [string, object?][]
  ).map(
    ([route, body]): Case => ({
      route,
      id: subscriptionId,
      ...(body && { body }),
      stranger: [404, 'subscription_not_found'],
      owner: [404, 'subscription_not_found'],
    }),
  ),
  ...(
    [
      ['GET /v3/approval/{id}'],
      ['GET /v3/approval/{id}/attachment'],
      ['PUT /v3/approval/{id}', { amount: 11 }],
      ['POST /v3/approval/{id}/approve'],
      ['POST /v3/approval/{id}/reject', { reason: 'No' }],
      ['DELETE /v3/approval/{id}'],
    ] as [string, object?][]
  ).map(
    ([route, body]): Case => ({
      route,
      id: approvalId,
      ...(body && { body }),
      stranger: [404, 'approval_not_found'],
      owner: [404, 'approval_not_found'],
    }),
  ),
  ...(
    [
      ['GET /v3/batch/{id}'],
      ['GET /v3/batch/{id}/row'],
      ['PUT /v3/batch/{id}', { name: 'Batch', file }],
      ['POST /v3/batch/{id}/release'],
      ['POST /v3/batch/{id}/approve'],
      ['POST /v3/batch/{id}/reject', { reason: 'No' }],
      ['DELETE /v3/batch/{id}'],
    ] as [string, object?][]
  ).map(
    ([route, body]): Case => ({
      route,
      id: batchId,
      ...(body && { body }),
      stranger: [404, 'batch_not_found'],
      owner: [404, 'batch_not_found'],
    }),
  ),
  ...[
    'GET /v3/invoice/{id}',
    'GET /v3/invoice/{id}/attachment',
    'GET /v3/invoice/{id}/details',
    'POST /v3/invoice/notify/{id}',
    'DELETE /v3/invoice/{id}',
  ].map(
    (route): Case => ({
      route,
      id: invoiceId,
      stranger: [404, 'invoice_not_found'],
      owner: [404, 'invoice_not_found'],
    }),
  ),
  { route: 'GET /v3/check/{id}', id: check.id, stranger: payment404, owner: readable },
  { route: 'GET /v3/check/{id}/deposit', id: failed.id, stranger: payment404, owner: readable },
  { route: 'GET /v3/check/{id}/fail', id: failed.id, stranger: payment404, owner: readable },
  { route: 'GET /v3/payment/{id}', id: failed.id, stranger: payment404, owner: readable },
  { route: 'GET /v3/payment/{id}/copy.pdf', id: failed.id, stranger: payment404, owner: readable },
  { route: 'GET /v3/payment/{id}/receipt.pdf', id: failed.id, stranger: payment404, owner: readable },
  { route: 'GET /v3/payment/{id}/image', id: failed.id, stranger: payment404, owner: readable },
  { route: 'GET /v3/payment/{id}/timeline', id: failed.id, stranger: payment404, owner: readable },
  { route: 'GET /v3/check/{id}/attachment', id: failed.id, stranger: payment404, owner: readable },
  { route: 'GET /v3/check/{id}/tracking', id: printed.id, stranger: payment404, owner: readable },
  {
    route: 'POST /v3/check/print/{id}',
    id: check.id,
    stranger: payment404,
    owner: [403, 'not_the_recipient'],
  },
  {
    route: 'POST /v3/check/endorse/{id}',
    id: check.id,
    body: { name: 'Somebody' },
    stranger: payment404,
    owner: [400, 'not_endorsable'],
  },
  // Owners void the payments of their users and mail their payees again. Neither is possible for these ones.
  { route: 'DELETE /v3/check/{id}', id: paid.id, stranger: payment404, owner: [400, 'not_voidable'] },
  { route: 'POST /v3/check/notify/{id}', id: check.id, stranger: payment404, owner: [400, 'not_notifiable'] },
  { route: 'GET /v3/check/{id}/verification', id: check.id, stranger: payment404, owner: [200] },
  {
    route: 'POST /v3/check/{id}/verification',
    id: check.id,
    stranger: payment404,
    owner: [200], // but sends nothing
  },
  {
    route: 'POST /v3/check/deposit/{id}',
    id: check.id,
    body: { account: pendingBankId },
    stranger: payment404,
    owner: [403, 'not_the_recipient'],
  },
  // Anyone who may read a payment may trigger a test outcome. This status cannot be reached.
  {
    route: 'PUT /v3/check/webhook/{id}',
    id: failed.id,
    body: { status: 'VOID' },
    stranger: payment404,
    owner: [400, 'status_not_reachable'],
  },
]

/** Only owners have listeners: test/listen.test.ts. */
const TRIED_ELSEWHERE = ['POST /v3/webhook/listener/{id}', 'DELETE /v3/webhook/listener/{id}']

const endpointId = (await owner.post('/v3/webhook/endpoint', { url: 'https://hooks.example.com/' })).body.id
await triggerStatus(user, (await sendPayment(user, { recipient: recipient.userId })).id, 'IN_PROCESS')
const eventId = (await owner.get('/v3/webhook/event')).body.events[0].id

/** Objects that only owners have. A user gets 403, and another owner 404. */
const ownerCases: { route: string; body?: object; code: string }[] = [
  { route: 'DELETE /v3/approval/policy/proposal/{id}', code: 'policy_change_not_found' },
  { route: 'GET /v3/webhook/endpoint/{id}', code: 'endpoint_not_found' },
  { route: 'PUT /v3/webhook/endpoint/{id}', body: { status: 'DISABLED' }, code: 'endpoint_not_found' },
  { route: 'DELETE /v3/webhook/endpoint/{id}', code: 'endpoint_not_found' },
  { route: 'POST /v3/webhook/endpoint/{id}/test', code: 'endpoint_not_found' },
  { route: 'GET /v3/request/{id}', code: 'request_not_found' },
  { route: 'GET /v3/webhook/event/{id}', code: 'event_not_found' },
  { route: 'GET /v3/webhook/delivery/{event}/{endpoint}', code: 'delivery_not_found' },
  { route: 'POST /v3/webhook/delivery/{event}/{endpoint}/replay', code: 'delivery_not_found' },
  { route: 'DELETE /v3/user/{id}/api_key/{key}', code: 'user_not_found' },
  { route: 'POST /v3/user/{id}/api_key', body: { name: 'Stolen' }, code: 'user_not_found' },
  { route: 'PUT /v3/user/{id}/limit', body: { day: 1 }, code: 'user_not_found' },
]

for (const { route, body, code } of ownerCases) {
  test(`${route}: users and another owner read and change nothing`, async () => {
    const id = route.includes('/user/') ? user.id : route.includes('/event/') ? eventId : endpointId
    const before = await everything()
    for (const api of [user, neighbour, foreigner])
      assertAnswer(await request(api, route, id, body), [403, 'owner_only'])
    const foreign = await request(foreignOwner, route, id, body)
    assertAnswer(foreign, [404, code])
    assert.equal(foreign.text, (await request(foreignOwner, route, '0'.repeat(32), body)).text)
    assert.deepEqual(await everything(), before)
  })
}

test('every route with an id has a case here', async () => {
  const { paths } = (await owner.get('/openapi.json')).body as { paths: Record<string, object> }
  const routes = Object.entries(paths)
    .filter(([path]) => path.includes('{') && !path.includes('{code}')) // a return code has no owner
    .flatMap(([path, operations]) => Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`))
  const tried = [...cases, ...ownerCases].map(({ route }) => route)
  assert.deepEqual([...tried, ...TRIED_ELSEWHERE].sort(), routes.sort())
})

for (const { route, id, body, stranger, owner: ownerGets } of cases) {
  test(`${route}: another user and another platform read and change nothing, and the owner ${ownerGets[0] === 200 ? 'reads' : 'writes nothing'}`, async () => {
    const before = await everything()
    for (const api of [neighbour, foreigner]) assertAnswer(await request(api, route, id, body), stranger)
    const fromOutside = await request(foreignOwner, route, id, body)
    if (route.includes('/v3/user/{id}')) assertAnswer(fromOutside, [404, 'user_not_found'])
    else assertAnswer(fromOutside, stranger)
    const unknown = await request(neighbour, route, '0'.repeat(32), body)
    assert.equal(
      unknown.text,
      (await request(neighbour, route, id, body)).text,
      'the answer does not reveal whether it exists',
    )
    assertAnswer(await request(owner, route, id, body), ownerGets)
    assert.deepEqual(await everything(), before)
  })
}

test('a body cannot name a bank of another user', async () => {
  const before = await everything()
  const order = { amount: 1, name: 'Recipient', recipient: 'recipient@example.com' }
  for (const api of [neighbour, foreigner, foreignOwner]) {
    for (const answer of [
      await api.post('/v3/bank/release', { account: pendingBankId }),
      await api.post('/v3/bank/verify', { account: pendingBankId, amount_1: 0.07, amount_2: 0.15 }),
      await api.put('/v3/user', { bank: { default: bankId } }),
      ...(api === foreignOwner ? [] : [await api.post('/v3/check/digital', { ...order, account: bankId })]),
    ]) {
      assertAnswer(answer, bank404)
    }
  }
  for (const path of ['release', 'verify']) {
    const amounts = path === 'verify' ? { amount_1: 0.07, amount_2: 0.15 } : {}
    assertAnswer(await owner.post(`/v3/bank/${path}`, { account: pendingBankId, ...amounts }), holder403)
  }
  assert.deepEqual(await everything(), before)
})

test('a body cannot name a wallet or another account of another user', async () => {
  const before = await everything()
  const order = { amount: 1, name: 'Recipient', recipient: 'recipient@example.com' }
  for (const api of [neighbour, foreigner, owner]) {
    assertAnswer(await api.post('/v3/check/digital', { ...order, account: walletId }), bank404)
  }
  for (const account of [walletId, ...Object.values(otherAccountIds)]) {
    assertAnswer(await recipient.post(`/v3/check/deposit/${check.id}`, { account }), bank404)
  }
  assert.deepEqual(await everything(), before)
})

test('an id of another kind of object is not found', async () => {
  for (const [path, code] of [
    [`/v3/bank/${check.id}`, 'bank_not_found'],
    [`/v3/bank/${user.id}`, 'bank_not_found'],
    [`/v3/check/${bankId}`, 'payment_not_found'],
    [`/v3/check/${user.id}/fail`, 'payment_not_found'],
    [`/v3/account/wallet/${otherAccountIds.card}`, 'wallet_not_found'],
    [`/v3/account/card/${walletId}`, 'destination_not_found'],
    [`/v3/account/card/${otherAccountIds.wire}`, 'destination_not_found'],
    [`/v3/account/paypal/${otherAccountIds.venmo}`, 'destination_not_found'],
  ] as const) {
    assertAnswer(await user.get(path), [404, code])
  }
  assertAnswer(await owner.get(`/v3/user/${bankId}`), [404, 'user_not_found'])
})

test('lists show only objects of the caller, even for an owner', async () => {
  for (const api of [neighbour, foreigner, foreignOwner, owner]) {
    assert.equal((await api.get('/v3/check')).body.total, 0)
    const { banks } = (await api.get('/v3/bank')).body
    assert.ok(!banks.some(({ id }: { id: string }) => [bankId, pendingBankId].includes(id)))
    assert.deepEqual((await api.get('/v3/account/wallet')).body.wallets, [])
    assert.deepEqual((await api.get('/v3/directory')).body.entries, [])
    assert.deepEqual((await api.get('/v3/account/vcc')).body.vccs, [])
    assert.deepEqual((await api.get('/v3/checkbook')).body.checkbooks, [])
    assert.deepEqual((await api.get('/v3/mailbox')).body.mailboxes, [])
    assert.deepEqual((await api.get('/v3/approval')).body.checks, [])
    assert.deepEqual((await api.get('/v3/invoice')).body.invoices, [])
    assert.deepEqual((await api.get('/v3/subscription')).body.subscriptions, [])
    for (const kind of Object.keys(otherAccounts)) {
      const { cards, accounts } = (await api.get(`/v3/account/${kind}`)).body
      assert.deepEqual(cards ?? accounts, [])
    }
  }
  const listed = (await foreignOwner.get('/v3/user/list')).body.users.map(({ id }: { id: string }) => id)
  assert.deepEqual(listed, [foreigner.id])
})

const request = (api: Api, route: string, id: string, body?: object): Promise<Answer> => {
  const [method, path] = route.split(' ') as [string, string]
  const address = path
    .replace('{id}', id)
    .replace('{event}', eventId)
    .replace('{endpoint}', id)
    .replace('{account}', entryAccountId)
    .replace('{key}', apiKey)
    .replace('{transaction}', id)
    .replace('{item}', letterId)
  return api.raw(method, address, body ? JSON.stringify(body) : null)
}

function assertAnswer({ status, body, text }: Answer, expected: readonly [status: number, code?: string]): void {
  const [expectedStatus, code] = expected
  assert.deepEqual([status, code === undefined ? undefined : body?.code], [expectedStatus, code], text.slice(0, 300))
}

/** The state that a refused request must not change: the number of rows, and the requested objects. */
const everything = async () => [
  await rowCounts(deps.sql),
  (await user.get('/v3/bank')).text,
  (await user.get('/v3/check')).text,
  (await user.get('/v3/user')).text,
  (await user.get('/v3/account/wallet')).text,
  (await user.get('/v3/directory')).text,
  (await user.get('/v3/account/vcc')).text,
  (await user.get('/v3/checkbook')).text,
  (await user.get(`/v3/mailbox/${mailboxId}/mail`)).text,
  (await user.get('/v3/approval')).text,
  (await user.get('/v3/invoice')).text,
  (await user.get('/v3/subscription')).text,
  (await owner.get('/v3/webhook/endpoint')).text,
  (await owner.get('/v3/webhook/delivery')).text,
  ...(await Promise.all(Object.keys(otherAccounts).map(async (kind) => (await user.get(`/v3/account/${kind}`)).text))),
]
