import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { RETURN_CODES, returnCodes, SANDBOX_RETURN_CODES } from '../src/money/rail/return-code-rules.ts'
import { applyPaymentEvent } from '../src/payments/payment/payment-change-actions.ts'
import { PAYMENT_STATUSES, type PaymentEvent, paymentTransitions } from '../src/payments/payment/payment-status.ts'
import { findPayment } from '../src/payments/payment/payment-store.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { rowCounts, webhookBodies } from './support/rows.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

const service = await startTestService({ after })
const { deps, newOwner, newUser } = service
const [sender, recipient] = [await newUser(), await newUser()]
const [senderBank, recipientBank] = [await addVerifiedBank(sender), await addBank(recipient)]
const order = { amount: 10, name: 'Recipient', recipient: 'recipient@example.com' }
const UNKNOWN_ID = '0'.repeat(32)

/** 1 × 1 pixels. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const JPEG = Buffer.from('ffd8ffc0001108000200020301110002110003110affd9', 'hex').toString('base64')
const PDF = Buffer.from('%PDF-1.4\n%%EOF').toString('base64')

test('a check is created UNPAID with the fields of the contract, and a read returns the same', async () => {
  const { status, body } = await sender.post('/v3/check/digital', {
    ...order,
    description: 'Rent',
    comment: 'For March',
  })
  assert.equal(status, 201)
  assert.match(body.id, /^[0-9a-f]{32}$/)
  assert.deepEqual(body, {
    id: body.id,
    number: 1,
    amount: 10,
    date: '2026-03-02 15:00:00',
    status: 'UNPAID',
    name: 'Recipient',
    recipient: 'recipient@example.com',
    description: 'Rent',
    comment: 'For March',
    image_uri: null,
    remittance_advice: [],
  })
  assert.deepEqual((await sender.get(`/v3/check/${body.id}`)).body, body)
  assert.deepEqual(await webhookBodies(deps.sql, body.id), [], 'a creation is not a status change')
})

test('amounts are dollars with at most two decimals, from 0.01 to 99,999,999.99', async () => {
  for (const [amount, stored] of [
    [0.01, 1],
    [0.06 - 0.05, 1], // 0.009999999999999995
    [0.1 + 0.2, 30],
    [1.1 * 3, 330],
    [1.0000009, 100],
    [99_999_999.99, 9_999_999_999],
    [1e3, 100_000],
  ] as const) {
    const sent = await sendPayment(sender, { amount })
    assert.equal(sent.amount, stored / 100)
    const [row] = await deps.sql`select amount_cents from payments where id = ${sent.id}`
    assert.equal(row?.amountCents, stored)
  }
  const before = await rowCounts(deps.sql)
  for (const amount of [0, 5e-7, -1, 0.009, 1.0009, 0.015, 1.005, 10.001, 100_000_000, 99_999_999.999, 1e300, -0.01]) {
    const { status, body } = await sender.post('/v3/check/digital', { ...order, amount })
    assert.deepEqual(
      [status, body.code, Object.keys(body.errors)],
      [400, 'invalid_request', ['amount']],
      String(amount),
    )
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('each user’s checks are numbered; a number set by the caller is kept and does not advance the count', async () => {
  const user = await newUser()
  await addVerifiedBank(user)
  assert.equal((await sendPayment(user)).number, 1)
  for (const number of [7, 100_000_000, '7', '007', 'INV-1', 'a'.repeat(32)]) {
    const sent = await sendPayment(user, { number })
    assert.strictEqual(sent.number, number)
    assert.strictEqual((await user.get(`/v3/check/${sent.id}`)).body.number, number)
  }
  assert.equal((await sendPayment(user)).number, 2)
  await user.put('/v3/user', { user: { check_number: 500 } })
  assert.equal((await sendPayment(user)).number, 500)
  assert.equal((await user.get('/v3/user')).body.user.check_number, 501)
  for (const number of [0, -1, 1.5, 100_000_001, '', 'a'.repeat(33)]) {
    const { status, body } = await user.post('/v3/check/digital', { ...order, number })
    assert.deepEqual([status, Object.keys(body.errors)], [400, ['number']])
  }
  assert.equal((await user.get('/v3/user')).body.user.check_number, 501)
})

test('the recipient is a user_id of the platform, else an owner’s email on any platform, else a payee without an account', async () => {
  const other = await newOwner('Other Company')
  const stranger = await newUser(undefined, other.api)
  const named = await newUser('named@example.com')
  for (const [text, reader] of [
    [recipient.userId, recipient],
    ['named@example.com', named],
    [other.email, other.api],
    [other.email.toUpperCase(), other.api],
    ['somebody@example.com', null],
    ['+14155552671', null],
    ['(415) 555-2671', null],
  ] as const) {
    const sent = await sendPayment(sender, { recipient: text })
    assert.equal(sent.recipient, text)
    await service.applyOutbox()
    for (const api of [recipient, named, other.api]) {
      const { status, body } = await api.get(`/v3/check/${sent.id}`)
      if (api === reader) assert.deepEqual([status, body.amount, body.recipient], [200, 10, text])
      else assert.deepEqual([status, body.code], [404, 'payment_not_found'])
    }
  }
  const before = await rowCounts(deps.sql)
  for (const text of [stranger.userId, 'nobody', 'a@b', 'a@b.c d', '12', '+1415', '💸', recipient.id]) {
    const { status, body } = await sender.post('/v3/check/digital', { ...order, recipient: text })
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'invalid_recipient', ['recipient']], text)
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('a payment to oneself is refused in every form', async () => {
  const owner = await newOwner()
  await addVerifiedBank(owner.api)
  const before = await rowCounts(deps.sql)
  for (const [api, to] of [
    [sender, sender.userId],
    [sender, { id: sender.userId, account: senderBank }],
    [sender, { id: sender.id, account: senderBank }],
    [owner.api, owner.email],
  ] as const) {
    const { status, body } = await api.post('/v3/check/digital', { ...order, recipient: to })
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'own_recipient', ['recipient']])
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('a payment to oneself by phone or email is refused in any notation, by every call that names a recipient', async () => {
  const [user, mail, dialed] = [await newUser(), await newUser('Me@Example.com'), await newUser('+14155552672')]
  const owner = await newOwner()
  for (const api of [user, mail, dialed, owner.api]) await addVerifiedBank(api)
  await user.put('/v3/user', { user: { phone: '(415) 555-2671' } })
  await owner.api.put('/v3/user', { user: { phone: '+442079460958' } })
  await deps.sql`update receiving_addresses set verified_at = null where platform_id = ${owner.id}`
  const before = await rowCounts(deps.sql)
  for (const [api, recipients] of [
    [user, ['+14155552671', '4155552671', '415-555-2671', ' (415) 555 2671', '+1 415.555.2671', '1-415-555-2671']],
    [mail, ['Me@Example.com', 'me@example.com', 'ME@EXAMPLE.COM']],
    [dialed, ['+14155552672', '(415) 555-2672']],
    [owner.api, [owner.email, owner.email.toUpperCase(), '+44 20 7946 0958']],
  ] as const) {
    for (const to of recipients) {
      for (const path of ['/v3/check/digital', '/v3/check/preview']) {
        const { status, body } = await api.post(path, { ...order, recipient: to })
        assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'own_recipient', ['recipient']], to)
      }
    }
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('a phone number or email that is another user’s user_id means that user, not the sender', async () => {
  const [user, other] = [await newUser(), await newUser('+14155552673')]
  await addVerifiedBank(user)
  await user.put('/v3/user', { user: { phone: '+14155552673' } })
  const { id } = await sendPayment(user, { recipient: '+14155552673' })
  assert.equal((await other.get(`/v3/check/${id}`)).status, 200)
  for (const to of ['+14155552674', 'somebody@example.com']) {
    assert.equal((await user.post('/v3/check/digital', { ...order, recipient: to })).status, 201)
  }
})

test('with an account of a user the check is deposited in the same transaction, webhook included', async () => {
  for (const id of [recipient.userId, recipient.id]) {
    const sent = await sendPayment(sender, { recipient: { id, account: recipientBank } })
    assert.deepEqual([sent.status, sent.recipient], ['IN_PROCESS', id])
    assert.deepEqual(await webhookBodies(deps.sql, sent.id), [
      { id: sent.id, status: 'IN_PROCESS', type: 'CHECK', deposit_option: 'ACH' },
    ])
    assert.equal((await recipient.get(`/v3/check/${sent.id}`)).body.status, 'IN_PROCESS')
  }
  const foreign = await newOwner()
  const stranger = await newUser(undefined, foreign.api)
  const strangersBank = await addBank(stranger)
  const before = await rowCounts(deps.sql)
  for (const [to, status, code, field] of [
    [{ id: 'nobody', account: recipientBank }, 404, 'recipient_not_found', 'recipient.id'],
    [{ id: stranger.userId, account: strangersBank }, 404, 'recipient_not_found', 'recipient.id'],
    [{ id: recipient.userId, account: senderBank }, 404, 'bank_not_found', 'recipient.account'],
    [{ id: recipient.userId, account: UNKNOWN_ID }, 404, 'bank_not_found', 'recipient.account'],
    [{ id: recipient.userId, account: 'x' }, 400, 'invalid_request', 'recipient.account'],
    [{ id: recipient.userId }, 400, 'invalid_request', 'recipient.account'],
  ] as const) {
    const answer = await sender.post('/v3/check/digital', { ...order, recipient: to })
    assert.deepEqual([answer.status, answer.body.code, Object.keys(answer.body.errors)], [status, code, [field]])
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('a check is drawn on the named account or the default bank, and only if it is VERIFIED', async () => {
  const user = await newUser()
  const drawnOn = async (paymentId: string) =>
    (await deps.sql`select funding_id from payments where id = ${paymentId}`)[0]?.fundingId
  const send = (account?: string) => user.post('/v3/check/digital', { ...order, ...(account && { account }) })
  assert.equal((await send()).body.code, 'no_verified_bank')
  const first = await addBank(user)
  assert.equal((await send()).body.code, 'no_verified_bank')
  const second = await addVerifiedBank(user)
  assert.equal((await send()).body.code, 'no_verified_bank', 'the default bank is not the VERIFIED one')
  for (const [account, status, code] of [
    [first, 400, 'bank_not_verified'],
    [senderBank, 404, 'bank_not_found'],
    [UNKNOWN_ID, 404, 'bank_not_found'],
  ] as const) {
    const refused = await send(account)
    assert.deepEqual([refused.status, refused.body.code, Object.keys(refused.body.errors)], [status, code, ['account']])
  }
  assert.equal((await user.get('/v3/check')).body.total, 0)
  assert.equal(await drawnOn((await send(second)).body.id), second)
  await user.put(`/v3/bank/${second}`, { default: true })
  assert.equal(await drawnOn((await send()).body.id), second)
  await user.del(`/v3/bank/${second}`)
  assert.equal((await send(second)).body.code, 'bank_not_found')
})

test('the deposit options must be possible with a bank as funding account', async () => {
  for (const deposit_options of [['BANK'], ['PRINT', 'MAIL'], ['BANK', 'PRINT', 'MAIL']])
    await sendPayment(sender, { deposit_options })
  const before = await rowCounts(deps.sql)
  const refusals: [deposit_options: string[], code: string, field: string][] = [
    ...['CARD', 'RTP', 'PAYPAL', 'WALLET', 'VENMO', 'INTERAC', 'WIRE'].map((option): [string[], string, string] => [
      ['BANK', option],
      'invalid_deposit_option',
      'deposit_options',
    ]),
    [['ZELLE'], 'invalid_request', 'deposit_options.0'],
    [['BANK', 'CHEQUE'], 'invalid_request', 'deposit_options.1'],
    [['BANK', 'BANK'], 'invalid_request', 'deposit_options'],
    [[], 'invalid_request', 'deposit_options'],
  ]
  for (const [deposit_options, code, field] of refusals) {
    const { status, body } = await sender.post('/v3/check/digital', { ...order, deposit_options })
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, code, [field]], deposit_options.join())
    if (code === 'invalid_deposit_option') assert.match(body.message, /^Invalid deposit option/)
  }
  const to = { id: recipient.userId, account: recipientBank }
  const unoffered = await sender.post('/v3/check/digital', { ...order, recipient: to, deposit_options: ['MAIL'] })
  assert.equal(unoffered.body.code, 'invalid_deposit_option')
  assert.deepEqual(await rowCounts(deps.sql), before)
})

test('null counts as an omitted field, also in the parts of a payment', async () => {
  const line = { id: '1', date: '2026-02-28', amount: null, description: null }
  const nulls = {
    ...Object.fromEntries(['account', 'description', 'comment', 'number'].map((field) => [field, null])),
    attachment: { filename: null, content: PDF },
    remittance_advice: [line],
  }
  const pin = { description: null, value: '1234' }
  const address = { line_1: '1 Main St', line_2: null, city: 'Springfield', state: 'IL', zip: '62701', country: null }
  const table = [['1', '2026-02-28', '', '']]
  const approval = { ...order, ...nulls, pin }
  for (const [path, body] of [
    ['/v3/check/digital', { ...order, ...nulls, deposit_options: null, pin }],
    ['/v3/check/physical', { ...order, ...nulls, recipient: address, mail_type: null }],
    ['/v3/approval/digital', approval],
  ] as const) {
    const made = await sender.post(path, body)
    assert.deepEqual([made.status, made.body.remittance_advice], [201, table], made.text)
    const read = path.includes('approval') ? `/v3/approval/${made.body.id}` : `/v3/check/${made.body.id}`
    assert.deepEqual((await sender.get(read)).body.remittance_advice, table)
    if (body === approval) {
      assert.equal((await sender.post('/v3/approval/release', { id: made.body.id, version: null })).status, 200)
    }
  }
  for (const recipient of [null, address]) {
    const preview = await sender.post('/v3/check/preview', { ...order, recipient, remittance_advice: [line] })
    assert.equal(preview.status, 200, preview.text)
  }
  const rows = [{ name: 'Recipient', amount: 10, address: { type: 'physical', address } }]
  const file = await sender.post('/v3/check/csv', { file: rows })
  assert.equal(file.status, 201, file.text)
  assert.equal(file.body.checks[0].recipient, '1 Main St, Springfield, IL 62701')
})

test('remittance advice is returned as a table of strings: amounts with two decimals, unset cells empty', async () => {
  const line = { id: '1', date: '2026-02-28' }
  const lines = [
    { ...line, amount: 12.34, description: 'First' },
    { id: '2', date: '2026-03-01' },
  ]
  const sent = await sendPayment(sender, { remittance_advice: lines })
  const table = [
    ['1', '2026-02-28', '12.34', 'First'],
    ['2', '2026-03-01', '', ''],
  ]
  assert.deepEqual(sent.remittance_advice, table)
  assert.deepEqual((await sender.get(`/v3/check/${sent.id}`)).body.remittance_advice, table)
  const fifty = Array(50).fill({ id: '7', date: '2026-03-01' })
  assert.equal((await sendPayment(sender, { remittance_advice: fifty })).remittance_advice.length, 50)
  const noisy = await sendPayment(sender, { remittance_advice: [{ ...line, amount: 0.1 + 0.2 }] })
  assert.deepEqual(noisy.remittance_advice, [['1', '2026-02-28', '0.30', '']])
  const large = await sendPayment(sender, { remittance_advice: [{ ...line, amount: 1_234_567 }] })
  assert.deepEqual(large.remittance_advice, [['1', '2026-02-28', '1234567.00', '']])
  for (const [remittance_advice, field] of [
    [[], 'remittance_advice'],
    [[...fifty, ...fifty], 'remittance_advice'],
    [[{ ...line, id: undefined }], 'remittance_advice.0.id'],
    [[{ ...line, date: undefined }], 'remittance_advice.0.date'],
    [[line, { ...line, amount: 1.005 }], 'remittance_advice.1.amount'],
    [[{ ...line, amount: 0 }], 'remittance_advice.0.amount'],
    [[{ ...line, date: '2026-02-30' }], 'remittance_advice.0.date'],
    [[{ ...line, price: 1 }], 'remittance_advice.0.price'],
  ] as const) {
    const { status, body } = await sender.post('/v3/check/digital', { ...order, remittance_advice })
    assert.deepEqual([status, Object.keys(body.errors)], [400, [field]])
  }
})

test('texts have the maximum length of the contract', async () => {
  await sendPayment(sender, { name: 'ab', comment: '💸'.repeat(1_024), description: '' })
  await sendPayment(sender, { name: 'a'.repeat(180), comment: null, description: null })
  for (const [field, text] of [
    ['name', 'a'],
    ['name', 'a'.repeat(181)],
    ['comment', 'a'.repeat(1_025)],
    ['recipient', ''],
    ['recipient', `${'a'.repeat(300)}@example.com`],
  ] as const) {
    const { status, body } = await sender.post('/v3/check/digital', { ...order, [field]: text })
    assert.deepEqual([status, Object.keys(body.errors)], [400, [field]])
  }
})

test('the PIN is stored sealed and never shown', async () => {
  const pin = { description: 'The word that we agreed on', value: 'open sesame' }
  const { text, body } = await sender.post('/v3/check/digital', { ...order, recipient: recipient.userId, pin })
  const answers = [
    text,
    (await sender.get(`/v3/check/${body.id}`)).text,
    (await recipient.get(`/v3/check/${body.id}`)).text,
    (await sender.get('/v3/check')).text,
  ]
  for (const answer of answers) assert.ok(!/sesame|"pin"/.test(answer))
  const [row] = await deps.sql<{ pinSealed: Buffer }[]>`select pin_sealed from payments where id = ${body.id}`
  assert.equal(deps.keyRing.openText(row?.pinSealed as Buffer, 'payment pin'), pin.value)
})

test('an attachment is a PDF, PNG or JPEG in base64, and both sides get it as a PDF with its name', async () => {
  for (const [attachment, disposition] of [
    [PDF, `inline; filename="attachment.pdf"; filename*=UTF-8''attachment.pdf`],
    [{ content: PNG }, `inline; filename="attachment.pdf"; filename*=UTF-8''attachment.pdf`],
    [{ content: JPEG, filename: 'photo.JPEG' }, `inline; filename="photo.pdf"; filename*=UTF-8''photo.pdf`],
    [
      { content: PDF, filename: 'Rechnung "März".pdf' },
      `inline; filename="Rechnung _M_rz_.pdf"; filename*=UTF-8''Rechnung%20%22M%C3%A4rz%22.pdf`,
    ],
    [
      { content: PDF, filename: 'a\r\nset-cookie: x' },
      `inline; filename="a set-cookie_ x.pdf"; filename*=UTF-8''a%20set-cookie%3A%20x.pdf`,
    ],
    [
      { content: `data:application/pdf;base64,${PDF}` },
      `inline; filename="attachment.pdf"; filename*=UTF-8''attachment.pdf`,
    ],
  ] as const) {
    const { id } = await sendPayment(sender, { recipient: recipient.userId, attachment })
    for (const api of [sender, recipient]) {
      const { status, headers, text } = await api.get(`/v3/check/${id}/attachment`)
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/pdf'])
      assert.match(text, /^%PDF-1\.\d/)
      assert.equal(headers.get('content-disposition'), disposition)
    }
  }
  const before = await rowCounts(deps.sql)
  const damaged = Buffer.from(PNG, 'base64').fill(0, 41, 60).toString('base64')
  for (const attachment of [
    'text',
    btoa('GIF89a'),
    '====',
    PNG.slice(0, 44),
    damaged,
    `${PDF}*`,
    { content: 'text' },
  ]) {
    const { status, body } = await sender.post('/v3/check/digital', { ...order, attachment })
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'invalid_attachment', ['attachment']])
  }
  assert.deepEqual(await rowCounts(deps.sql), before)
  const { id } = await sendPayment(sender)
  const none = await sender.get(`/v3/check/${id}/attachment`)
  assert.deepEqual([none.status, none.body.code], [404, 'attachment_not_found'])
})

test('the recipient deposits into its own bank, and both sides and the webhook say IN_PROCESS', async () => {
  const sent = await sendPayment(sender, {
    recipient: recipient.userId,
    remittance_advice: [{ id: '1', date: '2026-03-01' }],
  })
  for (const [account, status, code] of [
    [senderBank, 404, 'bank_not_found'],
    [UNKNOWN_ID, 404, 'bank_not_found'],
  ] as const) {
    const refused = await recipient.post(`/v3/check/deposit/${sent.id}`, { account })
    assert.deepEqual([refused.status, refused.body.code, Object.keys(refused.body.errors)], [status, code, ['account']])
  }
  const { status, body } = await recipient.post(`/v3/check/deposit/${sent.id}`, { account: recipientBank })
  assert.equal(status, 201)
  assert.deepEqual(body, { ...sent, status: 'IN_PROCESS' })
  assert.deepEqual((await sender.get(`/v3/check/${sent.id}`)).body, body)
  assert.deepEqual(await webhookBodies(deps.sql, sent.id), [
    { id: sent.id, status: 'IN_PROCESS', type: 'CHECK', deposit_option: 'ACH' },
  ])
  const again = await recipient.post(`/v3/check/deposit/${sent.id}`, { account: recipientBank })
  assert.deepEqual([again.status, again.body.code], [400, 'not_depositable'])
})

test('an owner on another platform deposits a payment to its email', async () => {
  const other = await newOwner()
  const account = await addBank(other.api)
  const { id } = await sendPayment(sender, { recipient: other.email })
  await service.applyOutbox()
  assert.equal((await other.api.post(`/v3/check/deposit/${id}`, { account: senderBank })).body.code, 'bank_not_found')
  assert.equal((await other.api.post(`/v3/check/deposit/${id}`, { account })).body.status, 'IN_PROCESS')
  assert.equal((await sender.get(`/v3/check/${id}`)).body.status, 'IN_PROCESS')
  assert.equal((await other.api.del(`/v3/bank/${account}`)).body.code, 'bank_busy')
  await service.applyOutbox()
  assert.equal((await other.api.get('/v3/check')).body.checks[0].status, 'IN_PROCESS')
})

test('a check that does not offer BANK cannot be deposited into one', async () => {
  const { id } = await sendPayment(sender, { recipient: recipient.userId, deposit_options: ['MAIL'] })
  const { status, body } = await recipient.post(`/v3/check/deposit/${id}`, { account: recipientBank })
  assert.deepEqual([status, body.code], [400, 'invalid_deposit_option'])
  assert.equal((await sender.get(`/v3/check/${id}`)).body.status, 'UNPAID')
})

test('a recipient cannot void a payment, and neither its sender nor the owner can deposit it', async () => {
  const { id } = await sendPayment(sender, { recipient: recipient.userId })
  for (const [answer, code] of [
    [await recipient.del(`/v3/check/${id}`), 'not_the_sender'],
    [await sender.post(`/v3/check/deposit/${id}`, { account: senderBank }), 'not_the_recipient'],
    [await service.owner.post(`/v3/check/deposit/${id}`, { account: recipientBank }), 'not_the_recipient'],
  ] as const) {
    assert.deepEqual([answer.status, answer.body.code], [403, code])
  }
  assert.equal((await sender.get(`/v3/check/${id}`)).body.status, 'UNPAID')
})

test('an owner voids the payment of its user, and the audit trail records it', async () => {
  const { id } = await sendPayment(sender, { recipient: recipient.userId })
  assert.equal((await service.owner.del(`/v3/check/${id}`)).status, 200)
  assert.equal((await sender.get(`/v3/check/${id}`)).body.status, 'VOID')
  const { action, subject } = (await service.owner.get('/v3/audit')).body.audit[0]
  assert.deepEqual([action, subject], ['payment_voided', id])
})

for (const status of PAYMENT_STATUSES) {
  const isVoidable = ['UNPAID', 'IN_PROCESS', 'PRINTED', 'MAILED', 'FAILED'].includes(status)
  const isDepositable = ['UNPAID', 'FAILED'].includes(status)

  test(`a payment that is ${status} is ${isVoidable ? '' : 'not '}voidable and ${isDepositable ? '' : 'not '}depositable`, async () => {
    const ids = [await paymentIn(status), await paymentIn(status)] as const
    const voided = await sender.del(`/v3/check/${ids[0]}`)
    if (isVoidable) assert.deepEqual([voided.status, voided.text], [200, '{}'])
    else assert.deepEqual([voided.status, voided.body.code], [400, 'not_voidable'])
    assert.equal((await sender.get(`/v3/check/${ids[0]}`)).body.status, isVoidable ? 'VOID' : status)

    const deposited = await recipient.post(`/v3/check/deposit/${ids[1]}`, { account: recipientBank })
    if (isDepositable) assert.deepEqual([deposited.status, deposited.body.status], [201, 'IN_PROCESS'])
    else assert.deepEqual([deposited.status, deposited.body.code], [400, 'not_depositable'])
    assert.equal((await sender.get(`/v3/check/${ids[1]}`)).body.status, isDepositable ? 'IN_PROCESS' : status)
  })

  test(`SQL allows each event from ${status} only as in the state table, and a refused one writes nothing`, async () => {
    for (const event of Object.keys(paymentTransitions) as PaymentEvent[]) {
      const id = await paymentIn(status)
      const payment = await findPayment(deps.sql, { platformId: await platformOf(id), paymentId: id })
      assert.ok(payment)
      const before = await rowCounts(deps.sql)
      // The payment object is outdated on purpose: only the status of the row counts.
      const next = await inTransaction(deps, (tx) => applyPaymentEvent(tx, { ...payment, status: 'UNPAID' }, event))
      const { from, to } = paymentTransitions[event]
      const isAllowed = (from as readonly string[]).includes(status)
      assert.equal(next?.status ?? null, isAllowed ? to : null, event)
      assert.equal((await sender.get(`/v3/check/${id}`)).body.status, isAllowed ? to : status)
      assert.equal((await recipient.get(`/v3/check/${id}`)).body.status, isAllowed ? to : status)
      if (!isAllowed) assert.deepEqual(await rowCounts(deps.sql), before)
    }
  })
}

test('the sandbox moves a payment between statuses according to its table, with a webhook for each step', async () => {
  const ach = (...statuses: string[]) => statuses.map((status) => ({ status, deposit_option: 'ACH' }))
  const plain = (status: string) => [{ status }]
  const last = (rail: string, ...statuses: string[]) => statuses.map((status) => ({ status, deposit_option: rail }))
  const expected: Record<string, Record<string, { status: string; deposit_option?: string }[]>> = {
    UNPAID: {
      IN_PROCESS: ach('IN_PROCESS'),
      PAID: ach('IN_PROCESS', 'PAID'),
      FAILED: ach('IN_PROCESS', 'FAILED'),
      REFUNDED: ach('IN_PROCESS', 'FAILED', 'REFUNDED'),
      PRINTED: last('PRINT', 'PRINTED'),
      MAILED: last('MAIL', 'IN_PROCESS', 'MAILED'),
      VOID: plain('VOID'),
      EXPIRED: plain('EXPIRED'),
    },
    IN_PROCESS: {
      PAID: ach('PAID'),
      FAILED: ach('FAILED'),
      REFUNDED: ach('FAILED', 'REFUNDED'),
      MAILED: last('MAIL', 'MAILED'),
      VOID: ach('VOID'),
    },
    PRINTED: {
      PAID: last('PRINT', 'PAID'),
      FAILED: last('PRINT', 'FAILED'),
      REFUNDED: last('PRINT', 'FAILED', 'REFUNDED'),
      VOID: last('PRINT', 'VOID'),
      EXPIRED: last('PRINT', 'EXPIRED'),
    },
    MAILED: {
      PAID: last('MAIL', 'PAID'),
      FAILED: last('MAIL', 'FAILED'),
      REFUNDED: last('MAIL', 'FAILED', 'REFUNDED'),
      VOID: last('MAIL', 'VOID'),
      EXPIRED: last('MAIL', 'EXPIRED'),
    },
    PAID: { FAILED: ach('FAILED'), REFUNDED: ach('FAILED', 'REFUNDED') },
    FAILED: { IN_PROCESS: ach('IN_PROCESS'), PAID: ach('IN_PROCESS', 'PAID'), REFUNDED: ach('REFUNDED') },
    VOID: {},
    EXPIRED: {},
    REFUNDED: {},
  }
  for (const from of PAYMENT_STATUSES) {
    for (const to of PAYMENT_STATUSES) {
      const id = await paymentIn(from)
      const before = await webhookBodies(deps.sql, id)
      const { status, text, body } = await sender.put(`/v3/check/webhook/${id}`, { status: to })
      const webhooks = (await webhookBodies(deps.sql, id)).slice(before.length)
      const steps = expected[from]?.[to]
      assert.deepEqual(
        webhooks,
        (steps ?? []).map(({ status, ...rail }) => ({ id, status, type: 'CHECK', ...rail })),
        `${from} → ${to}`,
      )
      if (steps) assert.deepEqual([status, text], [204, ''])
      else assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'status_not_reachable', ['status']])
      assert.equal((await recipient.get(`/v3/check/${id}`)).body.status, steps ? to : from)
    }
  }
})

test('a failed payment has a return code, which GET /v3/return_code explains; R01 is the default', async () => {
  assert.deepEqual(SANDBOX_RETURN_CODES.join(' '), 'R01 R02 R03 A B C D 04 05 06 R901')
  for (const code of SANDBOX_RETURN_CODES) {
    const { reason, action } = returnCodes[code]
    const id = await paymentIn('UNPAID')
    await triggerStatus(sender, id, 'FAILED', { return_code: code })
    for (const api of [sender, recipient]) assert.deepEqual((await api.get(`/v3/check/${id}/fail`)).body, { code })
    assert.deepEqual((await recipient.get(`/v3/return_code/${code}`)).body, { code, reason, action })
  }
  const id = await paymentIn('UNPAID')
  await triggerStatus(sender, id, 'FAILED', {})
  assert.equal((await sender.get(`/v3/check/${id}/fail`)).body.code, 'R01')
})

test('a return code is accepted only with a status that involves a failure', async () => {
  const id = await paymentIn('UNPAID')
  for (const status of ['PAID', 'VOID', 'PRINTED']) {
    const { status: httpStatus, body } = await sender.put(`/v3/check/webhook/${id}`, {
      status,
      options: { return_code: 'R01' },
    })
    assert.deepEqual(
      [httpStatus, body.code, Object.keys(body.errors)],
      [400, 'status_not_reachable', ['options.return_code']],
    )
  }
  assert.equal((await sender.get(`/v3/check/${id}`)).body.status, 'UNPAID')
  const unknown = await sender.put(`/v3/check/webhook/${id}`, { status: 'FAILED', options: { return_code: 'R99' } })
  assert.deepEqual(Object.keys(unknown.body.errors), ['options.return_code'])
})

test('every return code is explained to every caller with a key, and an unknown code causes a 404', async () => {
  for (const code of RETURN_CODES) {
    const { status, body } = await sender.get(`/v3/return_code/${code}`)
    assert.deepEqual([status, body.code, typeof body.reason, typeof body.action], [200, code, 'string', 'string'])
  }
  for (const code of ['R99', 'r01', 'toString', 'C01']) {
    const { status, body } = await sender.get(`/v3/return_code/${code}`)
    assert.deepEqual([status, body.code], [404, 'return_code_not_found'], code)
  }
  assert.equal((await service.as('').get('/v3/return_code/R01')).status, 401)
})

test('a payment that has not failed has a null return code, and a retry clears the first one', async () => {
  for (const status of ['UNPAID', 'IN_PROCESS', 'PAID', 'REFUNDED', 'VOID']) {
    const { status: httpStatus, body } = await sender.get(`/v3/check/${await paymentIn(status)}/fail`)
    assert.deepEqual([httpStatus, body], [200, { code: null }], status)
  }
  const id = await paymentIn('FAILED')
  await triggerStatus(sender, id, 'PAID')
  assert.deepEqual((await sender.get(`/v3/check/${id}/fail`)).body, { code: null })
})

test('/deposit returns the rail and the expected banking day of a payment, and nulls before its deposit', async () => {
  for (const [status, answer] of [
    ['IN_PROCESS', { check_type: 'ACH', eta: '2026-03-06' }],
    ['PAID', { check_type: 'ACH', eta: '2026-03-06' }],
    ['PRINTED', { check_type: 'PRINT', eta: '2026-03-09' }],
    ['MAILED', { check_type: 'MAIL', eta: '2026-03-09' }],
  ] as const) {
    const id = await paymentIn(status)
    for (const api of [sender, recipient]) assert.deepEqual((await api.get(`/v3/check/${id}/deposit`)).body, answer)
  }
  const id = await paymentIn('IN_PROCESS')
  const { eta } = (await sender.get(`/v3/check/${id}/deposit`)).body
  service.clock.advance(3 * 24 * 60 * 60)
  await triggerStatus(sender, id, 'PAID')
  assert.equal((await sender.get(`/v3/check/${id}/deposit`)).body.eta, eta, 'a later status does not change it')
  for (const status of ['UNPAID', 'VOID', 'EXPIRED']) {
    const { status: httpStatus, body } = await sender.get(`/v3/check/${await paymentIn(status)}/deposit`)
    assert.deepEqual([httpStatus, body], [200, { check_type: null, eta: null }], status)
  }
})

test('an undeposited payment expires after the days set by its sender, with a webhook', async (t) => {
  const { newUser, clock, deps, doDueWork } = await startTestService(t)
  const [user, payee] = [await newUser(), await newUser()]
  await addVerifiedBank(user)
  const ninety = await sendPayment(user, { recipient: payee.userId })
  await user.put('/v3/user', { payment: { expiration: 10 } })
  const ten = await sendPayment(user)
  const printed = await sendPayment(user)
  const deposited = await sendPayment(user, { recipient: { id: payee.userId, account: await addBank(payee) } })
  await triggerStatus(user, printed.id, 'PRINTED')
  const statuses = async () => {
    const payments = [ninety, ten, printed, deposited]
    return Promise.all(payments.map(async ({ id }) => (await user.get(`/v3/check/${id}`)).body.status))
  }
  const days = async (count: number, seconds = 0) => {
    clock.advance(count * 86_400 + seconds)
    await doDueWork()
  }
  await days(10, -1)
  // The printed check was cashed in time, and the deposited one was paid.
  assert.deepEqual(await statuses(), ['UNPAID', 'UNPAID', 'PAID', 'PAID'])
  await days(0, 1)
  assert.deepEqual(await statuses(), ['UNPAID', 'EXPIRED', 'PAID', 'PAID'])
  assert.deepEqual(await webhookBodies(deps.sql, ten.id), [{ id: ten.id, status: 'EXPIRED', type: 'CHECK' }])
  await days(80, -1)
  assert.equal((await statuses())[0], 'UNPAID')
  await days(0, 1)
  assert.deepEqual(await statuses(), ['EXPIRED', 'EXPIRED', 'PAID', 'PAID'])
  assert.equal((await payee.get(`/v3/check/${ninety.id}`)).body.status, 'EXPIRED')
})

test('in the sandbox a check above $2,000 has no extra requirements', async () => {
  assert.equal((await sendPayment(sender, { amount: 2_000.01 })).status, 'UNPAID')
})

/** A payment from the sender to the recipient in a status. @returns its id */
async function paymentIn(status: string): Promise<string> {
  const { id } = await sendPayment(sender, { recipient: recipient.userId })
  if (status !== 'UNPAID') await triggerStatus(sender, id, status)
  return id
}

const platformOf = async (paymentId: string): Promise<string> =>
  (await deps.sql`select platform_id from payments where id = ${paymentId}`)[0]?.platformId
