import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Page } from 'playwright-core'
import { findChromium, startChromium } from '../test/support/chromium.ts'
import { filledInstallation } from './fill/filled-installation.ts'
import { startServer } from './support/database.ts'
import { describeMachine } from './support/machine.ts'
import { untilPainted, watchPaints } from './support/paint.ts'
import { createProgress } from './support/progress.ts'
import { percentiles } from './support/samples.ts'
import { startService } from './support/service.ts'
import { figure, table } from './support/table.ts'
import { PASSWORD } from './support/world.ts'

type Options = { payments: number; clicks: number; kept: string | null }
/** `isInMemory`: the browser has shown this list before, so the click is not measured. */
type Click = { name: string; run(page: Page): Promise<unknown>; isInMemory?: boolean }
type Times = Record<string, number[]>
type Result = { name: string; count: number; p50: number; p95: number; max: number; limit: number | null }

/** The time limits of the dashboard, in milliseconds. */
const LIMITS = { clicks: 300, home: 500, firstByte: 1_000 }
const REPEATS = 20
/** The longest wait for the background counts of Home and the search, which start at their first request. */
const MAX_COUNTING_MS = 120 * 60_000

/** Measures the pages of the owner, prints the table and writes it to the results. */
export async function runDashboard({ payments, clicks, kept }: Options): Promise<void> {
  const progress = createProgress()
  const server = await startServer(kept && resolve(kept))
  const folder = await mkdtemp(join(tmpdir(), 'remit-browser-'))
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true }), server.stop]
  const end = async () => {
    for (const one of ends.splice(0).reverse()) await one()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end().finally(process.exit))
  try {
    const machine = describeMachine(server.folder)
    const database = `dashboard${payments}`
    // One session makes all requests without pauses.
    const settings = { REQUESTS_PER_SECOND: '1000', REQUEST_BURST: '100000' }
    const plan = { environment: 'sandbox', database, settings, payments, say: progress.say } as const
    const { installation, world } = await filledInstallation(server, plan)
    const service = await startService(installation)
    ends.push(service.stop)
    Object.assign(process.env, await findChromium(folder))
    const openContext = await startChromium({ after: (stop) => void ends.push(stop) })
    const context = await openContext({ baseURL: service.url, viewport: { width: 1440, height: 900 } })
    const page = await context.newPage()
    await watchPaints(page)
    await signIn(page, world.email)
    progress.say('waiting until older payments are counted')
    const waited = await waitUntilCounted(page)
    const results = await measure(page, { clicks, say: progress.say })
    progress.done()
    await writeResults({ takenAt: new Date().toISOString(), machine, payments, countingSeconds: waited, results })
    console.log(['', ...resultTable(results), ''].join('\n'))
  } finally {
    progress.done()
    await end()
  }
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
}

/** @returns the seconds it took */
async function waitUntilCounted(page: Page): Promise<number> {
  const begin = performance.now()
  const isComplete = (path: string) =>
    page.evaluate<boolean>(`fetch('${path}').then((answer) => answer.json()).then((body) => body.is_complete)`)
  for (const path of ['/v3/stats?metric=volume&group=day', '/v3/search?q=needle'])
    while (!(await isComplete(path))) {
      if (performance.now() - begin > MAX_COUNTING_MS) throw new Error(`${path} is not complete`)
      await page.waitForTimeout(500)
    }
  return (performance.now() - begin) / 1_000
}

async function measure(page: Page, { clicks, say }: { clicks: number; say(text: string): void }): Promise<Result[]> {
  const times: Times = {}
  const all: number[] = []
  const add = (name: string, ms: number) => {
    times[name] = [...(times[name] ?? []), ms]
  }
  for (let round = -1; all.length < clicks; round++) {
    // A reload empties the cache of the page, which would otherwise show known answers at once.
    await page.goto('/payments')
    await page.getByRole('button', { name: 'More filters' }).click()
    for (const { name, run, isInMemory } of listClicks) {
      say(`round ${round}: ${name}`)
      const ms = await untilPainted(page, () => run(page))
      if (round < 0 || isInMemory) continue // the first round warms up
      add(name, ms)
      all.push(ms)
    }
  }
  for (let count = -1; count < REPEATS; count++) {
    say(`home and export ${count}`)
    const loaded = await untilPainted(page, () => page.goto('/'))
    await page.goto('/payments')
    const clicked = await untilPainted(page, () => page.getByRole('link', { name: 'Home', exact: true }).click())
    const firstByte = await page.evaluate<number>(exportFirstByte)
    if (count < 0) continue
    add('Home, loaded', loaded)
    add('Home, from the menu', clicked)
    add('first byte of an export', firstByte)
  }
  const limitOf = (name: string) => {
    if (name.startsWith('Home')) return LIMITS.home
    return name === 'first byte of an export' ? LIMITS.firstByte : null
  }
  return [
    resultOf('all clicks', all, LIMITS.clicks),
    ...Object.entries(times).map(([name, values]) => resultOf(name, values, limitOf(name))),
  ]
}

const choose = (label: string, option: string | { index: number }) => (page: Page) =>
  page.getByLabel(label, { exact: true }).selectOption(option)
const type = (label: string, text: string) => async (page: Page) => {
  await page.getByLabel(label, { exact: true }).fill(text)
  await page.keyboard.press('Enter')
}
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()

/** The clicks of one round, in order. Rounds are repeated. */
const listClicks: readonly Click[] = [
  { name: 'status Failed', run: choose('Status', 'Failed') },
  { name: 'load more', run: press('Load more') },
  { name: 'status Paid', run: choose('Status', 'Paid') },
  { name: 'method ACH', run: choose('Method', 'ACH') },
  { name: 'one user', run: choose('User', { index: 5 }) },
  { name: 'clear filters', run: press('Clear filters'), isInMemory: true },
  { name: 'minimum amount', run: type('Minimum amount', '1500') },
  { name: 'search with many matches', run: type('Search', 'services') },
  { name: 'clear filters', run: press('Clear filters'), isInMemory: true },
  { name: 'search with few matches', run: type('Search', 'needle') },
  { name: 'incoming', run: (page) => page.getByRole('link', { name: 'Incoming' }).click() },
  { name: 'outgoing', run: (page) => page.getByRole('link', { name: 'Outgoing' }).click(), isInMemory: true },
  { name: 'load more', run: press('Load more') },
]

const exportFirstByte = `(async () => {
  const begin = performance.now()
  const answer = await fetch('/v3/export')
  if (!answer.ok) throw new Error('the export answered ' + answer.status)
  const reader = answer.body.getReader()
  await reader.read()
  const time = performance.now() - begin
  await reader.cancel()
  await new Promise((done) => setTimeout(done, 500)) // one export at a time
  return time
})()`

function resultOf(name: string, times: readonly number[], limit: number | null): Result {
  const { p50, p95, max } = percentiles(times.toSorted((a, b) => a - b))
  return { name, count: times.length, p50, p95, max, limit }
}

const resultTable = (results: readonly Result[]): string[] =>
  table(
    ['ms until painted', 'count', 'p50', 'p95', 'max', 'limit of p95', ''],
    results.map(({ name, count, p50, p95, max, limit }) => [
      name,
      String(count),
      ...[p50, p95, max].map(figure),
      limit === null ? '' : String(limit),
      limit === null ? '' : p95 < limit ? 'met' : 'missed',
    ]),
  )

async function writeResults(results: object): Promise<void> {
  const folder = new URL('./results/', import.meta.url)
  await mkdir(folder, { recursive: true })
  await writeFile(new URL('dashboard.json', folder), `${JSON.stringify(results, null, 1)}\n`)
}
