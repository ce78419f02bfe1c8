import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { mailInvoices } from '../src/orders/payer/payer-worker.ts'
import { matchRecipients } from '../src/payments/recipient/recipient-match-worker.ts'
import type { Answer, Api } from './support/api.ts'
import { type Browser, openBrowserAt, type Page } from './support/browser.ts'
import { readPages } from './support/check-pdf.ts'
import { newEmail, signUp } from './support/login.ts'
import { assertLedger } from './support/money.ts'
import { newAccountHolder } from './support/oauth.ts'
import { triggerStatus } from './support/payments.ts'
import { mailsTo } from './support/recipients.ts'
import { allRows } from './support/rows.ts'
import { addBank, addVerifiedBank, newAccountNumber, startTestService } from './support/service.ts'

// Due date, lines, terms and timeline of invoices, and the link that shows an invoice (specification.md 5.11). The
// service is in California, where it is the evening of March 2 and already March 3 in UTC.

const service = await startTestService({ after }, { settings: { timeZone: 'America/Los_Angeles' } })
const { clock, deps, baseUrl, newUser } = service
clock.advance((Date.parse('2026-03-03T02:30:00Z') - clock.now().getTime()) / 1_000)
const [TODAY, YESTERDAY, DAY] = ['2026-03-02', '2026-03-01', 24 * 3_600]

function expect<A extends Answer | Page>(answer: A, status: number, code?: string): A {
  assert.deepEqual([answer.status, answer.body?.code], [status, code], JSON.stringify(answer.body))
  return answer
}

/** Runs an action at a later time. The next test is on March 2 again. */
async function later(seconds: number, work: () => Promise<void>): Promise<void> {
  clock.advance(seconds)
  await work().finally(() => clock.advance(-seconds))
}

type Client = Pick<Api | Browser, 'get' | 'post'>

const ITEMS = [
  { description: 'Painting', quantity: 2.5, unit_price: 40, tax_rate: 8.25 },
  { description: 'Paint', quantity: 3, unit_price: 19.99 },
]

const TERMS = { due_date: TODAY, terms: ' Pay within a day. ', items: ITEMS }

/** The lines as in an answer. */
const SHOWN = {
  items: [
    { ...ITEMS[0], amount: 100, tax: 8.25, total: 108.25 },
    { ...ITEMS[1], tax_rate: 0, amount: 59.97, tax: 0, total: 59.97 },
  ],
  subtotal: 159.97,
  tax: 8.25,
}

const order = (recipient: string, more: object = {}) => ({
  amount: 168.22,
  name: 'Payer',
  recipient,
  description: 'Painting of the fence',
  ...TERMS,
  ...more,
})

async function newPair() {
  const [sender, payer] = [await newUser(), await newUser()]
  await addBank(sender)
  await addVerifiedBank(payer)
  return { sender, payer }
}

const invoice = async (by: Client, recipient: string, more: object = {}): Promise<string> =>
  expect(await by.post('/v3/invoice', order(recipient, more)), 201).body.id
const detailsOf = async (by: Client, id: string) => expect(await by.get(`/v3/invoice/${id}/details`), 200).body
const eventsOf = async (by: Client, id: string): Promise<[string, string | null][]> =>
  (await detailsOf(by, id)).entries.map((entry: { event: string; check_id: string | null }) => [
    entry.event,
    entry.check_id,
  ])

suite('due date, lines and terms', () => {
  test('are shown to both sides, and change no answer of another call', async () => {
    const { sender, payer } = await newPair()
    const sent = expect(await sender.post('/v3/invoice', order(payer.userId)), 201).body
    const known = ['id', 'amount', 'date', 'name', 'number', 'recipient', 'description', 'status']
    assert.deepEqual(Object.keys(sent).sort(), known.toSorted())
    for (const by of [sender, payer]) {
      const { entries, ...details } = await detailsOf(by, sent.id)
      assert.deepEqual(details, {
        due_date: TODAY,
        is_overdue: false,
        terms: 'Pay within a day.',
        ...SHOWN,
        has_link: false,
      })
      assert.deepEqual(entries, [{ event: 'send', time: sent.date, check_id: null }])
      const listed = [...known, 'direction', 'check_id', 'attachment_uri'].sort()
      assert.deepEqual(Object.keys((await by.get(`/v3/invoice/${sent.id}`)).body).sort(), listed)
      assert.deepEqual(Object.keys((await by.get('/v3/invoice')).body.invoices[0]).sort(), listed)
    }
    const stranger = await newUser()
    expect(await stranger.get(`/v3/invoice/${sent.id}/details`), 404, 'invoice_not_found')
  })

  test('are optional, and null or an empty text counts as none', async () => {
    const { sender, payer } = await newPair()
    const none = { due_date: null, is_overdue: false, terms: null, items: [], subtotal: null, tax: null }
    for (const more of [
      { due_date: undefined, terms: undefined, items: undefined },
      { due_date: null, terms: null, items: null },
      { due_date: null, terms: ' ', items: null },
    ]) {
      const { has_link, entries, ...details } = await detailsOf(sender, await invoice(sender, payer.userId, more))
      assert.deepEqual(details, none)
    }
  })

  test('are refused with their field if they are invalid, and nothing is written', async () => {
    const { sender, payer } = await newPair()
    const line = (more: object) => ({ items: [ITEMS[1], { ...ITEMS[0], ...more }] })
    const cases: [object, Record<string, string[]>][] = [
      [{ due_date: YESTERDAY }, { due_date: [`must not be before today, which is ${TODAY}`] }],
      [{ due_date: '2026-02-30' }, { due_date: ['must be a date, as YYYY-MM-DD'] }],
      [{ terms: 'x'.repeat(1_025) }, { terms: ['must have at most 1024 characters'] }],
      [{ amount: 168.23 }, { amount: ['must be the total of the items, $168.22, and is $168.23'] }],
      [{ items: [] }, { items: ['must not be empty'] }],
      [{ items: Array(51).fill(ITEMS[0]) }, { items: ['must have at most 50 items'] }],
      [line({ description: ' ' }), { 'items.1.description': ['must be a text that is not only white space'] }],
      [line({ quantity: 0 }), { 'items.1.quantity': ['must be more than 0'] }],
      [line({ quantity: 1_000_000 }), { 'items.1.quantity': ['must be at most 999999.999'] }],
      [line({ quantity: 1.0005 }), { 'items.1.quantity': ['must have at most three decimal places'] }],
      [line({ quantity: '2' }), { 'items.1.quantity': ['must be a number'] }],
      [line({ unit_price: -1 }), { 'items.1.unit_price': ['must be more than 0'] }],
      [line({ unit_price: 1.005 }), { 'items.1.unit_price': ['must have at most two decimal places'] }],
      [line({ tax_rate: 100.001 }), { 'items.1.tax_rate': ['must be at most 100'] }],
      [line({ tax_rate: 8.2505 }), { 'items.1.tax_rate': ['must have at most three decimal places'] }],
      [line({ price: 1 }), { 'items.1.price': ['is not a field of this request'] }],
    ]
    const rows = await allRows(deps.sql)
    for (const [more, errors] of cases) {
      const { body } = expect(await sender.post('/v3/invoice', order(payer.userId, more)), 400, 'invalid_request')
      assert.deepEqual(body.errors, errors, JSON.stringify(more).slice(0, 200))
    }
    assert.deepEqual(await allRows(deps.sql), rows)
  })

  test('make an unpaid invoice overdue from the next business day on', async () => {
    const holder = await newAccountHolder(service)
    await addBank(holder.api)
    const payer = await newUser(undefined, holder.api)
    const [id, next] = [
      await invoice(holder.api, payer.userId),
      await invoice(holder.api, payer.userId, { due_date: '2026-03-03' }),
    ]
    const list = async (query = '') =>
      (await holder.browser.get(`/web/v1/invoices?${query}`)).body.invoices.map(
        (one: { id: string; due_date: string; is_overdue: boolean }) => [one.id, one.due_date, one.is_overdue],
      )
    assert.deepEqual(await list(), [
      [next, '2026-03-03', false],
      [id, TODAY, false],
    ])
    assert.deepEqual(await list('status=OVERDUE'), [])
    // 11:30 p.m. in California
    await later(5 * 3_600, async () => assert.equal((await detailsOf(holder.api, id)).is_overdue, false))
    await later(6 * 3_600, async () => {
      assert.equal((await detailsOf(holder.api, id)).is_overdue, true)
      assert.equal((await detailsOf(payer, id)).is_overdue, true)
      assert.deepEqual(await list('status=OVERDUE'), [[id, TODAY, true]])
      assert.deepEqual(await list('status=UNPAID&direction=OUTGOING'), [
        [next, '2026-03-03', false],
        [id, TODAY, true],
      ])
      expect(await holder.api.del(`/v3/invoice/${id}`), 200)
      assert.deepEqual(await list('status=OVERDUE'), [])
    })
  })

  test('are on the PDF, on as many pages as the lines need', async () => {
    const { sender, payer } = await newPair()
    const pagesOf = async (id: string) => {
      const file = await fetch(`${baseUrl}/v3/invoice/${id}/attachment`, {
        headers: { authorization: payer.credential },
      })
      return readPages(Buffer.from(await file.arrayBuffer())).map((page) => page.texts.map(({ text }) => text))
    }
    const [texts = [], ...more] = await pagesOf(await invoice(sender, payer.userId))
    for (const text of [
      ...['Due March 2, 2026', 'Painting', '2.5', '$40.00', '8.25%', '$100.00', '$59.97'],
      ...['Subtotal', '$159.97', 'Tax', '$8.25', '$168.22', 'Terms', 'Pay within a day.'],
    ]) {
      assert.ok(texts.includes(text), `${text} is not in ${texts.join(' | ')}`)
    }
    assert.deepEqual(more, [])
    const items = Array.from({ length: 50 }, (_, index) => ({
      description: `Line ${index + 1} ${'with many words '.repeat(10)}`,
      quantity: 1,
      unit_price: 1,
    }))
    const pages = await pagesOf(await invoice(sender, payer.userId, { items, amount: 50, terms: null }))
    assert.ok(pages.length > 2, `${pages.length} pages`)
    assert.equal(pages.flat().filter((text) => /^Line \d+ /.test(text)).length, 50)
    assert.ok(pages.at(-1)?.includes('$50.00'))
  })
})

suite('the timeline of an invoice', () => {
  test('names its payments, including failed ones, and the void', async () => {
    const { sender, payer } = await newPair()
    const id = await invoice(sender, payer.userId)
    const pay = async () =>
      expect(await payer.post('/v3/invoice/payment', { id, amount: 168.22 }), 201).body.id as string
    const failed = await pay()
    assert.deepEqual(await eventsOf(sender, id), [
      ['send', null],
      ['begin_payment', failed],
    ])
    await triggerStatus(payer, failed, 'FAILED', { return_code: 'R03' })
    const paid = await pay()
    await triggerStatus(payer, paid, 'PAID')
    for (const by of [sender, payer]) {
      assert.deepEqual(await eventsOf(by, id), [
        ['send', null],
        ['begin_payment', failed],
        ['fail_payment', failed],
        ['begin_payment', paid],
        ['pay', paid],
      ])
    }
    const other = await invoice(sender, payer.userId)
    expect(await sender.del(`/v3/invoice/${other}`), 200)
    assert.deepEqual(await eventsOf(payer, other), [
      ['send', null],
      ['void', null],
    ])
    await assertLedger(service)
  })

  test('shows the mails only to the sender', async () => {
    const { sender } = await newPair()
    const id = await invoice(sender, newEmail())
    await later(8 * DAY, async () => void (await service.doDueWork()))
    expect(await sender.post(`/v3/invoice/notify/${id}`, {}), 204)
    const { entries } = await detailsOf(sender, id)
    assert.deepEqual(
      entries.map((entry: { event: string }) => entry.event),
      ['send', 'mail', 'remind', 'remind'],
    )
  })
})

const linkOf = (url: string): string => /\/invoice\/([A-Za-z0-9]{40})$/.exec(url)?.[1] ?? ''

/** The calls of the page behind a link. */
function pageOf(token: string) {
  service.secrets.add(token)
  const browser = openBrowserAt(service)
  return (path: string, body: object = {}) => browser.post(`/web/v1/invoice/${path}`, { token, ...body })
}

/** The page of the link in the latest mail. */
async function mailedPage(email: string) {
  await mailInvoices(deps, baseUrl)
  const [mail] = await mailsTo(service, email)
  const text = mail?.text ?? ''
  const url = text.split('\n').find((line) => linkOf(line) !== '') ?? ''
  return { text, page: pageOf(linkOf(url)) }
}

suite('a person outside', () => {
  test('reads due date, lines and terms in the mail, in the reminder and on the page', async () => {
    const { sender } = await newPair()
    const email = newEmail()
    const terms = 'Late? Visit www.evil.example now "really"'
    await invoice(sender, email, { terms })
    const { text, page } = await mailedPage(email)
    for (const part of [
      'It is due on March 2, 2026.',
      '"Painting", 2.5 × $40.00: $100.00\n"Paint", 3 × $19.99: $59.97\nTax: $8.25\nTotal: $168.22',
      `Terms: "Late? Visit www. evil. example now 'really'"`,
      'Pay it from your bank account.',
    ])
      assert.ok(text.includes(part), text)
    const { body } = expect(await page('read'), 200)
    const { due_date, is_overdue, items, subtotal, tax } = body
    assert.deepEqual({ due_date, is_overdue, items, subtotal, tax }, { due_date: TODAY, is_overdue: false, ...SHOWN })
    assert.deepEqual([body.terms, body.is_view_only, body.day], [terms, false, TODAY])
    await later(8 * DAY, async () => {
      await service.doDueWork()
      const reminder = await mailedPage(email)
      assert.match(reminder.text, /is still unpaid\. It was due on March 2, 2026\./)
      assert.ok(reminder.text.includes('"Paint", 3 × $19.99: $59.97'))
      assert.equal(expect(await page('read'), 200).body.is_overdue, true)
    })
  })

  test('gets at most ten lines by mail, and the others as one sum', async () => {
    const { sender } = await newPair()
    const email = newEmail()
    const items = Array.from({ length: 12 }, () => ({ description: 'Hour', quantity: 1, unit_price: 10 }))
    await invoice(sender, email, { items, amount: 120, terms: null })
    const { text } = await mailedPage(email)
    assert.equal(text.match(/"Hour", 1 × \$10\.00: \$10\.00/g)?.length, 10)
    assert.ok(text.includes('2 more lines: $20.00\nTotal: $120.00'), text)
  })
})

suite('a link that the sender copied', () => {
  /** An invoice from a signed-in owner, the page in the mail to its recipient, and the page with the copied link. */
  async function withLink() {
    const holder = await newAccountHolder(service)
    await addBank(holder.api)
    const email = newEmail()
    const id = await invoice(holder.api, email)
    const mailed = await mailedPage(email)
    const { url } = expect(await holder.browser.post(`/web/v1/invoice/link/${id}`), 200).body
    assert.ok(url.startsWith(`${baseUrl}/invoice/`), url)
    return { holder, email, id, mailed: mailed.page, copied: pageOf(linkOf(url)) }
  }

  const account = { name: 'Ada', routing: '021000021', type: 'CHECKING' }

  test('shows the invoice, but neither the bank account of its payer nor a way to pay', async () => {
    const { holder, id, mailed, copied } = await withLink()
    assert.equal((await detailsOf(holder.api, id)).has_link, true)
    expect(await mailed('account', { ...account, account: newAccountNumber() }), 200)
    const verified = expect(await mailed('verify', { amount_1: 0.15, amount_2: 0.07 }), 200).body
    assert.equal(verified.bank.status, 'VERIFIED')
    const { body } = expect(await copied('read'), 200)
    assert.deepEqual([body.amount, body.is_view_only, body.bank, body.authorization], [168.22, true, null, null])
    expect(await copied('pdf'), 200)
    const rows = await allRows(deps.sql)
    for (const [path, more] of [
      ['pay', { authorization: verified.authorization }],
      ['account', { ...account, account: newAccountNumber() }],
      ['verify', { amount_1: 0.15, amount_2: 0.07 }],
      ['sign-in', { institution_id: '0'.repeat(32), values: {} }],
    ] as const) {
      expect(await copied(path, more), 400, 'invoice_not_payable')
    }
    assert.deepEqual(await allRows(deps.sql), rows)
    expect(await mailed('pay', { authorization: verified.authorization }), 200)
    assert.deepEqual(
      (await eventsOf(holder.api, id)).map(([event]) => event),
      ['send', 'mail', 'begin_payment'],
    )
  })

  test('mails the recipient a link to pay, at most three times a day', async () => {
    const { email, copied, holder, id } = await withLink()
    const before = (await mailsTo(service, email)).length
    for (let count = 0; count < 3; count++) {
      expect(await copied('mail'), 204)
      await mailInvoices(deps, baseUrl)
    }
    expect(await copied('mail'), 400, 'notify_limit_reached')
    expect(await holder.browser.post(`/v3/invoice/notify/${id}`), 400, 'notify_limit_reached')
    assert.equal((await mailsTo(service, email)).length, before + 3)
    const { page } = await mailedPage(email)
    assert.equal(expect(await page('read'), 200).body.is_view_only, false)
    assert.equal((await eventsOf(holder.api, id)).filter(([event]) => event === 'remind').length, 3)
    expect(await pageOf('unknown0'.repeat(5))('mail'), 404, 'link_not_found')
  })

  test('exists only for the sender of an invoice to a recipient without an account', async () => {
    const holder = await newAccountHolder(service)
    await addBank(holder.api)
    const user = await newUser(undefined, holder.api)
    const other = await newAccountHolder(service)
    const link = (by: Browser, id: string) => by.post(`/web/v1/invoice/link/${id}`)
    for (const recipient of [user.userId, other.email]) {
      const id = await invoice(holder.api, recipient)
      assert.equal((await detailsOf(holder.api, id)).has_link, false)
      expect(await link(holder.browser, id), 400, 'invoice_without_link')
    }
    await addBank(user)
    const received = await invoice(user, holder.email)
    expect(await link(holder.browser, received), 403, 'not_the_sender')
    expect(await link(other.browser, received), 404, 'invoice_not_found')
    const phone = await invoice(holder.api, '+14155552671')
    const { url } = expect(await link(holder.browser, phone), 200).body
    expect(await pageOf(linkOf(url))('mail'), 400, 'not_notifiable')
  })
})

suite('an invoice to another platform', () => {
  test('has due date, lines and terms there, and its payments on both sides', async () => {
    const { sender } = await newPair()
    const payee = await service.newOwner()
    const bank = await addVerifiedBank(payee.api)
    const id = await invoice(sender, payee.email)
    await mailInvoices(deps, baseUrl)
    const [mail] = await mailsTo(service, payee.email)
    assert.ok(mail?.text.includes('It is due on March 2, 2026.'), mail?.text)
    assert.ok(mail?.text.includes('Total: $168.22'))
    await service.applyOutbox()
    const { entries, ...details } = await detailsOf(payee.api, id)
    assert.deepEqual(details, {
      ...{ due_date: TODAY, is_overdue: false, terms: 'Pay within a day.' },
      ...SHOWN,
      has_link: false,
    })
    assert.equal(entries.length, 1)
    const paid = expect(await payee.api.post('/v3/invoice/payment', { id, amount: 168.22, account: bank }), 201).body
    assert.deepEqual(
      await eventsOf(sender, id),
      [
        ['send', null],
        ['mail', null],
        ['begin_payment', null],
      ],
      'the payment is still in the outbox',
    )
    await service.applyOutbox()
    assert.deepEqual((await eventsOf(sender, id)).at(-1), ['begin_payment', paid.id])
    assert.deepEqual((await eventsOf(payee.api, id)).at(-1), ['begin_payment', paid.id])
  })

  test('shows its sender the payments before and after it moved into the account of its recipient', async () => {
    const { sender } = await newPair()
    const email = newEmail()
    const id = await invoice(sender, email, { amount: 1.62, items: null, due_date: null })
    const { page } = await mailedPage(email)
    const given = { name: 'Ada', routing: '021000021', account: newAccountNumber(), type: 'CHECKING' }
    expect(await page('account', given), 200)
    const { authorization } = expect(await page('verify', { amount_1: 0.15, amount_2: 0.07 }), 200).body
    expect(await page('pay', { authorization }), 200)
    const byLink = (await sender.get(`/v3/invoice/${id}`)).body.check_id
    await later(12 * DAY, async () => {
      await service.doDueWork()
      for (let day = 0; day < 12; day++) {
        clock.advance(DAY)
        await service.doDueWork()
      }
      clock.advance(-12 * DAY)
    })
    const failed = [
      ['send', null],
      ['mail', null],
      ['begin_payment', byLink],
      ['fail_payment', byLink],
    ]
    const ofPayments = async (by: Client) => (await eventsOf(by, id)).filter(([event]) => /payment|send/.test(event))
    assert.deepEqual(await ofPayments(sender), failed.toSpliced(1, 1))
    const browser = await signUp(service, email)
    while ((await matchRecipients(deps)) > 0);
    await service.applyOutbox()
    await addVerifiedBank(browser)
    const { body } = expect(await browser.post('/v3/approval/invoice', { id, amount: 1.62 }), 201)
    const paid = expect(await browser.post('/v3/approval/release', { id: body.id }), 200).body
    await service.applyOutbox()
    const all = [...failed.toSpliced(1, 1), ['begin_payment', paid.id]]
    assert.deepEqual((await ofPayments(sender)).map(String).sort(), all.map(String).sort())
    assert.deepEqual(await ofPayments(browser), [
      ['send', null],
      ['begin_payment', paid.id],
    ])
  })

  test('found by the address of an account has its payments there, even after its move', async () => {
    const { sender } = await newPair()
    const email = newEmail()
    const id = await invoice(sender, email)
    await mailInvoices(deps, baseUrl)
    const browser = await signUp(service, email)
    while ((await matchRecipients(deps)) > 0);
    await service.applyOutbox()
    const expected = { due_date: TODAY, terms: 'Pay within a day.', ...SHOWN }
    const shown = async () => {
      const { due_date, terms, items, subtotal, tax } = await detailsOf(browser, id)
      assert.deepEqual({ due_date, terms, items, subtotal, tax }, expected)
      const [listed] = (await browser.get('/web/v1/invoices?direction=INCOMING')).body.invoices
      assert.deepEqual([listed.id, listed.due_date, listed.is_overdue], [id, TODAY, false])
    }
    await shown()
    expect(await browser.post('/v3/approval/invoice', { id, amount: 168.22 }), 201)
    await shown()
  })
})
