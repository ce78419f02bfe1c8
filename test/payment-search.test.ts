import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Api } from './support/api.ts'
import { type Browser, signIn } from './support/browser.ts'
import { insertPastPayments, sendPayment, triggerStatus } from './support/payments.ts'
import { addBank, addVerifiedBank, PASSWORD, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'
import { waitUntil } from './support/wait-until.ts'

const service = await startTestService({ after })

async function newPlatform() {
  const { api: owner, id } = await service.newOwner()
  const sender = await service.newUser(undefined, owner)
  const recipient = await service.newUser(undefined, owner)
  await addVerifiedBank(sender)
  const account = await addBank(recipient)
  return { id, owner, sender, recipient, to: { id: recipient.userId, account } }
}

type Found = { id: string; direction: string; status: string; user: { id: string } }

async function search(
  by: Api,
  query = '',
): Promise<{ payments: Found[]; searchedTo: string | null; next: string | null }> {
  const { body, status, text, headers } = await by.get(`/v3/payment${query}`)
  assert.equal(status, 200, text)
  const link = /<[^?]*(\?[^>]*)>/.exec(headers.get('link') ?? '')
  return { payments: body.payments, searchedTo: body.searched_to, next: link?.[1] ?? null }
}

const idsOf = ({ payments }: { payments: Found[] }) => payments.map(({ id }) => id)

/** Sent one at a time, so that the order is known. */
async function send(by: Api, ...orders: object[]): Promise<string[]> {
  const ids: string[] = []
  for (const order of orders) {
    ids.push((await sendPayment(by, order)).id)
    service.clock.advance(1)
  }
  return ids
}

test('an owner sees the payments of its whole platform, and each user sees its own', async () => {
  const here = await newPlatform()
  const elsewhere = await newPlatform()
  const [a, b] = (await send(here.sender, { recipient: here.recipient.userId }, { recipient: here.to })) as [
    string,
    string,
  ]
  const all = await search(here.owner)
  assert.deepEqual(idsOf(all), [b, a])
  assert.deepEqual(
    all.payments.map(({ direction, user }) => [direction, user.id]),
    [
      ['OUTGOING', here.sender.id],
      ['OUTGOING', here.sender.id],
    ],
  )
  const received = await search(here.recipient)
  assert.deepEqual(idsOf(received), [b, a])
  assert.deepEqual(received.payments[0]?.direction, 'INCOMING')
  assert.deepEqual(received, await search(here.owner, `?user=${here.recipient.id}`))
  assert.deepEqual(idsOf(await search(elsewhere.owner)), [])
  assert.equal((await elsewhere.owner.get(`/v3/payment?user=${here.sender.id}`)).body.code, 'user_not_found')
  assert.equal((await here.recipient.get(`/v3/payment?user=${here.sender.id}`)).body.code, 'user_not_found')
})

const newReceiver = () => service.newOwner()

test('a payment from another platform is INCOMING', async () => {
  const { sender } = await newPlatform()
  const receiver = await newReceiver()
  const [id] = await send(sender, { recipient: receiver.email })
  await service.applyOutbox()
  const { payments } = await search(receiver.api)
  assert.deepEqual(
    payments.map((payment) => [payment.id, payment.direction, payment.user.id]),
    [[id, 'INCOMING', receiver.id]],
  )
  assert.deepEqual(idsOf(await search(receiver.api, '?direction=OUTGOING')), [])
})

test('filters select by status, rail, amount, date and text, and the pages continue', async () => {
  const { owner, sender, recipient, to } = await newPlatform()
  const [paid, failed, cheap, named] = (await send(
    sender,
    { amount: 50, recipient: recipient.userId },
    { amount: 60, recipient: recipient.userId },
    { amount: 1.5, recipient: recipient.userId },
    { amount: 70, name: 'Wanda Unique', recipient: to },
  )) as [string, string, string, string]
  await triggerStatus(sender, paid, 'PAID')
  await triggerStatus(sender, failed, 'FAILED', { return_code: 'R01' })
  const found = async (query: string) => idsOf(await search(owner, query))
  assert.deepEqual(await found('?status=PAID'), [paid])
  assert.deepEqual(await found('?status=FAILED'), [failed])
  assert.deepEqual(await found('?rail=ACH'), [named, failed, paid])
  assert.deepEqual(await found('?max_amount=1.5'), [cheap])
  assert.deepEqual(await found('?min_amount=50&max_amount=60'), [failed, paid])
  assert.deepEqual(await found('?q=wanda'), [named])
  assert.deepEqual(await found('?q=%25'), [])
  const today = service.clock.now().toISOString().slice(0, 10)
  assert.deepEqual(await found(`?start_date=${today}&direction=OUTGOING`), [named, cheap, failed, paid])
  assert.deepEqual(await found('?end_date=2020-01-01'), [])
  const first = await search(owner, `?per_page=10&user=${sender.id}`)
  assert.equal(first.next, null)
})

test('pages by cursor contain each payment once, also with sent and received ones mixed', async () => {
  const { owner, sender } = await newPlatform()
  const other = await service.newUser(undefined, owner)
  await addVerifiedBank(other)
  const ids: string[] = []
  for (let n = 0; n < 14; n++) {
    const [from, to] = n % 3 === 0 ? [other, sender] : [sender, other]
    ids.unshift(...(await send(from, { recipient: to.userId })))
  }
  for (const scope of ['?per_page=10', `?per_page=10&user=${sender.id}`]) {
    const first = await search(owner, scope)
    assert.ok(first.next)
    const second = await search(owner, first.next)
    assert.deepEqual([...idsOf(first), ...idsOf(second)], ids)
    assert.equal(second.next, null)
  }
})

test('a search with few results stops after 20,000 payments and reports its position', async () => {
  const { id: platformId, owner, sender, recipient } = await newPlatform()
  const [oldest] = await send(sender, { name: 'Needle', recipient: recipient.userId })
  service.clock.advance(30_000)
  await insertPastPayments(
    service.ownerSql,
    { platformId, senderId: sender.id },
    { count: 20_100, now: service.clock.now() },
  )
  for (const scope of ['?q=needle', `?q=needle&user=${sender.id}`]) {
    const first = await search(owner, scope)
    assert.deepEqual(idsOf(first), [])
    assert.ok(first.searchedTo && first.next)
    const second = await search(owner, first.next)
    assert.deepEqual([idsOf(second), second.searchedTo, second.next], [[oldest], null, null])
  }
})

test('invalid queries are refused with the field', async () => {
  const { owner } = await newPlatform()
  for (const [query, field] of [
    ['status=DONE', 'status'],
    ['min_amount=1.234', 'min_amount'],
    ['user=x', 'user'],
    ['cursor=abc', 'cursor'],
  ] as const) {
    const { status, body } = await owner.get(`/v3/payment?${query}`)
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body.errors), [field])
  }
})

test('an export contains each payment of the search once, in CSV that starts no formula', async () => {
  const { owner, sender, recipient } = await newPlatform()
  const [first] = await send(sender, { amount: 5, name: '=1+1', recipient: recipient.userId })
  const [second] = await send(sender, { amount: 12.5, name: 'Pay, "ee"', recipient: recipient.userId })
  const response = await fetch(`${service.baseUrl}/v3/export?min_amount=1`, {
    headers: { authorization: owner.credential },
  })
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8')
  assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="payments-.*\.csv"/)
  const [header, ...rows] = (await response.text()).trimEnd().split('\r\n')
  assert.match(header ?? '', /^id,number,date,status,direction,amount,name,/)
  assert.deepEqual(
    rows.map((row) => [row.slice(0, 32), row.includes("'=1+1"), row.includes('12.50,"Pay, ""ee"""')]),
    [
      [second, false, true],
      [first, true, false],
    ],
  )
  const { body } = await recipient.get(`/v3/export?user=${sender.id}`)
  assert.equal(body.code, 'user_not_found')
})

test('an export is refused to other websites, which could otherwise use up the only one that a person may run', async () => {
  const { email, api } = await service.newOwner()
  const browser = await signIn(service, { email })
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://other.example' }]) {
    const { status, body } = await browser.get('/v3/export', headers)
    assert.deepEqual([status, body.code], [403, 'foreign_origin'])
  }
  assert.equal((await browser.get('/v3/export')).status, 200)
  assert.equal((await api.get('/v3/export', { headers: { origin: 'https://other.example' } })).status, 200, 'a key')
})

test('a long export is sent in parts, one at a time for each key', async () => {
  const { id: platformId, owner, sender } = await newPlatform()
  await insertPastPayments(
    service.ownerSql,
    { platformId, senderId: sender.id },
    {
      count: 45_000,
      now: service.clock.now(),
      name: 'Payee '.repeat(30),
      recipient: `${'payee'.repeat(15)}@example.com`,
    },
  )
  const headers = { authorization: owner.credential }
  const first = await fetch(`${service.baseUrl}/v3/export`, { headers })
  const refused = await fetch(`${service.baseUrl}/v3/export`, { headers })
  assert.deepEqual([refused.status, ((await refused.json()) as { code: string }).code], [429, 'export_running'])
  const rows = (await first.text()).trimEnd().split('\r\n').slice(1)
  assert.equal(rows.length, 45_000)
  assert.equal(new Set(rows.map((row) => row.slice(0, 32))).size, 45_000)
  const canceled = new AbortController()
  await fetch(`${service.baseUrl}/v3/export`, { headers, signal: canceled.signal })
  canceled.abort()
  await waitUntil('the canceled export ends', async () => {
    const next = await fetch(`${service.baseUrl}/v3/export?q=nothing`, { headers })
    await next.text()
    return next.status === 200
  })
})

test('one payment is shown with details to its sender, its recipient and the owner, each from its side', async () => {
  const { owner, sender, recipient, to } = await newPlatform()
  const elsewhere = await newPlatform()
  const { id } = await sendPayment(sender, { recipient: to, description: 'Rent', remittance_advice: null })
  const details = async (by: Api) => (await by.get(`/v3/payment/${id}`)).body
  const sent = await details(sender)
  assert.equal(sent.direction, 'OUTGOING')
  assert.equal(sent.account.kind, 'bank')
  assert.deepEqual([sent.rail, sent.has_attachment], ['ACH', false])
  assert.match(sent.expected, /^\d{4}-\d\d-\d\d$/)
  assert.deepEqual(await details(owner), sent)
  const received = await details(recipient)
  assert.deepEqual([received.direction, received.account, received.user.id], ['INCOMING', null, recipient.id])
  assert.equal((await elsewhere.owner.get(`/v3/payment/${id}`)).status, 404)
})

suite('saved views', () => {
  const views = async (browser: Browser) => (await browser.get('/web/v1/views')).body.views
  const failed = { name: 'Failed', filters: { status: 'FAILED', min_amount: 100.5, start_date: '2026-01-01' } }

  test('are saved, renamed, changed and deleted, and belong to one member of one platform', async () => {
    const owner = await service.newOwner()
    const browser = await signIn(service, owner)
    const viewer = await newMember(service, owner.id, 'viewer')
    const elsewhere = await signIn(service, await service.newOwner())
    const { status, body } = await browser.post('/web/v1/views', { ...failed, name: ' Failed ' })
    assert.equal(status, 201)
    assert.deepEqual(body, { id: body.id, ...failed })
    assert.deepEqual(await views(browser), [body])
    const address = `/web/v1/views/${body.id}`
    for (const other of [viewer.browser, elsewhere]) {
      assert.deepEqual(await views(other), [])
      assert.deepEqual((await other.put(address, { name: 'Mine' })).body.code, 'view_not_found')
      assert.deepEqual((await other.del(address)).body.code, 'view_not_found')
    }
    const own = (await viewer.browser.post('/web/v1/views', failed)).body
    assert.deepEqual((await browser.put(address, { name: 'Late' })).body, { ...body, name: 'Late' })
    const changed = { ...body, name: 'Late', filters: { q: 'roof' } }
    assert.deepEqual((await browser.put(address, { filters: { q: 'roof' } })).body, changed)
    assert.deepEqual(await views(browser), [changed])
    assert.equal((await browser.del(address)).status, 200)
    assert.equal((await browser.del(address)).body.code, 'view_not_found')
    assert.deepEqual(await views(browser), [])
    assert.deepEqual(await views(viewer.browser), [own])
  })

  test('have unique names, are limited to 50 even under concurrent requests, and are deleted with the membership', async () => {
    const { id, ...owner } = await service.newOwner()
    const browser = await signIn(service, owner)
    const { browser: admin, loginId } = await newMember(service, id, 'admin')
    await admin.post('/web/v1/views', failed)
    assert.equal((await admin.post('/web/v1/views', { ...failed, name: 'FAILED ' })).body.code, 'view_exists')
    const other = (await admin.post('/web/v1/views', { name: 'Other', filters: {} })).body
    assert.equal((await admin.put(`/web/v1/views/${other.id}`, { name: 'failed' })).body.code, 'view_exists')
    const more = Array.from({ length: 50 }, (_, index) => ({ name: `View ${index}`, filters: {} }))
    const answers = await Promise.all(more.map((view) => admin.post('/web/v1/views', view)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 48)
    assert.ok(answers.every(({ status, body }) => status === 201 || body.code === 'view_limit_reached'))
    assert.equal((await views(admin)).length, 50)
    await browser.post('/web/v1/step-up', { password: PASSWORD })
    assert.equal((await browser.del(`/web/v1/team/${loginId}`)).status, 200)
    const left = await service.deps.sql`select 1 from payment_views where platform_id = ${id}`
    assert.equal(left.length, 0)
  })

  test('refuse filters that the list does not have, and blank names', async () => {
    const browser = await signIn(service, await service.newOwner())
    const bad: [object, string][] = [
      [{ name: 'x' }, 'filters'],
      [{ filters: {} }, 'name'],
      [{ name: ' ', filters: {} }, 'name'],
      [{ name: 'x'.repeat(61), filters: {} }, 'name'],
      [{ name: 'x', filters: { status: 'LOST' } }, 'filters.status'],
      [{ name: 'x', filters: { color: 'red' } }, 'filters.color'],
      [{ name: 'x', filters: { start_date: '2026-02-30' } }, 'filters.start_date'],
      [{ name: 'x', filters: { min_amount: '5' } }, 'filters.min_amount'],
      [{ name: 'x', filters: { user: 'me' } }, 'filters.user'],
    ]
    for (const [view, field] of bad) {
      const { status, body, text } = await browser.post('/web/v1/views', view)
      assert.deepEqual([status, body.code], [400, 'invalid_request'], text)
      assert.ok(text.includes(field), `${field}: ${text}`)
    }
    assert.equal((await browser.post('/web/v1/views', { name: 'x\u0000', filters: {} })).body.code, 'invalid_text')
    assert.deepEqual(await views(browser), [])
  })
})

test('the days of a search are UTC days, or days in the time zone of the platform', async () => {
  const { owner, sender, to } = await newPlatform()
  const now = service.clock.now()
  const evening = new Date(now) // 21:00 or 22:00 in Los Angeles
  evening.setUTCHours(29, 0, 0, 0)
  service.clock.advance((evening.getTime() - now.getTime()) / 1_000)
  const [id] = await send(sender, { recipient: to })
  const here = now.toISOString().slice(0, 10)
  const utc = evening.toISOString().slice(0, 10)
  assert.notEqual(here, utc)
  const found = async (query: string) => idsOf(await search(owner, query))
  assert.deepEqual(await found(`?start_date=${utc}&end_date=${utc}`), [id])
  assert.deepEqual(await found(`?end_date=${here}`), [])
  assert.deepEqual(await found(`?start_date=${here}&end_date=${here}&time_zone=PLATFORM`), [id])
  assert.deepEqual(await found(`?start_date=${utc}&time_zone=PLATFORM`), [])
  const { text } = await owner.get(`/v3/export?start_date=${here}&end_date=${here}&time_zone=PLATFORM`)
  assert.equal(text.includes(id as string), true)
})
