import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import type { after, TestContext } from 'node:test'
import type { Browser } from './browser.ts'
import { startChromium } from './chromium.ts'
import { newAccountHolder } from './oauth.ts'
import { assertFitsPhone, enterTabAs, openTab, preloadAxe, violations } from './pages.ts'
import type { TestService } from './service.ts'

const folder = process.env.SCREENSHOTS

export const views = [
  { name: 'light-phone', colorScheme: 'light', viewport: { width: 375, height: 812 } },
  { name: 'light-desk', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark-phone', colorScheme: 'dark', viewport: { width: 375, height: 812 } },
  { name: 'dark-desk', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
] as const
const testedViews = views.filter(({ name }) => folder !== undefined || name === 'light-desk' || name === 'dark-phone')

/** A tab for the pages of a signed-in person. SCREENSHOTS=folder keeps a picture of each page that is looked at. */
export async function openDashboard(lifetime: { after: typeof after }, service: TestService) {
  if (folder) await mkdir(folder, { recursive: true })
  const tab = await openTab(await startChromium(lifetime), { baseURL: service.baseUrl })
  const { context, page, complaints, settle } = tab
  await preloadAxe(context)

  async function signInAs(browser: Browser | null): Promise<void> {
    await enterTabAs(page, browser, service.baseUrl)
  }

  /** An owner who is signed in. Nothing that is done may make the browser complain. */
  async function newHolder(t: TestContext) {
    const holder = await newAccountHolder(service)
    await signInAs(holder.browser)
    t.after(() =>
      assert.deepEqual(
        complaints.splice(0).filter((complaint) => !/status of (403|404|409|500)/.test(complaint)), // the page shows them
        [],
      ),
    )
    return holder
  }

  /** Looks at the page that is open: axe in light and dark, and no scrolling sideways on a narrow phone. */
  async function assertGoodPage(name: string): Promise<void> {
    for (const { name: view, colorScheme, viewport } of testedViews) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize(viewport)
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
      await settle()
      if (folder) await page.screenshot({ path: `${folder}/${name}-${view}.png`, fullPage: true })
      assert.deepEqual(await violations(page), [], `${name} ${view}`)
    }
    await assertFitsPhone(tab, name)
    const reloaded = await page.request.get(page.url())
    assert.equal(reloaded.status(), 200, `${page.url()} cannot be opened anew`)
    await page.setViewportSize(views[1].viewport)
  }

  return {
    ...tab,
    signInAs,
    newHolder,
    assertGoodPage,
    button: (name: string) => page.getByRole('button', { name, exact: true }),
  }
}
