import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, suite, test } from 'node:test'
import type { Route } from 'playwright-core'
import { paymentTriggers } from '../src/operation/sandbox/trigger-rules.ts'
import { reachableStatuses } from '../web/src/pages/payments/reachable-statuses.ts'
import type { Api } from './support/api.ts'
import { openDashboard } from './support/dashboard.ts'
import { JPEG } from './support/images.ts'
import { newAccountHolder } from './support/oauth.ts'
import { enterTabAs } from './support/pages.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { takeScreenshot, views } from './support/screenshots.ts'
import { addVerifiedBank, PASSWORD, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'

// The pages of payments in a real browser.

const service = await startTestService({ after })
const { page, complaints, settle, intercept, signInAs, newHolder, assertGoodPage, button } = await openDashboard(
  { after },
  service,
)

const rows = page
  .getByRole('table', { name: 'Payments, newest first' })
  .getByRole('row')
  .filter({ has: page.getByRole('link') })

/** Waits until this number of payments is shown. */
const countRows = (count: number) =>
  page
    .locator('[aria-busy="false"]')
    .getByText(`${count} ${count === 1 ? 'payment' : 'payments'} shown`)
    .waitFor({ state: 'attached' })

/** Waits until the page receives live changes. */
async function streamed(act: () => Promise<unknown>): Promise<void> {
  await Promise.all([page.waitForResponse(/\/web\/v1\/stream/), act()])
}

/** Sets the last confirmation of the platform's sessions to an earlier time. */
const forgetProof = (platformId: string) => service.ownerSql`
  update sessions set created_at = now() - interval '1 hour', proved_at = null where platform_id = ${platformId}
`

async function confirmIdentity(): Promise<void> {
  await page.getByLabel('Password').fill(PASSWORD)
  await button('Confirm').click()
}

suite('the list of payments', () => {
  test('is opened from the menu and filtered, and its URL contains the filters', async (t) => {
    const { api } = await newHolder(t)
    const user = await service.newUser(undefined, api)
    await addVerifiedBank(user)
    await sendPayment(api, { name: 'Ada Lovelace', amount: 1_250.5, description: 'Invoice 2026-014: roof' })
    service.clock.advance(1)
    const failed = await sendPayment(api, { name: 'Charles Babbage', amount: 80 })
    await triggerStatus(api, failed.id, 'FAILED', { return_code: 'R01' })
    service.clock.advance(1)
    await sendPayment(user, { name: 'Mary Somerville', amount: 9_999 })
    await page.setViewportSize(views[1].viewport)
    await page.goto('/settings/developer')
    await page.goto('/')
    await page.getByRole('link', { name: 'Payments', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await countRows(3)
    const first = rows.first()
    for (const text of ['Mary Somerville', '$9,999.00', 'Unpaid'])
      await first.getByText(text, { exact: true }).waitFor()
    await first.getByText(/^From /).waitFor() // another user's
    await assertGoodPage('payments')

    const [csv] = await Promise.all([page.waitForEvent('download'), button('Export CSV').click()])
    assert.equal((await readFile(await csv.path(), 'utf8')).trim().split('\r\n').length, 4)
    const choose = (label: string, option: string) => page.getByLabel(label, { exact: true }).selectOption(option)
    await choose('Status', 'Failed')
    await countRows(1)
    assert.match(page.url(), /\?status=FAILED$/)
    await choose('Method', 'ACH')
    await countRows(1)
    await choose('Method', 'Wire')
    await page.getByText('No payments match these filters').waitFor()
    await assertGoodPage('payments-no-match')
    await button('Clear filters').click()
    await countRows(3)

    await page.getByLabel('Search').fill('roof')
    await countRows(1)
    await page.reload()
    await countRows(1)
    await rows.getByText('Ada Lovelace').waitFor()
    await button('Clear filters').click()
    await countRows(3)
    await button('More filters').click()
    await page.getByLabel('Minimum amount').fill('1000')
    await countRows(2)
    await page.getByLabel('Maximum amount').fill('2000')
    await countRows(1)
    assert.match(page.url(), /min_amount=1000&max_amount=2000/)
    await button('Clear filters').click()
    await countRows(3)
    await choose('User', 'Your account')
    await countRows(2)
    await page.getByLabel('To (PT)').fill('2020-01-01')
    await page.getByText('No payments match these filters').waitFor()
    await button('Show all payments').click()
    await countRows(3)
  })

  test('keeps filters as named views: saved, opened, renamed and deleted', async (t) => {
    const { api } = await newHolder(t)
    await sendPayment(api, { name: 'Ada Lovelace', amount: 1_250 })
    const failed = await sendPayment(api, { name: 'Charles Babbage', amount: 80 })
    await triggerStatus(api, failed.id, 'FAILED', { return_code: 'R01' })
    const item = (name: string) => page.getByRole('menuitem', { name })
    await page.goto('/payments')
    await countRows(2)
    await page.getByLabel('Status', { exact: true }).selectOption('Failed')
    await countRows(1)
    await button('Views').press('Enter')
    await item('Save these filters').press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save view' }).click()
    await dialog.getByText('Enter a name.').waitFor()
    await dialog.getByLabel('Name').fill('Money that came back')
    await assertGoodPage('payments-save-view')
    await dialog.getByLabel('Name').press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await button('Money that came back').waitFor() // the list is this view

    await button('Clear filters').click()
    await countRows(2)
    await button('Views').click()
    await assertGoodPage('payments-views')
    assert.equal(await item('Save these filters').isDisabled(), true)
    await item('Money that came back').click()
    await countRows(1)
    assert.match(page.url(), /\?status=FAILED$/)
    await page.reload()
    await button('Money that came back').click()
    await item('Manage views').click()
    await dialog.getByText('1 of 50 views').waitFor()
    await assertGoodPage('payments-manage-views')
    await dialog.getByLabel('Name of').fill('Returns')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await dialog.getByLabel('Name of “Returns”').waitFor()
    await dialog.getByRole('button', { name: 'Delete Returns' }).click()
    await dialog.getByText('0 of 50 views').waitFor()
    await page.keyboard.press('Escape')
    await button('Views').click()
    await page.getByText('No saved views yet').waitFor()
    await page.keyboard.press('Escape')
  })

  test('has received payments in a separate tab, with a text for an empty list', async (t) => {
    const { email } = await newHolder(t)
    await page.goto('/payments')
    await page.getByRole('heading', { level: 2, name: 'No payments yet' }).waitFor()
    await assertGoodPage('payments-none')
    await page.getByRole('link', { name: 'Incoming' }).click()
    await page.getByRole('heading', { level: 2, name: 'No incoming payments yet' }).waitFor()
    const sender = await newAccountHolder(service)
    await sendPayment(sender.api, { recipient: email, amount: 42 })
    await service.applyOutbox()
    await page.reload()
    await countRows(1)
    await rows.getByText('+$42.00').waitFor()
    await rows.getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: /^\$42.00 from / }).waitFor()
    await page.getByText(/^You can deposit it until/).waitFor()
    assert.equal(await button('Void payment').count(), 0)
    await assertGoodPage('payment-incoming')
  })

  test('loads older payments, and shows how far an incomplete search went', async (t) => {
    const { api } = await newHolder(t)
    for (let count = 0; count < 26; count++) {
      service.clock.advance(1)
      await sendPayment(api, { amount: 1 + count })
    }
    await page.goto('/payments')
    await countRows(25)
    await button('Load more').press('Enter')
    await countRows(26)
    await button('Load more').waitFor({ state: 'detached' })

    // A search stops after 20,000 payments. The answer is that of the service, with the place where it stopped.
    const stop = await intercept('**/v3/payment?*min_amount=26*', async (route) => {
      if (route.request().url().includes('cursor')) return route.continue()
      const answer = await route.fetch()
      const link = `<${service.baseUrl}/v3/payment?min_amount=26&cursor=x>; rel="next"`
      const json = { payments: [], searched_to: '2026-01-05 10:00:00' }
      await route.fulfill({ response: answer, headers: { ...answer.headers(), link }, json })
    })
    await page.goto('/payments?min_amount=26')
    await page.getByText(/^No matches since Jan 5/).waitFor()
    await button('Search older payments').waitFor()
    await stop()
  })

  test('that cannot be loaded shows an error with the request id, and is requested again', async (t) => {
    const { api } = await newHolder(t)
    await sendPayment(api)
    const stop = await intercept('**/v3/payment?*', (route) =>
      route.fulfill({
        status: 500,
        headers: { 'x-request-id': '0123abc' },
        json: { code: 'internal', message: 'The service has failed.' },
      }),
    )
    await page.goto('/payments')
    await page.getByRole('alert').getByText('The service has failed.').waitFor()
    await page.getByRole('alert').getByText('0123abc').waitFor()
    await assertGoodPage('payments-failed')
    await stop()
    await button('Try again').press('Enter')
    await countRows(1)
  })
})

suite('selected payments', () => {
  const box = (name: string) => page.getByRole('checkbox', { name })
  const dialog = page.getByRole('dialog')

  /** Four payments of one owner: the newest is PAID, and the oldest belongs to a user. */
  async function fourPayments({ api }: { api: Api }) {
    const user = await service.newUser(undefined, api)
    await addVerifiedBank(user)
    const ofUser = await sendPayment(user, { name: 'Mary Somerville', amount: 1_000.1 })
    service.clock.advance(1)
    const ada = await sendPayment(api, { name: 'Ada Lovelace', amount: 0.2 })
    service.clock.advance(1)
    const charles = await sendPayment(api, { name: 'Charles Babbage', amount: 234.1 })
    service.clock.advance(1)
    const paid = await sendPayment(api, { name: 'Emmy Noether', amount: 5 })
    await triggerStatus(api, paid.id, 'PAID')
    return { ofUser, ada, charles, paid }
  }

  test('are counted and summed up to the cent, by keyboard and without moving a row', async (t) => {
    const holder = await newHolder(t)
    await fourPayments(holder)
    await page.setViewportSize(views[1].viewport)
    await page.goto('/payments')
    await countRows(4)
    await settle()
    const before = await rows.nth(3).boundingBox()
    await box('Select $1,000.10 to Mary Somerville').press('Space')
    await page.getByText('1 payment, $1,000.10', { exact: true }).waitFor()
    await box('Select $0.20 to Ada Lovelace').press('Space')
    await box('Select $234.10 to Charles Babbage').click()
    await page.getByText('3 payments, $1,234.40', { exact: true }).waitFor()
    assert.deepEqual(await rows.nth(3).boundingBox(), before)
    assert.equal(new URL(page.url()).pathname, '/payments') // the checkbox is not part of the link
    await assertGoodPage('payments-selected')

    await box('Select all rows').press('Space')
    await page.getByText('4 payments, $1,239.40', { exact: true }).waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('Unpaid')
    await countRows(3) // another list begins without a selection
    await box('Select all rows').click()
    await page.getByText('3 payments, $1,234.40', { exact: true }).waitFor()
    await button('Clear selection').press('Enter')
    await countRows(3)

    await page.goto('/')
    await page.getByRole('table', { name: 'Recent payments' }).waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 0)
  })

  test('are not covered by the bar when the focus moves up to them', async (t) => {
    const { api } = await newHolder(t)
    for (let count = 0; count < 25; count++) await sendPayment(api, { amount: 1 + count })
    for (const { viewport } of [views[1], views[0]]) {
      await page.setViewportSize(viewport)
      await page.goto('/payments')
      await countRows(25)
      await settle()
      await page.getByRole('checkbox').last().focus()
      for (let count = 0; count < 24; count++) {
        await page.keyboard.press('Shift+Tab')
        await page.keyboard.press('Shift+Tab')
        assert.equal(await page.evaluate(isFocusSeen), true, `row ${count} at ${viewport.width}`)
      }
    }
  })

  test('are voided after one confirmation, each once, and those that cannot be voided are named', async (t) => {
    const holder = await newHolder(t)
    const { ofUser, ada, charles, paid } = await fourPayments(holder)
    await page.goto('/payments')
    await countRows(4)
    await box('Select all rows').click()
    await button('Void').click()
    await dialog.getByText('Void 3 payments?').waitFor()
    await dialog.getByText('The payees can no longer get these $1,234.40. You cannot undo this.').waitFor()
    await dialog.getByText('1 of 4 selected payments cannot be voided, and stays as it is.').waitFor()
    await assertGoodPage('payments-void')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await button('Void').and(page.locator(':focus')).waitFor()

    await button('Void').press('Enter')
    await holder.api.del(`/v3/check/${ada.id}`) // by another client in the meantime
    const asked: string[] = []
    const stop = await intercept('**/v3/check/*', (route) => {
      asked.push(route.request().url().split('/').at(-1) as string)
      return route.continue()
    })
    await dialog.getByRole('button', { name: 'Void 3 payments' }).dblclick()
    await dialog.getByText('2 of 3 payments voided').waitFor()
    await dialog.getByText('$0.20 to Ada Lovelace').waitFor()
    await dialog.getByText('This payment cannot be voided in its current status.').waitFor()
    await assertGoodPage('payments-void-refused')
    await stop()
    assert.equal(complaints.splice(0).length, 1) // about the refusal
    assert.deepEqual(asked, [charles.id, ada.id, ofUser.id])
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('2 payments, $5.20', { exact: true }).waitFor()
    for (const { id } of [ofUser, charles, ada])
      assert.equal((await holder.api.get(`/v3/check/${id}`)).body.status, 'VOID')
    assert.equal((await holder.api.get(`/v3/check/${paid.id}`)).body.status, 'PAID')

    await button('Void').click()
    await dialog.getByText('Nothing to void').waitFor()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    await signInAs((await newMember(service, holder.id, 'viewer')).browser)
    await page.goto('/payments')
    await box('Select all rows').click()
    await page.getByText('4 payments, $1,239.40', { exact: true }).waitFor()
    assert.equal(await button('Void').count(), 0)
  })
})

/** Returns whether the center of the focused element is visible and not covered. */
const isFocusSeen = `
  (() => {
    const { x, y, width, height } = document.activeElement.getBoundingClientRect()
    const seen = [y + 2, y + height - 2].map((at) => document.elementFromPoint(x + width / 2, at))
    return seen.every((element) => element !== null && document.activeElement.closest('tr')?.contains(element))
  })()
`

suite('an open page', () => {
  test('announces new payments, updates statuses in their rows, and moves neither rows nor the focus', async (t) => {
    const { api } = await newHolder(t)
    const user = await service.newUser(undefined, api)
    await addVerifiedBank(user)
    const ids: string[] = []
    for (const name of ['Ada Lovelace', 'Charles Babbage']) {
      ids.push((await sendPayment(api, { name })).id)
      service.clock.advance(1)
    }
    await page.setViewportSize(views[1].viewport)
    await streamed(() => page.goto('/payments'))
    await countRows(2)
    await settle()
    const second = rows.nth(1)
    await second.getByRole('link', { name: 'Ada Lovelace' }).focus()
    const before = await second.boundingBox()
    for (const name of ['Mary Somerville', 'Grace Hopper', 'Emmy Noether']) await sendPayment(user, { name })
    await triggerStatus(api, ids[0] as string, 'PAID')
    await button('3 new payments – Show').waitFor()
    await second.getByText('Paid', { exact: true }).waitFor()
    assert.deepEqual(await second.boundingBox(), before)
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Ada Lovelace')
    await assertGoodPage('payments-newer')
    await button('3 new payments – Show').press('Enter')
    await countRows(5)
    await button('3 new payments – Show').waitFor({ state: 'detached' })

    await page.goto('/payments?status=FAILED')
    await page.getByText('No payments match these filters').waitFor()
    await triggerStatus(api, ids[1] as string, 'FAILED', { return_code: 'R01' })
    await button('1 new payment – Show').press('Enter')
    await countRows(1)
  })

  test('updates one payment, and Home updates its numbers and the newest payments', async (t) => {
    const { api } = await newHolder(t)
    const { id } = await sendPayment(api, { name: 'Ada Lovelace', amount: 10 })
    await streamed(() => page.goto(`/payments/${id}`))
    await page.getByText('Payment created').waitFor()
    await triggerStatus(api, id, 'FAILED', { return_code: 'R01' })
    await page.getByText('This payment failed with code R01').waitFor()
    await page.goto('/')
    const numbers = page.getByRole('region', { name: 'Key numbers' })
    await numbers.getByText('1 payment', { exact: true }).waitFor()
    await settle()
    await sendPayment(api, { name: 'Charles Babbage', amount: 20 })
    await button('1 new payment – Show').press('Enter')
    const recent = page.getByRole('table', { name: 'Recent payments' })
    await recent.getByText('Charles Babbage').waitFor()
    await button('1 new payment – Show').waitFor({ state: 'detached' })
  })

  test('leads to the sign-in when its session is ended in another place', async (t) => {
    const { api, browser } = await newHolder(t)
    await sendPayment(api, { name: 'Ada Lovelace' })
    await streamed(() => page.goto('/payments'))
    await countRows(1)
    assert.equal((await browser.del('/web/v1/sessions')).status, 200)
    await page.waitForURL(/\/sign-in\?back=%2Fpayments/)
    await page.getByLabel('Email').waitFor()
    const others = complaints.splice(0).filter((complaint) => !complaint.includes('status of 401'))
    assert.deepEqual(others, [])
  })
})

/** The person returns to the tab after six seconds, so that the page reloads everything. */
const comeBackLater = `
  const now = Date.now
  Date.now = () => now() + 6_000
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
`

suite('a payment', () => {
  test('is opened from its row, advanced in the sandbox, and its failure is explained with the next step', async (t) => {
    const { api } = await newHolder(t)
    const receiver = await startReceiver(t)
    await api.post('/v3/webhook/endpoint', { url: receiver.url, name: 'Accounting' })
    const remittance_advice = [{ id: 'INV-14', date: '2026-02-11', amount: 950.5, description: 'Repair of the roof' }]
    const attachment = { filename: 'invoice.jpg', content: JPEG.toString('base64') }
    await sendPayment(api, { name: 'Ada Lovelace', amount: 950.5, remittance_advice, attachment })
    await page.goto('/payments')
    await countRows(1)
    await settle()
    await rows.getByText('Unpaid').click({ force: true }) // anywhere: the link covers the row
    await page.getByRole('heading', { level: 1, name: '$950.50 to Ada Lovelace' }).waitFor()
    await page.getByText(/^Waiting for Ada Lovelace to choose how to get paid/).waitFor()
    for (const text of ['Payment created', 'Mail sent to the payee', 'INV-14', 'Repair of the roof']) {
      await page.getByText(text, { exact: true }).waitFor()
    }
    await page.getByText(/•••• \d{4}/).waitFor()
    await assertGoodPage('payment-unpaid')

    const [file] = await Promise.all([page.waitForEvent('download'), button('Download attachment').click()])
    assert.equal(file.suggestedFilename(), 'attachment.pdf')
    const [receipt] = await Promise.all([page.waitForEvent('download'), button('Download receipt').click()])
    assert.equal(receipt.suggestedFilename(), 'receipt-1.pdf')
    await button('Resend mail').click()
    await page.getByText('Mail sent to the payee again').waitFor()

    await page.getByLabel('Status', { exact: true }).selectOption('Failed')
    await page.getByLabel('Return code').selectOption('R02')
    await button('Simulate').click()
    await page.getByText('This payment failed with code R02').waitFor()
    await page.getByText('Ask for another bank account.').waitFor()
    await page
      .getByText(/^By Owner-/)
      .first()
      .waitFor()
    while ((await service.deliverWebhooks()) > 0);
    await page.reload()
    const deliveries = page.getByRole('table', { name: 'Webhook deliveries' })
    await deliveries.getByText('Payment failed').waitFor()
    await page.getByRole('table', { name: 'Ledger entries' }).waitFor()
    await assertGoodPage('payment-failed')

    const before = receiver.received.length
    await deliveries.getByRole('button', { name: /^Replay Payment failed/ }).click()
    await deliveries.getByText('Pending').waitFor()
    while ((await service.deliverWebhooks()) > 0);
    assert.equal(receiver.received.length, before + 1)
  })

  test('is voided after a confirmation, by keyboard alone', async (t) => {
    const { api } = await newHolder(t)
    const { id } = await sendPayment(api, { name: 'Ada Lovelace' })
    await page.goto(`/payments/${id}`)
    await button('Void payment').press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Void this payment?' })
    await dialog.getByText('Ada Lovelace can no longer get these $10.00.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('This payment was voided.').waitFor()
    assert.equal(await button('Void payment').count(), 0)
    assert.equal((await api.get(`/v3/check/${id}`)).body.status, 'VOID')
    await assertGoodPage('payment-void')
    await page.goto('/settings/audit')
    await page.getByRole('link', { name: 'Payment voided' }).click()
    await page.getByRole('heading', { level: 1, name: '$10.00 to Ada Lovelace' }).waitFor()
  })

  test('shows the time of the platform, and on focus the real time if its clock is ahead', async (t) => {
    const { api } = await newHolder(t)
    assert.equal((await api.put('/v3/sandbox/clock', { advance: 'P3D' })).status, 200)
    const { id } = await sendPayment(api)
    await triggerStatus(api, id, 'PAID')
    await page.goto(`/payments/${id}`)
    const paid = page.getByRole('listitem').filter({ hasText: /^Paid/ })
    await page.getByText(/^(Expected|Arrived)$/).waitFor()
    await paid.getByRole('button').focus()
    await page
      .getByRole('tooltip')
      .getByText(/^Real time: /)
      .waitFor()
    await assertGoodPage('payment-paid')
  })

  test('of a user can be voided by its owner, and links to this user and its payments', async (t) => {
    const { api } = await newHolder(t)
    const user = await service.newUser(undefined, api)
    await addVerifiedBank(user)
    const { id, name } = await sendPayment(user)
    await sendPayment(api)
    await page.goto(`/payments/${id}`)
    await page.getByRole('heading', { level: 1, name: `$10.00 to ${name}` }).waitFor()
    await button('Simulate').waitFor()
    await button('Void payment').waitFor()
    await page.getByRole('main').getByRole('definition').getByRole('link').click()
    await page.getByRole('link', { name: 'All payments' }).click()
    await countRows(1)
  })

  test('is printed after a confirmation, and after a lost answer the same check is printed', async (t) => {
    const { api, id: platformId } = await newHolder(t)
    const { id } = await sendPayment(api, { name: 'Ada Lovelace', deposit_options: ['PRINT'] })
    await page.goto(`/payments/${id}`)
    await button('Print check').click()
    const dialog = page.getByRole('dialog', { name: 'Print this check?' })
    await dialog.getByText(/^You get a real check for \$10.00 to Ada Lovelace\./).waitFor()
    await assertGoodPage('payment-print')
    await button('Cancel').click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await api.get(`/v3/check/${id}`)).body.status, 'UNPAID')
    const lose = async (route: Route) => {
      await route.fetch() // the service gets the request, and the page no answer
      await route.fulfill({ status: 500, json: { code: 'internal', message: 'The service has failed.' } })
    }
    const stop = await intercept('**/v3/check/print/*', lose)
    await button('Print check').click()
    const confirm = dialog.getByRole('button', { name: 'Print check' })
    await confirm.click()
    await dialog.getByText('The service has failed.').waitFor()
    await stop()
    await forgetProof(platformId)
    await confirm.click()
    const [check] = await Promise.all([page.waitForEvent('download'), confirmIdentity()])
    assert.equal(check.suggestedFilename(), 'check-1.pdf')
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await api.get(`/v3/check/${id}`)).body.status, 'PRINTED')
    await button('Print check').click()
    await dialog.getByText('This is the same check again. It can be cashed only once.').waitFor()
  })

  test('is deposited by its recipient once, although an answer was lost', async (t) => {
    const { api, email, id: platformId } = await newHolder(t)
    const sender = await newAccountHolder(service)
    const { id } = await sendPayment(sender.api, { recipient: email })
    await service.applyOutbox()
    await page.goto(`/payments/${id}`)
    await button('Deposit').click()
    const dialog = page.getByRole('dialog', { name: 'Deposit $10.00' })
    const submit = dialog.getByRole('button', { name: 'Deposit' })
    await submit.click()
    await dialog.getByText('Choose an account.').waitFor()
    await assertGoodPage('payment-deposit')
    await dialog.getByLabel('Into').selectOption({ index: 1 })
    let requests = 0
    const lose = async (route: Route) => {
      if (requests++ !== 1) return route.continue() // the first asks who it is
      await route.fetch() // the service gets the request, and the page no answer
      await route.fulfill({ status: 500, json: { code: 'outcome_unknown', message: 'The outcome is unknown.' } })
    }
    const stop = await intercept('**/v3/check/deposit/*', lose)
    await forgetProof(platformId)
    await submit.click()
    await confirmIdentity()
    await page.getByText('Deposit started', { exact: true }).waitFor()
    await stop()
    assert.equal(requests, 3)
    assert.equal((await api.get(`/v3/check/${id}`)).body.status, 'IN_PROCESS')
    await dialog.waitFor({ state: 'detached' })
    // The recipient's platform does not have the status yet.
    assert.equal((await api.get(`/v3/payment/${id}`)).body.status, 'UNPAID')
    await page.getByRole('heading', { level: 1 }).getByText('$10.00').waitFor()
    await page.getByText('In process', { exact: true }).first().waitFor()
    assert.equal(await button('Deposit').count(), 0)
    const asked = page.waitForResponse((answer) => answer.url().endsWith(`/v3/payment/${id}`))
    await page.evaluate(comeBackLater)
    await asked
    await settle()
    assert.equal(await button('Deposit').count(), 0)
    await service.applyOutbox() // sends the status to the recipient's platform
    await page.reload()
    await page.getByText('Payment created').waitFor()
    await settle()
    assert.equal(await button('Deposit').count(), 0)

    await page.getByText('Expected', { exact: true }).waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'light' })
    await page.getByText('Payment created').waitFor()
    for (const hidden of [button('Download receipt'), page.getByRole('navigation', { name: 'Main' })]) {
      await hidden.waitFor({ state: 'hidden' })
    }
    await takeScreenshot(page, 'receipt')
    await page.emulateMedia({ media: 'screen' })

    const other = await sendPayment(sender.api, { recipient: email })
    await service.applyOutbox()
    await signInAs((await newMember(service, platformId, 'preparer')).browser)
    await page.goto(`/payments/${other.id}`)
    await page.getByText('Payment created').waitFor()
    await settle()
    assert.equal(await button('Deposit').count(), 0)
  })

  test('is read-only for a viewer', async (t) => {
    const { api, id: platformId } = await newHolder(t)
    const { id } = await sendPayment(api)
    await signInAs((await newMember(service, platformId, 'viewer')).browser)
    await page.goto(`/payments/${id}`)
    await page.getByText('Payment created').waitFor()
    await settle()
    for (const name of ['Void payment', 'Resend mail', 'Simulate', 'Print check'])
      assert.equal(await button(name).count(), 0, name)
    assert.equal(await page.getByRole('heading', { name: 'Webhooks' }).count(), 0)
  })

  test('that does not exist shows an error', async (t) => {
    await newHolder(t)
    await page.goto(`/payments/${'0'.repeat(32)}`)
    await page.getByRole('alert').getByText('There is no such payment.').waitFor()
    assert.equal(await button('Try again').count(), 0)
    await assertGoodPage('payment-unknown')
  })
})

test('a page that needs a sign-in is opened after the sign-in, with its filters', async (t) => {
  const { email } = await newHolder(t)
  await enterTabAs(page, null, service.baseUrl)
  await page.goto('/payments?status=FAILED')
  await page.getByLabel('Email').fill(email)
  assert.match(page.url(), /back=%2Fpayments%3Fstatus%3DFAILED/)
})

test('the sandbox offers exactly the statuses that a payment can be moved to', () => {
  const expected = Object.entries(paymentTriggers).map(([from, to]) => [from, Object.keys(to)])
  assert.deepEqual(reachableStatuses, Object.fromEntries(expected))
})
