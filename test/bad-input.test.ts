import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Answer, Api } from './support/api.ts'
import { resolved } from './support/documented.ts'
import { sendPayment } from './support/payments.ts'
import { rowCounts } from './support/rows.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

const { deps, newUser, owner } = await startTestService({ after })
const user = await newUser()
const recipient = await newUser()
const bankId = await addVerifiedBank(user)
const recipientBankId = await addBank(recipient)
const paymentId = (await sendPayment(user, { recipient: recipient.userId })).id
const mailboxId = (await user.post('/v3/mailbox', {})).body.id
const entryId = (await user.post('/v3/directory', { name: 'Payee' })).body.id
const { body: document } = await owner.get('/openapi.json')
const paths: Record<string, { [method: string]: Operation }> = resolved(document.paths, document)

type Operation = { requestBody?: { content: { 'application/json': { schema: Schema } } } }
type Schema = {
  type?: string | string[]
  enum?: string[]
  maxLength?: number
  minimum?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}

const address = { line_1: '1 Main Street', line_2: '', city: 'Albany', state: 'NY', zip: '12207', country: 'US' }
const pdf = Buffer.from('%PDF-1.4').toString('base64')

/** A route with a body: its URL, its callers, and a body with all fields. */
type Target = { route: string; method: string; path: string; api: Api; body: Record<string, unknown> }

const targets: Target[] = [
  { route: 'POST /v3/user', api: owner, body: { user_id: 'somebody', name: 'Some Body' } },
  {
    route: 'PUT /v3/user',
    api: user,
    body: {
      user: {
        first_name: 'Ada',
        last_name: 'Lovelace',
        business_name: 'Engines',
        dob: '1990-12-10',
        phone: '+14155552671',
        ssn: '6789',
        check_number: 7,
        invoice_number: 8,
      },
      merchant: {
        address,
        principal_address: address,
        incorporation_date: '2020-01-01',
        industry: 54,
        legal_firstname: 'Ada',
        legal_lastname: 'Lovelace',
        principal_citizenship_status: 'us_citizen',
        principal_occupation: 'Programmer',
        tax_id: '123456789',
        website: 'https://example.com',
      },
      bank: { billing: bankId, default: bankId },
      brand: { footer: 'Footer', logo: 'logo', reply_to: 'ada@example.com', slogan: 'Slogan' },
      developer: { webhook_uri: 'https://example.com/hook' },
      payment: { expiration: 30, dual_control: false },
    },
  },
  { route: 'POST /v3/user/signature', api: user, body: { signature: 'iVBORw0KGgo=' } },
  { route: 'POST /v3/user/api_key', api: user, body: { name: 'Key', expiration_date: '2099-01-01' } },
  { route: 'POST /v3/user/{id}/api_key', api: owner, body: { name: 'Key', expiration_date: '2099-01-01' } },
  { route: 'POST /v3/sandbox/receivable/settle', api: user, body: { amount: 1 } },
  { route: 'PUT /v3/user/{id}/limit', api: owner, body: { payment: 1_000, day: 5_000, month: 20_000 } },
  { route: 'PUT /v3/user/webhook', api: user, body: { status: 'VERIFIED' } },
  ...['/v3/bank', '/v3/account/bank'].flatMap((prefix) => [
    {
      route: `POST ${prefix}`,
      api: user,
      body: { routing: '021000021', account: '99887766', type: 'CHECKING', name: 'Mine' },
    },
    { route: `PUT ${prefix}/{id}`, api: user, body: { name: 'Mine', default: true, billing: true } },
    { route: `POST ${prefix}/release`, api: user, body: { account: bankId } },
    { route: `POST ${prefix}/iav/plaid`, api: user, body: { processor_token: 'processor-sandbox-unknown' } },
    { route: `POST ${prefix}/verify`, api: user, body: { account: bankId, amount_1: 0.07, amount_2: 0.15 } },
  ]),
  {
    route: 'PUT /v3/approval/{id}',
    api: user,
    body: {
      account: bankId,
      amount: 10,
      description: 'Rent',
      name: 'Recipient',
      number: 7,
      version: bankId,
      recipient: { id: recipient.userId, account: recipientBankId },
    },
  },
  {
    route: 'POST /v3/subscription/check',
    api: user,
    body: {
      amount: 10,
      name: 'Recipient',
      recipient: address,
      account: bankId,
      description: 'Rent',
      remittance_advice: [{ id: '1', date: '2026-03-01', amount: 10, description: 'Line' }],
      interval: 'WEEKLY',
      duration: 12,
      start_date: '2099-01-01',
    },
  },
  {
    route: 'POST /v3/subscription/invoice',
    api: user,
    body: {
      amount: 10,
      name: 'Recipient',
      recipient: recipient.userId,
      account: bankId,
      description: 'Rent',
      interval: 'WEEKLY',
      duration: 12,
      start_date: '2099-01-01',
    },
  },
  { route: 'PUT /v3/subscription/{id}', api: user, body: { skipped: [2], autopay: false } },
  { route: 'PUT /v3/subscription/{id}/run', api: user, body: { number: 2, skipped: true } },
  { route: 'POST /v3/approval/release', api: user, body: { id: bankId, version: bankId } },
  { route: 'POST /v3/approval/{id}/approve', api: user, body: { version: bankId } },
  { route: 'POST /v3/batch/{id}/release', api: user, body: { version: bankId } },
  { route: 'POST /v3/batch/{id}/approve', api: user, body: { version: bankId } },
  { route: 'POST /v3/approval/policy/confirm', api: owner, body: { id: bankId } },
  ...['approval', 'batch'].map((kind) => ({
    route: `POST /v3/${kind}/{id}/reject`,
    api: user,
    body: { reason: 'No' },
  })),
  {
    route: 'PUT /v3/approval/policy',
    api: owner,
    body: {
      dual_control: false,
      rules: [{ min_amount: 100, new_payee: false, rail: 'ACH', source: 'API', approvals: 0 }],
    },
  },
  {
    route: 'POST /v3/invoice',
    api: user,
    body: {
      amount: 10,
      name: 'Payer',
      recipient: recipient.userId,
      description: 'Painting',
      account: bankId,
      number: 'A-7',
      due_date: '2099-12-31',
      terms: 'Pay within a week.',
      items: [{ description: 'Painting', quantity: 2, unit_price: 5, tax_rate: 0 }],
      attachment: { filename: 'file.pdf', content: 'bm90aGluZw==' },
    },
  },
  ...['/v3/invoice/payment', '/v3/approval/invoice'].map((path) => ({
    route: `POST ${path}`,
    api: user,
    body: { id: bankId, amount: 10, account: bankId },
  })),
  ...['/v3/check/digital', '/v3/approval/digital'].map((path) => ({
    route: `POST ${path}`,
    api: user,
    body: {
      amount: 10,
      name: 'Recipient',
      recipient: { id: recipient.userId, account: recipientBankId },
      account: bankId,
      description: 'Rent',
      comment: 'For March',
      number: 7,
      deposit_options: ['BANK'],
      pin: { description: 'Word', value: 'open sesame' },
      attachment: { filename: 'a.pdf', content: pdf },
      remittance_advice: [{ id: '1', date: '2026-03-01', amount: 10, description: 'Line' }],
    },
  })),
  ...['/v3/check/physical', '/v3/approval/physical'].map((path) => ({
    route: `POST ${path}`,
    api: user,
    body: {
      amount: 10,
      name: 'Recipient',
      recipient: address,
      mail_type: 'OVERNIGHT',
      account: bankId,
      description: 'Rent',
      comment: 'For March',
      number: 7,
      attachment: { filename: 'a.pdf', content: pdf },
      remittance_advice: [{ id: '1', date: '2026-03-01', amount: 10, description: 'Line' }],
    },
  })),
  {
    route: 'POST /v3/check/direct',
    api: user,
    body: {
      amount: 10,
      name: 'Recipient',
      recipient: 'payee@example.com',
      account_number: '99887755',
      routing_number: '021000021',
      account_type: 'CHECKING',
      deposit_options: ['BANK'],
      account: bankId,
      description: 'Rent',
      comment: 'For March',
      number: 7,
      attachment: { filename: 'a.pdf', content: pdf },
      remittance_advice: [{ id: '1', date: '2026-03-01', amount: 10, description: 'Line' }],
    },
  },
  ...['/v3/check/multi', '/v3/approval/multi'].map((path) => ({
    route: `POST ${path}`,
    api: user,
    body: {
      amount: 10,
      recipients: [
        { name: 'One', recipient: 'one', pin: { description: 'Word', value: 'open sesame' }, endorse_only: true },
        { name: 'Two', recipient: 'two' },
      ],
      deposit_options: ['BANK'],
      account: bankId,
      description: 'Rent',
      comment: 'For March',
      number: 7,
      attachment: { filename: 'a.pdf', content: pdf },
      remittance_advice: [{ id: '1', date: '2026-03-01', amount: 10, description: 'Line' }],
    },
  })),
  {
    route: 'POST /v3/check/endorse/{id}',
    api: recipient,
    body: { name: 'Recipient', signature: 'iVBORw0KGgo=' },
  },
  ...['POST /v3/webhook/endpoint', 'PUT /v3/webhook/endpoint/{id}'].map((route) => ({
    route,
    api: owner,
    body: { url: 'https://hooks.example.com/', name: 'Books', event_types: ['CHECK'] },
  })),
  { route: 'POST /v3/webhook/replay', api: owner, body: { since: '2026-03-01', endpoint: bankId } },
  { route: 'POST /v3/webhook/listener', api: owner, body: { event_types: ['CHECK'] } },
  {
    route: 'POST /v3/webhook/listener/{id}',
    api: owner,
    body: {
      results: [
        {
          event: '0'.repeat(32),
          attempt: 1,
          outcome: 'acknowledged',
          status: 200,
          duration_ms: 1,
          error: 'none',
          headers: { 'webhook-id': '0' },
          response_body: 'b2s=',
        },
      ],
      wait_seconds: 0,
      holding: ['0'.repeat(32)],
    },
  },
  { route: 'PUT /v3/request/settings', api: owner, body: { keeps_bodies: true } },
  { route: 'PUT /v3/sandbox/clock', api: owner, body: { advance: 'P1D' } },
  { route: 'POST /v3/check/deposit/{id}', api: recipient, body: { account: recipientBankId } },
  ...(
    [
      [
        'card',
        { card_number: '4242424242424242', expiration_date: '2099-12', cvv: '123', address, name: 'Mine' },
        { default: true, name: 'Mine' },
      ],
      ['paypal', { username: 'payee@example.com' }, { name: 'Mine' }],
      ['venmo', { username: '+14155552671' }, { name: 'Mine' }],
      ['interac', { username: 'payee@example.ca' }, { name: 'Mine' }],
      [
        'wire',
        { name: 'Payee', routing: '021000021', account: '99887766', type: 'CHECKING', country: 'US' },
        { name: 'Payee' },
      ],
      ['wallet', { name: 'Cash', type: 'INTERNAL' }, { name: 'Cash' }],
    ] as const
  ).flatMap(([kind, body, changes]) => [
    { route: `POST /v3/account/${kind}`, api: user, body },
    { route: `PUT /v3/account/${kind}/{id}`, api: user, body: changes },
  ]),
  {
    route: 'POST /v3/checkbook',
    api: user,
    body: { account: '0'.repeat(32), number: 5001, mail_type: 'OVERNIGHT', recipient: { name: 'Ann', ...address } },
  },
  ...['POST /v3/directory', 'PUT /v3/directory/{id}'].map((route) => ({
    route,
    api: user,
    body: { name: 'Payee', email: 'payee@example.com', address },
  })),
  {
    route: 'POST /v3/directory/{id}/account/bank',
    api: user,
    body: { routing: '021000021', account: '99887766', type: 'CHECKING', name: 'Payroll' },
  },
  {
    route: 'POST /v3/directory/{id}/account/card',
    api: user,
    body: { card_number: '4242424242424242', expiration_date: '2099-12', name: 'Travel' },
  },
  {
    route: 'POST /v3/sandbox/mailbox/{id}/mail',
    api: user,
    body: {
      sender: 'Ann',
      recipient: 'Bob',
      tags: ['bill'],
      checks: [{ routing: '021000021', account: '640193827490', number: '1', amount: 1, name: 'Ann' }],
    },
  },
  { route: 'POST /v3/account/vcc', api: user, body: { address, email: 'ann@example.com', phone: '+14155552671' } },
  { route: 'PUT /v3/account/vcc/{id}', api: user, body: { default: true, name: 'Travel' } },
  { route: 'POST /v3/sandbox/vcc/{id}/spend', api: user, body: { amount: 1, description: 'Coffee' } },
  { route: 'POST /v3/sandbox/wallet/{id}/fund', api: user, body: { amount: 1 } },
  { route: 'PUT /v3/check/webhook/{id}', api: user, body: { status: 'PAID', options: { return_code: 'R01' } } },
].map(({ route, api, body }) => {
  const [method, path] = route.split(' ') as [string, string]
  if (path.startsWith('/v3/directory/')) return { route, method, path: path.replace('{id}', entryId), api, body }
  if (path.startsWith('/v3/sandbox/mailbox/'))
    return { route, method, path: path.replace('{id}', mailboxId), api, body }
  const id = path.includes('bank') ? bankId : path.startsWith('/v3/user/') ? user.id : paymentId
  return { route, method, path: path.replace('{id}', id), api, body }
})

const WITHOUT_FIELDS = [
  'POST /v3/check/notify/{id}',
  'POST /v3/check/{id}/verification',
  'POST /v3/invoice/notify/{id}',
]

/**
 * Tested in test/batch.test.ts, test/bulk.test.ts, test/iav.test.ts, test/mailbox.test.ts, test/paper.test.ts and
 * test/webhook-endpoint.test.ts, because these routes take one of two bodies, or an empty one.
 */
const TRIED_ELSEWHERE = [
  'POST /v3/mailbox',
  'POST /v3/bank/iav',
  'POST /v3/account/bank/iav',
  'POST /v3/check/csv',
  'POST /v3/batch/preview',
  'POST /v3/batch',
  'PUT /v3/batch/{id}',
  'POST /v3/check/preview',
  'POST /v3/check/print/{id}',
  'POST /v3/webhook/endpoint/{id}/test',
  'POST /v3/webhook/delivery/{event}/{endpoint}/replay',
  'POST /v3/webhook/key',
  ...WITHOUT_FIELDS,
]

const BODY_OPTIONAL = [
  'POST /v3/approval/{id}/approve',
  'POST /v3/batch/{id}/release',
  'POST /v3/batch/{id}/approve',
  'POST /v3/account/vcc',
  'POST /v3/user/api_key',
  'POST /v3/account/wallet',
  'POST /v3/user/{id}/api_key',
  'POST /v3/sandbox/receivable/settle',
  'POST /v3/webhook/listener',
]

test('every route with a body is tested here', () => {
  const documented = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => requestBody)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual([...targets.map(({ route }) => route), ...TRIED_ELSEWHERE].sort(), documented.sort())
  const posts = Object.keys(paths).filter((path) => paths[path]?.post)
  assert.deepEqual(
    posts.filter((path) => !documented.includes(`POST ${path}`)),
    [],
    'without a schema, any body would be accepted',
  )
})

for (const { route, method, path, api, body } of targets) {
  test(`${route}: a field with a wrong type or value causes a 400 that names it, and changes nothing`, async () => {
    const before = await rowCounts(deps.sql)
    let count = 0
    for (const [field, schema] of fieldsOf(bodySchema(route), body)) {
      for (const value of badValues(schema)) {
        const answer = await api.raw(method, path, bodyWith(body, field, value))
        assertNames(answer, field, `${field} = ${JSON.stringify(value)?.slice(0, 60) ?? String(value)}`)
        count++
      }
    }
    assert.ok(count > 5, `only ${count} were tried`)
    assert.deepEqual(await rowCounts(deps.sql), before)
  })

  test(`${route}: an unknown field with any name causes a 400 that names it`, async () => {
    const before = await rowCounts(deps.sql)
    const places = [
      '',
      ...fieldsOf(bodySchema(route), body).flatMap(([name, { properties }]) => (properties ? [name] : [])),
    ]
    const names = [
      'extra',
      '__proto__',
      'constructor',
      'toString',
      'hasOwnProperty',
      '',
      '💸',
      'a.b',
      'a/b',
      '~',
      '0',
      'length',
    ]
    for (const place of places) {
      for (const name of names) {
        const field = place ? `${place}.${name}` : name
        const answer = await api.raw(method, path, bodyWith(body, [...(place ? place.split('.') : []), name], 1))
        assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], `${field}: ${answer.text}`)
        assert.deepEqual(Object.entries(answer.body.errors), [[field, ['is not a field of this request']]])
      }
    }
    assert.deepEqual(await rowCounts(deps.sql), before)
  })

  test(`${route}: a body that is not a JSON object causes a 400 and changes nothing`, async () => {
    const before = await rowCounts(deps.sql)
    // All routes share a parser, so all texts are tested with one route. A missing body counts as an empty one for a
    // POST without required fields.
    const raws = route === targets[0]?.route ? notObjects : notObjects.filter((raw) => raw.length < 10)
    for (const raw of BODY_OPTIONAL.includes(route) ? raws.slice(1) : raws) {
      const answer = await api.raw(method, path, raw)
      assert.equal(answer.status, 400, `${raw.toString().slice(0, 40)} ${answer.text}`)
      assert.match(answer.body.code, /^(malformed_json|invalid_request|invalid_text)$/)
    }
    assert.deepEqual(await rowCounts(deps.sql), before)
  })
}

for (const route of WITHOUT_FIELDS) {
  test(`${route}: only an empty object or no body is accepted`, async () => {
    const path = route.replace('POST ', '').replace('{id}', paymentId)
    for (const raw of ['', '{}'])
      assert.notEqual((await user.raw('POST', path, raw)).body?.code, 'invalid_request', raw)
    assertNames(await user.raw('POST', path, '{"extra":1}'), 'extra', 'an unknown field')
    for (const raw of ['[]', 'null', '"text"']) {
      const { status, body } = await user.raw('POST', path, raw)
      assert.deepEqual([status, body.code], [400, 'invalid_request'], raw)
    }
  })
}

test('every optional field of a POST accepts null, which means that it is omitted', () => {
  for (const [path, { post }] of Object.entries(paths)) {
    const schema = post?.requestBody?.content['application/json'].schema
    if (schema) assert.deepEqual(withoutNull(schema), [], `POST ${path}`)
  }
})

/** The optional fields of a schema that do not take null. */
function withoutNull(schema: Schema, name = 'body'): string[] {
  const { properties = {}, required = [], items, anyOf = [] } = schema
  const members = Object.entries(properties).flatMap(([member, value]) => {
    const isRefused = !required.includes(member) && !takesNull(value)
    return [...(isRefused ? [`${name}.${member}`] : []), ...withoutNull(value, `${name}.${member}`)]
  })
  return [...members, ...[...anyOf, ...(items ? [items] : [])].flatMap((one) => withoutNull(one, name))]
}

const takesNull = ({ type, anyOf }: Schema): boolean => [type].flat().includes('null') || (anyOf ?? []).some(takesNull)

test('a missing required field causes a 400 that names it', async () => {
  const required: Record<string, string[]> = {
    'POST /v3/user': ['user_id', 'name'],
    'POST /v3/user/signature': ['signature'],
    'PUT /v3/user/webhook': ['status'],
    'POST /v3/bank': ['routing', 'account', 'type'],
    'POST /v3/bank/release': ['account'],
    'POST /v3/bank/verify': ['amount_1', 'amount_2'],
    'POST /v3/check/digital': ['amount', 'name', 'recipient'],
    'POST /v3/check/direct': ['amount', 'name', 'recipient', 'account_number', 'routing_number', 'account_type'],
    'POST /v3/check/multi': ['amount', 'recipients'],
    'POST /v3/check/endorse/{id}': ['name'],
    'POST /v3/check/deposit/{id}': ['account'],
    'POST /v3/approval/digital': ['amount', 'name', 'recipient'],
    'POST /v3/approval/physical': ['amount', 'name', 'recipient'],
    'POST /v3/approval/multi': ['amount', 'recipients'],
    'POST /v3/approval/invoice': ['id', 'amount'],
    'POST /v3/approval/release': ['id'],
    'PUT /v3/approval/policy': ['dual_control', 'rules'],
    'POST /v3/approval/policy/confirm': ['id'],
    'POST /v3/approval/{id}/reject': ['reason'],
    'POST /v3/batch/{id}/reject': ['reason'],
    'POST /v3/invoice': ['amount', 'name', 'recipient', 'description'],
    'POST /v3/invoice/payment': ['id', 'amount'],
    'POST /v3/subscription/invoice': ['amount', 'name', 'recipient', 'description', 'interval'],
    'POST /v3/subscription/check': ['amount', 'name', 'recipient', 'interval'],
    'POST /v3/account/card': ['card_number', 'expiration_date'],
    'POST /v3/account/paypal': ['username'],
    'POST /v3/account/wire': ['account', 'routing', 'type'],
    'POST /v3/checkbook': ['account', 'number', 'mail_type', 'recipient'],
    'POST /v3/directory': ['name'],
    'POST /v3/directory/{id}/account/bank': ['routing', 'account', 'type'],
    'POST /v3/directory/{id}/account/card': ['card_number', 'expiration_date'],
    'POST /v3/sandbox/vcc/{id}/spend': ['amount'],
    'POST /v3/sandbox/mailbox/{id}/mail': ['sender'],
    'POST /v3/sandbox/wallet/{id}/fund': ['amount'],
    'PUT /v3/check/webhook/{id}': ['status'],
    'POST /v3/webhook/endpoint': ['url'],
    'POST /v3/webhook/replay': ['since'],
    'POST /v3/webhook/listener/{id}': ['results'],
  }
  for (const [route, fields] of Object.entries(required)) {
    const { method, path, api } = targets.find((target) => target.route === route) as Target
    const { body, status } = await api.raw(method, path, '{}')
    assert.equal(status, 400)
    assert.deepEqual(body.errors, Object.fromEntries(fields.map((field) => [field, ['is required']])), route)
  }
})

test('texts that are not JSON, and texts that databases cannot store, have their own error codes', async () => {
  for (const [raw, code, fields] of [
    ['{', 'malformed_json', []],
    [Buffer.from([0x22, 0xff, 0x22]), 'malformed_json', []],
    ['{"name":"\\u0000"}', 'invalid_text', ['name']],
    ['{"recipient":{"id":"\\ud83d"}}', 'invalid_text', ['recipient.id']],
    ['{"remittance_advice":[{},{"id":"\\udca9x"}]}', 'invalid_text', ['remittance_advice.1.id']],
    ['{"pin":{"\\u0000":1}}', 'invalid_text', ['pin']],
  ] as const) {
    const { status, body } = await user.raw('POST', '/v3/check/digital', raw)
    assert.deepEqual([status, body.code, Object.keys(body.errors ?? {})], [400, code, fields], raw.toString())
  }
})

test('if a key is given twice, the last value counts, as in every JSON parser', async () => {
  const { status, body } = await owner.raw('POST', '/v3/user', '{"user_id":1,"user_id":"twice-given","name":"Twice"}')
  assert.deepEqual([status, body.user_id], [201, 'twice-given'])
})

test('names and texts in any script and with emoji are returned unchanged', async () => {
  const texts = [
    '💸💸',
    'Ζωή',
    '李小龍',
    'عمر',
    '👩‍👩‍👧‍👦',
    "O'Brien; drop table users --",
    '<b>&amp;</b>',
    '\u2028\ufeff x',
    '\\u0000 %s $1',
  ]
  for (const name of texts) {
    const sent = await sendPayment(user, { name, description: name, number: name, comment: name })
    const read = (await user.get(`/v3/check/${sent.id}`)).body
    for (const answer of [sent, read]) {
      assert.deepEqual([answer.name, answer.description, answer.number, answer.comment], [name, name, name, name])
    }
  }
})

test('a body of the maximum size with many problems gets a short answer', async () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field${index}`, 1]))
  const lines = Array.from({ length: 200_000 }, () => ({}))
  const options = Array.from({ length: 100_000 }, () => 'BANK')
  for (const body of [many, { remittance_advice: lines }, { deposit_options: options }]) {
    const answer = await user.post('/v3/check/digital', body)
    assert.equal(answer.status, 400)
    assert.ok(answer.text.length < 5_000)
  }
  const few = await user.post('/v3/check/digital', Object.fromEntries(Object.entries(many).slice(0, 2_000)))
  assert.ok(Object.keys(few.body.errors).length <= 20)
})

for (const [path, filters] of Object.entries({
  '/v3/check': ['direction', 'status', 'start_date', 'end_date'],
  '/v3/user/list': [],
})) {
  const common = ['page', 'per_page', 'q', 'sort', 'cursor']
  const names = [...common, ...filters]

  test(`GET ${path}: an invalid, unknown or repeated parameter causes a 400 that names it`, async () => {
    const badParameters = [
      ...['0', '-1', '1.5', 'x', '', '1e309', '1000001', 'null', '[]'].map((value) => ['page', value]),
      ...['0x1', '0b1', '1e0', '%201', '%2B1', '1%0a', '1.0'].map((value) => ['page', value]),
      ...['5e1', '0x32', '%2050'].map((value) => ['per_page', value]),
      ...['0', '1', '11', '500', '-10', '10.5', ''].map((value) => ['per_page', value]),
      ...['a'.repeat(181), '%00', 'a%00b'].map((value) => ['q', value]),
      ...['DATE', '*DATE', '%2Bdate', '%2BPASSWORD', '%2BDATE;drop table users', '-', ''].map((value) => [
        'sort',
        value,
      ]),
      ...['', 'x', '%00', 'a'.repeat(12_000)].map((value) => ['cursor', value]),
      ...['2026-02-30', '0000-01-01', '2026-1-1', '20260101', '2026-01-01T00:00:00Z', 'today', '', '%00'].flatMap(
        (value) => ['start_date', 'end_date'].filter((name) => names.includes(name)).map((name) => [name, value]),
      ),
      ...['paid', 'constructor', '', 'PAID,VOID'].flatMap((value) =>
        ['direction', 'status'].filter((name) => names.includes(name)).map((name) => [name, value]),
      ),
      ...['extra', '__proto__', 'constructor', 'Page', 'page[]', 'page.x'].map((name) => [name, '1']),
    ] as [string, string][]
    for (const [name, value] of badParameters) {
      assertNames(await owner.get(`${path}?${name}=${value}`), name, `${name}=${value.slice(0, 50)}`)
    }
    for (const name of names) assertNames(await owner.get(`${path}?${name}=10&${name}=10`), name, `${name} twice`)
  })

  test(`GET ${path}: a parameter that is not valid UTF-8 causes no error`, async () => {
    for (const value of ['%ff', '%ed%a0%80', '%c0%80', '%', '%f', '%zz', '%25%30%30']) {
      for (const name of names) {
        const { status } = await owner.get(`${path}?${name}=${value}`)
        assert.ok(status === 200 || status === 400, `${name}=${value}: ${status}`)
      }
    }
  })
}

test('no random body causes a 5xx', async () => {
  const anything = fc.jsonValue({ maxDepth: 4 })
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom(bankId, paymentId, user.userId, '1'),
  )
  const anyValue = fc.oneof(anything, anyText, fc.double(), fc.integer(), fc.constantFrom(null, true, [], {}))
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...targets),
      fc.array(fc.tuple(fc.nat(), anyValue), { minLength: 1, maxLength: 3 }),
      fc.option(anything, { freq: 3 }),
      async ({ route, method, path, api, body }, changes, instead) => {
        const fields = fieldsOf(bodySchema(route), body)
        let changed = body
        for (const [index, value] of changes) {
          const [field] = fields[index % fields.length] as [string, Schema]
          changed = JSON.parse(bodyWith(changed, field, value))
        }
        const { status, text } = await api.raw(method, path, JSON.stringify(instead ?? changed) ?? '')
        assert.ok(status < 500, `${route} ${status} ${text}`)
      },
    ),
    { numRuns: 400 },
  )
})

test('no random query causes a 5xx, including forged cursors', async () => {
  const forged = fc
    .tuple(
      fc.constantFrom('-DATE', '+DATE', '+NUMBER', '-AMOUNT', '+USER_ID', '-UPDATE'),
      fc.oneof(
        fc.constantFrom('2026-02-30T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '1', '99999999999999999'),
        fc.jsonValue(),
      ),
      fc.oneof(fc.constantFrom(bankId, [bankId]), fc.jsonValue()),
    )
    .map(([sort, value, id]) => ({
      sort,
      cursor: Buffer.from(JSON.stringify([sort, value, id])).toString('base64url'),
    }))
  const query = fc.oneof(
    forged,
    fc.dictionary(
      fc.constantFrom('page', 'per_page', 'q', 'sort', 'cursor', 'status', 'start_date'),
      fc.string({ unit: 'binary' }),
    ),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('/v3/check', '/v3/user/list'), query, async (path, parameters) => {
      const search = new URLSearchParams(parameters as Record<string, string>)
      const { status, text } = await owner.get(`${path}?${search}`)
      assert.ok(status < 500, `${status} ${text}`)
    }),
    { numRuns: 300 },
  )
})

const notObjects: (string | Buffer)[] = [
  '',
  ' ',
  'null',
  '[]',
  '[{}]',
  '"text"',
  '7',
  'true',
  'NaN',
  'undefined',
  '{',
  '{"name":}',
  '{"name":1,}',
  "{'name':1}",
  '{name:1}',
  '{"name":NaN}',
  '{"name":0x10}',
  '{"name":01}',
  '{"name":"a\nb"}',
  '{"name":"\0"}',
  '{"name":"\\x"}',
  '{} {}',
  '// comment\n{}',
  '['.repeat(100_000),
  '['.repeat(100_000) + ']'.repeat(100_000),
  '{"name":'.repeat(100_000),
  `${'{"name":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  `{"status":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  `{"type":${'['.repeat(10_000)}"\\u0000"${']'.repeat(10_000)}}`,
  `{"\\u0000":1}`,
  `{"\\ud800":1}`,
  Buffer.from([0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]),
  Buffer.from([0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]),
  Buffer.from('{}', 'utf16le'),
]

const bodySchema = (route: string): Schema => {
  const [method, path] = route.split(' ') as [string, string]
  return paths[path]?.[method.toLowerCase()]?.requestBody?.content['application/json'].schema as Schema
}

/** Lists every field of a body with its schema, including nested fields and those of the first array item. */
function fieldsOf(schema: Schema, value: unknown, path = ''): [field: string, schema: Schema][] {
  const shape = schema.anyOf?.find(({ type }) => (type === 'object') === (typeof value === 'object')) ?? schema
  const below = (name: string, member: Schema) => {
    const field = path ? `${path}.${name}` : name
    const whole = { ...member, ...(member.anyOf && { type: member.anyOf.map(({ type }) => type as string) }) }
    return [[field, whole], ...fieldsOf(member, (value as Record<string, unknown>)[name], field)] as [string, Schema][]
  }
  if (shape.items) return below('0', shape.items)
  return Object.entries(shape.properties ?? {}).flatMap(([name, member]) => below(name, member))
}

/** Infinity stands for 1e309, which JSON.parse reads as Infinity. */
function badValues({ type, enum: values, maxLength = 599_999 }: Schema): unknown[] {
  const types = [type].flat()
  const isNumber = types.includes('number') || types.includes('integer')
  return [
    ...(types.includes('null') ? [] : [null]),
    ...(types.includes('boolean') ? [] : [true, false]),
    ...(types.includes('object') ? [{ extra: 1 }] : [{}, { id: 1 }]),
    ...(types.includes('array') ? [[[[]]]] : [[], ['text']]),
    ...(isNumber ? [Number.POSITIVE_INFINITY, -1, -0.01, 1e300] : [7, 0, -1, 0.5, Number.POSITIVE_INFINITY]),
    ...(types.includes('integer') ? [1.5] : []),
    ...(types.includes('string') ? ['a\0b', '\ud800', 'x\udc00y', 'a'.repeat(maxLength + 1)] : ['text', '1', '']),
    ...(values ? ['constructor', '__proto__', `${values[0]} `, ''] : []),
  ]
}

/** Returns the body with the field at a path set to a value. */
function bodyWith(body: object, field: string | string[], value: unknown): string {
  const copy = JSON.parse(JSON.stringify(body))
  const names = typeof field === 'string' ? field.split('.') : field
  const last = names.at(-1) as string
  const place = names.slice(0, -1).reduce((parent, name) => parent?.[name] ?? {}, copy as Record<string, never>)
  if (typeof place !== 'object') return JSON.stringify(copy)
  // An assignment to __proto__ would not create a field with that name.
  Object.defineProperty(place, last, {
    value: value === Number.POSITIVE_INFINITY ? 'INFINITY' : value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return JSON.stringify(copy).replace('"INFINITY"', '1e309')
}

/** Requires a 400 whose `errors` name the field, its parent, or a part of it. */
function assertNames({ status, body, text }: Answer, field: string, what: string): void {
  assert.equal(status, 400, `${what}: ${status} ${text.slice(0, 200)}`)
  const named = Object.keys(body.errors ?? {})
  const isNamed = named.some((name) => `${field}.`.startsWith(`${name}.`) || name.startsWith(`${field}.`))
  assert.ok(isNamed, `${what}: ${text.slice(0, 200)}`)
}
