import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, BrowserContextOptions, Page, Request, Route } from 'playwright-core'
import type { Browser } from './browser.ts'
import { takeScreenshots } from './screenshots.ts'
import { LIMIT_MS } from './wait-until.ts'

type OpenContext = (options?: BrowserContextOptions) => Promise<BrowserContext>

/** The cookies of an owner who signed in without a page. */
export const cookiesOf = ({ cookies }: Browser, baseUrl: string) =>
  [...cookies].map(([name, { value }]) => ({ name, value, url: baseUrl }))

/**
 * Signs a tab in, or out with null. Leaves its page first, which would otherwise send requests with the cookies of
 * another person.
 */
export async function enterTabAs(page: Page, browser: Browser | null, baseUrl: string): Promise<void> {
  await page.goto('about:blank')
  await signTabIn(page, browser, baseUrl)
}

/** Signs a tab in on a page that sends no requests of another person. */
export async function signTabIn(page: Page, browser: Browser | null, baseUrl: string): Promise<void> {
  await page.context().clearCookies()
  if (browser) await page.context().addCookies(cookiesOf(browser, baseUrl))
}

/**
 * A tab without animations. Opening a tab takes longer than any page, so the tests of a file share one. `complaints` has console
 * errors and violations of the content security policy. `settle` waits until a page has received and shown all answers. `intercept`
 * answers requests in place of the service, until the function that it returns is called. `answerCalls` gives one answer to all calls
 * of a path. Unlike interception, it leaves other requests alone, and the browser keeps its cache.
 */
export async function openTab(openContext: OpenContext, options: BrowserContextOptions = {}) {
  const context = await openContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (isStream(message.location().url)) return // the session or the service of the page has ended
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))

  const unanswered = new Set<Request>()
  page.on('request', (request) => {
    if (isStream(request.url())) return // it has no end
    // Nobody answers the requests of the page before.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) unanswered.clear()
    unanswered.add(request)
  })
  page.on('requestfinished', (request) => unanswered.delete(request))
  page.on('requestfailed', (request) => unanswered.delete(request))
  async function settle(): Promise<void> {
    const end = performance.now() + LIMIT_MS
    do {
      await page.evaluate(nextFrames)
      const open = [...unanswered].map((request) => request.url()).join(', ')
      assert.ok(performance.now() < end, open ? `not answered: ${open}` : 'the page stays busy')
    } while (unanswered.size > 0 || (await page.evaluate(isBusy)))
  }

  async function intercept(url: Parameters<Page['route']>[0], handler: (route: Route) => unknown) {
    await page.route(url, handler)
    return async () => {
      await settle() // Chromium never answers a request that is in progress when interception ends
      await page.unroute(url, handler)
    }
  }

  async function answerCalls(path: string, { status, headers, json }: FixedAnswer) {
    const client = await context.newCDPSession(page)
    const responseHeaders = Object.entries({ ...headers, 'content-type': 'application/json' })
    client.on('Fetch.requestPaused', ({ requestId, request }) => {
      const isCall = new URL(request.url).pathname === path
      const sent = isCall
        ? client.send('Fetch.fulfillRequest', {
            requestId,
            responseCode: status,
            responseHeaders: responseHeaders.map(([name, value]) => ({ name, value })),
            body: Buffer.from(JSON.stringify(json)).toString('base64'),
          })
        : client.send('Fetch.continueRequest', { requestId })
      sent.catch((error) => {
        const isCanceled = String(error).includes('Invalid InterceptionId') // the page has left or repeats the call
        if (!isCanceled) complaints.push(String(error))
      })
    })
    await client.send('Fetch.enable', { patterns: [{ urlPattern: `*${path}*` }] })
    return async () => {
      await settle()
      await client.detach()
    }
  }

  return { context, page, complaints, settle, intercept, answerCalls }
}

type FixedAnswer = { status: number; headers: Record<string, string>; json: object }

/** A list is faded while it still shows the previous answer. */
const isBusy = `document.querySelector('[aria-busy="true"]') !== null`

const isStream = (url: string) => url.includes('/web/v1/stream')

const nextFrames = `
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => {
    for (const moving of document.getAnimations()) {
      if (moving.effect.getComputedTiming().endTime < Infinity) moving.finish()
    }
  })
`

const axePath = createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js')

/** Loads axe into every page that the context opens from now on. */
export const preloadAxe = (context: BrowserContext) => context.addInitScript({ path: axePath })

type Tab = { page: Page; settle: () => Promise<void> }
type Violations = [rule: string, elements: string[]][]

/** Returns the findings of axe: the rule and the elements that violate it. Only colors depend on the theme. */
export async function violations(page: Page, { onlyColors = false } = {}): Promise<Violations> {
  // Axe is loaded already. Legacy mode needs no second tab, and it ignores cross-site frames, which no page has.
  const axe = new AxeBuilder({ page, axeSource: ';' }).setLegacyMode()
  const rules = onlyColors ? { runOnly: ['color-contrast'] } : {}
  // The rules that need the bytes of styles and media are off.
  const { violations: found } = await axe.options({ resultTypes: ['violations'], preload: false, ...rules }).analyze()
  return found.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}

/** Returns the page or the dialogs that scroll horizontally, and the elements that cause it. */
export const tooWide = `
  [document.documentElement, ...document.querySelectorAll('[role=dialog]')].flatMap((scrolled) =>
    scrolled.scrollWidth <= scrolled.clientWidth ? [] : ['too wide', ...[...scrolled.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > scrolled.getBoundingClientRect().left + scrolled.clientWidth)
      .map((element) => element.tagName + '.' + element.className + ' ' + element.textContent.slice(0, 40))])
`

/** Requires that nothing scrolls horizontally on a narrow phone. */
export async function assertFitsPhone({ page, settle }: Tab, name: string): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 700 })
  await settle()
  assert.deepEqual(await page.evaluate(tooWide), [], name)
  if (size) await page.setViewportSize(size)
}

/**
 * Requires that axe finds nothing on the page, in light and in dark, and that nothing scrolls horizontally on a narrow
 * phone.
 */
export async function assertAccessible({ page, settle }: Tab, name: string): Promise<void> {
  await takeScreenshots({ page, settle }, name)
  await assertFitsPhone({ page, settle }, name)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await settle()
    assert.deepEqual(await violations(page, { onlyColors: colorScheme === 'dark' }), [], `${name} ${colorScheme}`)
  }
}
