import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signIn } from './support/browser.ts'
import { openDashboard, views } from './support/dashboard.ts'
import { enterTabAs } from './support/pages.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { addVerifiedBank, PASSWORD, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'

// Home in a real browser.

const service = await startTestService({ after })
const { context, page, settle, signInAs, newHolder, assertGoodPage, button } = await openDashboard({ after }, service)

const heading = (name: string) => page.getByRole('heading', { level: 2, name }).waitFor()
const step = (name: string) => page.getByRole('listitem').filter({ hasText: name })

/** The most JavaScript that a browser without a cache is sent before the page is complete, without the charts. */
const MAX_SCRIPT_BYTES = 250_000

test('a newcomer signs in to Home, and the first steps tick themselves off', async (t) => {
  await newHolder(t) // nothing of it is shown to the newcomer
  const { api, ...newcomer } = await service.newOwner()
  await enterTabAs(page, null, service.baseUrl)
  await page.goto('/')
  await page.getByLabel('Email').fill(newcomer.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await page.getByText('0 of 5 done').waitFor()
  await page.getByText('No payments in the last 30 days.').waitFor()
  await page.getByRole('heading', { level: 3, name: 'No payments yet' }).waitFor()
  await assertGoodPage('home-newcomer')

  await addVerifiedBank(api)
  const receiver = await startReceiver(t)
  await api.post('/v3/webhook/endpoint', { url: receiver.url })
  await triggerStatus(api, (await sendPayment(api)).id, 'PAID')
  while ((await service.deliverWebhooks()) > 0);
  await page.reload()
  await page.getByText('4 of 5 done').waitFor()
  await step('Send a test check').getByText('done').waitFor({ state: 'attached' })
  await service.newUser(undefined, api)
  await page.reload()
  await page.getByRole('table', { name: 'Recent payments' }).waitFor()
  await settle()
  assert.equal(await page.getByRole('heading', { name: 'Get started' }).count(), 0)
})

test('Home shows volume, rates, methods, what needs attention and the newest payments, of all users or the owner', async (t) => {
  const { api } = await newHolder(t)
  const user = await service.newUser(undefined, api)
  await addVerifiedBank(user)
  for (const [index, amount] of [1_250.5, 80, 420, 2_310.75, 960].entries()) {
    const { id } = await sendPayment(api, { name: `Payee ${index + 1}`, amount })
    await triggerStatus(api, id, index === 1 ? 'FAILED' : 'PAID')
  }
  await sendPayment(user, { name: 'Mary Somerville', amount: 3_000 })
  await page.setViewportSize(views[1].viewport)
  await page.goto('/')
  const numbers = page.getByRole('region', { name: 'Key numbers' })
  await numbers.getByText('$8,021.25').waitFor()
  await numbers.getByText('6 payments').waitFor()
  await numbers.getByText('80%').waitFor()
  const table = page.getByRole('table', { name: 'Volume by day' })
  await table.getByText('$8,021.25').waitFor({ state: 'attached' })
  await page.locator('.recharts-bar-rectangle path').first().waitFor()
  await page.getByRole('link', { name: '1 payment failed in the last 30 days' }).waitFor()
  await heading('Volume by method')
  await page.getByRole('table', { name: 'Recent payments' }).getByText('Mary Somerville').waitFor()
  await assertGoodPage('home')

  await page.getByText('Your account', { exact: true }).click()
  await numbers.getByText('$5,021.25').waitFor()
  assert.match(page.url(), /\?scope=own$/)
  await page.getByRole('link', { name: '1 payment failed in the last 30 days' }).click()
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
  await page.getByRole('table').getByText('Payee 2').waitFor()
})

test('a number that does not come says so, and the rest of Home is there', async (t) => {
  await newHolder(t)
  const failed = { status: 500, json: { code: 'internal', message: 'The service has failed.' } }
  await page.route('**/v3/payment?*', (route) => route.fulfill(failed), { times: 1 })
  await page.goto('/')
  await page.getByRole('alert').getByText('The service has failed.').waitFor()
  await page.getByText('No payments in the last 30 days.').waitFor()
  await button('Try again').click()
  await page.getByRole('heading', { level: 3, name: 'No payments yet' }).waitFor()
})

test('a viewer sees the numbers, and no step that only others can take', async (t) => {
  const { id: platformId } = await newHolder(t)
  await signInAs((await newMember(service, platformId, 'viewer')).browser)
  await page.goto('/')
  await page.getByRole('region', { name: 'Key numbers' }).getByText('$0.00').first().waitFor()
  await settle()
  assert.equal(await page.getByRole('heading', { name: 'Get started' }).count(), 0)
})

test('a cold load of Home transfers at most 250 kB of JavaScript, and the chart comes after it', async (t) => {
  const { api, email } = await newHolder(t)
  await sendPayment(api)
  await signInAs(await signIn(service, { email }))
  const client = await context.newCDPSession(page)
  await client.send('Network.clearBrowserCache')
  const scripts: { name: string; bytes: Promise<number> }[] = []
  page.on('requestfinished', (request) => {
    if (!request.url().endsWith('.js')) return
    const bytes = request.sizes().then(({ responseBodySize }) => responseBodySize)
    scripts.push({ name: request.url().replace(/.*\//, ''), bytes })
  })
  await page.goto('/')
  await page.locator('.recharts-bar-rectangle path').first().waitFor()
  const chart = scripts.findIndex(({ name }) => name.startsWith('volume-chart'))
  assert.ok(chart > 0, scripts.map(({ name }) => name).join(' '))
  const bytes = await Promise.all(scripts.filter((_, index) => index !== chart).map(({ bytes }) => bytes))
  const sum = bytes.reduce((total, one) => total + one, 0)
  t.diagnostic(`${sum} bytes, and ${await scripts[chart]?.bytes} of the chart`)
  assert.ok(sum > 50_000 && sum <= MAX_SCRIPT_BYTES, `${sum}`)
})
