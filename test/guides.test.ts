import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { referenceSamples } from '../src/foundation/http/reference/code-samples.ts'
import { SAMPLE_LANGUAGES } from '../src/foundation/http/reference/guide-samples.ts'
import { guideNames, guides } from '../src/foundation/http/reference/guide-table.ts'
import { startChromium } from './support/chromium.ts'
import { apiDocument } from './support/documented.ts'
import { environmentOf, newApplication, newWebhook, runShellSample, sampleRuns } from './support/guide-samples.ts'
import { answerConsent, openConsent } from './support/oauth.ts'
import { takeScreenshot } from './support/screenshots.ts'
import { startTestService } from './support/service.ts'

// Runs the samples of the guides on a real service: curl in bash, and TypeScript in this process. `npm run python-samples` runs Python.

const root = fileURLToPath(new URL('..', import.meta.url))
const examples = (await Array.fromAsync(glob('examples/{quickstart,guides/**/*}.{sh,ts,py}', { cwd: root }))).sort()
const service = await startTestService({ after }, { roles: ['http', 'worker'] })

const sdk = pathToFileURL(`${root}packages/sdk/src/index.ts`).href
registerHooks({
  resolve: (name, context, next) =>
    name === 'remit-payments-sdk' ? { url: sdk, shortCircuit: true } : next(name, context),
})

/** Parts of programs that the tests below call. */
const PARTS = [
  'guides/connection.py',
  'guides/oauth/connect.ts',
  'guides/webhooks/receive.py',
  'guides/webhooks/receive.ts',
]

test('every sample has a test, and a guide includes it', async () => {
  const known = Object.keys(sampleRuns).flatMap((name) =>
    SAMPLE_LANGUAGES.map(({ extension }) => `${name}.${extension}`),
  )
  const files = examples.map((path) => path.replace('examples/', ''))
  assert.deepEqual(
    files.filter((file) => !known.includes(file) && !PARTS.includes(file)),
    [],
  )
  const text = (await Promise.all(guideNames.map((name) => readFile(root + guides[name].file, 'utf8')))).join('\n')
  assert.deepEqual(
    files.filter((file) => !text.includes(`/examples/${file.replace(/\w+$/, '')}`)),
    [],
  )
})

test('the API reference has each of its samples in three languages', () => {
  const operations = Object.values<Record<string, { operationId: string; 'x-codeSamples'?: unknown[] }>>(
    apiDocument.paths,
  )
  const withSamples = operations.flatMap((methods) => Object.values(methods)).filter((one) => one['x-codeSamples'])
  assert.deepEqual(withSamples.map(({ operationId }) => operationId).sort(), Object.keys(referenceSamples).sort())
  assert.ok(withSamples.every((operation) => operation['x-codeSamples']?.length === 3))
})

test('each code block of a guide is a tested file or is marked as not run', async () => {
  const paths = await Array.fromAsync(glob('docs/guides/*.md', { cwd: root }))
  const untested = await Promise.all(
    paths.map(async (path) => {
      const fences = (await readFile(root + path, 'utf8')).match(/^```.+$/gm) ?? []
      return fences.filter((fence) => !/ not-run$/.test(fence)).map((fence) => `${path}: ${fence}`)
    }),
  )
  assert.deepEqual(untested.flat(), [])
})

const samplesIn = (extension: string) =>
  Object.entries(sampleRuns).filter(([name]) => examples.includes(`examples/${name}.${extension}`))

for (const [name, prepare] of samplesIn('sh')) {
  test(`the sample ${name} works with curl`, async () => {
    const run = await prepare(service)
    assert.match(await runShellSample(`${root}examples/${name}.sh`, environmentOf(service, run)), run.shows)
  })
}

for (const [name, prepare] of samplesIn('ts')) {
  test(`the sample ${name} works in TypeScript`, async (t) => {
    const run = await prepare(service)
    const print = t.mock.method(console, 'log', () => {})
    await importSample(name, environmentOf(service, run))
    const lines = print.mock.calls.map((call) => call.arguments.map((part) => JSON.stringify(part)).join(' '))
    assert.match(lines.join('\n'), run.shows)
  })
}

/** Runs a module. It reads its variables while it is loaded. */
function importSample(name: string, env: Record<string, string>) {
  Object.assign(process.env, env)
  return import(`../examples/${name}.ts`)
}

test('the application sample connects an account holder and sends a payment', async (t) => {
  t.mock.method(console, 'log', () => {})
  const { as, env, browser, application } = await newApplication(service)
  const { begin, finish } = await importSample('guides/oauth/connect', environmentOf(service, { as, env, shows: / / }))
  const session = await begin()
  const consent = await openConsent(browser, session.url.replace(service.baseUrl, ''))
  const callback = await answerConsent(browser, consent, 'authorize')
  assert.ok(callback.href.startsWith(application.redirectUri))
  assert.equal((await finish(callback.href, session)).status, 'UNPAID')
})

test('the receiver sample accepts an authentic webhook and refuses a forged one', async (t) => {
  const print = t.mock.method(console, 'log', () => {})
  const webhook = await newWebhook(service, t)
  const { POST } = await importSample('guides/webhooks/receive', { WEBHOOK_KEY: webhook.key })
  const post = (body: string): Promise<Response> =>
    POST(
      new Request('https://ledger.example/', {
        method: 'POST',
        body,
        headers: webhook.headers as Record<string, string>,
      }),
    )
  assert.equal((await post(webhook.body)).status, 204)
  assert.deepEqual(print.mock.calls[0]?.arguments, ['BANK', webhook.id])
  assert.equal((await post(webhook.body.replace('PENDING', 'VERIFIED'))).status, 401)
})

test('a guide shows the chosen language, copies code, and its search finds sections', async (t) => {
  const context = await (await startChromium(t))({
    viewport: { width: 1440, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${service.baseUrl}/docs/guides/sending`)
  const first = page.getByRole('group', { name: 'Sample' }).first()
  await first.getByText('curl "$REMIT_BASE_URL/v3/check/digital"').waitFor()
  await first.getByText('Python', { exact: true }).click()
  await page.getByText('send_physical_check.sync').waitFor()
  await first.getByRole('button', { name: 'Copy' }).click()
  await first.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  assert.equal(copied, (await readFile(`${root}examples/guides/sending/digital.py`, 'utf8')).trimEnd())
  await takeScreenshot(page, 'guide-sending')

  await page.setViewportSize({ width: 360, height: 800 })
  for (const name of guideNames) {
    await page.goto(`${service.baseUrl}/docs/guides/${name}`)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 360, name)
  }
  await page.getByRole('searchbox', { name: 'Search guides' }).fill('magic values')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Magic values', exact: true }).click()
  await page.waitForURL('**/docs/guides/testing#magic-values')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { violations } = await new AxeBuilder({ page }).analyze()
    assert.deepEqual(
      violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
      [],
    )
  }
  assert.deepEqual(complaints, [])
})
