import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { environmentDefaults, type OperatorBank, type SpecimenBank } from '../src/foundation/core/environment.ts'
import { isAbaRoutingNumber } from '../src/foundation/core/routing-number.ts'
import { businessDate } from '../src/foundation/lib/clock.ts'
import { isClean, verifyLedger } from '../src/money/ledger/verify-actions.ts'
import { baselineInches, MICR_GLYPHS, rightEdgeInches } from '../src/payments/drawing/micr-rules.ts'
import type { Api } from './support/api.ts'
import { micrText, readPages } from './support/check-pdf.ts'
import { JPEG, png } from './support/images.ts'
import { newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { createTestDatabase } from './support/postgres.ts'
import { rowCounts, webhookBodies } from './support/rows.ts'
import { addBank, newAccountNumber, startTestService } from './support/service.ts'

// Paper checks: mailed, printed by the recipient, and previewed (specification.md 5.3 and 5.5).

const service = await startTestService({ after })
const { clock, deps, doDueWork, newUser } = service

const DAY = 24 * 3_600
const ADDRESS = { line_1: '45 Navy Yard Ave', line_2: 'Apt 3', city: 'Arlington', state: 'VA', zip: '22201' }
const ROUTING = '021000021'

const physical = (more: object = {}) => ({ amount: 125.5, name: 'Grace Hopper', recipient: ADDRESS, ...more })

/** A user with a verified bank and its account number. */
async function newSender(by = newUser) {
  const user = await by()
  const account = newAccountNumber()
  const bankId = await addBank(user, account)
  await user.post('/v3/bank/release', { account: bankId })
  await user.post('/v3/bank/verify', { account: bankId, amount_1: 0.07, amount_2: 0.15 })
  return { user, account, bankId }
}

async function newWallet(user: Api): Promise<string> {
  const { id } = (await user.post('/v3/account/wallet', { name: 'Cash' })).body
  await user.post(`/v3/sandbox/wallet/${id}/fund`, { amount: 1_000 })
  return id
}

/** The printable check of a payment, as bytes. */
async function takeCheck(user: Api, id: string, { baseUrl } = service, headers: Record<string, string> = {}) {
  const response = await fetch(`${baseUrl}/v3/check/print/${id}`, {
    method: 'POST',
    headers: { authorization: user.credential, ...headers },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isPdf = response.headers.get('content-type') === 'application/pdf'
  return {
    status: response.status,
    bytes,
    headers: response.headers,
    code: isPdf ? null : JSON.parse(String(bytes)).code,
  }
}

/** The readable content of a check. */
function readCheck(pdf: Buffer) {
  const pages = readPages(pdf)
  const [page] = pages as [(typeof pages)[number]]
  return {
    micr: micrText(page),
    texts: pages.flatMap(({ texts }) => texts.map(({ text }) => text)),
    images: page.images,
  }
}

const specimen = deps.settings.specimenBank as SpecimenBank

const statusOf = async (user: Api, id: string): Promise<string> => (await user.get(`/v3/check/${id}`)).body.status

const statusesOf = async (id: string) =>
  (await webhookBodies(deps.sql, id)).map((body) => (body as { status: string }).status)

async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.advance(DAY)
    await doDueWork()
  }
}

async function assertLedger(): Promise<void> {
  const verification = await verifyLedger(deps)
  assert.ok(isClean(verification), JSON.stringify(verification, null, 1))
}

suite('a check by post', () => {
  test('is IN_PROCESS while it is sent to the printer, MAILED once the money has arrived, and tracked until it is cashed', async () => {
    const { user } = await newSender()
    const made = await user.post('/v3/check/physical', physical({ description: 'Invoice 4711', comment: 'Thanks' }))
    assert.equal(made.status, 201, made.text)
    const { id, date, ...rest } = made.body
    assert.deepEqual(rest, {
      number: 1,
      amount: 125.5,
      status: 'IN_PROCESS',
      name: 'Grace Hopper',
      recipient: '45 Navy Yard Ave, Apt 3, Arlington, VA 22201',
      description: 'Invoice 4711',
      comment: 'Thanks',
      image_uri: null,
      remittance_advice: [],
    })
    assert.deepEqual((await user.get(`/v3/check/${id}`)).body, made.body)
    assert.equal((await user.get(`/v3/check/${id}/deposit`)).body.check_type, 'MAIL')
    const track = async () => (await user.get(`/v3/check/${id}/tracking`)).body.tracking
    assert.deepEqual(await track(), [{ action_ts: date, location: 'Accepted by the printer' }])
    await passDays(20)
    assert.deepEqual(await statusesOf(id), ['IN_PROCESS', 'MAILED', 'PAID'])
    assert.deepEqual(await webhookBodies(deps.sql, id).then(([first]) => first), {
      id,
      status: 'IN_PROCESS',
      type: 'CHECK',
      deposit_option: 'MAIL',
    })
    const steps: { action_ts: string; location: string }[] = await track()
    assert.deepEqual(
      steps.map(({ location }) => location),
      ['Accepted by the printer', 'Handed to the post', 'Cashed'],
    )
    assert.deepEqual(
      steps.map(({ action_ts }) => action_ts).sort(),
      steps.map(({ action_ts }) => action_ts),
    )
    await assertLedger()
  })

  test('accepts every field, and remittance advice as lines or as text', async () => {
    const { user, bankId } = await newSender()
    const pdf = Buffer.from('%PDF-1.4\n%%EOF').toString('base64')
    const text = `Line one\n${'x'.repeat(3_981)}`
    const full = {
      account: bankId,
      number: 'A-17',
      attachment: { filename: 'invoice.pdf', content: pdf },
      mail_type: 'USPS_CERTIFIED',
      remittance_advice: text,
    }
    const made = await user.post('/v3/check/physical', physical(full))
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.number, 'A-17')
    assert.deepEqual(made.body.remittance_advice, [['', '', '', text]])
    assert.deepEqual((await user.get(`/v3/check/${made.body.id}`)).body, made.body)
    assert.equal((await user.get(`/v3/check/${made.body.id}/attachment`)).status, 200)
    const lines = [
      { id: 'INV-1', date: '2026-03-02', amount: 0.1 + 0.2 },
      { id: 'INV-2', date: '2026-03-02', description: 'Discount' },
    ]
    const listed = await user.post('/v3/check/physical', physical({ remittance_advice: lines, mail_type: null }))
    assert.deepEqual(listed.body.remittance_advice, [
      ['INV-1', '2026-03-02', '0.30', ''],
      ['INV-2', '2026-03-02', '', 'Discount'],
    ])
    const empty = await user.post('/v3/check/physical', physical({ remittance_advice: ' ' }))
    assert.deepEqual(empty.body.remittance_advice, [])
    const mailTypes = await deps.sql<{ mailType: string }[]>`
      select mail_type from payments where sender_id = ${user.id} order by created_at, id
    `
    assert.deepEqual(
      mailTypes.map(({ mailType }) => mailType),
      ['USPS_CERTIFIED', 'USPS_FIRST_CLASS', 'USPS_FIRST_CLASS'],
    )
    await sendPayment(user)
    const byType = async (sort: string) =>
      (await user.get(`/v3/check?sort=${sort}TYPE`)).body.checks.map(({ status }: { status: string }) => status)
    assert.deepEqual(await byType('-'), ['IN_PROCESS', 'IN_PROCESS', 'IN_PROCESS', 'UNPAID'])
    assert.deepEqual(await byType('%2B'), ['UNPAID', 'IN_PROCESS', 'IN_PROCESS', 'IN_PROCESS'])
  })

  for (const [what, order, field] of [
    ['no address', { recipient: 'grace@example.com' }, 'recipient'],
    ['no zip', { recipient: { ...ADDRESS, zip: undefined } }, 'recipient.zip'],
    ['an empty zip', { recipient: { ...ADDRESS, zip: '' } }, 'recipient.zip'],
    ['a ZIP code that is too long', { recipient: { ...ADDRESS, zip: '12345678901' } }, 'recipient.zip'],
    ['a street that is too long', { recipient: { ...ADDRESS, line_1: 'a'.repeat(101) } }, 'recipient.line_1'],
    ['a second line that is too long', { recipient: { ...ADDRESS, line_2: 'a'.repeat(101) } }, 'recipient.line_2'],
    ['a city that is too long', { recipient: { ...ADDRESS, city: 'a'.repeat(41) } }, 'recipient.city'],
    ['a state that is too long', { recipient: { ...ADDRESS, state: 'a'.repeat(31) } }, 'recipient.state'],
    ['an unknown field', { recipient: { ...ADDRESS, street: 'x' } }, 'recipient.street'],
    ['a ZIP code without its leading zero', { recipient: { ...ADDRESS, zip: '2138' } }, 'recipient.zip'],
    ['letters as zip', { recipient: { ...ADDRESS, zip: 'ABC' } }, 'recipient.zip'],
    ['the ZIP code of another state', { recipient: { ...ADDRESS, zip: '90210' } }, 'recipient.zip'],
    ['no known state', { recipient: { ...ADDRESS, state: 'ZZ' } }, 'recipient.state'],
    ['a line that would be cut', { recipient: { ...ADDRESS, line_1: 'W'.repeat(70) } }, 'recipient.line_1'],
    [
      'a city that would be cut',
      { recipient: { ...ADDRESS, city: 'W'.repeat(40), state: 'M'.repeat(30), country: 'Canada' } },
      'recipient.city',
    ],
    [
      'a PO box by courier',
      { recipient: { ...ADDRESS, line_2: 'PO Box 7' }, mail_type: 'OVERNIGHT' },
      'recipient.line_1',
    ],
    ['an unknown mail_type', { mail_type: 'PIGEON' }, 'mail_type'],
    ['a deposit option', { deposit_options: ['PRINT'] }, 'deposit_options'],
    ['a pin', { pin: { value: '12345678' } }, 'pin'],
    ['a third decimal', { amount: 1.005 }, 'amount'],
    ['a text that is too long', { remittance_advice: 'x'.repeat(3_991) }, 'remittance_advice'],
  ] as const) {
    test(`with ${what} is refused`, async () => {
      const { user } = await newSender()
      const before = await rowCounts(deps.sql)
      const answer = await user.post('/v3/check/physical', physical(order))
      assert.deepEqual([answer.status, answer.body.code], [400, 'invalid_request'])
      assert.deepEqual(Object.keys(answer.body.errors), [field])
      assert.deepEqual(await rowCounts(deps.sql), before)
    })
  }

  test('needs a credential, a verified bank, and printable names', async () => {
    assert.equal((await service.as('').post('/v3/check/physical', physical())).body.code, 'unauthorized')
    const poor = await newUser()
    assert.equal((await poor.post('/v3/check/physical', physical())).body.code, 'no_verified_bank')
    const { user } = await newSender()
    const other = await newSender()
    const foreign = await user.post('/v3/check/physical', physical({ account: other.bankId }))
    assert.deepEqual([foreign.status, foreign.body.code], [404, 'bank_not_found'])
    const before = await rowCounts(deps.sql)
    for (const [order, field] of [
      [{ name: '王小明' }, 'name'],
      [{ recipient: { ...ADDRESS, line_1: '東京都' } }, 'recipient.line_1'],
      [{ recipient: { ...ADDRESS, city: '   ' } }, 'recipient.city'],
      [{ name: 'Щ'.repeat(46) }, 'name'],
      [{ name: 'Ψ'.repeat(91) }, 'name'],
      [{ description: 'for 漢字' }, 'description'],
      [{ remittance_advice: '漢字' }, 'remittance_advice'],
      [{ remittance_advice: [{ id: 'A', date: '2026-03-02', description: '漢' }] }, 'remittance_advice.0.description'],
    ] as const) {
      const { status, body } = await user.post('/v3/check/physical', physical(order))
      assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'unprintable_text', [field]])
    }
    assert.deepEqual(await rowCounts(deps.sql), before)
    assert.equal((await user.post('/v3/check/physical', physical({ name: 'Łukasz Щукин' }))).status, 201)
  })

  test('can go to the longest possible address', async () => {
    const { user } = await newSender()
    const recipient = {
      line_1: `${'1 Long Street '.repeat(7)}ab`,
      line_2: `${'Care of Grace '.repeat(7)}ab`,
      city: `${'Truth or '.repeat(4)}City`,
      state: 'Newfoundland and Labrador, NL.',
      zip: 'A1B 2C3',
      country: 'Canada',
    }
    assert.deepEqual([recipient.line_1.length, recipient.city.length, recipient.state.length], [100, 40, 30])
    const { status, text } = await user.post('/v3/check/physical', physical({ recipient }))
    assert.equal(status, 201, text)
    const short = { ...ADDRESS, state: 'V', zip: '2', country: 'Monaco' }
    assert.equal((await user.post('/v3/check/physical', physical({ recipient: short }))).status, 201)
  })

  test('is created once per Idempotency-Key, even with concurrent requests', async () => {
    const { user } = await newSender()
    const ask = () => user.post('/v3/check/physical', physical(), { idempotencyKey: 'paper' })
    const answers = await Promise.all(Array.from({ length: 10 }, ask))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.equal(answers.filter(({ headers }) => headers.get('idempotent-replayed') === null).length, 1)
    assert.equal((await user.get('/v3/check')).body.total, 1)
    const other = await user.post('/v3/check/physical', physical({ amount: 1 }), { idempotencyKey: 'paper' })
    assert.equal(other.status, 422)
  })

  test('from a wallet is mailed at once, and refunded when it is returned', async () => {
    const { user } = await newSender()
    const account = await newWallet(user)
    const { body } = await user.post('/v3/check/physical', physical({ account, amount: 100.71 }))
    await doDueWork()
    assert.equal(await statusOf(user, body.id), 'MAILED')
    await passDays(15)
    assert.deepEqual((await statusesOf(body.id)).sort(), ['FAILED', 'IN_PROCESS', 'MAILED', 'REFUNDED'])
    const { tracking } = (await user.get(`/v3/check/${body.id}/tracking`)).body
    assert.equal(tracking.at(-1).location, 'Returned')
    await assertLedger()
  })

  test('that was stopped is refused at presentation', async () => {
    const { user } = await newSender()
    const account = await newWallet(user)
    const { id } = (await user.post('/v3/check/physical', physical({ account }))).body
    await doDueWork()
    assert.equal((await user.del(`/v3/check/${id}`)).status, 200)
    await passDays(20)
    // Due work at the instant of the order runs at that instant, and ids of one millisecond have no order.
    assert.deepEqual((await statusesOf(id)).sort(), ['IN_PROCESS', 'MAILED', 'VOID'])
    const { tracking } = (await user.get(`/v3/check/${id}/tracking`)).body
    assert.equal(tracking.at(-1).location, 'Stopped')
    assert.equal((await user.get(`/v3/account/wallet/${account}`)).body.balance, 1_000)
    await assertLedger()
  })

  test('has tracking, and payments that are not on paper have none', async () => {
    const { user } = await newSender()
    const { id } = await sendPayment(user)
    const { status, body } = await user.get(`/v3/check/${id}/tracking`)
    assert.deepEqual([status, body], [200, { tracking: [] }])
    await triggerStatus(user, id, 'PAID')
    assert.deepEqual((await user.get(`/v3/check/${id}/tracking`)).body, { tracking: [] })
  })
})

suite('a printable check', () => {
  test('shows the recipient everything that a bank requires', async () => {
    const [{ user: sender, account }, recipient] = [await newSender(), await newUser()]
    await sender.put('/v3/user', {
      user: { business_name: 'Widgets Inc.' },
      merchant: { address: { line_1: '1234 N 1st St', city: 'Portland', state: 'OR', zip: '97201', country: 'US' } },
      payment: { expiration: 30 },
    })
    await sender.post('/v3/user/signature', { signature: png(300, 100).toString('base64') })
    const order = { recipient: recipient.userId, amount: 1_125.5, name: 'Grace Hopper', description: 'Invoice 4711' }
    const lines = [{ id: 'INV-4711', date: '2026-01-02', amount: 1_125.5, description: 'Widgets' }]
    const { id, number, date } = await sendPayment(sender, { ...order, remittance_advice: lines })
    const { status, bytes, headers } = await takeCheck(recipient, id)
    assert.equal(status, 200)
    assert.equal(headers.get('content-disposition'), `inline; filename="check-1.pdf"; filename*=UTF-8''check-1.pdf`)
    assert.equal(headers.get('cache-control'), 'no-store')
    const { micr, texts, images } = readCheck(bytes)
    assert.equal(micr, `U000001UT${specimen.routingNumber}T${specimen.accountNumber}U`)
    const [year, month, day] = date.slice(0, 10).split('-')
    for (const text of [
      'Widgets Inc.',
      '1234 N 1st St',
      'Portland, OR 97201',
      'Grace Hopper',
      String(number).padStart(6, '0'),
      `${month}/${day}/${year}`,
      '$**1,125.50**',
      'Invoice 4711',
      'Void after 30 days',
      'INV-4711',
      'Widgets',
    ]) {
      assert.ok(texts.includes(text), `${text} in ${texts.join('|')}`)
    }
    assert.ok(!texts.includes('US') && !texts.join().includes(account))
    assert.ok(texts.some((text) => text.startsWith('One thousand one hundred twenty-five and 50/100 *')))
    assert.equal(images.length, 1)
    assert.deepEqual(await webhookBodies(deps.sql, id), [
      { id, status: 'PRINTED', type: 'CHECK', deposit_option: 'PRINT' },
    ])
    await passDays(20)
    assert.deepEqual(await statusesOf(id), ['PRINTED', 'PAID'])
    const { tracking } = (await sender.get(`/v3/check/${id}/tracking`)).body
    assert.deepEqual(
      tracking.map(({ location }: { location: string }) => location),
      ['Printed', 'Cashed'],
    )
    assert.equal((await takeCheck(recipient, id)).code, 'not_printable')
    await assertLedger()
  })

  test('is dated in the time zone of the business', async (t) => {
    for (const [timeZone, at, date] of [
      ['America/Los_Angeles', '2026-07-02T06:59:59Z', '2026-07-01'],
      ['America/Los_Angeles', '2026-07-02T07:00:00Z', '2026-07-02'],
      ['America/New_York', '2026-07-02T06:59:59Z', '2026-07-02'],
    ] as const) {
      assert.equal(businessDate(new Date(at), timeZone), date, `${timeZone} at ${at}`)
    }
    const abroad = await startTestService(t, { settings: { timeZone: 'Pacific/Kiritimati' } })
    abroad.clock.advance((Date.parse('2026-12-31T10:00:00Z') - abroad.clock.now().getTime()) / 1_000)
    const { user: sender } = await newSender(abroad.newUser)
    const { id } = await sendPayment(sender)
    const { texts } = readCheck((await takeCheck(sender, id, abroad)).bytes)
    assert.equal(texts[texts.indexOf('Date') + 1], '01/01/2027')
  })

  test('is the same for each request, also from the sender, with any Idempotency-Key', async () => {
    const [{ user: sender }, recipient] = [await newSender(), await newUser()]
    const { id } = await sendPayment(sender, { recipient: recipient.userId })
    const [first, again, bySender] = [
      await takeCheck(recipient, id, service, { 'idempotency-key': 'one' }),
      await takeCheck(recipient, id, service, { 'idempotency-key': 'one' }),
      await takeCheck(sender, id),
    ]
    assert.equal(first.status, 200)
    assert.ok(first.bytes.equals(again.bytes) && first.bytes.equals(bySender.bytes))
    assert.deepEqual(await statusesOf(id), ['PRINTED'])
    const malformed = await recipient.post(`/v3/check/print/${id}`, { pin: '1234' })
    assert.deepEqual([malformed.status, Object.keys(malformed.body.errors)], [400, ['pin']])
  })

  test('is available to the sender, to hand it over; the PIN protects only the link in the mail', async () => {
    const { user: sender } = await newSender()
    const outside = await sendPayment(sender, {
      recipient: 'grace@example.com',
      number: 'A/17',
      pin: { value: '87654321' },
    })
    const { status, bytes, headers } = await takeCheck(sender, outside.id)
    assert.equal(status, 200)
    assert.match(
      headers.get('content-disposition') ?? '',
      /filename="check-A_17.pdf"; filename\*=UTF-8''check-A%2F17.pdf/,
    )
    const { micr, texts } = readCheck(bytes)
    assert.match(micr, new RegExp(`^T${specimen.routingNumber}T\\d+U$`), 'letters cannot occur in the MICR line')
    assert.ok(texts.includes('A/17') && texts.includes('Signature on file'))
    const long = await sendPayment(sender, { number: '1'.repeat(32) })
    assert.match(readCheck((await takeCheck(sender, long.id)).bytes).micr, new RegExp(`^T${specimen.routingNumber}T`))
  })

  test('is drawn on the operator’s account for a payment from a wallet', async () => {
    const { user: sender, account: own } = await newSender()
    const account = await newWallet(sender)
    const address = {
      line_1: '12 King St',
      line_2: 'Floor 2',
      city: 'Toronto',
      state: 'ON',
      zip: 'M5H 1A1',
      country: 'Canada',
    }
    await sender.put('/v3/user', { merchant: { address } })
    const { id } = await sendPayment(sender, { account, amount: 50 })
    const { micr, texts } = readCheck((await takeCheck(sender, id)).bytes)
    assert.equal(micr, `U000001UT${specimen.routingNumber}T${specimen.accountNumber}U`)
    assert.ok(!micr.includes(own))
    const printed = [
      (deps.settings.operatorBank as OperatorBank).companyName,
      specimen.name,
      `for Name of ${sender.userId}`,
      '12 King St, Floor 2',
      'Toronto, ON M5H 1A1',
      'Canada',
    ]
    for (const text of printed) assert.ok(texts.includes(text), text)
    await passDays(5)
    assert.equal(await statusOf(sender, id), 'PAID')
    await assertLedger()
  })

  test('is unavailable in other statuses, without PRINT as an option, and with an illegible name', async () => {
    const { user: sender } = await newSender()
    const refused = async (id: string) => {
      const before = await rowCounts(deps.sql)
      const { status, code } = await takeCheck(sender, id)
      assert.deepEqual(await rowCounts(deps.sql), before)
      return [status, code]
    }
    for (const status of ['IN_PROCESS', 'PAID', 'FAILED', 'REFUNDED', 'MAILED', 'VOID', 'EXPIRED']) {
      const { id } = await sendPayment(sender)
      await triggerStatus(sender, id, status)
      assert.deepEqual(await refused(id), [400, 'not_printable'], status)
    }
    const mailed = (await sender.post('/v3/check/physical', physical())).body
    assert.deepEqual(await refused(mailed.id), [400, 'not_printable'])
    const toBank = await sendPayment(sender, { deposit_options: ['BANK', 'MAIL'] })
    assert.deepEqual(await refused(toBank.id), [400, 'invalid_deposit_option'])
    const unreadable = await sendPayment(sender, { name: '王小明' })
    assert.deepEqual(await refused(unreadable.id), [400, 'unprintable_text'])
    assert.equal(await statusOf(sender, unreadable.id), 'UNPAID')
  })

  test('is unavailable to others, to suspended users, and from suspended senders', async () => {
    const [{ user: sender }, recipient, stranger] = [await newSender(), await newUser(), await newUser()]
    const { id } = await sendPayment(sender, { recipient: recipient.userId })
    assert.deepEqual((await takeCheck(service.as(''), id)).status, 401)
    assert.deepEqual((await takeCheck(stranger, id)).code, 'payment_not_found')
    assert.deepEqual((await takeCheck(service.owner, id)).code, 'not_the_recipient')
    await recipient.put('/v3/user/webhook', { status: 'SUSPENDED' })
    assert.equal((await takeCheck(recipient, id)).code, 'user_not_active')
    assert.equal(await statusOf(sender, id), 'UNPAID')
    const [other, payee] = [await newSender(), await newUser()]
    const unpaid = await sendPayment(other.user, { recipient: payee.userId })
    await other.user.put('/v3/user/webhook', { status: 'SUSPENDED' })
    assert.equal((await takeCheck(payee, unpaid.id)).code, 'not_printable')
    assert.equal(await statusOf(payee, unpaid.id), 'UNPAID')
    await other.user.put('/v3/user/webhook', { status: 'VERIFIED' })
    assert.equal((await takeCheck(payee, unpaid.id)).status, 200)
    await other.user.put('/v3/user/webhook', { status: 'SUSPENDED' })
    assert.equal((await takeCheck(payee, unpaid.id)).code, 'not_printable', 'not again, either')
  })

  test('in ten races of printing and depositing, one succeeds and money moves once', async () => {
    const [{ user: sender }, recipient] = [await newSender(), await newUser()]
    const account = await addBank(recipient)
    for (let race = 0; race < 10; race++) {
      const { id } = await sendPayment(sender, { recipient: recipient.userId })
      const [printed, deposited, again] = await Promise.all([
        takeCheck(recipient, id),
        recipient.post(`/v3/check/deposit/${id}`, { account }),
        takeCheck(sender, id),
      ])
      const isPrinted = printed.status === 200
      assert.deepEqual([printed.status, deposited.status, again.status], isPrinted ? [200, 400, 200] : [400, 201, 400])
      assert.deepEqual(await statusesOf(id), [isPrinted ? 'PRINTED' : 'IN_PROCESS'])
    }
    await passDays(20)
    await assertLedger()
  })

  test('that was voided or has expired is stopped: it is unavailable and not cashed', async () => {
    const { user: sender } = await newSender()
    await sender.put('/v3/user', { payment: { expiration: 10 } })
    const account = await newWallet(sender)
    for (const funding of [{}, { account }]) {
      const { id } = await sendPayment(sender, funding)
      assert.equal((await takeCheck(sender, id)).status, 200)
      assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
      assert.equal((await takeCheck(sender, id)).code, 'not_printable')
      await passDays(20)
      assert.deepEqual(await statusesOf(id), ['PRINTED', 'VOID'])
      const legs = await deps.sql<{ status: string }[]>`
        select status from legs where subject_id = ${id} and purpose = 'payment_push'
      `
      assert.ok(legs.every(({ status }) => status === 'CANCELLED'))
    }
    const slow = await sendPayment(sender, { account, amount: 10.66 }) // cashed later than usual
    const late = await sendPayment(sender, { account, amount: 20.66 })
    await passDays(7)
    assert.equal((await takeCheck(sender, slow.id)).status, 200)
    assert.equal((await takeCheck(sender, late.id)).status, 200)
    await passDays(15)
    for (const { id } of [slow, late]) {
      assert.deepEqual(await statusesOf(id), ['PRINTED', 'EXPIRED'])
      assert.equal((await takeCheck(sender, id)).code, 'not_printable')
    }
    assert.equal((await sender.get(`/v3/account/wallet/${account}`)).body.balance, 1_000)
    await assertLedger()
  })
})

suite('SPECIMEN', () => {
  test('is printed across checks of sandbox and demo, drawn on a nonexistent bank, and never in production', async () => {
    for (const name of ['sandbox', 'demo'] as const) {
      const { specimenBank } = environmentDefaults[name]
      assert.ok(specimenBank && !isAbaRoutingNumber(specimenBank.routingNumber), 'its check digit does not match')
      assert.match(specimenBank.routingNumber, /^98/, 'no Federal Reserve district has this number')
      assert.match(specimenBank.accountNumber, /^0+$/)
    }
    assert.equal(environmentDefaults.production.specimenBank, null)
  })

  test('is on paper from a bank or a wallet, even if the operator has its own account', async (t) => {
    const ownBank = {
      ...(deps.settings.operatorBank as OperatorBank),
      routingNumber: '011000015',
      accountNumber: '7777',
    }
    const sandbox = await startTestService(t, { settings: { operatorBank: ownBank } })
    const { user: sender, account } = await newSender(sandbox.newUser)
    for (const funding of [{}, { account: await newWallet(sender) }]) {
      const { id } = await sendPayment(sender, funding)
      const { bytes } = await takeCheck(sender, id, sandbox)
      const { micr, texts } = readCheck(bytes)
      assert.equal(texts.filter((text) => text === 'SPECIMEN').length, 1)
      assert.ok(texts.includes('Do not cash'), 'on its back')
      assert.match(micr, /T987654321T0000000000U$/)
      for (const number of [account, ownBank.accountNumber, ownBank.routingNumber]) {
        assert.ok(![micr, ...texts].some((text) => text.includes(number)), 'a real number')
      }
    }
  })

  test('is on no check in environments with real paper', async (t) => {
    const real = await startTestService(t, { settings: { specimenBank: null } })
    const { user: sender, account } = await newSender(real.newUser)
    const { id } = await sendPayment(sender)
    const { micr, texts } = readCheck((await takeCheck(sender, id, real)).bytes)
    assert.equal(micr, `U000001UT${ROUTING}T${account}U`, 'drawn on the bank of the sender')
    assert.ok(!texts.includes('SPECIMEN') && texts.includes('Endorse here'))
    const { body } = await sender.post('/v3/check/preview', physical())
    const number = `${'0'.repeat(account.length - 4)}${account.slice(-4)}`
    const picture = readPng(Buffer.from(body.image, 'base64'))
    assert.equal(micrOf(picture, { from: 31, length: account.length }), number, 'the account is masked')
    assert.equal(micrOf(picture, { from: 42, length: 9 }), ROUTING)
  })
})

suite('a copy', () => {
  test('of any payment is marked NOT NEGOTIABLE with a masked account, for sender, recipient and owner, and changes nothing', async () => {
    const [{ user: sender }, recipient] = [await newSender(), await newUser()]
    const { id } = await sendPayment(sender, { recipient: recipient.userId })
    const before = await rowCounts(deps.sql)
    for (const { credential } of [sender, recipient, service.owner]) {
      const read = (path: string) =>
        fetch(`${service.baseUrl}/v3/payment/${id}/${path}`, { headers: { authorization: credential } })
      const image = await read('image')
      assert.deepEqual([image.status, image.headers.get('content-type')], [200, 'image/png'])
      const picture = readPng(Buffer.from(await image.arrayBuffer()))
      assert.ok(picture.hasRed, 'it is marked across')
      const copy = await read('copy.pdf')
      assert.match(copy.headers.get('content-disposition') ?? '', /^attachment; filename="?check-1-copy\.pdf/)
      const [page] = readPages(Buffer.from(await copy.arrayBuffer()))
      assert.ok(page?.texts.some(({ text }) => text === 'NOT NEGOTIABLE'))
    }
    assert.deepEqual(await rowCounts(deps.sql), before)
    assert.equal((await sender.get(`/v3/check/${id}`)).body.status, 'UNPAID')
  })
})

suite('a preview', () => {
  test('is a picture of the future check, marked NOT NEGOTIABLE, and creates nothing', async () => {
    const { user: sender } = await newSender()
    await sender.post('/v3/user/signature', { signature: JPEG.toString('base64') })
    const before = await rowCounts(deps.sql)
    for (const order of [
      physical(),
      physical({ remittance_advice: 'For widgets', mail_type: 'OVERNIGHT', number: 77 }),
      {
        amount: 10,
        name: 'Grace',
        recipient: 'grace@example.com',
        deposit_options: ['BANK'],
        pin: { value: '12345678' },
      },
      { amount: 10, name: 'Grace', description: 'Rent '.repeat(800) },
    ]) {
      const { status, body, text, headers } = await sender.post('/v3/check/preview', order, { idempotencyKey: 'same' })
      assert.equal(status, 200, text)
      assert.deepEqual(Object.keys(body), ['image'])
      assert.equal(headers.get('cache-control'), 'no-store')
      const picture = readPng(Buffer.from(body.image, 'base64'))
      assert.deepEqual([picture.width, picture.height], [1_275, 525])
      assert.ok(picture.hasRed, 'it is marked across')
      assert.equal(micrOf(picture, { from: 42, length: 9 }), specimen.routingNumber)
    }
    assert.deepEqual(await rowCounts(deps.sql), before)
    assert.equal((await sendPayment(sender)).number, 1, 'no number was used')
  })

  test('is refused like the order, and accepts the same fields', async () => {
    const { user: sender } = await newSender()
    const digital = { amount: 10, name: 'Grace', recipient: 'grace@example.com' }
    const other = await newSender()
    for (const [order, code, field] of [
      [{ ...digital, amount: 0 }, 'invalid_request', 'amount'],
      [{ ...digital, description: 'a'.repeat(4_001) }, 'invalid_request', 'description'],
      [{ ...digital, recipient: 7 }, 'invalid_request', 'recipient'],
      [{ ...digital, mail_type: 'OVERNIGHT' }, 'invalid_request', 'mail_type'],
      [{ ...digital, remittance_advice: 'text' }, 'invalid_request', 'remittance_advice'],
      [physical({ pin: { value: '12345678' } }), 'invalid_request', 'pin'],
      [physical({ recipient: { ...ADDRESS, zip: undefined } }), 'invalid_request', 'recipient.zip'],
      [{ ...digital, recipient: 'nobody' }, 'invalid_recipient', 'recipient'],
      [{ ...digital, account: other.bankId }, 'bank_not_found', 'account'],
      [{ ...digital, deposit_options: ['PAYPAL'] }, 'invalid_deposit_option', 'deposit_options'],
      [physical({ name: '王小明' }), 'unprintable_text', 'name'],
      [physical({ account: await newWallet(sender), amount: 1_000.01 }), 'insufficient_funds', 'account'],
    ] as const) {
      const { body } = await sender.post('/v3/check/preview', order)
      assert.deepEqual([body.code, Object.keys(body.errors ?? {})], [code, [field]])
    }
    assert.equal((await service.as('').post('/v3/check/preview', digital)).status, 401)
    assert.equal((await (await newUser()).post('/v3/check/preview', digital)).body.code, 'no_verified_bank')
  })

  test('in large numbers is rate-limited, and all others are drawn', async () => {
    const { user: sender } = await newSender()
    const answers = await Promise.all(Array.from({ length: 120 }, () => sender.post('/v3/check/preview', physical())))
    for (const { status, body, headers } of answers) {
      if (status === 200) continue
      assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'rate_limited', '2'])
    }
    assert.ok(answers.filter(({ status }) => status === 200).length > 32)
    assert.equal((await sender.post('/v3/check/preview', physical())).status, 200)
  })
})

test('an application previews without using its grant, mails one check, and prints none', async () => {
  const [holder, developer] = [await newAccountHolder(service), await newAccountHolder(service)]
  const application = await registerApplication(developer.browser)
  const tokens = await obtainTokens(service, holder.browser, application, 'single-use')
  const api = service.as(`Bearer ${tokens.access_token}`)
  const mine = await sendPayment(holder.api)
  assert.equal((await takeCheck(api, mine.id)).code, 'insufficient_scope')
  for (let count = 0; count < 3; count++) assert.equal((await api.post('/v3/check/preview', physical())).status, 200)
  assert.equal((await api.post('/v3/check/physical', physical({ amount: 0 }))).status, 400)
  const [one, two] = await Promise.all([
    api.post('/v3/check/physical', physical(), { idempotencyKey: 'one' }),
    api.post('/v3/check/physical', physical(), { idempotencyKey: 'two' }),
  ])
  assert.deepEqual([one.status, two.status].sort(), [201, 401])
  const made = one.status === 201 ? one : two
  const check = await obtainTokens(service, holder.browser, application, 'check')
  const other = service.as(`Bearer ${check.access_token}`)
  const own = await other.post('/v3/check/physical', physical())
  assert.equal((await other.get(`/v3/check/${own.body.id}/tracking`)).status, 200)
  assert.equal((await other.get(`/v3/check/${made.body.id}/tracking`)).body.code, 'payment_not_found')
})

suite('in production', () => {
  const operatorBank = {
    companyName: 'Example Payments Inc.',
    bankName: 'First Example Bank',
    routingNumber: '011000015',
    accountNumber: '987654321012',
    fractionalRouting: null,
    firstCheckNumber: 1001,
  }
  // The settings of production, with simulated rails.
  const settings = { paperDrawnOn: 'operator', operatorBank, specimenBank: null } as const

  test('paper checks are drawn on the operator’s account, and available once the sender has paid', async (t) => {
    const production = await startTestService(t, { settings })
    const { user: sender } = await newSender(production.newUser)
    const { id } = await sendPayment(sender)
    for (let count = 0; count < 2; count++) {
      assert.equal((await takeCheck(sender, id, production)).code, 'check_not_ready')
    }
    assert.equal(await statusOf(sender, id), 'PRINTED')
    let given = await takeCheck(sender, id, production)
    for (let hour = 0; hour < 14 * 24 && given.status !== 200; hour += 12) {
      production.clock.advance(DAY / 2)
      await production.doDueWork()
      given = await takeCheck(sender, id, production)
    }
    const { micr, texts } = readCheck(given.bytes)
    assert.equal(micr, 'U000001UT011000015T987654321012U')
    assert.ok(texts.includes('Example Payments Inc.') && texts.includes('First Example Bank'))
    const legs = await production.deps.sql<{ purpose: string; status: string }[]>`
      select purpose, status from legs where subject_id = ${id} order by created_at, id
    `
    assert.deepEqual([legs[0]?.purpose, legs[0]?.status, legs[1]?.purpose], ['payment_pull', 'TRUSTED', 'payment_push'])
    assert.equal((await sender.post('/v3/check/preview', physical())).status, 200)
  })

  test('without such an account, paper checks are not mailed, printed or offered', async (t) => {
    const production = await startTestService(t, { settings: { ...settings, operatorBank: null } })
    const { user: sender } = await newSender(production.newUser)
    for (const [path, order] of [
      ['physical', physical()],
      ['preview', physical()],
      ['preview', { amount: 1, name: 'Grace', recipient: 'grace@example.com' }],
      ['digital', { amount: 1, name: 'Grace', recipient: 'grace@example.com', deposit_options: ['BANK', 'PRINT'] }],
    ] as const) {
      const { status, body } = await sender.post(`/v3/check/${path}`, order)
      assert.deepEqual([status, body.code], [400, 'paper_unavailable'], path)
    }
    const { id } = await sendPayment(sender)
    assert.equal((await takeCheck(sender, id, production)).code, 'invalid_deposit_option')
    const [row] = await production.deps.sql<{ depositOptions: string[] }[]>`
      select deposit_options from payments where id = ${id}
    `
    assert.deepEqual(row?.depositOptions, ['BANK'])
  })
})

test('a payment from before the removal of the operator’s account cannot be printed', async (t) => {
  const database = await createTestDatabase()
  const before = await startTestService(t, { databaseUrl: database.url })
  const { user: sender } = await newSender(before.newUser)
  const { id } = await sendPayment(sender, { account: await newWallet(sender) })
  const later = await startTestService(t, {
    databaseUrl: before.databaseUrl,
    keyRing: before.keyRing,
    settings: { operatorBank: null },
  })
  t.after(() => database.drop())
  assert.equal((await takeCheck(sender, id, later)).code, 'paper_unavailable')
  assert.equal((await takeCheck(sender, id, before)).status, 200)
})

// ——— Reading a picture

type Picture = { width: number; height: number; hasRed: boolean; isDark(x: number, y: number): boolean }

/** A PNG as this service writes it: one IDAT, eight-bit RGB, no filters. */
function readPng(file: Buffer): Picture {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)]
  const at = file.indexOf('IDAT')
  const rows = inflateSync(file.subarray(at + 4, at + 4 + file.readUInt32BE(at - 4)))
  assert.equal(rows.length, height * (1 + width * 3))
  const pixel = (x: number, y: number) => rows.subarray(y * (1 + width * 3) + 1 + x * 3).subarray(0, 3)
  let hasRed = false
  for (let x = 0; x < width; x++) {
    const [red = 0, green = 0, blue = 0] = pixel(x, 233)
    hasRed ||= red > green + 40 && red > blue + 40
  }
  return { width, height, hasRed, isDark: (x, y) => (pixel(x, y)[1] as number) < 128 }
}

/** Reads the digits of the MICR line from a position to the right, by the best matches. */
function micrOf(picture: Picture, { from, length }: { from: number; length: number }): string {
  const digits = Object.entries(MICR_GLYPHS).filter(([symbol]) => symbol.length === 1)
  const top = 3.5 - baselineInches() - 9 * 0.013
  return Array.from({ length }, (_, index) => {
    const left = 8.5 - rightEdgeInches(from - index) - 7 * 0.013
    const isInk = (column: number, row: number) =>
      picture.isDark(Math.floor((left + (column + 0.5) * 0.013) * 150), Math.floor((top + (row + 0.5) * 0.013) * 150))
    const mistakes = (rows: readonly string[]) =>
      rows.flatMap((row, y) => [...row].filter((cell, x) => (cell === '#') !== isInk(x, y))).length
    const [nearest] = digits.sort(([, some], [, others]) => mistakes(some) - mistakes(others))
    return nearest?.[0]
  }).join('')
}
