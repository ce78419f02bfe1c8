import assert from 'node:assert/strict'
import type { after, TestContext } from 'node:test'
import type { Browser } from './browser.ts'
import { startChromium } from './chromium.ts'
import { newAccountHolder } from './oauth.ts'
import { assertFitsPhone, enterTabAs, openTab, preloadAxe, violations } from './pages.ts'
import { showView, takeScreenshot, takesScreenshots, views } from './screenshots.ts'
import type { TestService } from './service.ts'

const testedViews = views.filter(({ name }) => takesScreenshots || name === 'light-desk' || name === 'dark-phone')
let looked = 0

/** Opens a tab for the pages of a signed-in person. SCREENSHOTS=folder stores a screenshot of each checked page. */
export async function openDashboard(lifetime: { after: typeof after }, service: TestService) {
  const tab = await openTab(await startChromium(lifetime), { baseURL: service.baseUrl })
  const { context, page, complaints } = tab
  await preloadAxe(context)

  async function signInAs(browser: Browser | null): Promise<void> {
    await enterTabAs(page, browser, service.baseUrl)
  }

  /** A signed-in owner. No action may cause an error or a warning in the browser console. */
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

  /**
   * Checks the open page: axe in light and dark, and no horizontal scrolling on a narrow phone. The audit takes most of
   * the time, so each page has the whole audit in one of the views, in turn, and only the color rules in the other.
   */
  async function assertGoodPage(name: string): Promise<void> {
    looked++
    for (const [index, view] of testedViews.entries()) {
      await showView(tab, view)
      await takeScreenshot(page, `${name}-${view.name}`)
      const onlyColors = !takesScreenshots && index !== looked % testedViews.length
      assert.deepEqual(await violations(page, { onlyColors }), [], `${name} ${view.name}`)
    }
    await assertFitsPhone(tab, name)
    const reloaded = await page.request.get(page.url())
    assert.equal(reloaded.status(), 200, `${page.url()} cannot be reloaded`)
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
