import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import { sweep } from '../src/operation/scheduler/sweep-table.ts'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import type { Answer, Api } from './support/api.ts'
import { newAddress, openBrowser } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { png } from './support/images.ts'
import { newEmail } from './support/login.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { mailedToken, mailsTo, newBank, openLink, payNewRecipient } from './support/recipients.ts'
import { webhookBodies } from './support/rows.ts'
import { newAccountNumber, startTestService } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'
import { newSender } from './support/webhooks.ts'

// Payments to a recipient without an account: the email, its link, the PIN, and every payout option.

const realClock = fakeClock()
const service = await startTestService({ after }, { realClock, settings: { trustsProxy: true } })
const { clock, deps, baseUrl, doDueWork, newUser, newOwner, owner } = service
const sender = await newSender(service)

const HOUR = 3_600
const DAY = 24 * HOUR
const PIN = 'blue horse 7'

const outside = (order: object = {}, by: Api = sender) => payNewRecipient(service, by, order)
const invite = () => inviteRecipients(deps, baseUrl)
const statusOf = async (id: string): Promise<string> => (await sender.get(`/v3/check/${id}`)).body.status

async function passDays(count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    clock.advance(DAY)
    await doDueWork()
  }
}

async function newWallet(amount = 1_000): Promise<string> {
  const { body } = await sender.post('/v3/account/wallet', { name: 'Cash' })
  await sender.post(`/v3/sandbox/wallet/${body.id}/fund`, { amount })
  return body.id
}

async function assertLedger(): Promise<void> {
  const verification = await verifyLedger(deps)
  assert.ok(isClean(verification), JSON.stringify(verification, null, 1))
}

function assertRefused(
  { status, body, text }: Answer,
  expected: readonly [status: number, code: string, field?: string],
) {
  const [expectedStatus, code, field] = expected
  assert.deepEqual([status, body?.code], [expectedStatus, code], text)
  if (field) assert.ok(body.errors?.[field], `${field} causes the error: ${text}`)
}

test('a recipient without an account gets an email, enters a bank account, and is PAID', async () => {
  const order = { amount: 40, name: 'Ada Payee', description: 'Invoice 7', comment: 'Thank you' }
  const { id, email, page } = await outside(order)
  const [{ subject, text }] = (await mailsTo(service, email)) as [{ subject: string; text: string }]
  const senderName = `Name of ${sender.userId}`
  assert.equal(subject, `You have a payment of $40.00 from "${senderName}"`)
  assert.ok(text.includes(`${baseUrl}/pay/${page.token}\n`), text)
  assert.ok(!text.includes('Invoice 7'), 'the sender’s texts do not appear in our mail')

  const read = await page.read()
  assert.deepEqual([read.status, read.headers.get('cache-control')], [200, 'no-store'])
  assert.deepEqual(read.body, {
    sender: senderName,
    logo: null,
    number: '1',
    date: '2026-03-02 15:00:00',
    deposited: null,
    changed: '2026-03-02 15:00:00',
    destination: null,
    remittance_advice: [],
    name: 'Ada Payee',
    amount: 40,
    description: 'Invoice 7',
    comment: 'Thank you',
    status: 'UNPAID',
    rail: null,
    expires: '2026-05-31',
    expected: null,
    has_attachment: false,
    pin: null,
    options: ['BANK', 'PRINT', 'MAIL'],
    claimed: false,
    endorsement: null,
  })

  const deposited = await page.deposit('bank', newBank())
  assert.equal(deposited.status, 200, deposited.text)
  const { status, rail, expected, options } = deposited.body
  assert.deepEqual([status, rail, expected, options], ['IN_PROCESS', 'ACH', '2026-03-06', []])
  assert.deepEqual((await page.read()).body, deposited.body)
  await passDays(10)
  assert.equal((await page.read()).body.status, 'PAID')
  const bodies = (await webhookBodies(deps.sql, id)) as { status: string; deposit_option: string }[]
  assert.deepEqual(
    bodies.map((body) => [body.status, body.deposit_option]),
    [
      ['IN_PROCESS', 'ACH'],
      ['PAID', 'ACH'],
    ],
  )
  await assertLedger()
})

test('the page shows the payer’s logo, the remittance lines, the dates, and the masked account if no PIN protects it', async () => {
  const payer = await newSender(service)
  const logo = png(16, 8).toString('base64')
  await payer.put('/v3/user', { brand: { logo } })
  const remittance_advice = [{ id: 'INV-1', date: '2026-02-27', amount: 10 }]
  const { page } = await outside({ remittance_advice }, payer)
  const { body } = await page.read()
  assert.equal(body.logo, `data:image/png;base64,${logo}`)
  assert.deepEqual(body.remittance_advice, [['INV-1', '2026-02-27', '10.00', '']])
  assert.deepEqual([body.deposited, body.destination], [null, null])
  const bank = newBank()
  const { body: deposited } = await page.deposit('bank', bank)
  assert.equal(deposited.destination, `•••• ${bank.account.slice(-4)}`)
  assert.ok(body.date <= deposited.deposited && deposited.deposited <= deposited.changed)

  const wallet = await newWallet()
  const paypal = await outside({ account: wallet })
  const username = 'ada.payee@example.com'
  assert.equal((await paypal.page.deposit('paypal', { username })).body.destination, 'a•••@example.com')

  await payer.put('/v3/user', { brand: { logo: 'https://tracker.example/logo.png' } })
  const locked = await outside({ pin: { value: PIN } }, payer)
  const { body: hidden } = await locked.page.deposit('bank', newBank(), PIN)
  assert.deepEqual([hidden.logo, hidden.destination], [null, null])
})

test('the account of a recipient is sealed, and invisible to the sender and the owner of its platform', async () => {
  const { id, page } = await outside()
  const bank = newBank()
  const before = (await sender.get('/v3/bank')).text
  assert.equal((await page.deposit('bank', bank)).status, 200)
  const [{ destinationId }] = (await deps.sql<{ destinationId: string }[]>`
    select destination_id from payments where id = ${id}
  `) as unknown as [{ destinationId: string }]
  assert.equal((await sender.get('/v3/bank')).text, before)
  for (const api of [sender, owner]) {
    assertRefused(await api.get(`/v3/bank/${destinationId}`), [404, 'bank_not_found'])
    const order = { amount: 1, name: 'Again', recipient: { id: sender.userId, account: destinationId } }
    assert.ok((await api.post('/v3/check/digital', order)).status >= 400)
    const answers = [`/v3/check/${id}`, `/v3/check/${id}/deposit`, '/v3/check', '/v3/bank']
    for (const path of answers) assert.ok(!(await api.get(path)).text.includes(bank.account.slice(-4)), path)
  }
})

suite('the mail', () => {
  test('is written exactly once, by any number of workers', async () => {
    const emails = Array.from({ length: 30 }, newEmail)
    await Promise.all(emails.map((recipient) => sendPayment(sender, { recipient })))
    const counts = await Promise.all([invite(), invite(), invite(), invite()])
    await invite()
    assert.ok(counts.reduce((sum, count) => sum + count, 0) >= 1)
    for (const email of emails) assert.equal((await mailsTo(service, email)).length, 1)
    const [{ links }] = (await deps.sql<{ links: number }[]>`
      select count(*) as links
      from recipient_links l join payments p on p.id = l.payment_id
      where p.recipient = any (${emails})
    `) as unknown as [{ links: number }]
    assert.equal(links, 30)
    assert.equal(await invite(), 0)
  })

  test('is not written to users and owners, to phone numbers, or about a voided payment', async () => {
    const [user, other] = [await newUser(), await newOwner()]
    const voided = newEmail()
    const { id } = await sendPayment(sender, { recipient: voided })
    assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
    await sendPayment(sender, { recipient: user.userId })
    await sendPayment(sender, { recipient: other.email })
    await sendPayment(sender, { recipient: '+14155552671' })
    await invite()
    const { mails } = (await openBrowser(service).get('/web/v1/mail')).body
    const told = mails.map(({ to }: { to: string }) => to)
    for (const to of [voided, other.email, '+14155552671']) assert.ok(!told.includes(to), to)
  })

  test('is sent by the worker of a running service, with a link to its URL', async (t) => {
    const running = await startTestService(t, { roles: ['http', 'worker'] })
    const email = newEmail()
    await sendPayment(await newSender(running), { recipient: email })
    await waitUntil('the mail is sent', async () => (await mailsTo(running, email)).length > 0)
    const [mail] = await mailsTo(running, email)
    assert.match(mail?.text ?? '', new RegExp(`^${running.baseUrl}/pay/\\w{40}$`, 'm'))
    await mailedToken(running, email)
  })

  test('is resent on request: the new link replaces the old one, and four mails a day are the limit', async () => {
    const { id, email, page } = await outside()
    const again = () => sender.post(`/v3/check/notify/${id}`)
    const answer = await again()
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assertRefused(await page.read(), [404, 'link_not_found'])
    assert.equal((await openLink(service, await mailedToken(service, email)).read()).status, 200)
    assert.deepEqual([(await again()).status, (await again()).status], [204, 204])
    assertRefused(await again(), [400, 'notify_limit_reached'])
    assert.equal((await openLink(service, await mailedToken(service, email)).read()).status, 200)
    realClock.advance(DAY + 1)
    assert.equal((await again()).status, 204)
    await mailedToken(service, email)
    assert.equal((await mailsTo(service, email)).length, 5)
  })

  test('is resent by the call for its verification, which returns whether it was', async () => {
    const { id, email } = await outside()
    const again = async () => (await sender.post(`/v3/check/${id}/verification`)).body
    assert.deepEqual(
      [await again(), await again(), await again(), await again()],
      [{ success: true }, { success: true }, { success: true }, { success: false }],
    )
    assert.equal((await openLink(service, await mailedToken(service, email)).read()).status, 200)
    const toPhone = await sendPayment(sender, { recipient: '+14155552671' })
    assert.deepEqual((await sender.post(`/v3/check/${toPhone.id}/verification`)).body, { success: false })
    assertRefused(await (await newUser()).post(`/v3/check/${id}/verification`), [404, 'payment_not_found'])
  })

  test('requested twice at once results in two mails and one link', async () => {
    const { id, email } = await outside()
    const answers = await Promise.all([1, 2].map(() => sender.post(`/v3/check/notify/${id}`)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [204, 204],
    )
    const mails = await mailsTo(service, email)
    const tokens = mails.map(({ text }) => /\/pay\/(\w{40})/.exec(text)?.[1] as string)
    for (const token of tokens) service.secrets.add(token)
    const good = await Promise.all(tokens.map(async (token) => (await openLink(service, token).read()).status === 200))
    assert.deepEqual([mails.length, good.filter(Boolean).length], [3, 1])
  })

  test('can be requested again with the same answers, whether or not the recipient has an account here', async () => {
    const holder = await newOwner()
    const stories: unknown[][] = []
    for (const recipient of [holder.email, newEmail()]) {
      const { id } = await sendPayment(sender, { recipient })
      await invite()
      const answers: unknown[] = []
      for (let count = 0; count < 5; count++) {
        const { status, text } = await sender.post(`/v3/check/notify/${id}`)
        answers.push([status, text])
      }
      stories.push(answers)
    }
    assert.deepEqual(stories[0], stories[1])
    assert.deepEqual(
      stories[0]?.map((answer) => (answer as [number])[0]),
      [204, 204, 204, 400, 400],
    )
    assert.deepEqual(await mailsTo(service, holder.email), [])
  })

  test('is resent by the owner of the platform', async () => {
    const { id } = await outside()
    assert.equal((await owner.post(`/v3/check/notify/${id}`)).status, 204)
  })

  test('is not resent for other users, to phones, or for payments that have ended', async () => {
    const { id } = await outside()
    const [neighbour, user, foreigner] = [await newUser(), await newUser(), (await newOwner()).api]
    for (const api of [neighbour, foreigner]) {
      assertRefused(await api.post(`/v3/check/notify/${id}`), [404, 'payment_not_found'])
    }
    const toUser = await sendPayment(sender, { recipient: user.userId })
    const toPhone = await sendPayment(sender, { recipient: '+14155552671' })
    assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
    for (const payment of [id, toUser.id, toPhone.id]) {
      assertRefused(await sender.post(`/v3/check/notify/${payment}`), [400, 'not_notifiable'])
    }
  })
})

suite('a link', () => {
  test('on another site’s page has no effect', async () => {
    const { page } = await outside()
    for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
      for (const path of ['read', 'pin', 'deposit/bank', 'print']) {
        const body = { token: page.token, pin: 'x', ...(path === 'deposit/bank' && newBank()) }
        assertRefused(await openBrowser(service, headers).post(`/web/v1/pay/${path}`, body), [403, 'foreign_origin'])
      }
    }
    assert.equal((await page.read()).body.status, 'UNPAID')
  })

  test('that is invalid is rate-limited by network address, and other addresses are unaffected', async () => {
    const { page } = await outside()
    const address = newAddress()
    const answers = []
    for (let tries = 0; tries < 22; tries++) {
      answers.push(await openLink(service, `Wrong${tries}`.padEnd(40, 'x'), address).read())
    }
    assertRefused(answers[0] as Answer, [404, 'link_not_found'])
    assertRefused(answers.at(-1) as Answer, [429, 'too_many_tries'])
    assert.ok(answers.at(-1)?.headers.get('retry-after'))
    assertRefused(await openLink(service, page.token, address).read(), [429, 'too_many_tries'])
    assert.equal((await page.read()).status, 200)
    realClock.advance(60)
    assert.equal((await openLink(service, page.token, address).read()).status, 200)
  })

  test('that is valid can be opened any number of times, by many visitors from one address at once', async (t) => {
    const running = await startTestService(t) // with a running clock
    const { page } = await payNewRecipient(running, await newSender(running))
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(Array.from({ length: 30 }, () => page.read()))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    }
  })

  test('opens the page even if it was truncated, and the page sends no referrer', async () => {
    for (const token of ['x', 'A'.repeat(40)]) {
      const answer = await openBrowser(service).get(`/pay/${token}`)
      assert.deepEqual([answer.status, answer.headers.get('referrer-policy')], [200, 'same-origin'])
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
  })

  test('shows its own payment and accepts nothing for others', async () => {
    const foreign = await newOwner()
    const foreignSender = await newSender(service, foreign.api)
    const [mine, theirs] = [await outside({ amount: 11 }), await outside({ amount: 22 }, foreignSender)]
    assert.deepEqual([(await mine.page.read()).body.amount, (await theirs.page.read()).body.amount], [11, 22])
    assert.equal((await mine.page.deposit('bank', newBank())).status, 200)
    assert.equal((await theirs.page.read()).body.status, 'UNPAID')
    for (const api of [foreign.api, foreignSender]) {
      assertRefused(await api.get(`/v3/check/${mine.id}`), [404, 'payment_not_found'])
    }
    assert.ok(!(await theirs.page.read()).text.includes(sender.userId))
  })

  test('shows nothing 90 days after its payment expired', async () => {
    const { page } = await outside()
    const old = await outside()
    await deps.sql`update recipient_links set expires_at = ${new Date('2025-11-01')} where payment_id = ${old.id}`
    assert.equal(await sweep(deps, 'sweep recipient links'), 1)
    assertRefused(await old.page.read(), [404, 'link_not_found'])
    assert.equal((await page.read()).status, 200)
  })
})

suite('a PIN', () => {
  const withPin = (description = 'Name of the pub') => outside({ pin: { description, value: PIN } })

  test('is requested with its description, and no payout is possible without it', async () => {
    const { id, page } = await withPin()
    assert.deepEqual((await page.read()).body.pin, { description: 'Name of the pub' })
    assertRefused(await page.deposit('bank', newBank()), [400, 'invalid_request', 'pin'])
    assertRefused(await page.print(), [400, 'invalid_request', 'pin'])
    assertRefused(await page.deposit('bank', newBank(), 'blue horse 8'), [400, 'wrong_pin', 'pin'])
    assert.equal(await statusOf(id), 'UNPAID')
    assert.deepEqual([(await page.tryPin(PIN)).status, (await page.tryPin(PIN)).body], [200, {}])
    assert.equal((await page.deposit('bank', newBank(), PIN)).status, 200)
  })

  test('any PIN is accepted if none is required', async () => {
    const { page } = await outside()
    assert.equal((await page.tryPin('anything')).status, 200)
    assert.equal((await page.deposit('bank', newBank(), 'anything')).status, 200)
  })

  test('that is wrong five times locks the link for growing times, even a new link; the right one unlocks it', async () => {
    const { id, email, page } = await withPin()
    for (const left of ['4 attempts left', '3 attempts left', '2 attempts left', '1 attempt left', 'in a minute']) {
      const answer = await page.tryPin('wrong')
      assertRefused(answer, [400, 'wrong_pin', 'pin'])
      assert.ok(answer.body.message.includes(left), answer.text)
    }
    for (const pin of [PIN, 'wrong']) {
      const locked = await page.tryPin(pin)
      assertRefused(locked, [429, 'too_many_tries'])
      assert.equal(locked.headers.get('retry-after'), '60')
    }
    assertRefused(await page.deposit('bank', newBank(), PIN), [429, 'too_many_tries'])
    assert.equal((await sender.post(`/v3/check/notify/${id}`)).status, 204)
    const renewed = openLink(service, await mailedToken(service, email))
    assertRefused(await renewed.tryPin(PIN), [429, 'too_many_tries'])
    realClock.advance(60)
    assertRefused(await renewed.tryPin('wrong'), [400, 'wrong_pin'])
    assert.equal((await renewed.tryPin('wrong')).headers.get('retry-after'), '300')
    realClock.advance(300)
    assert.equal((await renewed.tryPin(PIN)).status, 200)
    assert.match((await renewed.tryPin('wrong')).body.message, /4 attempts left/)
  })

  test('sent twenty times at once counts five attempts', async () => {
    const { page } = await withPin()
    const answers = await Promise.all(Array.from({ length: 20 }, () => page.tryPin('wrong')))
    const codes = answers.map(({ body }) => body.code)
    assert.equal(codes.filter((code) => code === 'wrong_pin').length, 5)
    assert.equal(codes.filter((code) => code === 'too_many_tries').length, 15)
  })
})

suite('a deposit', () => {
  for (const [what, option, fields, expected] of [
    ['a routing number with a wrong check digit', 'bank', { ...newBank(), routing: '021000022' }, ['routing']],
    ['an account number with letters', 'bank', { ...newBank(), account: '12ab' }, ['account']],
    ['nothing filled in', 'bank', {}, ['routing', 'account', 'type']],
    ['an address without a city', 'mail', { line_1: '1 Main St', state: 'CA', zip: '94105' }, ['city']],
  ] as const) {
    test(`with ${what} is refused, with the field`, async () => {
      const { page } = await outside()
      const answer = await page.deposit(option, fields)
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'], answer.text)
      assert.deepEqual(Object.keys(answer.body.errors).sort(), [...expected].sort())
      assert.equal((await page.read()).body.status, 'UNPAID')
    })
  }

  test('by an option that the sender does not offer is refused', async () => {
    const { page } = await outside({ deposit_options: ['MAIL'] })
    assert.deepEqual((await page.read()).body.options, ['MAIL'])
    assertRefused(await page.deposit('bank', newBank()), [400, 'invalid_deposit_option'])
    assertRefused(await page.print(), [400, 'invalid_deposit_option'])
    assertRefused(await page.deposit('paypal', { username: 'ada@example.com' }), [400, 'invalid_deposit_option'])
    assert.equal((await page.read()).body.status, 'UNPAID')
  })

  test('after the payment has expired is refused, whether or not it is marked', async () => {
    const [late, marked] = [await outside(), await outside()]
    clock.advance(91 * DAY)
    assert.equal((await late.page.read()).body.status, 'EXPIRED')
    assertRefused(await late.page.deposit('bank', newBank()), [400, 'payment_expired'])
    await doDueWork()
    assertRefused(await marked.page.deposit('bank', newBank()), [400, 'payment_expired'])
    assert.deepEqual((await marked.page.read()).body.options, [])
  })

  test('of a voided or paid payment is refused', async () => {
    const [voided, paid] = [await outside(), await outside()]
    assert.equal((await sender.del(`/v3/check/${voided.id}`)).status, 200)
    await triggerStatus(sender, paid.id, 'PAID')
    for (const { page } of [voided, paid]) {
      assertRefused(await page.deposit('bank', newBank()), [400, 'not_depositable'])
      assert.deepEqual((await page.read()).body.options, [])
    }
  })

  test('from a suspended sender is refused', async () => {
    const suspended = await newSender(service)
    const { page } = await outside({}, suspended)
    assert.equal((await suspended.put('/v3/user/webhook', { status: 'SUSPENDED' })).status, 204)
    assertRefused(await page.deposit('bank', newBank()), [400, 'not_depositable'])
  })

  test('in two concurrent tabs happens once', async () => {
    const { id, page } = await outside()
    const tabs = [page, openLink(service, page.token), openLink(service, page.token)]
    const answers = await Promise.all(tabs.map((tab) => tab.deposit('bank', newBank())))
    const outcomes = answers.map(({ status, body }) => (status === 200 ? 'done' : body.code)).sort()
    assert.deepEqual(outcomes, ['done', 'not_depositable', 'not_depositable'])
    const legs = await deps.sql`select 1 from legs where subject_id = ${id}`
    const kept = await deps.sql`select 1 from banks where user_id = ${id}`
    assert.deepEqual([legs.length, kept.length], [1, 1])
    await assertLedger()
  })

  test('racing with a void: one of them succeeds, and the ledger agrees', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, page } = await outside()
      const [deposited, voided] = await Promise.all([page.deposit('bank', newBank()), sender.del(`/v3/check/${id}`)])
      const status = await statusOf(id)
      // A payment that was just deposited has not been sent yet and can still be voided.
      assert.equal(voided.status, 200)
      assert.equal(status, 'VOID')
      assert.ok(deposited.status === 200 || deposited.body.code === 'not_depositable', deposited.text)
    }
    await passDays(10)
    await assertLedger()
  })

  test('into a closed account is returned, and another account can be tried', async () => {
    const { id, page } = await outside({ amount: 12 })
    assert.equal((await page.deposit('bank', newBank('9999999902'))).status, 200)
    for (let day = 0; day < 12 && (await statusOf(id)) !== 'FAILED'; day++) await passDays(1)
    const { status, options } = (await page.read()).body
    assert.deepEqual([status, options], ['FAILED', ['BANK', 'MAIL']])
    assertRefused(await page.print(), [400, 'invalid_deposit_option'])
    assert.equal((await sender.post(`/v3/check/notify/${id}`)).status, 204)
    const renewed = openLink(service, await mailedToken(service, await emailOf(id)))
    assert.equal((await renewed.deposit('bank', newBank())).body.status, 'IN_PROCESS')
    await passDays(5)
    assert.equal(await statusOf(id), 'PAID')
    await assertLedger()
  })

  test('by mailed check goes to the printer and the postal service, even after an account has failed', async () => {
    const [first, second] = [await outside({ amount: 12 }), await outside({ amount: 12 })]
    const address = { line_1: '1 Main St', city: 'San Francisco', state: 'CA', zip: '94105' }
    assert.equal((await first.page.deposit('bank', newBank('9999999902'))).status, 200)
    for (let day = 0; day < 12 && (await statusOf(first.id)) !== 'FAILED'; day++) await passDays(1)
    for (const { id, page } of [first, second]) {
      assert.equal((await page.deposit('mail', address)).body.rail, 'MAIL')
      for (let day = 0; day < 8 && (await statusOf(id)) !== 'MAILED'; day++) await passDays(1)
      assert.equal(await statusOf(id), 'MAILED')
    }
    await passDays(7)
    assert.deepEqual([await statusOf(first.id), await statusOf(second.id)], ['PAID', 'PAID'])
    await assertLedger()
  })

  test('by printable check is a PDF, available until it is cashed', async () => {
    const { id, page } = await outside({ pin: { value: PIN } })
    for (let times = 0; times < 2; times++) {
      const answer = await page.print(PIN)
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/pdf'], answer.text)
      assert.ok(answer.text.startsWith('%PDF-'))
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
    assert.equal((await page.read()).body.status, 'PRINTED')
    assertRefused(await page.deposit('bank', newBank(), PIN), [400, 'not_depositable'])
    await passDays(12)
    assert.equal(await statusOf(id), 'PAID')
    assertRefused(await page.print(PIN), [400, 'not_printable'])
  })

  test('shows the sender’s attachment to visitors with the PIN', async () => {
    const attachment = { filename: 'order.pdf', content: Buffer.from('%PDF-1.4\n%%EOF').toString('base64') }
    const { page } = await outside({ attachment, pin: { value: PIN } })
    assert.equal((await page.read()).body.has_attachment, true)
    assertRefused(await page.attachment(), [400, 'invalid_request', 'pin'])
    assertRefused(await page.attachment('wrong'), [400, 'wrong_pin'])
    const answer = await page.attachment(PIN)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/pdf'], answer.text)
    assert.match(answer.headers.get('content-disposition') ?? '', /order\.pdf/)
    assert.ok(answer.text.startsWith('%PDF-'))

    const { page: plain } = await outside()
    assert.equal((await plain.read()).body.has_attachment, false)
    assertRefused(await plain.attachment(), [404, 'attachment_not_found'])
    assertRefused(await openLink(service, 'x'.repeat(40)).attachment(), [404, 'link_not_found'])
  })

  test('by printable check needs the amount, typed by the payee, so that a mail scanner starts no debit', async () => {
    const { id, page } = await outside({ amount: 125.5 })
    for (const amount of [undefined, 125, 12550]) {
      const answer = await openBrowser(service).post('/web/v1/pay/print', { token: page.token, amount })
      assertRefused(answer, [400, 'invalid_request', 'amount'])
    }
    assert.equal(await statusOf(id), 'UNPAID')
    const answer = await openBrowser(service).post('/web/v1/pay/print', { token: page.token, amount: 125.5 })
    assert.equal(answer.status, 200)
    const again = await openBrowser(service).post('/web/v1/pay/print', { token: page.token })
    assert.equal(again.status, 200)
  })

  test('of a payment from a wallet can use any option that the sender offers', async () => {
    const account = await newWallet()
    const ways = [
      ['bank', newBank(), 'ACH'],
      ['card', { card_number: '4242424242424242', expiration_date: '2099-12' }, 'INSTANT'],
      ['paypal', { username: 'ada@example.com' }, 'PAYPAL'],
      ['venmo', { username: '+14155552671' }, 'VENMO'],
      ['interac', { username: 'ada@example.ca' }, 'INTERAC'],
      ['wire', { name: 'Ada', routing: '021000021', account: newAccountNumber(), type: 'CHECKING' }, 'WIRE'],
      [
        'wire',
        { name: 'Ada', routing: 'DEUTDEFF', account: 'DE89370400440532013000', type: 'CHECKING', country: 'DE' },
        'SWIFT',
      ],
    ] as const
    const before = await Promise.all(['card', 'paypal', 'wire'].map((kind) => sender.get(`/v3/account/${kind}`)))
    for (const [option, fields, rail] of ways) {
      const { id, page } = await outside({ account })
      const { options } = (await page.read()).body
      assert.deepEqual(options.slice(0, 6), ['BANK', 'CARD', 'PAYPAL', 'VENMO', 'INTERAC', 'WIRE'])
      const answer = await page.deposit(option, fields)
      assert.deepEqual([answer.status, answer.body.rail], [200, rail], answer.text)
      await passDays(rail === 'SWIFT' || rail === 'ACH' ? 6 : 1)
      assert.equal(await statusOf(id), 'PAID', rail)
    }
    const then = await Promise.all(['card', 'paypal', 'wire'].map((kind) => sender.get(`/v3/account/${kind}`)))
    assert.deepEqual(
      then.map(({ text }) => text),
      before.map(({ text }) => text),
    )
    const { page } = await outside({ account })
    const card = { card_number: '4242424242424241', expiration_date: '2099-12' }
    assertRefused(await page.deposit('card', card), [400, 'invalid_request', 'card_number'])
    const username = { username: 'x'.repeat(129) }
    assertRefused(await page.deposit('venmo', username), [400, 'invalid_request', 'username'])
    await assertLedger()
  })
})

async function emailOf(id: string): Promise<string> {
  return (await sender.get(`/v3/check/${id}`)).body.recipient
}
