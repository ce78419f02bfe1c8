import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { signIn } from './support/browser.ts'
import { openDashboard } from './support/dashboard.ts'
import { enterTabAs } from './support/pages.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { views } from './support/screenshots.ts'
import { addVerifiedBank, PASSWORD, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'

// Home in a real browser.

const service = await startTestService({ after })
const { context, page, settle, intercept, signInAs, newHolder, assertGoodPage, button } = await openDashboard(
  { after },
  service,
)

const heading = (name: string) => page.getByRole('heading', { level: 2, name }).waitFor()
const step = (name: string) => page.getByRole('listitem').filter({ hasText: name })

/** The maximum JavaScript that a browser without a cache loads before the page is complete, without the charts. */
const MAX_SCRIPT_BYTES = 250_000
const MAX_FONT_BYTES = 60_000

test('a new user signs in to Home, and completed first steps are checked automatically', async (t) => {
  await newHolder(t) // the new user sees none of it
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

  // Each step is done on this page, and the focus moves to the next one.
  const dialog = page.getByRole('dialog')
  const focused = (name: string) => page.locator(':focus').and(button(name)).waitFor()
  assert.equal(await step('Verify it').getByRole('button').count(), 0)
  await button('Add bank').click()
  await dialog.getByLabel('Routing number').fill('021000021')
  await dialog.getByLabel('Account number').fill('5566778899')
  await dialog.getByRole('button', { name: 'Add bank' }).click()
  await page.getByText('1 of 5 done').waitFor()
  await focused('Verify')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('First amount').fill('0.07')
  await dialog.getByLabel('Second amount').fill('0.15')
  await page.keyboard.press('Enter')
  await page.getByText('2 of 5 done').waitFor()
  const receiver = await startReceiver(t)
  await button('Add endpoint').click()
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByText('It gets the next event').waitFor()
  await triggerStatus(api, (await sendPayment(api)).id, 'PAID')
  while ((await service.deliverWebhooks()) > 0);
  await page.reload()
  await page.getByText('4 of 5 done').waitFor()
  await step('Send a test payment').getByText('done').waitFor({ state: 'attached' })

  await page.goto('/users')
  await page.getByRole('heading', { level: 2, name: 'No users yet' }).waitFor()
  await assertGoodPage('users-empty')
  await page.goto('/')
  await button('Create user').click()
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await page.getByText('Enter an ID for the user.').waitFor()
  await page.getByLabel('Name').fill('Grace Hopper')
  await page.getByLabel('User ID').fill('customer-42')
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('heading', { name: 'Get started' }).waitFor({ state: 'hidden' })
  await page.getByText('Copy the secret now.').waitFor() // also when all steps are done
  await assertGoodPage('users-created')
  await button('Done').click()
  await page.getByRole('table', { name: 'Recent payments' }).waitFor()
  await settle()
  assert.equal(await page.getByRole('heading', { name: 'Get started' }).count(), 0)
  await page.locator('h1:focus').waitFor()
})

test('Home shows sent, waiting and failed payments, rates, methods, what needs attention and the newest payments, of all users or the owner', async (t) => {
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
  const sent = '$4,941.25'
  for (const text of [sent, '4 payments · 80% succeeded', '$3,000.00', '1 payment', '$80.00', '$0.00']) {
    await numbers.getByText(text, { exact: true }).first().waitFor()
  }
  const table = page.getByRole('table', { name: 'Payments by day' })
  for (const text of [sent, '$3,000.00', '$80.00']) await table.getByText(text).waitFor({ state: 'attached' })
  await page.locator('.recharts-bar-rectangle path').first().waitFor()
  await page.getByRole('link', { name: '1 payment failed in the last 30 days' }).waitFor()
  await heading('Sent by method')
  await page.locator('section', { hasText: 'Sent by method' }).getByText(sent).waitFor()
  await page.getByRole('table', { name: 'Recent payments' }).getByText('Mary Somerville').waitFor()
  await assertGoodPage('home')
  await button('Show table').click()
  await table.getByText(sent).waitFor() // visible to all members
  assert.equal(await page.locator('.recharts-surface').count(), 0)
  await assertGoodPage('home-table')
  await button('Show chart').click()

  await page.getByText('Your account', { exact: true }).click()
  await numbers.getByText('$0.00').nth(1).waitFor() // nothing of the owner is pending
  assert.match(page.url(), /\?scope=own$/)
  await page.getByRole('link', { name: '1 payment failed in the last 30 days' }).click()
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
  await page.getByRole('table').getByText('Payee 2').waitFor()
})

test('a user’s page shows its payments, banks, limits and keys, and the owner lowers limits, creates a key and deletes it', async (t) => {
  const { api } = await newHolder(t)
  const user = await service.newUser(undefined, api)
  await addVerifiedBank(user)
  const { id } = await sendPayment(user, { name: 'Mary Somerville', amount: 300 })
  await page.goto('/users')
  await page.getByLabel('Search').fill('nobody')
  await page.getByRole('heading', { name: 'No users match these filters' }).waitFor()
  await button('Show all users').click()
  const list = page.getByRole('table', { name: 'Users, newest first' })
  await list.getByText('Unverified').waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption('Suspended')
  await page.getByRole('heading', { name: 'No users match these filters' }).waitFor()
  await user.put('/v3/user/webhook', { status: 'SUSPENDED' })
  await page.reload()
  await list.getByText('Suspended').waitFor()
  assert.match(page.url(), /status=SUSPENDED/)
  await assertGoodPage('users')
  await user.put('/v3/user/webhook', { status: 'VERIFIED' })
  await page.getByRole('table', { name: 'Users, newest first' }).getByRole('link').first().click()
  await page.getByRole('table', { name: 'Recent payments' }).getByText('Mary Somerville').waitFor()
  await page.getByRole('table', { name: 'Banks of the user' }).getByText('Verified').waitFor()
  await button('Lower limits').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Per day').fill('ten')
  await dialog.getByRole('button', { name: 'Save limits' }).click()
  await dialog.getByText('Enter an amount in dollars').waitFor()
  await dialog.getByLabel('Per day').fill('1,000')
  await dialog.getByRole('button', { name: 'Save limits' }).click()
  await page.getByRole('table', { name: 'Sending limits' }).getByText('$700.00').waitFor()
  await button('New API key').click()
  await dialog.getByLabel('Name').fill('Replacement')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await button('Done').click()
  await button('Revoke Replacement').click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await button('Revoke Replacement').waitFor({ state: 'detached' })
  await assertGoodPage('user')

  await page.getByRole('link', { name: 'Mary Somerville' }).click()
  await button('Void payment').click()
  await dialog.getByRole('button', { name: 'Void payment' }).click()
  await page.getByText('This payment was voided.').waitFor()
  assert.equal((await user.get(`/v3/check/${id}`)).body.status, 'VOID')
  await page.goBack()
  await button('Delete user').click()
  await dialog.getByRole('button', { name: 'Delete user' }).click()
  await page.getByRole('heading', { level: 2, name: 'No users yet' }).waitFor()
  assert.equal((await api.get('/v3/user/list')).body.total, 0)
})

test('the command palette opens pages, payments and users by keyboard alone, for the role and the platform', async (t) => {
  const { api, id: platformId } = await newHolder(t)
  const { userId } = await service.newUser(undefined, api)
  await sendPayment(api, { name: 'Dana Palette', amount: 77 })
  const foreigner = await service.newUser()
  await page.goto('/')
  // The palette searches for the keys that were typed while it loaded.
  const waiting = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  await page.route(/palette-.*\.js/, async (route) => {
    asked.resolve()
    await waiting.promise
    await route.continue()
  })
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await asked.promise
  await page.keyboard.type('Dana Pa')
  waiting.resolve()
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type('le')
  await page.locator('[aria-busy="false"]').getByText('$77.00 to Dana Palette', { exact: true }).waitFor()
  assert.equal(await page.getByLabel('Find a page, action, payment or user').inputValue(), 'Dana Pale')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const open = async (text: string) => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.locator('[aria-label="Find a page, action, payment or user"]:focus').waitFor()
    await page.keyboard.type(text)
  }
  await open('dana pal')
  const shown = (text: string) => page.locator('[aria-busy="false"]').getByText(text, { exact: true }).waitFor()
  await shown('$77.00 to Dana Palette')
  await page.keyboard.press('ArrowDown')
  await page.locator('[data-selected]').getByText('No. 1 · Unpaid').waitFor()
  await assertGoodPage('palette')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: '$77.00 to Dana Palette' }).waitFor()
  await open(userId)
  await shown(userId)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 2, name: 'Sending limits' }).waitFor()
  await open(foreigner.userId)
  await shown('Nothing found')
  await page.keyboard.press('Escape')
  await signInAs((await newMember(service, platformId, 'viewer')).browser)
  await page.goto('/')
  await open('')
  await page.getByRole('dialog').getByText('Audit trail').waitFor()
  for (const name of ['Create a user', 'Send payment']) {
    assert.equal(await page.getByRole('dialog').getByText(name).count(), 0, name)
  }
})

test('the command palette searches again while the service is still reading payments', async (t) => {
  const { api } = await newHolder(t)
  await sendPayment(api, { name: 'Dana Late', amount: 78 })
  let isFirst = true
  const stop = await intercept('**/v3/search?*', (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    return route.fulfill({ json: { payments: [], users: [], is_complete: false } })
  })
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await button('Find').click()
  await page.getByRole('dialog').getByLabel('Find a page, action, payment or user').fill('dana late')
  await page.locator('[aria-busy="false"]').getByText('$78.00 to Dana Late', { exact: true }).waitFor()
  await stop()
})

test('a viewer sees users without buttons, and another platform’s user is not found', async (t) => {
  const foreigner = await service.newUser()
  const { id: platformId, api } = await newHolder(t)
  await service.newUser(undefined, api)
  await signInAs((await newMember(service, platformId, 'viewer')).browser)
  await page.goto('/users')
  await page.getByRole('table', { name: 'Users, newest first' }).getByRole('link').first().click()
  await page.getByText('This user has neither sent nor received a payment yet.').waitFor()
  for (const name of ['Delete user', 'Lower limits', 'New API key']) assert.equal(await button(name).count(), 0, name)
  await page.goto(`/users/${foreigner.id}`)
  await page.getByRole('alert').first().waitFor()
  await assertGoodPage('user-not-found')
})

test('a number that cannot be loaded shows an error, and the rest of Home is displayed', async (t) => {
  await newHolder(t)
  const failed = { status: 500, json: { code: 'internal', message: 'The service has failed.' } }
  const stop = await intercept('**/v3/payment?*', (route) => route.fulfill(failed))
  await page.goto('/')
  await page.getByRole('alert').getByText('The service has failed.').waitFor()
  await page.getByText('No payments in the last 30 days.').waitFor()
  await stop()
  await button('Try again').click()
  await page.getByRole('heading', { level: 3, name: 'No payments yet' }).waitFor()
})

test('a viewer sees the numbers, and no steps that need another role', async (t) => {
  const { id: platformId } = await newHolder(t)
  await signInAs((await newMember(service, platformId, 'viewer')).browser)
  await page.goto('/')
  await page.getByRole('region', { name: 'Key numbers' }).getByText('$0.00').first().waitFor()
  await settle()
  assert.equal(await page.getByRole('heading', { name: 'Get started' }).count(), 0)
})

test('numbers that cannot be loaded show an error and are requested again, and large sums fit on a phone', async (t) => {
  const { api, id } = await newHolder(t)
  await sendPayment(api)
  await service.ownerSql`
    insert into wallets (platform_id, id, user_id, name, balance_cents, created_at)
    values (${id}, gen_random_uuid(), ${id}, 'Treasury', 12345678901234, now())
  `
  const stop = await intercept('**/v3/balance', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'No' } }),
  )
  await page.goto('/')
  const numbers = page.getByRole('region', { name: 'Key numbers' })
  await numbers.getByText('Couldn’t be loaded.').waitFor()
  await assertGoodPage('home-failed')
  await stop()
  await numbers.getByRole('button', { name: 'Try again' }).click()
  await numbers.getByText('$123.46B').waitFor()
  await assertGoodPage('home-large')
})

test('on a phone a bar leads to what is needed most, and to the rest of the menu', async (t) => {
  await newHolder(t)
  await page.setViewportSize(views[0].viewport)
  await page.goto('/')
  await page.getByRole('link', { name: 'Payments', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
  await button('More').press('Enter')
  await page.getByRole('link', { name: 'Users' }).waitFor()
  await assertGoodPage('phone-menu')
  await page.setViewportSize(views[0].viewport)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Users' }).waitFor({ state: 'hidden' })
  await page.locator('button:focus', { hasText: 'More' }).click()
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  await page.getByRole('link', { name: 'Send', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Send a payment' }).waitFor()
  await page.setViewportSize(views[1].viewport)
})

test('a cold load of Home transfers at most 250 kB of JavaScript and 60 kB of fonts, and the chart comes last', async (t) => {
  const { api, email } = await newHolder(t)
  await sendPayment(api)
  await signInAs(await signIn(service, { email }))
  const client = await context.newCDPSession(page)
  await client.send('Network.clearBrowserCache')
  const files: { name: string; bytes: Promise<number> }[] = []
  page.on('requestfinished', (request) => {
    if (!/\.(js|ttf|woff2?)$/.test(request.url())) return
    const bytes = request.sizes().then(({ responseBodySize }) => responseBodySize)
    files.push({ name: request.url().replace(/.*\//, ''), bytes })
  })
  await page.goto('/')
  await page.locator('.recharts-bar-rectangle path').first().waitFor()
  await page.evaluate('document.fonts.ready.then(() => {})')
  await settle()
  const scripts = files.filter(({ name }) => name.endsWith('.js'))
  const chart = scripts.findIndex(({ name }) => name.startsWith('volume-chart'))
  assert.ok(chart > 0, scripts.map(({ name }) => name).join(' '))
  const sum = await sumBytes(scripts.filter((_, index) => index !== chart))
  const fonts = await sumBytes(files.filter(({ name }) => !name.endsWith('.js')))
  t.diagnostic(`${sum} bytes, ${fonts} of fonts, and ${await scripts[chart]?.bytes} of the chart`)
  assert.ok(sum > 50_000 && sum <= MAX_SCRIPT_BYTES, `${sum}`)
  assert.ok(fonts > 10_000 && fonts <= MAX_FONT_BYTES, `${fonts}`)
})

async function sumBytes(files: { bytes: Promise<number> }[]): Promise<number> {
  const sizes = await Promise.all(files.map(({ bytes }) => bytes))
  return sizes.reduce((total, size) => total + size, 0)
}
