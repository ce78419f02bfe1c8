import assert from 'node:assert/strict'
import { after, suite, type TestContext, test } from 'node:test'
import type { Route } from 'playwright-core'
import { nextSettlementDate } from '../src/foundation/lib/banking-day.ts'
import { MAGIC_MICRO_DEPOSIT_ACCOUNT, magicAccounts } from '../src/money/rail/magic-rules.ts'
import { advanceClocks } from '../src/operation/scheduler/due-work.ts'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import { signIn } from './support/browser.ts'
import { keyboardHand, storySteps } from './support/browser-story.ts'
import { openDashboard } from './support/dashboard.ts'
import { png } from './support/images.ts'
import { assertAccessible, cookiesOf, openTab, preloadAxe } from './support/pages.ts'
import { addVerifiedBank, PASSWORD, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'
import { waitUntil } from './support/wait-until.ts'

// The pages of accounts and of sending, and the clock of the sandbox, in a real browser. SCREENSHOTS=folder stores
// screenshots.

const service = await startTestService({ after })
const { context, page, complaints, settle, intercept, signInAs, assertGoodPage } = await openDashboard(
  { after },
  service,
)

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })

/** No action may cause an error or a warning in the browser console. */
async function newOwner(t: TestContext) {
  const owner = await service.newOwner()
  await signInAs(await signIn(service, owner))
  t.after(() =>
    assert.deepEqual(
      complaints
        .splice(0)
        .filter(
          (complaint) =>
            !/status of (400|401|403|429|500|502|503)|ERR_FAILED|ERR_INTERNET_DISCONNECTED/.test(complaint),
        ),
      [],
    ),
  )
  return owner
}

async function fillOrder({ to = 'dana@example.com', amount = '125.50' } = {}): Promise<void> {
  await page.getByLabel('To', { exact: true }).fill(to)
  await page.getByLabel('Name of the payee').fill('Dana Payee')
  await page.getByLabel('Amount').fill(amount)
}

suite('accounts', () => {
  test('a bank is added, verified and removed', async (t) => {
    await newOwner(t)
    await page.goto('/accounts')
    await page.getByText('No bank account yet.').waitFor()
    await assertGoodPage('accounts-empty')
    await button('Add bank').first().click()
    await page.getByLabel('Routing number').fill('021000022')
    await page.getByLabel('Account number').fill('7788990011')
    await page.getByRole('dialog').getByRole('button', { name: 'Add bank' }).click()
    await page
      .getByText(/check digit|routing/i)
      .last()
      .waitFor()
    const bankName = page.getByRole('dialog').getByRole('status').filter({ hasText: 'Chase' })
    assert.equal(await bankName.count(), 0)
    await page.getByLabel('Routing number').fill('0210 0002-1')
    await bankName.waitFor()
    await assertGoodPage('accounts-bank-name')
    await page.getByLabel('Routing number').fill('021000021')
    await page.getByRole('dialog').getByRole('button', { name: 'Add bank' }).click()
    await page.getByText('Receives only').waitFor()
    await page.getByText('Chase · Routing number 021000021').waitFor()
    await button('Nickname of Checking ending in 0011').click()
    await page.getByRole('dialog').getByLabel('Nickname').fill('Payroll')
    await assertGoodPage('accounts-nickname')
    await button('Save nickname').click()
    await page.getByText('Chase · Checking ending in 0011 · Routing number 021000021').waitFor()
    await button('Nickname of Payroll').waitFor()
    await button(/^Verify /).click()
    await page.getByLabel('First amount').fill('0.01')
    await page.getByLabel('Second amount').fill('0.02')
    await button('Verify').click()
    await page.getByRole('dialog').locator('[aria-invalid="true"], [role="alert"]').first().waitFor()
    await page.getByLabel('First amount').fill('0.15')
    await page.getByLabel('Second amount').fill('0.07')
    await button('Verify').click()
    await page.getByText('Verified', { exact: true }).waitFor()
    await page.locator('h1:focus').waitFor() // its button has been removed
    await assertGoodPage('accounts-verified')
    await button(/^Remove /).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No bank account yet.').waitFor()
  })

  test('a bank is verified at once by signing in to it', async (t) => {
    await newOwner(t)
    await page.goto('/accounts')
    await button('Add bank').first().click()
    await button('Sign in to the bank to verify it at once').click()
    await page.getByLabel('Your username').fill('user_good')
    await page.locator('input[type=password]').fill('pass_wrong')
    await button('Sign in').click()
    await page.getByText('This was refused by the bank. Check your sign-in details.').waitFor()
    await page.locator('input[type=password]:focus').waitFor()
    await assertGoodPage('accounts-sign-in')
    await page.locator('input[type=password]').fill('pass_good')
    await button('Sign in').click()
    await page.getByText('You are signed in. Choose the account to add.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Add bank' }).click()
    await page.getByText('Verified', { exact: true }).waitFor()
  })

  test('a wallet has a page with its numbers and transactions, and a button to send money from it', async (t) => {
    const { api } = await newOwner(t)
    await page.goto('/accounts')
    await button('Add wallet').click()
    await page.getByLabel('Name').fill('Petty cash')
    await page.getByRole('dialog').getByRole('button', { name: 'Add wallet' }).click()
    await page.getByRole('link', { name: 'Petty cash' }).click()
    await page.getByText('Nothing has moved in this wallet yet.').waitFor()
    await button('Add test money to Petty cash').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Add money' }).click()
    await page.getByText('$1,000.00', { exact: true }).waitFor()
    await page.getByRole('table', { name: 'Transactions' }).getByText('Money added').waitFor()
    await page
      .getByText(/^Routing number \d{9}, account number/)
      .first()
      .waitFor()
    await page.getByRole('link', { name: 'Send from wallet' }).click()
    const [wallet] = (await api.get('/v3/account/wallet')).body.wallets
    const from = page.getByLabel('From', { exact: true })
    await waitUntil('the form has the wallet', async () => (await from.inputValue()) === wallet.id)
    await fillOrder({ amount: '40' })
    await button('Review payment').click()
    await button('Send $40.00').click()
    await page.getByText('Payment sent').waitFor()
    await page.goto(`/accounts/wallets/${wallet.id}`)
    await page.getByRole('table', { name: 'Transactions' }).getByText('−$40.00').waitFor()
    await assertGoodPage('wallet')
    await button('Rename').click()
    await page.getByRole('dialog').getByLabel('Name').fill('Payroll')
    await button('Save name').click()
    await page.getByRole('heading', { level: 1, name: 'Payroll' }).waitFor()
    await button('Remove').click()
    await button('Remove wallet').click()
    await page
      .getByRole('dialog')
      .getByText(/^The wallet holds money/)
      .waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Funds reserved' }).click()
    await page.getByRole('heading', { level: 1, name: '$40.00 to Dana Payee' }).waitFor()
  })

  test('a virtual card is created, and its number and security code are shown once', async (t) => {
    const { api } = await newOwner(t)
    await page.goto('/accounts')
    await page.getByText('No other account yet.').waitFor()
    await button('Add account').click()
    await page.getByLabel('Type').selectOption('Virtual card')
    await button('Create card').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Copy the number and the security code now.').waitFor()
    const [number] = (await dialog.locator('code').allTextContents()) as [string]
    const [card] = (await api.get('/v3/account/vcc')).body.vccs
    assert.equal(card.card_number, number.slice(-4))
    await assertGoodPage('accounts-virtual-card')
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Other accounts' }).getByText(`•••• ${card.card_number} · $0.00`).waitFor()
    assert.equal(await page.getByText(number).count(), 0)
  })

  test('other accounts are shown if there are no virtual cards and no institutions', async (t) => {
    const { api } = await newOwner(t)
    await api.post('/v3/account/paypal', { username: 'payments@example.com' })
    const { settings } = service.deps
    const { cardIssuer, institutionNetwork } = settings
    Object.assign(settings, { cardIssuer: null, institutionNetwork: null }) // as in production
    t.after(() => Object.assign(settings, { cardIssuer, institutionNetwork }))
    await page.goto('/accounts')
    await page.getByRole('table', { name: 'Other accounts' }).getByText('PayPal').first().waitFor()
    await button('Add account').click()
    await page.getByLabel('Type').and(page.locator(':focus')).waitFor()
    assert.equal(await page.getByRole('option', { name: 'Virtual card' }).count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await button('Add bank').first().click()
    await page.getByLabel('Routing number').waitFor()
    await settle()
    assert.equal(await button('Sign in to the bank to verify it at once').count(), 0)
  })

  test('cards and other accounts are added, listed together and removed', async (t) => {
    await newOwner(t)
    await page.goto('/accounts')
    await page.getByText('No other account yet.').waitFor()
    await button('Add account').click()
    await page.getByLabel('Card number').fill('4242 4242 4242 4242')
    await page.getByLabel('Expires').fill('07/29')
    await page.getByLabel('Name on the card').fill('Holder Inc.')
    await page.getByRole('dialog').getByRole('button', { name: 'Add account' }).click()
    const list = page.getByRole('table', { name: 'Other accounts' })
    await list.getByText('•••• 4242').waitFor()
    await button('Add account').first().click()
    await page.getByLabel('Type').selectOption('PayPal')
    await page.getByRole('dialog').getByRole('button', { name: 'Add account' }).click()
    await page.getByText('Enter the email or phone.').waitFor()
    await assertGoodPage('accounts-add-other')
    await page.getByLabel('Email or phone of your PayPal account').fill('payments@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Add account' }).click()
    await list.getByText('PayPal').first().waitFor()
    await assertGoodPage('accounts-other')
    await list.getByRole('button', { name: 'Remove Holder Inc.' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await list.getByText('•••• 4242').waitFor({ state: 'detached' })
  })

  test('a role that may not change accounts sees them without buttons', async (t) => {
    const owner = await newOwner(t)
    const viewer = await newMember(service, owner.id, 'viewer')
    await signInAs(viewer.browser)
    await page.goto('/accounts')
    await page.getByText('No bank account yet. An owner or an admin can add one.').waitFor()
    for (const name of ['Add bank', 'Add wallet', 'Add account']) assert.equal(await button(name).count(), 0, name)
    await page.goto('/send')
    await page.getByText('Your role doesn’t include this page').waitFor()
    assert.equal(await button('Review payment').count(), 0)
  })
})

suite('sending', () => {
  test('a payment to a person is reviewed with its check, and sent once', async (t) => {
    const { api } = await newOwner(t)
    await addVerifiedBank(api)
    await page.goto('/send')
    await button('Review payment').click()
    await page.getByText('Enter the name of the payee.').waitFor()
    await assertGoodPage('send-form')
    await fillOrder({ amount: '0.001' })
    await button('Review payment').click()
    await page.getByText('Enter an amount in dollars, such as 125.50.').waitFor()
    await page.getByLabel('Amount').fill('1,125.50')
    await button('Review payment').click()
    await page.getByRole('img', { name: 'The check for $1,125.50' }).waitFor()
    await assertGoodPage('send-review')
    await button('Change').click()
    assert.equal(await page.getByLabel('Name of the payee').inputValue(), 'Dana Payee')
    await button('Review payment').click()
    await button('Send $1,125.50').click()
    await page.getByText('Payment sent').waitFor()
    await assertGoodPage('send-sent')
    const { body } = await api.get('/v3/check')
    assert.deepEqual(
      body.checks.map((check: { amount: number; recipient: string }) => [check.amount, check.recipient]),
      [[1125.5, 'dana@example.com']],
    )
  })

  test('the form attaches a file and invoices, and saves the payee, which the next form offers', async (t) => {
    const { api } = await newOwner(t)
    await addVerifiedBank(api)
    await page.goto('/send')
    await fillOrder()
    const file = page.locator('input[type=file]')
    await file.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Not a PDF') })
    await page.getByText('Choose a PDF, PNG or JPEG file.').waitFor()
    await file.setInputFiles({ name: 'invoice-42.png', mimeType: 'image/png', buffer: png(8, 8) })
    await button('Add invoice').click()
    const invoice = page.getByRole('group', { name: 'Invoice 1' })
    await invoice.locator('input:focus').waitFor() // without a search
    await button('Review payment').click()
    await page.getByText('Enter the number of the invoice.').waitFor()
    await invoice.getByLabel('Invoice number').fill('42')
    await invoice.getByLabel('Invoice date').fill('2026-02-27')
    await invoice.getByLabel('Amount paid').fill('1,125.50')
    await page.getByLabel('Save as payee').check()
    await assertGoodPage('send-attached')
    await button('Review payment').click()
    const facts = page.getByRole('main')
    // For the bank: the window of Monday settles on Tuesday, and the payout of today would settle on Friday.
    await facts.getByText('A bank transfer chosen today should arrive on Mar 6, 2026').waitFor()
    for (const text of ['invoice-42.png', '42']) await facts.getByText(text, { exact: true }).waitFor()
    await button('Send $125.50').click()
    await page.getByText('Payment sent').waitFor()
    const [check] = (await api.get('/v3/check')).body.checks
    assert.equal((await api.get(`/v3/check/${check.id}/attachment`)).status, 200)
    assert.deepEqual((await api.get(`/v3/check/${check.id}`)).body.remittance_advice, [
      ['42', '2026-02-27', '1125.50', ''],
    ])
    const { entries } = (await api.get('/v3/directory')).body
    assert.deepEqual(
      entries.map((entry: { name: string; email: string }) => [entry.name, entry.email]),
      [['Dana Payee', 'dana@example.com']],
    )

    await button('Send another').click()
    const name = page.getByLabel('Name of the payee')
    await page.locator('datalist option[value="Dana Payee"]').waitFor({ state: 'attached' })
    await name.fill('Dana Payee')
    await waitUntil(
      'the address of the payee is filled in',
      async () => (await page.getByLabel('To', { exact: true }).inputValue()) === 'dana@example.com',
    )
  })

  test('a payment with a later date is scheduled, and made on that day', async (t) => {
    const { api } = await newOwner(t)
    await addVerifiedBank(api)
    await page.goto('/send')
    await fillOrder({ amount: '80' })
    await page.getByLabel('When').selectOption('On a later day')
    await page.getByLabel('Send on').fill('2026-03-02')
    await button('Review payment').click()
    await page.getByText('Choose a day after today.').waitFor()
    await page.getByLabel('Send on').fill('2026-03-05')
    await button('Review payment').click()
    await page.getByText('On Mar 5, 2026').waitFor()
    const focusedHeading = page.locator('h1:focus')
    await focusedHeading.waitFor()
    assert.equal(await page.getByRole('img', { name: 'The check for $80.00' }).count(), 0) // it has another date
    await button('Schedule payment').click()
    await page.getByRole('heading', { name: 'Payment scheduled' }).waitFor()
    await focusedHeading.waitFor()
    await page.getByRole('link', { name: 'View scheduled payment' }).click()
    await page.getByRole('heading', { name: 'Scheduled payment' }).waitFor()
    await focusedHeading.waitFor() // of the page that has loaded
    await page.getByText('Scheduled', { exact: true }).waitFor()
    await assertGoodPage('scheduled-payment')
    await button('End payment').waitFor()
    await page.getByText('A skipped payment counts').waitFor({ state: 'detached' })
    assert.equal((await api.get('/v3/check')).body.checks.length, 0)
    assert.equal((await api.put('/v3/sandbox/clock', { advance: 'P4D' })).status, 200)
    while ((await advanceClocks(service.deps)) > 0);
    await service.doDueWork()
    assert.deepEqual(
      (await api.get('/v3/check')).body.checks.map((check: { amount: number }) => check.amount),
      [80],
    )
  })

  test('the form shows the rest of the limits, and refuses an amount above it before the review', async (t) => {
    const { api, id } = await newOwner(t)
    await addVerifiedBank(api)
    await service.ownerSql`
      insert into user_limits (platform_id, user_id, day_cents, month_cents) values (${id}, ${id}, 50000, 90000)
    `
    await page.goto('/send')
    await page.getByText('Left to send: $500.00 today, $900.00 this month').waitFor()
    await fillOrder({ amount: '500.01' })
    await button('Review payment').click()
    await page.getByText('You can send at most $500.00 today. Enter a smaller amount.').waitFor()
    await assertGoodPage('send-over-limit')
    await page.getByLabel('Amount').fill('500')
    await button('Review payment').click()
    await button('Send $500.00').waitFor()
  })

  test('a payment is reviewed without its check while the service has no time to draw', async (t) => {
    const { api } = await newOwner(t)
    await addVerifiedBank(api)
    const stop = await intercept('**/v3/check/preview', (route) =>
      route.fulfill({ status: 503, json: { code: 'overloaded', message: 'Refused by the test.' } }),
    )
    await page.goto('/send')
    await fillOrder()
    await button('Review payment').click()
    await page.getByRole('heading', { name: '$125.50 to Dana Payee' }).waitFor()
    assert.equal(await page.getByRole('img', { name: 'The check for $125.50' }).count(), 0)
    await button('Send $125.50').click()
    await page.getByText('Payment sent').waitFor()
    await stop()
  })

  test('a lost answer leads to one payment', async (t) => {
    const { api } = await newOwner(t)
    await addVerifiedBank(api)
    await page.goto('/send')
    await fillOrder()
    await button('Review payment').click()
    let lost = 0
    const losing = async (route: Route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch() // the service gets the request, and the page no answer
      await route.abort()
    }
    const stop = await intercept('**/v3/check/digital', losing)
    await button('Send $125.50').click()
    await page.getByText('Checking whether the payment was made…').waitFor()
    await page.getByText('Payment sent').waitFor()
    await stop()
    assert.equal(lost, 2)
    assert.equal((await api.get('/v3/check')).body.checks.length, 1)
  })

  for (const status of [401, 403, 429, 500]) {
    test(`after a lost answer, status ${status} does not show whether the payment exists: its key is kept`, async (t) => {
      const { api } = await newOwner(t)
      await addVerifiedBank(api)
      await page.goto('/send')
      await fillOrder()
      await button('Review payment').click()
      let isLost = false
      const stop = await intercept('**/v3/check/digital', async (route: Route) => {
        if (isLost) return route.fulfill({ status, json: { code: 'test_refusal', message: 'Refused by the test.' } })
        isLost = true
        await route.fetch() // the service makes the payment
        await route.abort()
      })
      await button('Send $125.50').click()
      await page.getByText('We don’t know whether this was made').waitFor({ timeout: 60_000 })
      if (status === 401) await assertGoodPage('send-unresolved')
      assert.equal(await button('Send $125.50').count(), 0)
      await stop()
      await button('Check what happened').click()
      await page.getByText('Payment sent').waitFor()
      assert.equal((await api.get('/v3/check')).body.checks.length, 1)
      // The next payment is separate, and needs a confirmation because it is equal.
      await button('Send another').click()
      await fillOrder()
      await button('Review payment').click()
      await page.getByLabel('Send it a second time').check()
      await button('Send $125.50').click()
      await page.getByText('Payment sent').waitFor()
      assert.equal((await api.get('/v3/check')).body.checks.length, 2)
    })
  }

  test('a payment whose answer was lost is still known after a reload, and made once', async (t) => {
    const { api } = await newOwner(t)
    await addVerifiedBank(api)
    await page.goto('/send')
    await fillOrder()
    await button('Review payment').click()
    const stop = await intercept('**/v3/check/digital', async (route: Route) => {
      await route.fetch()
      await route.abort()
    })
    await button('Send $125.50').click()
    await page.getByText('Checking whether the payment was made…').waitFor()
    await page.reload()
    await page.getByText('We don’t know whether this was made').waitFor()
    await stop()
    await button('Check what happened').click()
    await page.getByText('Payment sent').waitFor()
    assert.equal((await api.get('/v3/check')).body.checks.length, 1)
    await page.goto('/send')
    assert.equal(await page.getByLabel('Amount').inputValue(), '')
  })

  test('a refused payment shows the reason, and the next one is separate', async (t) => {
    const { api } = await newOwner(t)
    const bank = await addVerifiedBank(api)
    await page.goto('/send')
    await fillOrder()
    await button('Review payment').click()
    await button('Send $125.50').waitFor()
    assert.equal((await api.del(`/v3/bank/${bank}`)).status, 200)
    await button('Send $125.50').click()
    await page.getByRole('main').getByRole('alert').waitFor()
    await addVerifiedBank(api)
    await button('Change').click()
    await page.reload()
    await fillOrder()
    await button('Review payment').click()
    await button('Send $125.50').click()
    await page.getByText('Payment sent').waitFor()
  })

  test('an equal payment to the same payee within a day needs a confirmation', async (t) => {
    const { api } = await newOwner(t)
    await addVerifiedBank(api)
    const order = { name: 'dana payee', recipient: 'dana@example.com', amount: 125.5 }
    assert.equal((await api.post('/v3/check/digital', order)).status, 201)
    const review = async (given: Parameters<typeof fillOrder>[0]) => {
      await page.goto('/send')
      await fillOrder(given)
      await button('Review payment').click()
    }
    await review({ amount: '125.51' })
    await button('Send $125.51').waitFor()
    await review({ to: 'other@example.com' })
    await button('Send $125.50').waitFor()
    await review({})
    await page.getByText('You already sent $125.50 to dana payee').waitFor()
    assert.equal(await button('Send $125.50').isDisabled(), true)
    await assertGoodPage('send-equal')
    await page.getByLabel('Send it a second time').check()
    await button('Send $125.50').click()
    await page.getByText('Payment sent').waitFor()
    assert.equal((await api.get('/v3/check')).body.total, 2)
    // After a day, no confirmation is needed.
    service.clock.advance(25 * 3_600)
    await review({})
    await button('Send $125.50').waitFor()
    assert.equal(await page.getByText('You already sent').count(), 0)
  })

  test('a paper check is sent to a postal address', async (t) => {
    const { api } = await newOwner(t)
    await addVerifiedBank(api)
    await page.goto('/send')
    await page.getByText('Paper check', { exact: true }).click()
    await page.getByLabel('Name of the payee').fill('Dana Payee')
    await page.getByLabel('Street').fill('1 Main St')
    await page.getByLabel('City').fill('Springfield')
    await page.getByLabel('State').fill('IL')
    await page.getByLabel('ZIP code').fill('62701')
    await page.getByLabel('Amount').fill('80')
    await assertGoodPage('send-paper')
    await button('Review payment').click()
    await page.getByText('1 Main St, Springfield, IL 62701').waitFor()
    await button('Send $80.00').click()
    await page.getByText('Payment sent').waitFor()
    assert.equal((await api.get('/v3/check')).body.checks[0].status, 'IN_PROCESS')
  })

  test('a check is sent to several payees, of whom one only endorses, after the sender confirms the identity', async (t) => {
    const { api, id } = await newOwner(t)
    await addVerifiedBank(api)
    await page.goto('/send')
    await page.getByText('Several people', { exact: true }).click()
    const payee = (place: number) => page.getByRole('group', { name: `Payee ${place}` })
    await page.getByLabel('Amount').fill('300')
    await button('Review payment').click()
    for (const place of [1, 2]) await payee(place).getByText('Enter an email address or a user ID.').waitFor()
    await button('Add payee').click()
    for (const [index, name] of ['Ann One', 'Ben Two', 'Cy Three'].entries()) {
      await payee(index + 1)
        .getByLabel('Name')
        .fill(name)
      await payee(index + 1)
        .getByLabel('Email or user ID')
        .fill(`payee-${Math.min(index, 1)}@example.com`)
      await payee(index + 1)
        .getByLabel('Role')
        .selectOption('Only endorses')
    }
    await button('Review payment').click()
    await payee(3).getByText('This payee is already on the list.').waitFor()
    await payee(1).getByText('One payee must be able to deposit.').waitFor()
    await assertGoodPage('send-several')
    await button('Remove payee 3').click()
    await payee(1).getByLabel('Role').selectOption('Can deposit')
    await button('Review payment').click()
    await page.getByRole('heading', { name: '$300.00 to Ann One and Ben Two' }).waitFor()
    await page.getByRole('img', { name: 'The check for $300.00' }).waitFor()
    await page.getByText('Ben Two (payee-1@example.com), only endorses').waitFor()
    await assertGoodPage('send-several-review')
    await service.ownerSql`
      update sessions set created_at = now() - interval '1 hour', proved_at = null where platform_id = ${id}
    `
    await button('Send $300.00').click()
    await page.getByLabel('Password').fill(PASSWORD)
    await button('Confirm').click()
    await page.getByText('Payment sent').waitFor()
    await page.getByText('Each payee gets an email with a link.').waitFor()
    await assertGoodPage('send-several-sent')
    const [check] = (await api.get('/v3/check')).body.checks
    assert.deepEqual([check.name, check.amount, check.status], ['Ann One and Ben Two', 300, 'UNPAID'])
    await page.getByRole('link', { name: 'View payment' }).click()
    await page.getByRole('heading', { level: 1, name: /Ann One and Ben Two/ }).waitFor()
  })

  test('a check to several payees is prepared if it needs an approval', async (t) => {
    const { api, id } = await newOwner(t)
    await addVerifiedBank(api)
    const preparer = await newMember(service, id, 'preparer')
    await signInAs(preparer.browser)
    await page.goto('/send')
    await page.getByText('Several people', { exact: true }).click()
    for (const [index, name] of ['Ann One', 'Ben Two'].entries()) {
      const payee = page.getByRole('group', { name: `Payee ${index + 1}` })
      await payee.getByLabel('Name').fill(name)
      await payee.getByLabel('Email or user ID').fill(`prepared-${index}@example.com`)
    }
    await page.getByLabel('Amount').fill('75')
    await button('Review payment').click()
    await button('Request approval of $75.00').click()
    await page.getByText('Payment waits for approval').waitFor()
    const { checks } = (await api.get('/v3/approval')).body
    assert.deepEqual([checks[0].name, checks[0].amount], ['Ann One and Ben Two', 75])
    assert.equal((await api.get('/v3/check')).body.checks.length, 0)
  })

  test('without a verified bank, the form links to the accounts', async (t) => {
    await newOwner(t)
    await page.goto('/send')
    await page.getByRole('link', { name: 'Add and verify one' }).click()
    await page.getByRole('heading', { level: 1, name: 'Accounts' }).waitFor()
  })
})

test('a check is sent, deposited by its payee and PAID, in the browser with the keyboard only', async (t) => {
  const { email, id } = await newOwner(t)
  await signInAs(null)
  const steps = storySteps({
    page,
    hand: keyboardHand(page),
    owner: { email, password: PASSWORD },
    payee: `payee-of-${id}@example.com`,
    background: {
      invite: () => inviteRecipients(service.deps, service.baseUrl),
      advance: () => advanceClocks(service.deps),
    },
  })
  for (const { run } of steps) await run()
  await context.setOffline(true)
  await page.getByText('You’re offline.').waitFor()
  await context.setOffline(false)
  await page.getByText('You’re offline.').waitFor({ state: 'detached' })
  await settle()
})

test('an idle page warns before the session ends, and keeps the entered data', async (t) => {
  const owner = await service.newOwner()
  const browser = context.browser()
  assert.ok(browser)
  const tab = await openTab((options) => browser.newContext(options), { baseURL: service.baseUrl })
  const { context: opened, page: idle } = tab
  t.after(() => opened.close())
  await preloadAxe(opened)
  await opened.addCookies(cookiesOf(await signIn(service, owner), service.baseUrl))
  const press = (name: string) => idle.getByRole('button', { name, exact: true }).click()
  const endIn = (seconds: number) => service.ownerSql`
    update sessions
    set last_seen_at = now() - interval '1 hour', expires_at = now() + make_interval(secs => ${seconds})
    where platform_id = ${owner.id}
  `
  await idle.clock.install()
  await idle.goto('/send')
  await idle.getByLabel('Name of the payee').fill('Dana Draft')
  await endIn(100)
  await idle.clock.fastForward('23:59:00')
  await idle.getByRole('dialog', { name: 'Are you still there?' }).waitFor()
  await assertAccessible(tab, 'session-ending')
  await press('Stay signed in')
  await idle.getByRole('dialog').waitFor({ state: 'detached' })
  const [extended] = await service.ownerSql<{ isLong: boolean }[]>`
    select expires_at > now() + interval '23 hours' as is_long from sessions where platform_id = ${owner.id}
  `
  assert.equal(extended?.isLong, true)

  await endIn(100)
  await idle.clock.fastForward('23:59:00')
  await idle.getByRole('dialog', { name: 'Are you still there?' }).waitFor()
  await endIn(0)
  await idle.clock.fastForward('01:45')
  await idle.getByRole('dialog', { name: 'You were signed out' }).waitFor()
  await assertAccessible(tab, 'session-ended')
  await press('Continue')
  await idle.getByText('You are not signed in yet.').waitFor()
  await assertAccessible(tab, 'session-ended, not signed in yet')
  await opened.addCookies(cookiesOf(await signIn(service, owner), service.baseUrl))
  await press('Continue')
  await idle.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await idle.getByLabel('Name of the payee').inputValue(), 'Dana Draft')
})

test('the clock of the sandbox is advanced from any page', async (t) => {
  await newOwner(t)
  await page.goto('/accounts')
  await page.getByText(/Sandbox time:/).waitFor()
  await button('Test values').click()
  for (const [value] of [...Object.entries(magicAccounts), [MAGIC_MICRO_DEPOSIT_ACCOUNT]]) {
    await page.getByRole('dialog').getByText(value, { exact: true }).waitFor()
  }
  await assertGoodPage('test-values')
  await page.keyboard.press('Escape')
  const time = () => page.getByLabel('Sandbox clock').locator('time').getAttribute('datetime')
  const before = Date.parse((await time()) ?? '')
  await button('Advance the clock to the next banking day').click()
  await waitUntil('the clock has moved', async () => {
    await advanceClocks(service.deps)
    return Date.parse((await time()) ?? '') !== before
  })
  assert.equal(Date.parse((await time()) ?? ''), nextSettlementDate(new Date(before)).getTime())
  // Pages that use the real clock show this.
  for (const path of ['/settings/audit', '/settings/requests', '/settings/security', '/mail']) {
    await page.goto(path)
    await page.getByText('Times on this page are real, and not those of the sandbox clock.').waitFor()
  }
})
