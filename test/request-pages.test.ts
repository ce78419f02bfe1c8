import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDashboard } from './support/dashboard.ts'
import { sendPayment } from './support/payments.ts'
import { startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'
import { waitUntil } from './support/wait-until.ts'

// Developers > Requests in a real browser.

const service = await startTestService({ after })
const { page, newHolder, signInAs, assertGoodPage, button } = await openDashboard({ after }, service)

test('a developer finds the request of a program by its id, sees what it made, and copies it without a secret', async (t) => {
  const holder = await newHolder(t)
  await page.goto('/settings/requests?status=5xx')
  await page.getByRole('heading', { name: 'No requests match' }).waitFor()
  const { id: payment } = await sendPayment(holder.api)
  const refused = await holder.api.post('/v3/check/digital', {
    amount: 0,
    name: 'Nobody',
    recipient: 'secret@example.com',
  })
  const id = refused.headers.get('x-request-id') as string
  await waitUntil(
    'the request was logged',
    async () => (await holder.api.get(`/v3/request?id=${id}`)).body.requests.length > 0,
  )

  await button('Clear filters').click()
  await page.getByLabel('Search').fill('check/digital')
  await page.getByRole('link', { name: 'POST /v3/check/digital' }).first().waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption('Refused (4xx)')
  await page.getByText('1 request shown').waitFor({ state: 'attached' })
  await assertGoodPage('requests')
  await page.getByLabel('Status', { exact: true }).selectOption('All')
  await page.getByLabel('Search').fill(id)
  await page.getByText('1 request shown').waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'POST /v3/check/digital' }).click()
  await page.getByRole('heading', { level: 2, name: 'POST /v3/check/digital' }).waitFor()
  for (const text of [id, 'invalid_request', '400']) await page.getByText(text, { exact: true }).waitFor()
  const command = (await page.getByText(/^curl/).textContent()) ?? ''
  const [key, secret] = holder.api.credential.split(':') as [string, string]
  assert.ok(command.includes("-H 'Authorization: API_KEY:API_SECRET'"), command)
  assert.ok(!command.includes(secret) && !command.includes(key) && !command.includes('secret@example.com'), command)
  await button('Copy as curl').waitFor()
  await assertGoodPage('request')

  await page.goto(`/settings/requests?key=${key}&find=check/digital&status=201`)
  await page.getByRole('link', { name: 'POST /v3/check/digital' }).click()
  await page.getByRole('link', { name: 'View payment' }).click()
  await page.waitForURL(`**/payments/${payment}`)
  await page.goto(`/settings/requests/${'0'.repeat(32)}`)
  await page.getByRole('heading', { name: 'This request is not in the log' }).waitFor()
})

test('a viewer does not see the requests', async (t) => {
  const holder = await newHolder(t)
  await signInAs((await newMember(service, holder.id, 'viewer')).browser)
  await page.goto('/settings/requests')
  await page.getByRole('heading', { name: 'Your role doesn’t include this page' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Requests' }).count(), 0)
})
