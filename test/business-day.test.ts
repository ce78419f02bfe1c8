import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { mailsTo, payNewRecipient } from './support/recipients.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

// Dates are those of the business, even in the evening when UTC is already a day later.

const service = await startTestService({ after }, { settings: { timeZone: 'America/Los_Angeles', limits: null } })
const { clock, newUser } = service
// The evening of March 2 in California.
const EVENING = new Date('2026-03-03T02:30:00Z')
clock.advance((EVENING.getTime() - clock.now().getTime()) / 1_000)

const sender = await newUser()
await addVerifiedBank(sender)

test('a subscription of today is not in the past, and today is its default start', async () => {
  const order = { name: 'Ann', recipient: 'ann@example.com', amount: 10, interval: 'MONTHLY' }
  const subscribe = (start_date?: string) => sender.post('/v3/subscription/check', { ...order, start_date })
  for (const start of ['2026-03-02', undefined]) {
    const { status, body, text } = await subscribe(start)
    assert.equal(status, 201, text)
    assert.equal(body.start_date, '2026-03-02')
  }
  const past = await subscribe('2026-03-01')
  assert.deepEqual([past.status, Object.keys(past.body.errors)], [400, ['start_date']])
})

test('a list filters by days in UTC, or by business days with time_zone', async () => {
  const { body: payment } = await sender.post('/v3/check/digital', {
    name: 'Bo',
    recipient: 'bo@example.com',
    amount: 1,
  })
  assert.equal(payment.date, '2026-03-03 02:30:00')
  const bank = await addBank(sender)
  await sender.post('/v3/invoice', {
    name: 'Bo',
    recipient: 'bo@example.com',
    amount: 1,
    description: 'x',
    account: bank,
  })
  for (const [path, name] of [
    ['/v3/check', 'checks'],
    ['/v3/invoice', 'invoices'],
    ['/v3/subscription', 'subscriptions'],
    ['/v3/payment', 'payments'],
  ] as const) {
    const count = async (query: string) => (await sender.get(`${path}?${query}`)).body[name].length
    const days = (day: string) => `start_date=${day}&end_date=${day}`
    const all = await count('')
    assert.ok(all > 0, path)
    assert.deepEqual([await count(days('2026-03-03')), await count(days('2026-03-02'))], [all, 0], path)
    const ofBusiness = (day: string) => count(`${days(day)}&time_zone=PLATFORM`)
    assert.deepEqual([await ofBusiness('2026-03-03'), await ofBusiness('2026-03-02')], [0, all], path)
    assert.equal((await sender.get(`${path}?time_zone=Mars`)).status, 400)
  }
})

test('the page of a payment and its mail show the last business day on which it can be deposited', async () => {
  const { id, page, email } = await payNewRecipient(service, sender)
  const [row] = await service.deps.sql<{ expiresAt: Date }[]>`select expires_at from payments where id = ${id}`
  const expires = row?.expiresAt as Date
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Los_Angeles', dateStyle: 'short' }).format(
    expires,
  )
  assert.notEqual(local, expires.toISOString().slice(0, 10))
  assert.equal((await page.read()).body.expires, local)
  const [mail] = await mailsTo(service, email)
  const words = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', dateStyle: 'long' }).format(new Date(local))
  assert.ok(mail?.text.includes(`until ${words} (Pacific Time)`), mail?.text)
})
