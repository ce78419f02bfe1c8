import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'

// SCREENSHOTS=folder stores a screenshot of each page that a test checks, in all views.

const folder = process.env.SCREENSHOTS
if (folder) mkdirSync(folder, { recursive: true })

export const takesScreenshots = folder !== undefined

export const views = [
  { name: 'light-phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
  { name: 'light-desk', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark-phone', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  { name: 'dark-desk', colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
] as const

type View = (typeof views)[number]
type Tab = { page: Page; settle: () => Promise<void> }

export async function showView({ page, settle }: Tab, { colorScheme, viewport }: View): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize(viewport)
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
  await settle()
}

/** Stores a screenshot of the whole page, from its top, where the header is. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (!folder) return
  await page.evaluate('scrollTo(0, 0)')
  const file = name.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-|-$/g, '')
  await page.screenshot({ path: `${folder}/${file}.png`, fullPage: true })
}

const taken = new Map<string, number>()

/** Stores a screenshot of each view, and then restores the previous view. A repeated name gets a number. */
export async function takeScreenshots(tab: Tab, name: string): Promise<void> {
  if (!folder) return
  const count = (taken.get(name) ?? 0) + 1
  taken.set(name, count)
  const size = tab.page.viewportSize()
  for (const view of views) {
    await showView(tab, view)
    await takeScreenshot(tab.page, `${count === 1 ? name : `${name}-${count}`}-${view.name}`)
  }
  if (size) await tab.page.setViewportSize(size)
}
