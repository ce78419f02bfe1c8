import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { PASSWORD } from './service.ts'

type OpenContext = (options?: BrowserContextOptions) => Promise<BrowserContext>

/** Signs an owner in at the page for it. @returns what the browser keeps, for the contexts that are to be signed in */
export async function signInOnPage(
  openContext: OpenContext,
  { baseUrl, email }: { baseUrl: string; email: string },
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const context = await openContext({ baseURL: baseUrl })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/settings/**')
  return context.storageState()
}

/** What a page complains of on its console, from now on: errors, and what the content security policy refused. */
export function listenTo(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}
