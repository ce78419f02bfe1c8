import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { generateSync } from 'otplib'
import type { Page } from 'playwright-core'
import type { Role } from '../src/foundation/core/permission-rules.ts'
import { addMember, updateTwoFactorRule } from '../src/people/auth/team/member-store.ts'
import { type Browser, openBrowser, signIn } from './support/browser.ts'
import { startChromium } from './support/chromium.ts'
import { png } from './support/images.ts'
import { authorizationAddress, newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import {
  assertAccessible,
  assertFitsPhone,
  cookiesOf,
  enterTabAs,
  openTab,
  preloadAxe,
  signTabIn,
  tooWide,
  violations,
} from './support/pages.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { newBank, payNewRecipient } from './support/recipients.ts'
import { showView, takeScreenshot, takesScreenshots, views } from './support/screenshots.ts'
import { PASSWORD, startTestService } from './support/service.ts'
import { inviteByMail, newMember } from './support/team.ts'

// Every page in a real browser, light and dark, on a phone and on a desktop: no axe violations, no console errors
// (including the content security policy), no horizontal scrolling. SCREENSHOTS=folder stores a screenshot of each.

const service = await startTestService({ after })
const { baseUrl } = service
const openContext = await startChromium({ after })
const holder = await newAccountHolder(service)
const owner = holder.browser
const newcomer = await signIn(service, await service.newOwner())
const application = await registerApplication(owner)
await obtainTokens(service, owner, application)
await openBrowser(service).post('/web/v1/sign-up', {
  email: 'new@example.com',
  password: 'a long password',
  name: 'New',
})

/** A page in a state. `reader` is the signed-in person. `act` brings the page into the state. */
type Shown = {
  name: string
  path: string
  heading: RegExp
  reader: Browser | null
  act?: (page: Page) => Promise<unknown>
}

const payee = async (order: object = {}) => {
  const description = 'Invoice 2026-014: repair of the roof'
  const { id, page } = await payNewRecipient(service, holder.api, { amount: 1_250.5, description, ...order })
  return { id, path: `/pay/${page.token}`, page }
}

/** A picture for the payer, embedded in the page. */
const LOGO = png(160, 40)

/** The page of a payee without an account, in each of its states. */
async function recipientPages(): Promise<Shown[]> {
  await holder.api.put('/v3/user', { brand: { logo: LOGO.toString('base64') } })
  const remittance_advice = [
    { id: 'INV-2026-014', date: '2026-02-11', amount: 950.5, description: 'Repair of the roof' },
    { id: 'INV-2026-015', date: '2026-02-18', amount: 300 },
  ]
  const offered = await payee({ comment: 'Thank you for coming so quickly.', remittance_advice })
  const wallet = (await holder.api.post('/v3/account/wallet', { name: 'Cash' })).body.id
  await holder.api.post(`/v3/sandbox/wallet/${wallet}/fund`, { amount: 10_000 })
  const rich = await payee({ account: wallet })
  const withPin = await payee({ pin: { description: 'The name of our first dog', value: 'Lord Byron' } })
  const statuses = ['IN_PROCESS', 'PRINTED', 'MAILED', 'PAID', 'FAILED', 'REFUNDED', 'VOID'] as const
  const reached = await Promise.all(
    statuses.map(async (status) => {
      const { id, path, page } = await payee({ remittance_advice })
      const took = { IN_PROCESS: () => page.deposit('bank', newBank()), PRINTED: () => page.print() }
      if (status === 'IN_PROCESS' || status === 'PRINTED') assert.equal((await took[status]()).status, 200)
      else await triggerStatus(holder.api, id, status)
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
    { name: 'pay-bank', path: offered.path, act: choose('Deposit into a bank account') },
    { name: 'pay-bank-errors', path: offered.path, act: choose('Deposit into a bank account', true) },
    { name: 'pay-mail', path: offered.path, act: choose('Check by mail') },
    { name: 'pay-print', path: offered.path, act: choose('Check to print') },
    { name: 'pay-card', path: rich.path, act: choose('Debit card') },
    { name: 'pay-venmo', path: rich.path, act: choose('Venmo') },
    { name: 'pay-wire', path: rich.path, act: choose('Wire') },
    { name: 'pay-pin', path: withPin.path },
    ...reached,
  ]
  return [
    ...shown.map((one) => ({ ...one, heading: /is paying you|paid you|A payment from/, reader: null })),
    { name: 'pay-dead-link', path: '/pay/abc', heading: /does not work/, reader: null },
  ]
}

/** The pages of webhooks with an endpoint that does not answer, one that is disabled, and an event. */
async function webhookPages(): Promise<Shown[]> {
  const { api } = holder
  const add = async (fields: object) => (await api.post('/v3/webhook/endpoint', fields)).body.id
  const name = 'Accounting'
  const endpoint = await add({ name, url: 'http://localhost:1/hook', event_types: ['CHECK', 'USER'] })
  await api.put(`/v3/webhook/endpoint/${await add({ url: 'https://crm.example.com/hook' })}`, { status: 'DISABLED' })
  await triggerStatus(api, (await sendPayment(api)).id, 'PAID')
  await service.deliverWebhooks()
  const { deliveries } = (await api.get(`/v3/webhook/delivery?endpoint=${endpoint}`)).body
  const path = '/settings/webhooks'
  const deliveriesPath = `${path}/deliveries`
  const press = (name: string) => async (page: Page) => page.getByRole('button', { name, exact: true }).click()
  const open = (name: string) => async (page: Page) => {
    await press(name)(page)
    await page.getByRole('dialog').waitFor()
  }
  const shown = [
    { name: 'webhooks', path },
    { name: 'webhooks-none', path, reader: newcomer },
    { name: 'webhooks-add', path, act: open('Add endpoint') },
    { name: 'webhooks-edit', path, act: open(`Edit ${name}`) },
    { name: 'webhooks-tested', path, act: press(`Send test event to ${name}`) },
    { name: 'webhooks-delete', path, act: open(`Delete ${name}`) },
    { name: 'webhooks-rotate', path, act: open('Rotate key') },
    { name: 'deliveries', path: deliveriesPath },
    { name: 'deliveries-none', path: deliveriesPath, reader: newcomer },
    { name: 'deliveries-none-chosen', path: `${deliveriesPath}?type=INVOICE` },
    { name: 'deliveries-replay', path: deliveriesPath, act: open('Replay failed…') },
    { name: 'delivery', path: `${deliveriesPath}/${deliveries[0].event}/${endpoint}` },
    { name: 'delivery-unknown', path: `${deliveriesPath}/${deliveries[0].event}/${'0'.repeat(32)}` },
  ]
  return shown.map((one) => ({ heading: /webhooks|deliver/i, reader: owner, ...one }))
}

/** The team page in each of its states, and the refusals for a role or the two-factor rule. */
async function teamPages(): Promise<Shown[]> {
  const account = await service.newOwner('Northwind Traders')
  const boss = await signIn(service, account)
  const people = [
    ['admin', 'Grace Hopper', 'grace@northwind.example.com'],
    ['preparer', 'Katherine Johnson', 'katherine@northwind.example.com'],
    ['developer', 'Linus Torvalds', 'linus@northwind.example.com'],
    ['viewer', 'Mary Jackson', 'mary.jackson@accounting.example.com'],
  ] as const
  const [admin, , developer, viewer] = await Promise.all(
    people.map(([role, name, email]) => newMember(service, account.id, role, { name, email })),
  )
  await developer?.browser.post('/v3/user/api_key', { name: 'Staging server' })
  await admin?.browser.post('/v3/user/api_key', { name: 'Payroll' })
  const former = await newMember(service, account.id, 'admin', { name: 'Howard Aiken' })
  await former.browser.post('/v3/user/api_key', { name: 'Old importer' })
  await boss.del(`/web/v1/team/${former.loginId}`)
  const invite = (email: string, role: Role) => inviteByMail(service, boss, { email, role })
  const token = await invite('new.person@northwind.example.com', 'approver')
  const ofHolder = await invite(holder.email, 'viewer')
  const strict = await service.newOwner('Strict Company')
  const member = await newMember(service, strict.id, 'admin', { name: 'Ada' })
  await updateTwoFactorRule(service.deps.sql as never, strict.id, true)
  const both = await service.newOwner('Second Company')
  const accountant = await newMember(service, both.id, 'viewer', { name: 'Mary' })
  const { id: first } = await service.newOwner('First Company')
  await addMember(service.deps.sql as never, {
    platformId: first,
    loginId: accountant.loginId,
    role: 'admin',
    now: new Date(),
  })
  const dialog = (name: string) => async (page: Page) => {
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('dialog').waitFor()
  }
  const path = '/settings/team'
  const shown = [
    { name: 'team', path },
    { name: 'team-alone', path, reader: newcomer },
    { name: 'team-admin', path, reader: admin?.browser as Browser },
    { name: 'team-invite', path, act: dialog('Invite person') },
    { name: 'team-role', path, act: dialog('Change role of Mary Jackson') },
    { name: 'team-remove', path, act: dialog('Remove Grace Hopper') },
    { name: 'team-refused', path, reader: viewer?.browser as Browser },
  ]
  return [
    ...shown.map((one) => ({ heading: /^Team$/, reader: boss, ...one })),
    { name: 'team-enroll', path: '/settings', heading: /two-factor/, reader: member.browser },
    { name: 'team-security', path: '/settings/security', heading: /^Security$/, reader: boss },
    { name: 'team-keys', path: '/settings/developer', heading: /^API keys$/, reader: boss },
    { name: 'team-developer', path: '/settings', heading: /^API keys$/, reader: developer?.browser as Browser },
    { name: 'team-profile', path: '/settings/profile', heading: /^Profile$/, reader: viewer?.browser as Browser },
    {
      name: 'team-platforms',
      path: '/settings/security',
      heading: /^Security$/,
      reader: accountant.browser,
      act: async (page) => {
        await page.getByRole('banner').getByRole('button', { name: 'Mary' }).click()
        await page.getByRole('menuitem', { name: /First Company/ }).waitFor()
      },
    },
    { name: 'invitation-new', path: `/invitation/${token}`, heading: /^Join Northwind/, reader: null },
    { name: 'invitation-login', path: `/invitation/${ofHolder}`, heading: /^Join Northwind/, reader: null },
    { name: 'invitation-signed-in', path: `/invitation/${ofHolder}`, heading: /^Join Northwind/, reader: owner },
    { name: 'invitation-other', path: `/invitation/${token}`, heading: /^Join Northwind/, reader: owner },
    { name: 'invitation-dead', path: '/invitation/abc', heading: /doesn’t work/, reader: null },
  ]
}

const pages: Shown[] = [
  { name: 'sign-in', path: '/sign-in', heading: /sign in/i, reader: null },
  { name: 'settings', path: '/settings', heading: /api keys/i, reader: owner },
  { name: 'sign-up', path: '/sign-up', heading: /sign up/i, reader: null },
  { name: 'forgot-password', path: '/forgot-password', heading: /forgot/i, reader: null },
  { name: 'mail', path: '/mail', heading: /mail/i, reader: null },
  { name: 'consent-signed-out', path: authorizationAddress(application), heading: /Bookkeeper/, reader: null },
  { name: 'consent', path: authorizationAddress(application), heading: /Bookkeeper/, reader: owner },
  { name: 'oauth-error', path: '/oauth/authorize?client_id=unknown', heading: /authorization failed/i, reader: null },
  { name: 'developer', path: '/settings/developer', heading: /api keys/i, reader: owner },
  ...(await webhookPages()),
  { name: 'applications', path: '/settings/applications', heading: /applications/i, reader: owner },
  { name: 'connected', path: '/settings/connected', heading: /connected/i, reader: owner },
  { name: 'profile', path: '/settings/profile', heading: /profile/i, reader: owner },
  { name: 'security', path: '/settings/security', heading: /security/i, reader: owner },
  { name: 'audit', path: '/settings/audit', heading: /audit/i, reader: owner },
  ...(await teamPages()),
  ...(await recipientPages()),
]

type Size = { width: number; height: number }
const sizes = { phone: views[0].viewport as Size, desk: views[1].viewport as Size }

// The others differ in nothing that axe checks. They are only for screenshots.
const testedViews = views.filter(({ name }) => name === 'light-phone' || name === 'dark-desk')

type Tab = Awaited<ReturnType<typeof openTab>>

async function openPages({ reader = null as Browser | null, size = sizes.phone } = {}): Promise<Tab> {
  const tab = await openTab(openContext, { baseURL: baseUrl, viewport: size })
  if (reader) await tab.context.addCookies(cookiesOf(reader, baseUrl))
  return tab
}

// All pages use one tab, so that the browser loads the program of the pages only once.
suite('every page', async () => {
  const tab = await openPages()
  await preloadAxe(tab.context)
  for (const shown of pages) test(shown.name, () => lookAt(tab, shown))
})

async function lookAt(tab: Tab, shown: Shown): Promise<void> {
  const { page, complaints, settle } = tab
  const enter = shown.reader === reader ? signTabIn : enterTabAs
  await enter(page, shown.reader, baseUrl)
  reader = shown.reader
  await page.goto(shown.path)
  await page.getByRole('heading', { level: 1, name: shown.heading }).waitFor()
  await shown.act?.(page)
  await settle()
  looked++
  for (const [index, view] of (takesScreenshots ? views : testedViews).entries()) {
    await showView(tab, view)
    const onlyColors = !takesScreenshots && index !== looked % testedViews.length
    await assertGoodView(page, `${shown.name}-${view.name}`, { onlyColors })
  }
  await assertFitsPhone(tab, shown.name)
  assert.deepEqual(
    complaints.splice(0).filter((complaint) => !isExpected(complaint, shown)),
    [],
  )
}

let looked = 0
/** The person who is signed in in the tab. */
let reader: Browser | null | undefined

/** The audit takes most of the time, so each page is audited in only one of the views, in turn. */
async function assertGoodView(page: Page, name: string, { onlyColors }: { onlyColors: boolean }): Promise<void> {
  await takeScreenshot(page, name)
  assert.deepEqual(await violations(page, { onlyColors }), [], name)
  assert.deepEqual(await page.evaluate(tooWide), [], name)
  assert.match((await page.getByText('Sandbox').first().textContent()) ?? '', /Sandbox/)
}

test('the pages use the shipped font, and a heading with the focus has no outline', async () => {
  const { page } = await openPages({ reader: owner, size: sizes.desk })
  await page.goto('/settings/profile')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const loaded = await page.evaluate('document.fonts.load(\'600 16px "IBM Plex Sans"\').then((faces) => faces.length)')
  assert.equal(loaded, 1)
  assert.match(String(await page.evaluate('getComputedStyle(document.body).fontFamily')), /^"IBM Plex Sans"/)
  await page.keyboard.press('Tab') // like a user with a keyboard
  await page.getByRole('link', { name: 'Security' }).press('Enter')
  await page.locator('h1:focus', { hasText: /security/i }).waitFor()
  assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'none')
})

test('the browser gets light-dark() unchanged', async () => {
  const { page, settle } = await openPages({ reader: owner, size: sizes.desk })
  const styles: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.css')) styles.push(response.text())
  })
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settle()
  const text = (await Promise.all(styles)).join()
  assert.match(text, /light-dark\(/)
  assert.doesNotMatch(text, /--lightningcss/) // Mantine sets the color scheme, which leaves these variables empty
})

test('a payee sees no pages for developers, and a receipt with the masked account', async () => {
  const { path, page: link } = await payee()
  const { page, settle } = await openPages()
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settle()
  assert.equal(await page.getByText('API reference').count(), 0)
  const bank = newBank()
  await link.deposit('bank', bank)
  await page.reload()
  await page.getByRole('button', { name: 'Print receipt' }).waitFor()
  await page.getByText(`•••• ${bank.account.slice(-4)}`, { exact: true }).waitFor()
})

test('the pages are built of files of this service only', async () => {
  const { page, settle } = await openPages()
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(baseUrl) && !request.url().startsWith('data:')) foreign.push(request.url())
  })
  await page.goto('/sign-in')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settle()
  assert.deepEqual(foreign, [])
})

test('the API reference runs only its own scripts, contacts no other site, and logs no errors', async () => {
  const { page, complaints, settle } = await openPages({ size: sizes.desk })
  const foreign: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(baseUrl) && !request.url().startsWith('data:')) foreign.push(request.url())
  })
  const answer = await page.goto('/docs/')
  const policy = (await answer?.headerValue('content-security-policy')) ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self' 'sha256-[\w+/]{43}='; /)
  await page.getByRole('heading', { level: 1, name: 'Remit' }).waitFor()
  await settle()
  assert.deepEqual([foreign, complaints], [[], []])
})

test('a client secret is shown again after the password or a code, if the sign-in was too long ago', async () => {
  const holder = await newAccountHolder(service)
  const { secret } = await registerApplication(holder.browser, { name: 'Ledger' })
  await makeProofOld(holder.id)
  const tab = await openPages({ reader: holder.browser, size: sizes.desk })
  const { page } = tab
  await preloadAxe(tab.context)
  await page.goto('/settings/applications')
  await page.getByRole('button', { name: 'Show secret of Ledger' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Password').fill('not the password')
  await page.keyboard.press('Enter')
  await dialog.getByText('The password is incorrect. Try again.').waitFor()
  await assertAccessible(tab, 'confirm-identity-refused')
  await dialog.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText(secret).waitFor()
  await dialog.waitFor({ state: 'detached' })

  const code = await turnOnTwoFactor(holder.browser)
  await makeProofOld(holder.id)
  await page.reload()
  await page.getByRole('button', { name: 'Show secret of Ledger' }).click()
  await dialog.getByLabel('Code', { exact: true }).fill('000000')
  await page.keyboard.press('Enter')
  await dialog.getByText('The code is incorrect or was already used. Enter a new one.').waitFor()
  await assertAccessible(tab, 'confirm-identity-code')
  await dialog.getByLabel('Code', { exact: true }).fill(code)
  await page.keyboard.press('Enter')
  await page.getByText(secret).waitFor()
})

/** The sessions of a platform, with the sign-in and the last confirmation eleven minutes ago. */
const makeProofOld = (platformId: string) =>
  service.deps.sql`
    update sessions
    set created_at = now() - interval '11 minutes', proved_at = null
    where platform_id = ${platformId}
  `

/** @returns a recovery code */
async function turnOnTwoFactor(browser: Browser): Promise<string> {
  const { secret } = (await browser.post('/web/v1/two-factor', { password: PASSWORD })).body
  const code = generateSync({ secret, epoch: Math.floor(Date.now() / 1000) })
  return (await browser.post('/web/v1/two-factor/confirm', { code })).body.recovery_codes[0]
}

test('a payee without an account is paid by keyboard alone: PIN, payout method, account, and errors get the focus', async () => {
  const { path } = await payee({ pin: { value: 'Lord Byron' } })
  const { page } = await openPages()
  const focusedHeading = (name: string) => page.locator('h2:focus', { hasText: name }).waitFor()
  await page.goto(path)
  const pin = page.getByLabel('PIN', { exact: true })
  await pin.fill('Lord Nelson')
  await page.keyboard.press('Enter')
  await page.getByText('The PIN is incorrect. You have 4 attempts left.').waitFor()
  await pin.fill('Lord Byron')
  await page.keyboard.press('Enter')
  await focusedHeading('How do you want to get paid?')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await focusedHeading('To your bank account')
  const { routing, account } = newBank()
  for (const [label, text] of [
    ['Routing number', '021000022'],
    ['Account number', account],
    ['Confirm account number', `${account}1`],
  ] as const) {
    await page.keyboard.press('Tab')
    await page.keyboard.type(text)
    assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), text)
  }
  await page.keyboard.press('Enter')
  await page.getByText('The account numbers do not match.').waitFor()
  await page.getByLabel('Confirm account number').and(page.locator(':focus')).fill(account)
  await page.keyboard.press('Enter')
  await page.getByText('is not a valid ABA routing number').waitFor()
  await page.getByLabel('Routing number', { exact: true }).fill(routing)
  await page.keyboard.press('Enter')
  await focusedHeading('Your money is on its way')
})

test('the printable check is downloaded, and the page shows that it is ready', async () => {
  const { path } = await payee({ deposit_options: ['PRINT'] })
  const { page, complaints } = await openPages({ size: sizes.desk })
  await page.goto(path)
  await page.getByLabel('Amount of the check').waitFor()
  const download = page.getByRole('button', { name: 'Download check' })
  assert.equal(await download.isDisabled(), true, 'a program that presses the buttons gets nothing')
  await page.getByLabel('Amount of the check').fill('1.00')
  await page.getByText('This is not the amount of the check.').waitFor()
  await page.getByLabel('Amount of the check').fill('1,250.50')
  const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
  assert.equal(file.suggestedFilename(), 'check.pdf')
  await page.getByRole('heading', { level: 2, name: 'Your check is ready' }).waitFor()
  assert.deepEqual(complaints, [])
})

test('a double click on Authorize is one answer, and returns to the application', async () => {
  const { page } = await openPages({ reader: owner })
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

test('an application is authorized after the password, if the sign-in was too long ago', async () => {
  const holder = await newAccountHolder(service)
  await makeProofOld(holder.id)
  const { page } = await openPages({ reader: holder.browser })
  await page.goto(authorizationAddress(application))
  await page.getByRole('button', { name: 'Authorize' }).click()
  await page.getByRole('dialog', { name: 'Confirm it’s you' }).getByLabel('Password').fill(PASSWORD)
  const [answer] = await Promise.all([
    page.waitForRequest((request) => request.url().startsWith(application.redirectUri)),
    page.keyboard.press('Enter'),
  ])
  const code = new URL(answer.url()).searchParams.get('code')
  assert.ok(code)
  service.secrets.add(code)
})

/** A page that shows a refusal has a refused request, which the console reports. */
const isExpected = (complaint: string, { name }: Shown): boolean =>
  (name === 'oauth-error' && /status of 400/.test(complaint)) ||
  (['pay-dead-link', 'delivery-unknown', 'invitation-dead'].includes(name) && /status of 404/.test(complaint))
