import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openDashboard } from './support/dashboard.ts'
import { newWallet } from './support/money.ts'
import { startTestService } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'

// Pages show nothing wrong while some of their data is still loading.

const service = await startTestService({ after })
const { page, newHolder, intercept, button } = await openDashboard({ after }, service)

type HalfLoaded = {
  path: string
  /** The call whose answer is late. */
  late: string | RegExp
  /** Brings the page from its address to the part that depends on the call. */
  reach: (page: Page) => Promise<unknown>
  /** The text of the page before the answer arrived, and after it. */
  wrong: string | RegExp
  right: string | RegExp
}

const reachHeading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name }).first().waitFor()
const shown = (text: string | RegExp) => page.getByText(text, { exact: true })

/** Delays the answers to a call until `arrive`. */
async function delayAnswer(late: string | RegExp) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = await intercept(late, async (route) => {
    await promise
    await route.continue()
  })
  return { arrive: resolve, stop }
}

/** @returns whether the page showed what is wrong */
async function showsWrong({ path, late, reach, wrong, right }: HalfLoaded): Promise<boolean> {
  const answer = await delayAnswer(late)
  await page.goto(path)
  await reach(page)
  const isWrong = (await shown(wrong).count()) > 0
  answer.arrive()
  await shown(right).first().waitFor({ state: 'attached' })
  await answer.stop()
  return isWrong
}

test('a half-loaded page shows no wrong name, status or refusal', async (t) => {
  const { api, browser } = await newHolder(t)
  const wallet = await newWallet(api, 100)
  const order = { amount: 10, name: 'Dana Payee', recipient: 'dana@example.com', description: 'Rent' }
  const created = async (path: string, body: object): Promise<string> => {
    const { status, body: answer, text } = await api.post(path, body)
    assert.equal(status, 201, text)
    return answer.id
  }
  const recurring = await created('/v3/subscription/check', { ...order, account: wallet, interval: 'MONTHLY' })
  const invoice = await created('/v3/invoice', { ...order, due_date: '2026-03-03' })
  const endpoint = await created('/v3/webhook/endpoint', { url: 'http://localhost:1/hook', name: 'Accounting' })
  const { id: key } = (await browser.post('/v3/user/api_key', { name: 'Server' })).body
  service.clock.advance(3 * 24 * 3_600)
  const pages: HalfLoaded[] = [
    {
      path: `/recurring/${recurring}`,
      late: '**/v3/account/wallet',
      reach: reachHeading('History'),
      wrong: 'The default bank account',
      right: 'Cash',
    },
    {
      path: `/invoices/${invoice}`,
      late: '**/v3/invoice/*/details',
      reach: reachHeading(/^Invoice for/),
      wrong: 'Unpaid',
      right: 'Overdue',
    },
    {
      path: '/settings/profile',
      late: '**/v3/check/preview',
      reach: reachHeading('Signature'),
      wrong: /^Verify a bank account to see/,
      right: 'Save signature',
    },
    {
      path: `/settings/webhooks/deliveries?endpoint=${endpoint}`,
      late: '**/v3/webhook/endpoint?*',
      reach: reachHeading('No deliveries match these filters'),
      wrong: 'Another endpoint',
      right: 'Accounting',
    },
    {
      path: `/settings/requests?key=${key}`,
      late: '**/web/v1/api-keys',
      reach: (page) => page.getByText(/requests? shown$/).waitFor({ state: 'attached' }),
      wrong: key,
      right: 'Server',
    },
  ]
  const wrong: string[] = []
  for (const one of pages) if (await showsWrong(one)) wrong.push(`${one.path}: ${one.wrong}`)
  assert.deepEqual(wrong, [])
})

test('an account that cannot be loaded has no wrong name', async (t) => {
  const { api } = await newHolder(t)
  const wallet = await newWallet(api, 100)
  const order = { amount: 10, name: 'Dana Payee', recipient: 'dana@example.com', account: wallet }
  const { id: recurring } = (await api.post('/v3/subscription/check', { ...order, interval: 'MONTHLY' })).body
  const stopWallets = await intercept('**/v3/account/wallet', (route) => route.fulfill({ status: 500 }))
  await page.goto(`/recurring/${recurring}`)
  await shown('Couldn’t be loaded').waitFor()
  await stopWallets()
})

test('the page of a request shows all but the name of the key to a person who may not list the keys', async (t) => {
  const { api, browser } = await newHolder(t)
  assert.equal((await api.get('/v3/payment')).status, 200)
  // Outside of the sandbox, developers may not list the API keys.
  const stopKeys = await intercept('**/web/v1/api-keys', (route) => route.fulfill({ status: 403 }))
  await waitUntil('the request is in the log', async () => {
    const { requests } = (await browser.get('/v3/request')).body
    return requests.some(({ path }: { path: string }) => path === '/v3/payment')
  })
  await page.goto('/settings/requests')
  await page.getByRole('link', { name: 'GET /v3/payment', exact: true }).click()
  await page.getByText('API_KEY:API_SECRET').waitFor()
  await stopKeys()
})

test('the form of a payment waits for saved payees and limits, so that its button does not move', async (t) => {
  await newHolder(t)
  for (const late of [/\/v3\/directory(\?|$)/, /\/v3\/limit$/]) {
    const answer = await delayAnswer(late)
    await page.goto('/send')
    await reachHeading('Send a payment')(page)
    assert.equal(await button('Review payment').count(), 0, String(late))
    answer.arrive()
    await button('Review payment').waitFor()
    await answer.stop()
  }
})

test('the review of a payment waits for the approval policy, equal payments and days of the payment', async (t) => {
  const { api } = await newHolder(t)
  const order = { name: 'Dana Payee', recipient: 'dana@example.com', amount: 125.5 }
  assert.equal((await api.post('/v3/check/digital', order)).status, 201)
  for (const late of [/\/v3\/approval\/policy$/, /\/v3\/payment\?.*min_amount/, /\/web\/v1\/payment-days$/]) {
    const answer = await delayAnswer(late)
    await page.goto('/send')
    await page.getByLabel('To', { exact: true }).fill(order.recipient)
    await page.getByLabel('Name of the payee').fill(order.name)
    await page.getByLabel('Amount').fill('125.50')
    await button('Review payment').click()
    await page.getByRole('status').getByText('Loading').waitFor()
    assert.equal(await button('Send $125.50').count(), 0)
    answer.arrive()
    await page.getByText('You already sent $125.50 to Dana Payee').waitFor()
    assert.ok(await button('Send $125.50').isDisabled())
    await answer.stop()
  }
})

test('a payment does not take over the state of the one that was shown before', async (t) => {
  const { api } = await newHolder(t)
  const send = async (name: string): Promise<string> =>
    (await api.post('/v3/check/digital', { name, recipient: 'dana@example.com', amount: 10 })).body.id
  const [first, second] = [await send('Ada Lovelace'), await send('Charles Babbage')]
  const stop = await intercept(`**/v3/payment/${second}/image`, (route) => route.fulfill({ status: 404 }))
  await page.goto(`/payments/${first}`)
  await page.getByRole('img', { name: 'The check for $10.00 to Ada Lovelace' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByLabel('Find a page, action, payment or user').fill('Babbage')
  await page.getByRole('dialog').getByText('$10.00 to Charles Babbage').click()
  await page.getByRole('heading', { level: 1, name: '$10.00 to Charles Babbage' }).waitFor()
  await page.getByRole('heading', { name: 'Check', exact: true }).waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('img', { name: 'The check for $10.00 to Ada Lovelace' }).waitFor()
  await stop()
})

test('filters that are changed at once all count', async (t) => {
  await newHolder(t)
  await page.goto('/payments')
  await page.getByRole('heading', { name: 'No payments yet' }).waitFor()
  await page.evaluate(chooseAtOnce)
  await page.waitForURL(/\?status=UNPAID&rail=ACH$/)
})

test('the text of a filter stays as it is typed, although the list follows it', async (t) => {
  const { api } = await newHolder(t)
  await api.post('/v3/check/digital', { name: 'Ada King Lovelace', recipient: 'ada@example.com', amount: 10 })
  await page.goto('/payments')
  await page.getByText('1 payment shown').waitFor({ state: 'attached' })
  const search = page.getByLabel('Search')
  await search.pressSequentially('Ada ')
  await page.waitForURL(/q=Ada$/)
  await page.locator('[aria-busy="false"]').getByText('1 payment shown').waitFor({ state: 'attached' })
  await search.pressSequentially('King')
  await page.waitForURL(/q=Ada\+King$/)
  assert.equal(await search.inputValue(), 'Ada King')
})

/** Chooses a status and a method before the page is shown again. */
const chooseAtOnce = `
  for (const [label, value] of [['Status', 'UNPAID'], ['Method', 'ACH']]) {
    const select = [...document.querySelectorAll('label')].find(({ textContent }) => textContent === label).control
    select.value = value
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
`
