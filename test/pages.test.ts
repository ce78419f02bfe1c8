import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { after, suite, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { openBrowser } from './support/browser.ts'
import { startChromium } from './support/chromium.ts'
import { authorizationAddress, newAccountHolder, obtainTokens, registerApplication } from './support/oauth.ts'
import { PASSWORD, startTestService } from './support/service.ts'

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

type Shown = { name: string; path: string; heading: RegExp; isSignedIn: boolean }

const pages: Shown[] = [
  { name: 'sign-in', path: '/sign-in', heading: /sign in/i, isSignedIn: false },
  { name: 'sign-up', path: '/sign-up', heading: /sign up/i, isSignedIn: false },
  { name: 'forgot-password', path: '/forgot-password', heading: /forgot/i, isSignedIn: false },
  { name: 'mail', path: '/mail', heading: /mail/i, isSignedIn: false },
  { name: 'consent-signed-out', path: authorizationAddress(application), heading: /Bookkeeper/, isSignedIn: false },
  { name: 'consent', path: authorizationAddress(application), heading: /Bookkeeper/, isSignedIn: true },
  { name: 'oauth-error', path: '/oauth/authorize?client_id=unknown', heading: /cannot go on/, isSignedIn: false },
  { name: 'developer', path: '/settings/developer', heading: /developer/i, isSignedIn: true },
  { name: 'applications', path: '/settings/applications', heading: /applications/i, isSignedIn: true },
  { name: 'connected', path: '/settings/connected', heading: /connected/i, isSignedIn: true },
  { name: 'profile', path: '/settings/profile', heading: /profile/i, isSignedIn: true },
  { name: 'security', path: '/settings/security', heading: /security/i, isSignedIn: true },
  { name: 'audit', path: '/settings/audit', heading: /audit/i, isSignedIn: true },
]

const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } }

const everyView = (['light', 'dark'] as const).flatMap((colorScheme) =>
  Object.keys(sizes).map((size) => ({ colorScheme, size: size as keyof typeof sizes })),
)
// The others differ in nothing that axe looks at: they are for the eye.
const testedViews = everyView.filter(({ colorScheme, size }) => (colorScheme === 'light') === (size === 'phone'))

const storageState = await signInInBrowser()

for (const { colorScheme, size } of folder ? everyView : testedViews) {
  suite(`${colorScheme}, ${size}`, { concurrency: 2 }, async () => {
    const view = { colorScheme, viewport: sizes[size], baseURL: baseUrl }
    const [signedIn, signedOut] = await Promise.all([openContext({ ...view, storageState }), openContext(view)])
    for (const shown of pages) {
      test(shown.name, async () => {
        const page = await (shown.isSignedIn ? signedIn : signedOut).newPage()
        const complaints = listen(page)
        await page.goto(shown.path)
        await page.getByRole('heading', { level: 1, name: shown.heading }).waitFor()
        await page.waitForLoadState('networkidle')
        if (folder)
          await page.screenshot({ path: `${folder}/${shown.name}-${colorScheme}-${size}.png`, fullPage: true })
        const { violations } = await new AxeBuilder({ page }).analyze()
        const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
        assert.deepEqual(
          grave.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
          [],
        )
        assert.deepEqual(
          complaints.filter((complaint) => !isExpected(complaint, shown)),
          [],
        )
        const [content, window] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [
          number,
          number,
        ]
        assert.ok(content <= window, `${content} px wide in ${window}`)
        assert.match((await page.getByText('Sandbox').first().textContent()) ?? '', /Sandbox/)
        await page.close()
      })
    }
  })
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

async function signInInBrowser() {
  const context = await openContext({ baseURL: baseUrl })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email', { exact: true }).fill(holder.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/settings/**')
  return context.storageState()
}

function listen(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}

/** The error page answers 400, which the console notes. */
const isExpected = (complaint: string, { name }: Shown): boolean =>
  name === 'oauth-error' && /status of 400/.test(complaint)
