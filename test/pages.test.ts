import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { after, suite, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { openBrowser } from './support/browser.ts'
import { startChromium } from './support/chromium.ts'
import { authorizationAddress, newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { listenTo, signInOnPage } from './support/pages.ts'
import { bringTo, sendPayment } from './support/payments.ts'
import { newBank, payOutside } from './support/recipients.ts'
import { startTestService } from './support/service.ts'

// Every page in a real browser, light and dark, on a phone and on a desk: nothing serious by axe, no error on its console
// (the content security policy would tell), no scrolling sideways. SCREENSHOTS=folder keeps a picture of each.

const service = await startTestService({ after })
const { baseUrl } = service
const openContext = await startChromium({ after })
const holder = await newAccountHolder(service)
const application = await registerApplication(holder.browser)
await obtainTokens(service, holder.browser, application)
await openBrowser(service).post('/web/v1/sign-up', {
  email: 'new@example.com',
  password: 'a long password',
  name: 'New',
})

const folder = process.env.SCREENSHOTS
if (folder) await mkdir(folder, { recursive: true })

/** `act` leads from what the address shows to the state that is meant. */
type Shown = {
  name: string
  path: string
  heading: RegExp
  isSignedIn: boolean
  act?: (page: Page) => Promise<unknown>
}

const payee = async (order: object = {}) => {
  const description = 'Invoice 2026-014: repair of the roof'
  const { id, page } = await payOutside(service, holder.api, { amount: 1_250.5, description, ...order })
  return { id, path: `/pay/${page.token}`, page }
}

/** The page of somebody outside in each of its states. */
async function recipientPages(): Promise<Shown[]> {
  const offered = await payee({ comment: 'Thank you for coming so quickly.' })
  const wallet = (await holder.api.post('/v3/account/wallet', { name: 'Cash' })).body.id
  await holder.api.post(`/v3/sandbox/wallet/${wallet}/fund`, { amount: 10_000 })
  const rich = await payee({ account: wallet })
  const withPin = await payee({ pin: { description: 'The name of our first dog', value: 'Lord Byron' } })
  const statuses = ['IN_PROCESS', 'PRINTED', 'MAILED', 'PAID', 'FAILED', 'REFUNDED', 'VOID'] as const
  const reached = await Promise.all(
    statuses.map(async (status) => {
      const { id, path, page } = await payee()
      const took = { IN_PROCESS: () => page.deposit('bank', newBank()), PRINTED: () => page.print() }
      if (status === 'IN_PROCESS' || status === 'PRINTED') assert.equal((await took[status]()).status, 200)
      else await bringTo(holder.api, id, status)
      return { name: `pay-${status.toLowerCase()}`, path }
    }),
  )
  const choose =
    (label: string, send = false) =>
    async (page: Page) => {
      await page.getByRole('button', { name: label }).click()
      if (send) await page.getByRole('button', { name: /^Get \$/ }).click()
    }
  const shown = [
    { name: 'pay-choice', path: offered.path },
    { name: 'pay-choice-wallet', path: rich.path },
    { name: 'pay-bank', path: offered.path, act: choose('Bank account') },
    { name: 'pay-bank-errors', path: offered.path, act: choose('Bank account', true) },
    { name: 'pay-mail', path: offered.path, act: choose('Check by mail') },
    { name: 'pay-print', path: offered.path, act: choose('Check to print') },
    { name: 'pay-card', path: rich.path, act: choose('Debit card') },
    { name: 'pay-venmo', path: rich.path, act: choose('Venmo') },
    { name: 'pay-wire', path: rich.path, act: choose('Wire') },
    { name: 'pay-pin', path: withPin.path },
    ...reached,
  ]
  return [
    ...shown.map((one) => ({ ...one, heading: /is paying you|paid you|A payment from/, isSignedIn: false })),
    { name: 'pay-dead-link', path: '/pay/abc', heading: /does not work/, isSignedIn: false },
  ]
}

/** The pages of webhooks with an endpoint that does not answer, one that is disabled, and an event. */
async function webhookPages(): Promise<Shown[]> {
  const { api } = holder
  const add = async (fields: object) => (await api.post('/v3/webhook/endpoint', fields)).body.id
  const name = 'Accounting'
  const endpoint = await add({ name, url: 'http://localhost:1/hook', event_types: ['CHECK', 'USER'] })
  await api.put(`/v3/webhook/endpoint/${await add({ url: 'https://crm.example.com/hook' })}`, { status: 'DISABLED' })
  await bringTo(api, (await sendPayment(api)).id, 'PAID')
  await service.deliverWebhooks()
  const { deliveries } = (await api.get(`/v3/webhook/delivery?endpoint=${endpoint}`)).body
  const path = '/settings/webhooks'
  const press =
    (...labels: string[]) =>
    async (page: Page) => {
      for (const label of labels) await page.getByRole('button', { name: label, exact: true }).click()
    }
  const dialog = async (page: Page) => page.getByRole('dialog').waitFor()
  const shown = [
    { name: 'webhooks', path },
    { name: 'webhooks-add', path, act: async (page: Page) => press('Add endpoint')(page).then(() => dialog(page)) },
    { name: 'webhooks-tested', path, act: press(`Send test event to ${name}`) },
    { name: 'webhooks-rotate', path, act: async (page: Page) => press('Rotate key')(page).then(() => dialog(page)) },
  ]
  return [
    ...shown.map((one) => ({ ...one, heading: /webhooks/i, isSignedIn: true })),
    { name: 'deliveries', path: `${path}/deliveries`, heading: /deliveries/i, isSignedIn: true },
    {
      name: 'deliveries-none',
      path: `${path}/deliveries?type=INVOICE`,
      heading: /deliveries/i,
      isSignedIn: true,
    },
    {
      name: 'delivery',
      path: `${path}/deliveries/${deliveries[0].event}/${endpoint}`,
      heading: /delivery/i,
      isSignedIn: true,
    },
  ]
}

const pages: Shown[] = [
  { name: 'sign-in', path: '/sign-in', heading: /sign in/i, isSignedIn: false },
  { name: 'sign-up', path: '/sign-up', heading: /sign up/i, isSignedIn: false },
  { name: 'forgot-password', path: '/forgot-password', heading: /forgot/i, isSignedIn: false },
  { name: 'mail', path: '/mail', heading: /mail/i, isSignedIn: false },
  { name: 'consent-signed-out', path: authorizationAddress(application), heading: /Bookkeeper/, isSignedIn: false },
  { name: 'consent', path: authorizationAddress(application), heading: /Bookkeeper/, isSignedIn: true },
  { name: 'oauth-error', path: '/oauth/authorize?client_id=unknown', heading: /cannot go on/, isSignedIn: false },
  { name: 'developer', path: '/settings/developer', heading: /developer/i, isSignedIn: true },
  ...(await webhookPages()),
  { name: 'applications', path: '/settings/applications', heading: /applications/i, isSignedIn: true },
  { name: 'connected', path: '/settings/connected', heading: /connected/i, isSignedIn: true },
  { name: 'profile', path: '/settings/profile', heading: /profile/i, isSignedIn: true },
  { name: 'security', path: '/settings/security', heading: /security/i, isSignedIn: true },
  { name: 'audit', path: '/settings/audit', heading: /audit/i, isSignedIn: true },
  ...(await recipientPages()),
]

const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } }

const everyView = (['light', 'dark'] as const).flatMap((colorScheme) =>
  Object.keys(sizes).map((size) => ({ colorScheme, size: size as keyof typeof sizes })),
)
// The others differ in nothing that axe looks at: they are for the eye.
const testedViews = everyView.filter(({ colorScheme, size }) => (colorScheme === 'light') === (size === 'phone'))

const storageState = await signInOnPage(openContext, { baseUrl, email: holder.email })

suite('every page', { concurrency: 2 }, async () => {
  const view = { viewport: sizes.phone, baseURL: baseUrl }
  const [signedIn, signedOut] = await Promise.all([openContext({ ...view, storageState }), openContext(view)])
  for (const shown of pages) {
    test(shown.name, async () => {
      const page = await (shown.isSignedIn ? signedIn : signedOut).newPage()
      const complaints = listenTo(page)
      await page.goto(shown.path)
      await page.getByRole('heading', { level: 1, name: shown.heading }).waitFor()
      await shown.act?.(page)
      await page.waitForLoadState('networkidle')
      for (const { colorScheme, size } of folder ? everyView : testedViews) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize(sizes[size])
        await assertGoodView(page, `${shown.name}-${colorScheme}-${size}`)
      }
      assert.deepEqual(
        complaints.filter((complaint) => !isExpected(complaint, shown)),
        [],
      )
      await page.close()
    })
  }
})

async function assertGoodView(page: Page, name: string): Promise<void> {
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
  const { violations } = await new AxeBuilder({ page }).analyze()
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  assert.deepEqual(
    grave.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    [],
    name,
  )
  const [content, window] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
    number,
    number,
  ]
  assert.ok(content <= window, `${name}: ${content} px wide in ${window}`)
  assert.match((await page.getByText('Sandbox').first().textContent()) ?? '', /Sandbox/)
}

test('the pages are built of files of this service only', async () => {
  const page = await (await openContext()).newPage()
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(baseUrl) && !request.url().startsWith('data:')) foreign.push(request.url())
  })
  await page.goto(`${baseUrl}/sign-in`)
  await page.waitForLoadState('networkidle')
  assert.deepEqual(foreign, [])
})

test('somebody outside is paid by keyboard alone: PIN, way, account, and the errors get the focus', async () => {
  const { path } = await payee({ pin: { value: 'Lord Byron' } })
  const page = await (await openContext({ baseURL: baseUrl, viewport: sizes.phone })).newPage()
  const focused = () => page.evaluate('document.activeElement.textContent || document.activeElement.name')
  const heading = (name: string) => page.getByRole('heading', { level: 2, name }).waitFor()
  await page.goto(path)
  const pin = page.getByLabel('PIN', { exact: true })
  await pin.fill('Lord Nelson')
  await page.keyboard.press('Enter')
  await page.getByText('The PIN is wrong. 4 tries left.').waitFor()
  await pin.fill('Lord Byron')
  await page.keyboard.press('Enter')
  await heading('How do you want to be paid?')
  assert.equal(await focused(), 'How do you want to be paid?')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await heading('Into your bank account')
  assert.equal(await focused(), 'Into your bank account')
  const { routing, account } = newBank()
  for (const [label, text] of [
    ['Routing number', '021000022'],
    ['Account number', account],
    ['Account number again', `${account}1`],
  ] as const) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
    assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), text)
  }
  await page.keyboard.press('Enter')
  await page.getByText('The account numbers differ.').waitFor()
  await page.keyboard.type(account)
  await page.getByLabel('Account number again').fill(account)
  await page.keyboard.press('Enter')
  await page.getByText('must be an ABA routing number').waitFor()
  await page.getByLabel('Routing number', { exact: true }).fill(routing)
  await page.keyboard.press('Enter')
  await heading('Your money is on its way')
  assert.equal(await focused(), 'Your money is on its way')
})

test('the printable check comes as a file, and the page says that it is ready', async () => {
  const { path } = await payee({ deposit_options: ['PRINT'] })
  const page = await (await openContext({ baseURL: baseUrl })).newPage()
  const complaints = listenTo(page)
  await page.goto(path)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Get the check' }).click(),
  ])
  assert.equal(file.suggestedFilename(), 'check.pdf')
  await page.getByRole('heading', { level: 2, name: 'Your check is ready' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('a double click on Authorize is one answer, and leads back to the application', async () => {
  const page = await (await openContext({ storageState, baseURL: baseUrl })).newPage()
  const answers: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') answers.push(request.url())
  })
  await page.goto(authorizationAddress(application))
  const [{ url }] = await Promise.all([
    page
      .waitForRequest((request) => request.url().startsWith(application.redirectUri))
      .then((sent) => ({ url: sent.url() })),
    page.getByRole('button', { name: 'Authorize' }).dblclick(),
  ])
  const code = new URL(url).searchParams.get('code')
  assert.ok(code)
  service.secrets.add(code)
  assert.equal(answers.length, 1)
})

/** A page that shows a refusal was refused something, which the console notes. */
const isExpected = (complaint: string, { name }: Shown): boolean =>
  (name === 'oauth-error' && /status of 400/.test(complaint)) ||
  (name === 'pay-dead-link' && /status of 404/.test(complaint))
