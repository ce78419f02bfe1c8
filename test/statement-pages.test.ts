import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { closeMonth } from '../src/money/closing/month-actions.ts'
import { readMonth } from '../src/money/closing/month-rules.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { changeOperator } from '../src/people/auth/operator/operator-actions.ts'
import { putInbound } from './support/ach.ts'
import { signIn } from './support/browser.ts'
import { startChromium } from './support/chromium.ts'
import { DAY, newPair, pay, startFileService } from './support/file-service.ts'
import { assertAccessible, enterTabAs, openTab, preloadAxe } from './support/pages.ts'
import { ACCOUNT, operatorBank } from './support/paid-lists.ts'
import { bai2Lines, type SampleLine } from './support/statement-files.ts'

// The operator's page about bank statements: the equation of a day, lines that are decided by keyboard, and closed
// months.

const statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
const service = await startFileService({ after }, { operatorBank, statements })
const { deps, clock, folder } = service
service.secrets.add(ACCOUNT.replace(/^0+/, ''))
const openContext = await startChromium({ after })
const { context, page, complaints, settle, intercept } = await openTab(openContext, { baseURL: service.baseUrl })
await preloadAxe(context)

const today = () => clock.now().toISOString().slice(0, 10)
let openingCents = 2_500_000

/** Writes the bank's statement of a day and lets Remit read and match it. */
async function receive(lines: readonly SampleLine[], { day = today(), isWrong = false } = {}) {
  const content = bai2Lines({ account: ACCOUNT, openingCents, lines, day }).join('\n')
  openingCents += lines.reduce((sum, { cents }) => sum + cents, 0)
  await putInbound(
    folder,
    `statement-${day}`,
    isWrong ? content.replace(`,015,${openingCents}`, `,015,${openingCents + 5_000}`) : content,
  )
  await readBankStatements(deps)
  await matchBankStatements(deps, { legHandlers })
}

const line = (cents: number, code: string, text: string, reference = ''): SampleLine => ({
  cents,
  code,
  reference,
  text,
})

const owner = await service.newOwner('Acme')
const browser = await signIn(service, owner)
await inTransaction(deps, (tx) => changeOperator(tx, { email: owner.email, isOperator: true }))
const rowOf = (text: string) => page.getByRole('listitem').filter({ hasText: text })
const isCurrent = (text: string) => page.locator('li[aria-current=true]').filter({ hasText: text }).waitFor()
const waiting = async (): Promise<{ text: string }[]> =>
  (await browser.get('/web/v1/operator/statements/lines')).body.lines

test('without statements, the page explains where they come from; without the permission, access is refused', async () => {
  const other = await signIn(service, await service.newOwner('Other'))
  for (const path of ['', '/lines', '/decisions', '/months', '/days?bank_account=first:checks&month=2026-03']) {
    assert.equal((await other.get(`/web/v1/operator/statements${path}`)).body.code, 'permission_denied')
  }
  await enterTabAs(page, browser, service.baseUrl)
  await page.goto('/settings/statements')
  await page.getByRole('heading', { name: 'No statement was read yet' }).waitFor()
  await assertAccessible({ page, settle }, 'statements-empty')
})

test('an operator decides lines by keyboard and by mouse, undoes a decision, and finds the line again', async () => {
  const pair = await newPair(service)
  for (const dollars of [412.5, 412.5, 980.36]) await pay(pair, dollars)
  await service.openWindow()
  const sent = await service.sent()
  const micro = [...Map.groupBy(sent, ({ file }) => file)][0]?.[0].replace('.ach', '') ?? ''
  await receive([
    line(-22, '451', 'ACH CREDITS', micro),
    line(41_250, '142', 'ACH DEBIT RETAIL'),
    line(98_063, '142', 'ACH DEBIT WHOLESALE'),
    line(-3_500, '698', 'ACCOUNT ANALYSIS FEE'),
    line(1_207, '354', 'INTEREST PAID'),
    line(250_000, '195', 'INCOMING WIRE NORTHWIND TRADERS'),
  ])
  await service.assertLedger()
  await page.goto('/')
  await page.getByRole('link', { name: 'Bank statements' }).click()
  await page.getByRole('heading', { level: 1, name: 'Bank statements' }).waitFor()
  await rowOf('ACCOUNT ANALYSIS FEE').getByText('A fee of the bank that no rule explains.').waitFor()
  await rowOf('WHOLESALE').getByText('Two digits may be swapped: an open payment is for $980.36.').waitFor()
  await page.getByText(/Bank and ledger agree. \d lines wait for your decision./).waitFor()
  await page.getByRole('button', { name: 'Use the keyboard' }).click()
  await settle()
  await assertAccessible({ page, settle }, 'statements')

  await page.getByRole('button', { name: 'Use the keyboard' }).click()
  for (const [key, text] of [
    ['k', 'RETAIL'],
    ['j', 'WHOLESALE'],
    ['ArrowDown', 'ANALYSIS FEE'],
    ['j', 'INTEREST'],
    ['k', 'ANALYSIS FEE'],
  ] as const) {
    await page.keyboard.press(key)
    await isCurrent(text)
  }
  await page.keyboard.press('Enter')
  await rowOf('ANALYSIS FEE').waitFor({ state: 'detached' })
  await isCurrent('INTEREST')
  await page.keyboard.press('u')
  await rowOf('ANALYSIS FEE').waitFor()
  await rowOf('ANALYSIS FEE')
    .getByRole('button', { name: /^Book to fees/ })
    .click()
  await rowOf('ANALYSIS FEE').waitFor({ state: 'detached' })

  await rowOf('NORTHWIND')
    .getByRole('button', { name: /^Ignore/ })
    .focus()
  await isCurrent('NORTHWIND')
  await page.keyboard.press('b')
  await page.getByLabel('Account', { exact: true }).fill('Deposits!')
  await page.keyboard.press('Enter')
  await page.getByText('Use lower-case letters, digits and underscores.').waitFor()
  await page.getByLabel('Account', { exact: true }).fill('deposits')
  await page.keyboard.press('Enter')
  await rowOf('NORTHWIND').waitFor({ state: 'detached' })

  await rowOf('RETAIL')
    .getByRole('button', { name: /^Match payment/ })
    .focus()
  await isCurrent('RETAIL')
  await page.keyboard.press('2')
  await rowOf('RETAIL').waitFor({ state: 'detached' })
  await service.assertLedger()

  await page.getByRole('link', { name: 'Decided' }).click()
  await page.getByRole('searchbox', { name: 'Search' }).fill('northwind')
  const decided = page.getByRole('table', { name: 'Decided lines, latest first' })
  await decided.getByText('NORTHWIND').waitFor()
  await decided.getByText('ANALYSIS FEE').waitFor({ state: 'detached' })
  assert.equal(await decided.getByRole('button', { name: /^Undo/ }).count(), 1)
  await assertAccessible({ page, settle }, 'statements-decided')
  await decided.getByRole('button', { name: /^Undo/ }).click()
  await page.getByText('No decided lines match.').waitFor()
  assert.ok((await waiting()).some(({ text }) => text.includes('NORTHWIND')))
  const { audit } = (await browser.get('/v3/audit')).body
  const own = audit.filter(({ action }: { action: string }) => action === 'statement_line_decided')
  assert.ok(own.length >= 6, 'each decision is in the audit trail of the platform of its member')
})

test('the page explains a wrong balance, keeps a refused line, and shows when nothing matches', async () => {
  clock.advance(DAY)
  await receive([line(-2_000, '698', 'WIRE FEE')], { isWrong: true })
  await page.goto('/settings/statements')
  await page.getByText(/No line or earlier statement explains \$50.00/).waitFor()
  const end = await intercept('**/lines/*/split', (route) =>
    route.fulfill({ status: 400, json: { code: 'line_not_decided', message: 'The month is closed.', error: '' } }),
  )
  await rowOf('WIRE FEE')
    .getByRole('button', { name: /^Book to fees/ })
    .click()
  await page.getByText('The month is closed.').waitFor()
  await end()
  await rowOf('WIRE FEE').waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('nothing like this')
  await page.getByRole('heading', { name: 'No lines match' }).waitFor()
  const failing = await intercept('**/web/v1/operator/statements', (route) => route.abort())
  await page.goto('/settings/statements')
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  await failing()
  await page.getByRole('button', { name: 'Try again' }).click()
  await rowOf('WIRE FEE').waitFor()
  complaints.splice(0)
})

test('a closed month is listed with its reports', async () => {
  const { lines } = (await browser.get('/web/v1/operator/statements/lines')).body
  for (const { id } of lines) {
    const { status } = await browser.post(`/web/v1/operator/statements/lines/${id}/ignore`, {
      why: 'agreed with the bank',
    })
    assert.equal(status, 200)
  }
  await deps.sql`update bank_cases set closed_at = ${clock.now()}, resolution = 'The bank corrects it.' where closed_at is null`
  openingCents += 5_000
  clock.advance(40 * DAY)
  await receive([], { day: '2026-03-31' })
  const month = readMonth('2026-03')
  assert.ok(month)
  const result = await closeMonth(deps, { account: 'first:checks', month, by: 'Ada Lovelace' })
  assert.ok('id' in result, JSON.stringify(result))
  const unknown = `/web/v1/operator/statements/months/${'0'.repeat(32)}/pdf`
  assert.equal((await browser.get(unknown)).body.code, 'month_not_found')
  await page.goto('/settings/statements')
  const months = page.getByRole('table', { name: 'Closed months, latest first' })
  await months.getByText('Ada Lovelace').waitFor()
  const download = page.waitForEvent('download')
  await months.getByRole('button', { name: 'PDF' }).click()
  assert.equal((await download).suggestedFilename(), 'reconciliation-first-checks-2026-03.pdf')
  await page.getByRole('heading', { name: 'Every line is explained' }).waitFor()
  await assertAccessible({ page, settle }, 'statements-closed')
  assert.deepEqual(complaints, [])
})
