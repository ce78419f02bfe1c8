import assert from 'node:assert/strict'
import { after, suite, type TestContext, test } from 'node:test'
import type { Route } from 'playwright-core'
import { businessDate } from '../src/foundation/lib/clock.ts'
import { startChromium } from './support/chromium.ts'
import { newAccountHolder } from './support/oauth.ts'
import { assertAccessible, enterTabAs, openTab, preloadAxe } from './support/pages.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { type Receiver, startReceiver } from './support/receiver.ts'
import { startTestService } from './support/service.ts'
import { isAuthentic, setWebhook } from './support/webhooks.ts'

// The pages of webhooks in a real browser, with a real receiver.

const webhookSourceAddresses = ['127.0.0.2', '127.0.0.3']
const service = await startTestService({ after }, { settings: { webhookSourceAddresses } })
const { context, page, complaints, settle, intercept } = await openTab(await startChromium({ after }), {
  baseURL: service.baseUrl,
})
await preloadAxe(context)

/** States that require actions, and that the test of every page does not cover. */
const assertGoodState = () => assertAccessible({ page, settle }, new URL(page.url()).pathname)

/** A signed-in owner with a receiver. No action may cause an error or a warning in the browser console. */
async function newHolder(t: TestContext) {
  const holder = await newAccountHolder(service)
  await enterTabAs(page, holder.browser, service.baseUrl)
  t.after(() =>
    assert.deepEqual(
      complaints.splice(0).filter((complaint) => !/status of (400|404|500)/.test(complaint)), // the page shows them
      [],
    ),
  )
  return { ...holder, receiver: await startReceiver(t) }
}

type Holder = Awaited<ReturnType<typeof newHolder>>

const ENDPOINTS = '/settings/webhooks'
const DELIVERIES = '/settings/webhooks/deliveries'

const button = (name: string) => page.getByRole('button', { name, exact: true })

const addEndpoint = async ({ api }: Pick<Holder, 'api'>, fields: object): Promise<string> => {
  const { status, body, text } = await api.post('/v3/webhook/endpoint', fields)
  assert.equal(status, 201, text)
  return body.id
}

/** Changes the status of a payment: one event, or two until PAID. @returns its id */
const happen = async ({ api }: Pick<Holder, 'api'>, status = 'IN_PROCESS'): Promise<string> => {
  const { id } = await sendPayment(api)
  await triggerStatus(api, id, status)
  return id
}

/** Waits until every retry was made. */
async function failAll(receiver: Receiver): Promise<void> {
  receiver.answer = (response) => response.writeHead(500).end('the database is away')
  while ((await service.deliverWebhooks()) > 0) service.clock.advance(30_720)
}

const rows = page
  .getByRole('table')
  .getByRole('row')
  .filter({ has: page.getByRole('link') })

/** Waits until this number of deliveries is shown. */
const countRows = (count: number) =>
  page
    .locator('[aria-busy="false"]')
    .getByText(`${count} ${count === 1 ? 'delivery' : 'deliveries'} shown`)
    .waitFor({ state: 'attached' })

test('an endpoint is added and tested; a failed delivery is inspected, replayed, and arrives', async (t) => {
  const holder = await newHolder(t)
  const { receiver } = holder
  await page.goto(ENDPOINTS)
  await page.getByText('No endpoints yet.').waitFor()
  for (const address of webhookSourceAddresses) await page.getByText(address, { exact: true }).waitFor()
  await page.getByText('npx remit-payments listen --forward-to http://localhost:3000/hook').waitFor()

  await button('Add endpoint').click()
  const dialog = page.getByRole('dialog')
  const submit = () => dialog.getByRole('button', { name: 'Add endpoint' }).click()
  const url = dialog.getByLabel('URL')
  await submit()
  await dialog.getByText('Enter a URL.').waitFor()
  await url.fill('http://example.com/hook')
  await submit()
  await dialog.getByText('This must be an https URL').waitFor()
  await url.and(page.locator(':focus')).waitFor()
  await url.fill(receiver.url)
  await dialog.getByLabel('Name').fill('Accounting')
  await submit()
  await page.getByRole('heading', { level: 3, name: 'Accounting' }).waitFor()
  await page.getByText('Payments, Invoices').waitFor()
  await dialog.waitFor({ state: 'hidden' })

  receiver.answer = (response) => response.writeHead(201).end('thank you')
  await button('Send test event to Accounting').click()
  await page.getByText('Your server acknowledged the event with status 201').waitFor()
  await page.getByText('Your server’s response').click()
  await page.getByText('thank you').waitFor()
  assert.equal(receiver.events()[0]?.type, 'TEST')
  assert.ok(webhookSourceAddresses.includes(receiver.received[0]?.from ?? ''))

  const payment = await happen(holder)
  await failAll(receiver)
  await page.getByRole('link', { name: 'Deliveries to Accounting' }).click()
  await countRows(1)
  const row = rows
  for (const text of ['Payment in process', 'to Recipient · 12 attempts', 'Failed', /^\$[\d.]+$/]) {
    await row.getByText(text, { exact: true }).waitFor()
  }
  await settle()
  await row.getByText('Failed').click({ force: true }) // anywhere: the link covers the row
  await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor()
  await page.getByText('"status": "IN_PROCESS"').waitFor()
  const link = page.getByRole('link', { name: 'View payment' })
  assert.equal(await link.getAttribute('href'), `/payments/${payment}`)
  await page.getByText('Raw', { exact: true }).click()
  await page.getByText(receiver.received.at(-1)?.body ?? '', { exact: true }).waitFor()

  assert.equal(await page.getByText(/^Attempt \d+$/).count(), 12)
  const last = page.getByRole('listitem').filter({ hasText: 'Attempt 12' })
  for (const text of [
    'Your server responded with status 500',
    'the database is away',
    'Rejected',
    'webhook-signature',
  ]) {
    await last.getByText(text).waitFor()
  }
  await last.getByText(String(receiver.received.at(-1)?.headers.signature), { exact: true }).waitFor()

  await assertGoodState()

  // The button shows a pending attempt until it ends. If it fails, the next attempt can be sent at once.
  await button('Replay').click()
  await page.getByText('Pending', { exact: true }).waitFor()
  await button('Sending…').waitFor()
  assert.equal(await service.deliverWebhooks(), 1)
  await page.getByText('Attempt 13', { exact: true }).waitFor() // by itself
  receiver.answer = 200
  await button('Send now').click()
  await button('Sending…').click({ force: true }) // has no further effect
  await settle()
  assert.equal(await button('Send now').count(), 0)
  assert.equal(await service.deliverWebhooks(), 1)
  await page.getByText('Delivered', { exact: true }).waitFor()
  await page.getByText('Attempt 14', { exact: true }).waitFor()
  await page.getByText('Your server acknowledged the event with status 200').waitFor()
  await button('Replay').waitFor()
})

suite('the list of deliveries', () => {
  test('is filtered by status, endpoint, type and day, and its URL contains the filters', async (t) => {
    const holder = await newHolder(t)
    const { api, receiver } = holder
    const endpoint = await addEndpoint(holder, { url: receiver.url, name: 'Accounting' })
    await setWebhook(api, 'http://localhost:1/developer')
    await happen(holder)
    await service.deliverWebhooks()
    await page.goto(DELIVERIES)
    await countRows(2) // the URL of the developer settings also has one
    await rows.getByText('localhost:1').waitFor()

    const choose = (label: string, option: string) => page.getByLabel(label, { exact: true }).selectOption(option)
    await choose('Status', 'Delivered')
    await countRows(1)
    assert.match(page.url(), /\?status=DELIVERED$/)
    await choose('Status', 'Failed')
    await page.getByText('No deliveries match these filters').waitFor()
    await button('Clear filters').click()
    await countRows(2)

    await choose('Endpoint', 'Accounting')
    await countRows(1)
    assert.match(page.url(), new RegExp(`endpoint=${endpoint}`))
    await page.reload()
    await countRows(1)
    await choose('Events', 'Users')
    await page.getByText('No deliveries match these filters').waitFor()
    await button('Show all deliveries').click()
    await countRows(2)

    const today = businessDate(service.clock.now(), service.deps.settings.timeZone)
    await page.getByLabel('From (PT)').fill(today)
    await page.getByLabel('To (PT)').fill(today)
    await countRows(2)
    await page.getByLabel('To (PT)').fill('2020-01-01')
    await page.getByText('No deliveries match these filters').waitFor()
  })

  test('loads older ones and returns to the newest', async (t) => {
    const holder = await newHolder(t)
    await addEndpoint(holder, { url: 'http://localhost:1/hook' })
    for (let count = 0; count < 14; count++) {
      service.clock.advance(1)
      await happen(holder, 'PAID')
    }
    await page.goto(DELIVERIES)
    const { deliveries } = (await holder.api.get('/v3/webhook/delivery?per_page=250')).body
    const left = deliveries.length - 25
    assert.ok(left > 0, `${deliveries.length}`)
    await countRows(25)
    assert.ok(await button('Newest').isDisabled())
    await button('Older').click()
    await countRows(left)
    await page.locator('h1:focus', { hasText: 'Deliveries' }).waitFor()
    assert.ok(await button('Older').isDisabled())
    await button('Newest').click()
    await countRows(25)
    await page.goBack()
    await countRows(left)
  })

  test('can be used by keyboard, and shows new deliveries without a reload', async (t) => {
    const holder = await newHolder(t)
    const { receiver } = holder
    await addEndpoint(holder, { url: receiver.url })
    await happen(holder)
    await page.goto(DELIVERIES)
    await rows.first().getByText('Pending').waitFor()
    while ((await service.deliverWebhooks()) > 0);
    await rows.first().getByText('Delivered').waitFor()
    await rows.first().getByRole('link').focus()
    await page.keyboard.press('Enter')
    await page.locator('h1:focus', { hasText: 'Delivery' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Deliveries' }).press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor()
  })
})

test('an endpoint is added, and its deletion is canceled, by keyboard alone', async (t) => {
  const { receiver } = await newHolder(t)
  const focus = (name: string) => button(name).and(page.locator(':focus')).waitFor()
  await page.goto(ENDPOINTS)
  await button('Add endpoint').press('Enter')
  await page.getByRole('dialog').getByLabel('URL').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(receiver.url)
  await page.keyboard.press('Tab')
  await page.keyboard.type('Accounting')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space') // no invoices
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 3, name: 'Accounting' }).waitFor()
  await page.getByRole('definition').getByText('Payments', { exact: true }).waitFor()
  await focus('Add endpoint')

  await button('Delete Accounting').press('Enter')
  await page.getByRole('dialog', { name: 'Delete endpoint?' }).waitFor()
  await focus('Cancel')
  await page.keyboard.press('Escape')
  await focus('Delete Accounting')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
})

test('a list that is loading or cannot be loaded shows this, and is requested again', async (t) => {
  const holder = await newHolder(t)
  await addEndpoint(holder, { url: 'http://localhost:1/hook', name: 'Accounting' })
  await happen(holder)
  const asked = Promise.withResolvers<Route>()
  const stop = await intercept('**/v3/webhook/delivery?*', asked.resolve)
  await page.goto(DELIVERIES)
  const answer = await asked.promise
  await page.getByRole('status').getByText('Loading').waitFor()
  await answer.fulfill({ status: 500, json: { code: 'internal', message: 'The service has failed.' } })
  await page.getByRole('alert').getByText('The service has failed.').waitFor()
  await assertGoodState()
  await stop()
  await button('Try again').press('Enter')
  await countRows(1)
  await rows.getByText('Accounting').waitFor()

  await page.goto(`${DELIVERIES}/${'0'.repeat(32)}/${'0'.repeat(32)}`)
  await page.getByRole('alert').getByText('There is no such delivery.').waitFor()
  assert.equal(await button('Try again').count(), 0)
})

test('deliveries that failed since a time are replayed at once, and their number is shown', async (t) => {
  const holder = await newHolder(t)
  const { receiver } = holder
  await addEndpoint(holder, { url: receiver.url })
  await Promise.all([happen(holder), happen(holder)])
  await failAll(receiver)
  const failed = (await holder.api.get('/v3/webhook/delivery?status=FAILED')).body.deliveries.length
  await page.goto(DELIVERIES)
  await button('Replay failed…').click()
  const dialog = page.getByRole('dialog')
  const since = dialog.getByLabel('Failed events since')
  const replay = () => dialog.getByRole('button', { name: 'Replay' }).click()
  await since.fill('2030-01-01T00:00')
  await replay()
  await page.getByText('No deliveries have failed since then.').waitFor()
  await button('Replay failed…').click()
  await since.fill('2026-01-01T00:00')
  await replay()
  await page.getByText(`Replaying ${failed} deliveries.`).waitFor()
  receiver.answer = 200
  while ((await service.deliverWebhooks()) > 0);
  await page
    .getByRole('table')
    .filter({ hasNotText: /Pending|Failed/ })
    .waitFor()
})

test('an endpoint is disabled, shows this, and gets its missed events when it is enabled again', async (t) => {
  const holder = await newHolder(t)
  const { receiver } = holder
  await addEndpoint(holder, { url: receiver.url, name: 'Accounting' })
  await page.goto(ENDPOINTS)
  await button('Disable Accounting').click()
  await button('Disable').click()
  await page.getByText(/Disabled since .* by you\./).waitFor()
  const before = receiver.received.length
  await happen(holder)
  assert.equal(await service.deliverWebhooks(), 0)
  await button('Enable Accounting').click()
  await page.getByText(/It missed \d events? since/).waitFor()
  await assertGoodState()
  await page.getByRole('button', { name: /^Replay \d missed event/ }).click()
  await page.getByText(/^Replaying \d event/).waitFor()
  await page.getByText('Enabled', { exact: true }).waitFor()
  while ((await service.deliverWebhooks()) > 0);
  assert.ok(receiver.received.length > before)

  await button('Edit Accounting').click()
  await page.getByRole('dialog').getByLabel('Users').check()
  await page.getByRole('dialog').getByLabel('Name').fill('Books')
  await button('Save changes').click()
  await page.getByText('Payments, Invoices, Users').waitFor()
  await button('Delete Books').click()
  await button('Delete').click()
  await page.getByText('No endpoints yet.').waitFor()
})

test('the signing key is rotated: shown once, and both keys sign', async (t) => {
  const holder = await newHolder(t)
  const { receiver, webhookKey } = holder
  await addEndpoint(holder, { url: receiver.url, name: 'Accounting' })
  await page.goto(ENDPOINTS)
  await button('Rotate key').click()
  await button('Rotate').click()
  await page.getByText('You won’t be able to see it again').waitFor()
  const shown = page
    .getByRole('dialog')
    .locator('code')
    .filter({ hasText: /^[0-9a-f]{32}$/ })
  const newKey = (await shown.textContent()) ?? ''
  service.secrets.add(newKey)
  assert.notEqual(newKey, webhookKey)
  await assertGoodState()
  await button('Done').click()
  await page.reload()
  await page.getByRole('heading', { level: 3, name: 'Accounting' }).waitFor()
  assert.ok(!(await page.content()).includes(newKey))

  await button('Send test event to Accounting').click()
  await page.getByText('Your server acknowledged the event').waitFor()
  const [received] = receiver.received
  assert.ok(received && isAuthentic(received, webhookKey))
  assert.match(String(received.headers['webhook-signature']), /^v1,\S+ v1,\S+$/)
})

test('an event is found in the list, with its deliveries and its body as curl', async (t) => {
  const holder = await newHolder(t)
  await page.goto('/settings/events')
  await page.getByRole('heading', { name: 'No events yet' }).waitFor()
  await addEndpoint(holder, { name: 'Accounting', url: holder.receiver.url })
  const payment = await happen(holder)
  await service.deliverWebhooks()
  await page.reload()
  await page.getByText('1 event shown').waitFor({ state: 'attached' })
  await page.getByText(payment, { exact: true }).waitFor()
  await assertGoodState()
  await page.getByText('$10.00', { exact: true }).waitFor()
  await page.getByRole('link', { name: /^Payment to / }).click()
  await page.getByRole('table', { name: 'Deliveries' }).getByText('Delivered').waitFor()
  await page.getByRole('button', { name: 'Copy as curl' }).waitFor()
  const command = (await page.getByText(/^curl/).textContent()) ?? ''
  assert.ok(command.includes(`--data-raw '${holder.receiver.received.at(-1)?.body}'`), command)
  await assertGoodState()
  await page.goto('/settings/events?type=BANK')
  await page.getByRole('heading', { name: 'No events of this type' }).waitFor()
  await happen(holder, 'VOID')
  await page.goto('/settings/events')
  await page.getByText('Voided', { exact: true }).waitFor() // with the name from the list of payments
})

test('an endpoint is changed to full bodies, and a delivery shows the sent object', async (t) => {
  const holder = await newHolder(t)
  await addEndpoint(holder, { name: 'Accounting', url: holder.receiver.url })
  await page.goto(ENDPOINTS)
  await page.getByText('Thin', { exact: true }).waitFor()
  await button('Edit Accounting').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Full' }).check()
  await assertGoodState()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText('Full', { exact: true }).waitFor()
  await happen(holder)
  await page.goto(DELIVERIES)
  await rows.getByText('Payment in process').waitFor()
  await settle()
  await rows.getByText('Pending').click({ force: true })
  await page.getByText('The full body is made when the first attempt is sent.').waitFor()
  await assertGoodState()
  await service.deliverWebhooks()
  await page.reload()
  await page.getByText('"recipient": "recipient@example.com"').waitFor()
  await page.getByText('Raw', { exact: true }).click()
  await page.getByText(holder.receiver.received.at(-1)?.body ?? '', { exact: true }).waitFor()
})
