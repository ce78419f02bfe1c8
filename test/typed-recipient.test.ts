import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import { sendPayment } from './support/payments.ts'
import { mailsTo } from './support/recipients.ts'
import { rowCounts } from './support/rows.ts'
import { addVerifiedBank, newAccountNumber, startTestService } from './support/service.ts'

// A typed recipient is a whole address or a mistake, and never a phone number inside another text.

const service = await startTestService({ after })
const { deps, newUser } = service
const sender = await newUser()
await addVerifiedBank(sender)

const mistakes: [text: string, problem: RegExp][] = [
  ['john4155552671@gmail', /must be an email address such as/],
  ['jane.4155552671@example,com', /must be an email address such as/],
  ['415-555-2671 ext 5', /a phone number and nothing else/],
  ['call 4155552671 now', /a phone number and nothing else/],
  ['4155552671@exam\u200bple.com', /has a zero width space \(U\+200B\) at position 16/],
  ['+1 415\u00a0555 2671', /has a no-break space \(U\+00A0\) at position 7/],
  ['４１５５５５２６７１', /has a full-width digit/],
  ['.x@example.com', /must not have a dot at the start/],
  ['x..y4155552671@example.com', /two in a row/],
  ['jürgen4155552671@example.com', /has “ü” before the @/],
]

const amount = 12
const requests: Record<string, (recipient: string) => [path: string, body: object]> = {
  'a check': (recipient) => ['/v3/check/digital', { amount, name: 'Payee', recipient }],
  'an invoice': (recipient) => ['/v3/invoice', { amount, name: 'Payer', recipient, description: 'x' }],
  'a subscription of checks': (recipient) => [
    '/v3/subscription/check',
    { amount, name: 'Payee', recipient, interval: 'MONTHLY' },
  ],
  'a subscription of invoices': (recipient) => [
    '/v3/subscription/invoice',
    { amount, name: 'Payer', recipient, description: 'x', interval: 'MONTHLY' },
  ],
}

suite('a mistyped recipient', () => {
  for (const [what, request] of Object.entries(requests)) {
    test(`is refused for ${what}, with the reason`, async () => {
      const before = await rowCounts(deps.sql)
      for (const [text, problem] of mistakes) {
        const [path, body] = request(text)
        const answer = await sender.post(path, body)
        const errors = JSON.stringify(answer.body?.errors ?? answer.text)
        assert.equal(answer.status, 400, `${what} ${text}: ${answer.text}`)
        assert.match(errors, problem, text)
        assert.ok(!answer.text.includes('+14155552671'), text)
      }
      assert.deepEqual(await rowCounts(deps.sql), before)
    })
  }

  test('is refused for a payment to several recipients, who need an email address or an account', async () => {
    for (const [text, problem] of mistakes.filter(([one]) => one.includes('@'))) {
      const recipients = [
        { name: 'Ada', recipient: text },
        { name: 'Bob', recipient: 'bob@example.com' },
      ]
      const answer = await sender.post('/v3/check/multi', { amount, recipients })
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_recipient'], text)
      assert.match(JSON.stringify(answer.body.errors), problem)
    }
  })

  test('is refused for a direct payment, if it was meant as an address', async () => {
    const given = { account_number: newAccountNumber(), routing_number: '021000021', account_type: 'CHECKING' }
    for (const [text, problem] of mistakes.filter(([one]) => /[@\u200b\u00a0０-９]/u.test(one))) {
      const answer = await sender.post('/v3/check/direct', { amount, name: 'Payee', recipient: text, ...given })
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_recipient'], text)
      assert.match(JSON.stringify(answer.body.errors), problem)
    }
    const named = { amount, name: 'Payee', recipient: 'Supplier 7', ...given }
    assert.equal((await sender.post('/v3/check/direct', named)).status, 201)
  })

  test('is refused in the profile and on a virtual card, if it is a phone number', async () => {
    for (const phone of ['415-555-2671 ext 5', 'call 4155552671 now', '4155552671@example.com']) {
      assert.equal((await sender.put('/v3/user', { user: { phone } })).status, 400, phone)
      const card = {
        phone,
        email: 'a@example.com',
        address: { line_1: '1 A Street', city: 'B', state: 'IL', zip: '62701' },
      }
      assert.equal((await sender.post('/v3/account/vcc', card)).status, 400, phone)
    }
  })
})

test('a valid address with many digits, and one with a domain in letters of any language, are email addresses', async () => {
  for (const [recipient, to] of [
    ['info2125559999@example.com', 'info2125559999@example.com'],
    ['info2125559998@münchen.example', 'info2125559998@xn--mnchen-3ya.example'],
  ] as const) {
    await sendPayment(sender, { recipient })
    while ((await inviteRecipients(deps, service.baseUrl)) > 0);
    assert.equal((await mailsTo(service, to)).length, 1, to)
  }
})

test('a name at PayPal, Venmo or Interac, and a user_id, is trimmed, and must not contain invisible characters', async () => {
  for (const kind of ['paypal', 'venmo', 'interac']) {
    const { body } = await sender.post(`/v3/account/${kind}`, { username: '  ada@example.com ' })
    const [row] = await deps.sql`select details from destinations where id = ${body.id}`
    assert.deepEqual(row?.details, { username: 'ada@example.com' })
    const hidden = await sender.post(`/v3/account/${kind}`, { username: 'ada\u200b@example.com' })
    assert.match(JSON.stringify(hidden.body.errors), /has a zero width space \(U\+200B\) at position 4/)
  }
  const created = await service.owner.post('/v3/user', { user_id: ' user-with-spaces ', name: 'Ada' })
  assert.equal(created.body.user_id, 'user-with-spaces')
  const hidden = await service.owner.post('/v3/user', { user_id: 'user\u202e-1', name: 'Ada' })
  assert.match(JSON.stringify(hidden.body.errors), /has a mark of the writing direction/)
})

test('a postal address as a recipient is refused, and the error names the right call', async () => {
  const sender = await service.newUser()
  const address = { line_1: '1 Main St', city: 'Boston', state: 'MA', zip: '02138' }
  const wrongs = [
    ['digital', { recipient: address }, 'recipient', /POST \/v3\/check\/physical/],
    ['digital', { recipient: 'a@example.com', mail_type: 'OVERNIGHT' }, 'mail_type', /POST \/v3\/check\/physical/],
    ['physical', { recipient: 'a@example.com' }, 'recipient', /POST \/v3\/check\/digital/],
  ] as const
  for (const [kind, fields, field, problem] of wrongs) {
    const { status, body } = await sender.post(`/v3/check/${kind}`, { name: 'Ann', amount: 5, ...fields })
    assert.deepEqual([status, Object.keys(body.errors)], [400, [field]])
    assert.match(body.errors[field][0], problem)
  }
})
