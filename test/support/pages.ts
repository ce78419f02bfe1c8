import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import type { Browser } from './browser.ts'

type OpenContext = (options?: BrowserContextOptions) => Promise<BrowserContext>

/** What a browser keeps of an owner who signed in without its pages. */
export const cookiesOf = ({ cookies }: Browser, baseUrl: string) =>
  [...cookies].map(([name, { value }]) => ({ name, value, url: baseUrl }))

/**
 * A tab, in which the pages stand still. LinkVisit one takes longer than any page: let the tests of a file share it.
 * `complaints` is what the pages say on their console: errors, and what the content security policy refused.
 * `settle` waits until a page has every answer that it asked for, and shows it; what moves is at its end.
 */
export async function openTab(openContext: OpenContext, options: BrowserContextOptions = {}) {
  const context = await openContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))

  const unanswered = new Set<Request>()
  page.on('request', (request) => unanswered.add(request))
  page.on('requestfinished', (request) => unanswered.delete(request))
  page.on('requestfailed', (request) => unanswered.delete(request))
  async function settle(): Promise<void> {
    do await page.evaluate(nextFrames)
    while (unanswered.size > 0)
  }

  return { context, page, complaints, settle }
}

const nextFrames = `
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => {
    for (const moving of document.getAnimations()) {
      if (moving.effect.getComputedTiming().endTime < Infinity) moving.finish()
    }
  })
`

const axePath = createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js')

/** Every page that the context opens from now on can be looked at by axe. */
export const bringAxe = (context: BrowserContext) => context.addInitScript({ path: axePath })

/** What axe finds serious or critical: the rule, and the elements that break it. */
export async function graveFaults(page: Page): Promise<[rule: string, elements: string[]][]> {
  // Axe is there already. Legacy mode saves a second tab, and leaves out frames of other sites: no page has one.
  const axe = new AxeBuilder({ page, axeSource: ';' }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])
}
