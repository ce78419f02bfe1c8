import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { advanceClocks } from '../src/operation/scheduler/due-work.ts'
import { mailInvoices } from '../src/orders/payer/payer-worker.ts'
import { pathWithCurl } from './support/curl.ts'
import { openDashboard } from './support/dashboard.ts'
import { png } from './support/images.ts'
import { newWallet } from './support/money.ts'
import { assertAccessible } from './support/pages.ts'
import { sendPayment } from './support/payments.ts'
import { addVerifiedBank, newAccountNumber, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'
import { waitUntil } from './support/wait-until.ts'

// Dashboard pages that no other file tests, in a real browser: requests, recurring payments and payees.

const service = await startTestService({ after })
const { page, newHolder, signInAs, assertGoodPage, settle, answerCalls, button } = await openDashboard(
  { after },
  service,
)

test('times are in the business time zone for every reader, and each page names the zone once', async (t) => {
  const holder = await newHolder(t)
  const { id, date } = await sendPayment(holder.api)
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
  t.after(() => devTools.send('Emulation.setTimezoneOverride', { timezoneId: '' }))
  await page.goto(`/payments/${id}`)
  const iso = `${date.replace(' ', 'T')}Z`
  const text = new Date(iso).toLocaleString('en-US', {
    ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: 'America/Los_Angeles' },
  })
  const shown = await page.locator(`time[datetime="${iso}"]`).first().textContent()
  assert.equal(shown, text)
  await settle()
  assert.equal(await page.getByText('Times are in Pacific Time.').count(), 1)
})

test('a developer finds the request of a program by its id, sees the object that it created, and copies it without a secret', async (t) => {
  const holder = await newHolder(t)
  await page.goto('/settings/requests?status=5xx')
  await page.getByRole('heading', { name: 'No requests match' }).waitFor()
  const { id: payment } = await sendPayment(holder.api)
  const refused = await holder.api.post('/v3/check/digital', {
    amount: 0,
    name: 'Nobody',
    recipient: 'secret@example.com',
  })
  const id = refused.headers.get('x-request-id') as string
  await waitUntil(
    'the request was logged',
    async () => (await holder.api.get(`/v3/request?id=${id}`)).body.requests.length > 0,
  )

  await button('Clear filters').click()
  await page.getByLabel('Search').fill('check/digital')
  await page.waitForURL('**find=check**') // a moment after typing
  await page.getByRole('link', { name: 'POST /v3/check/digital' }).first().waitFor()
  await page.getByLabel('Status', { exact: true }).selectOption('Refused (4xx)')
  await page.getByText('1 request shown').waitFor({ state: 'attached' })
  await assertGoodPage('requests')
  await page.getByLabel('Status', { exact: true }).selectOption('All')
  await page.getByLabel('Search').fill(id)
  await page.waitForURL(`**find=${id}`)
  await page.locator('[aria-busy="false"]').getByText('1 request shown').waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'POST /v3/check/digital' }).click()
  await page.getByRole('heading', { level: 2, name: 'POST /v3/check/digital' }).waitFor()
  for (const text of [id, 'invalid_request', '400']) await page.getByText(text, { exact: true }).waitFor()
  const command = (await page.getByText(/^curl/).textContent()) ?? ''
  const [key, secret] = holder.api.credential.split(':') as [string, string]
  assert.ok(command.includes(`-H 'Authorization: ${key}:API_SECRET'`), command)
  assert.ok(!command.includes(secret) && !command.includes('secret@example.com'), command)
  const env = { ...process.env, PATH: pathWithCurl() }
  const pasted = await promisify(execFile)('sh', ['-c', command.replace('API_SECRET', secret)], { env })
  assert.equal(JSON.parse(pasted.stdout).code, 'invalid_request', 'the body is not kept')
  await button('Copy as curl').waitFor()
  await assertGoodPage('request')

  await page.goto(`/settings/requests?key=${key}&find=check/digital&status=201`)
  await page.getByRole('link', { name: 'POST /v3/check/digital' }).click()
  await page.getByRole('link', { name: 'View payment' }).click()
  await page.waitForURL(`**/payments/${payment}`)
  await page.goto(`/settings/requests/${'0'.repeat(32)}`)
  await page.getByRole('heading', { name: 'This request is not in the log' }).waitFor()
})

test('an owner stores request bodies, sends a request again from its page, and deletes the bodies', async (t) => {
  const holder = await newHolder(t)
  await page.goto('/settings/requests')
  await button('Keep bodies').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep bodies' }).click()
  await page.getByText('Kept for seven days.').waitFor()
  await assertGoodPage('request-bodies')
  await addVerifiedBank(holder.api)
  const order = { amount: 7, name: 'Bob', recipient: 'bob@example.com', description: 'for account 640193827465' }
  const sent = await holder.api.post('/v3/check/digital', order)
  const id = sent.headers.get('x-request-id') as string
  await waitUntil('the request was logged', async () => (await holder.api.get(`/v3/request/${id}`)).status === 200)
  await page.goto(`/settings/requests/${id}`)
  await page.getByText('Replace each ****').waitFor()
  const command = (await page.getByText(/^curl/).textContent()) ?? ''
  const [, secret] = holder.api.credential.split(':') as [string, string]
  const env = { ...process.env, PATH: pathWithCurl() }
  const again = await promisify(execFile)('sh', ['-c', command.replace('API_SECRET', secret)], { env })
  const { amount, recipient, description } = JSON.parse(again.stdout)
  assert.deepEqual(
    { amount, recipient, description },
    {
      amount: 7,
      recipient: 'bob@example.com',
      description: 'for account ****',
    },
  )
  await assertGoodPage('request-with-body')
  await page.goto('/settings/requests')
  await button('Stop keeping bodies').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete bodies' }).click()
  await page.getByText('Not kept.').waitFor()
  assert.equal((await holder.api.get(`/v3/request/${id}`)).body.body, null)
})

test('a viewer does not see the requests', async (t) => {
  const holder = await newHolder(t)
  await signInAs((await newMember(service, holder.id, 'viewer')).browser)
  await page.goto('/settings/requests')
  await page.getByRole('heading', { name: 'Your role doesn’t include this page' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Requests' }).count(), 0)
})

test('a monthly payment is set up, one run is skipped, and one is refused for lack of funds and explained', async (t) => {
  const holder = await newHolder(t)
  const wallet = await newWallet(holder.api, 1_500)
  const passMonth = async () => {
    assert.equal((await holder.api.put('/v3/sandbox/clock', { advance: 'P31D' })).status, 200)
    while ((await advanceClocks(service.deps)) > 0);
    await service.doDueWork()
    await page.reload()
  }
  await page.goto('/recurring')
  await page.getByRole('heading', { name: 'No recurring payments yet' }).waitFor()
  await assertGoodPage('recurring-none')
  await page.getByRole('link', { name: 'New recurring payment' }).click()
  await page.getByLabel('To', { exact: true }).fill('landlord@example.com')
  await page.getByLabel('Name of the payee').fill('Elm Street Properties')
  await page.getByLabel('Amount').fill('1000')
  await page.getByLabel('From', { exact: true }).selectOption(wallet)
  await page.getByLabel('Description').fill('Rent of the office')
  await page.getByLabel('When').selectOption('Every month')
  await page.getByLabel('Number of payments').fill('60')
  await button('Review payment').click()
  await page.getByText('Enter a number from 1 to 52, or leave it empty.').waitFor()
  await page.getByLabel('Number of payments').fill('12')
  await assertGoodPage('send-repeat')
  await button('Review payment').click()
  await page.getByText('Every month, starting today, 12 times').waitFor()
  await assertGoodPage('send-repeat-review')
  await button('Set up the payment').click()
  await page.getByRole('heading', { name: 'Recurring payment set up' }).waitFor()
  await page.getByRole('link', { name: 'View recurring payment' }).click()
  await page.getByRole('heading', { level: 1, name: '$1,000.00 to Elm Street Properties' }).waitFor()
  await page.getByText('No payment has been due yet.').waitFor()
  await button('Skip the payment of Apr 2, 2026').click()
  await button('Send the payment of Apr 2, 2026').waitFor()
  for (const _ of [1, 2]) await passMonth()

  const history = page.getByRole('listitem')
  await history.filter({ hasText: 'Not sent' }).getByText('The wallet balance is too low. Add funds').waitFor()
  await history.filter({ hasText: 'Skipped' }).first().waitFor()
  await history.filter({ hasText: 'Sent' }).getByRole('link', { name: 'View payment' }).waitFor()
  await assertGoodPage('recurring')
  assert.equal((await holder.api.get('/v3/check')).body.total, 1)
  await button('End payments').click()
  await assertGoodPage('recurring-end')
  await page.getByRole('dialog').getByRole('button', { name: 'End payments' }).click()
  await page.getByText('Ended').waitFor()
  await page.getByRole('heading', { name: 'Next payments' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Recurring', exact: true }).first().click()
  await page.getByRole('table').getByRole('link', { name: 'Elm Street Properties' }).waitFor()
  await assertGoodPage('recurring-list')

  await signInAs((await newMember(service, holder.id, 'viewer')).browser)
  await page.goto('/recurring')
  await page.getByRole('table').getByRole('link', { name: 'Elm Street Properties' }).click()
  await page.getByRole('heading', { name: 'History' }).waitFor()
  assert.equal(await button('End payments').count(), 0)
})

test('weekly invoices from a sender are shown with their runs, and paid automatically once this is allowed', async (t) => {
  const holder = await newHolder(t)
  await addVerifiedBank(holder.api)
  const sender = await service.newUser()
  await addVerifiedBank(sender)
  const order = { amount: 45, name: 'Holder Inc.', recipient: holder.email, description: 'Office plants' }
  const sent = await sender.post('/v3/subscription/invoice', { ...order, interval: 'WEEKLY' })
  assert.equal(sent.status, 201, sent.text)
  await page.goto('/recurring')
  await page.getByRole('link', { name: 'Received' }).click()
  await page.getByRole('heading', { name: 'No recurring invoices received yet' }).waitFor()
  await service.applyOutbox()
  await page.reload()
  await page.getByRole('table').getByRole('link', { name: 'Office plants' }).click()
  await page.getByRole('heading', { level: 1, name: '$45.00 to' }).waitFor()
  assert.equal(await button('End payments').count(), 0)
  assert.equal(await button('Skip').count(), 0)
  await assertGoodPage('recurring-received')
  await button('Turn on').click()
  await page.getByText('I authorize this service to pay $45.00 to').waitFor()
  await assertGoodPage('recurring-autopay')
  await button('I authorize this').click()
  await page.getByText('On. Each invoice is paid from the default bank account').waitFor()
  service.clock.advance(8 * 24 * 3_600)
  await service.doDueWork()
  await service.applyOutbox()
  await page.reload()
  await page.getByRole('listitem').getByRole('link', { name: 'View invoice' }).first().click()
  await page.getByRole('link', { name: 'View payment' }).waitFor()
  await page.goBack()
  await button('Turn off').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Off. Each invoice waits under Invoices').waitFor()

  await signInAs((await newMember(service, holder.id, 'viewer')).browser)
  await page.goto('/recurring?direction=INCOMING')
  await page.getByRole('table').getByRole('link', { name: 'Office plants' }).click()
  await page.getByText('Off. Each invoice waits under Invoices').waitFor()
  assert.equal(await button('Turn on').count(), 0)
})

test('a payee is saved with an account and paid from the form, and a change within seven days is indicated', async (t) => {
  const holder = await newHolder(t)
  await addVerifiedBank(holder.api)
  const passWeek = async () => {
    assert.equal((await holder.api.put('/v3/sandbox/clock', { advance: 'P8D' })).status, 200)
    while ((await advanceClocks(service.deps)) > 0);
    await page.reload()
  }
  await page.goto('/payees')
  await page.getByRole('heading', { name: 'No payees yet' }).waitFor()
  await button('New payee').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save payee' }).click()
  await dialog.getByText('Enter the name of the payee.').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('Northwind Roofing')
  await dialog.getByLabel('Email').fill('office@northwind.example')
  await assertGoodPage('payee-new')
  await dialog.getByRole('button', { name: 'Save payee' }).click()
  await page.getByRole('heading', { level: 1, name: 'Northwind Roofing' }).waitFor()
  await page.getByText(/^This payee was added on/).waitFor()
  await page.getByText('No payments to Northwind Roofing yet.').waitFor()
  await passWeek()
  await page.getByRole('heading', { name: 'Details' }).waitFor()
  await settle()
  assert.equal(await page.getByText(/^This payee was/).count(), 0)

  await button('Add bank account').click()
  await dialog.getByLabel('Routing number').fill('021000021')
  const account = newAccountNumber()
  await dialog.getByLabel('Account number').fill(account)
  await dialog.getByRole('button', { name: 'Add account' }).click()
  const warning = page.getByText(`Bank account •••• ${account.slice(-4)} was added on`)
  await warning.waitFor()
  await assertGoodPage('payee')

  await page.getByRole('link', { name: 'Send payment' }).last().click()
  await warning.waitFor()
  const name = page.getByLabel('Name of the payee')
  await waitUntil('the form has the payee', async () => (await name.inputValue()) === 'Northwind Roofing')
  await page.getByLabel('Amount').fill('480')
  await assertGoodPage('send-payee')
  await button('Review payment').click()
  await page.getByText(`Bank account •••• ${account.slice(-4)}`, { exact: true }).waitFor()
  await warning.waitFor()
  await assertGoodPage('send-payee-review')
  await button('Send $480.00').click()
  await page.getByRole('heading', { name: 'Payment sent' }).waitFor()
  await page.goto('/payees?q=north')
  await page.getByRole('link', { name: 'Northwind Roofing' }).click()
  await page.getByRole('table', { name: 'Payments to Northwind Roofing' }).getByText('$480.00').waitFor()
  await button(`Remove Bank account •••• ${account.slice(-4)}`).click()
  await button('Remove account').click()
  await page.getByText('No accounts yet.').waitFor()
  await page.goto('/payees')
  await page.getByText('No account', { exact: true }).waitFor()
  await assertGoodPage('payees')
})

test('a signature is drawn, then replaced by an image, and shown on a sample check; a logo is stored and removed', async (t) => {
  const holder = await newHolder(t)
  await addVerifiedBank(holder.api)
  const signatures = async () =>
    (await holder.api.get('/v3/audit?q=signature')).body.audit.map(({ action }: { action: string }) => action)
  const sample = page.getByRole('img', { name: 'A sample check' })
  await page.goto('/settings/profile')
  await sample.waitFor()
  const unsigned = await sample.getAttribute('src')
  const pad = page.getByRole('img', { name: 'Draw your signature' })
  await settle() // nothing moves the pad now
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox()) ?? assert.fail('no box')
  await page.mouse.move(box.x + 40, box.y + 60)
  await page.mouse.down()
  await page.mouse.move(box.x + 200, box.y + 30)
  await page.mouse.move(box.x + 360, box.y + 80)
  await page.mouse.up()
  await button('Save signature').click()
  await page.getByText('Signature saved').first().waitFor()
  await waitUntil('the sample is signed', async () => (await sample.getAttribute('src')) !== unsigned)
  const drawn = await sample.getAttribute('src')
  await page.getByText('Upload', { exact: true }).click()
  const file = { name: 'signature.png', mimeType: 'image/png', buffer: png(300, 100) }
  await page.getByLabel('Image of the signature').waitFor()
  await page.locator('input[type=file]').first().setInputFiles(file)
  await button('Save signature').click()
  await waitUntil('the sample has the image', async () => (await sample.getAttribute('src')) !== drawn)
  assert.equal((await signatures()).length, 2)

  await page
    .locator('input[type=file]')
    .last()
    .setInputFiles({ ...file, name: 'logo.png', buffer: png(160, 40) })
  await button('Save logo').click()
  await page.getByRole('img', { name: 'Your logo' }).waitFor()
  assert.equal((await holder.api.get('/v3/user')).body.brand.logo, png(160, 40).toString('base64'))
  await assertGoodPage('profile')
  await button('Remove logo').click()
  await page.getByRole('img', { name: 'Your logo' }).waitFor({ state: 'detached' })
})

test('an owner sends an invoice to a recipient without an account, sends a reminder and voids it', async (t) => {
  const holder = await newHolder(t)
  await addVerifiedBank(holder.api)
  await page.goto('/invoices')
  await page.getByRole('heading', { name: 'No invoices sent yet' }).waitFor()
  await assertGoodPage('invoices-empty')
  await page.getByRole('link', { name: 'New invoice' }).click()
  await page.getByLabel('To', { exact: true }).fill('dana@example.com')
  await page.getByLabel('Name', { exact: true }).fill('Dana Outside')
  await page.getByLabel('Description').fill('Painting of the fence')
  await button('Preview invoice').click()
  await page.getByText('Enter an amount in dollars, such as 125.50.').waitFor()
  await page.getByLabel('Amount').fill('1,250.50')
  await button('Preview invoice').click()
  await button('Send invoice').click()
  await page.getByRole('heading', { name: 'Invoice for $1,250.50 to Dana Outside' }).waitFor()
  await assertGoodPage('invoice')
  const address = page.url()
  await mailInvoices(service.deps, service.baseUrl)
  await page.getByRole('link', { name: 'Mail', exact: true }).click()
  await page.getByRole('link', { name: 'Home', exact: true }).waitFor()
  await page.getByRole('heading', { name: /^You have an invoice for \$1,250\.50/ }).waitFor()
  await page.getByRole('link', { name: 'Open link' }).first().click()
  await page.waitForURL('**/invoice/*')
  await page.getByText('$1,250.50').first().waitFor()
  await page.goto(address)
  await button('Send reminder').click()
  await page.getByText('Reminder sent').waitFor()
  await button('Void').click()
  await button('Void invoice').click()
  await page.getByText('The invoice was canceled and cannot be paid.').waitFor()
  assert.equal(await button('Send reminder').count(), 0)
  await page.getByRole('link', { name: 'Invoices' }).first().click()
  await page.getByText('1 invoice shown').waitFor({ state: 'attached' })
  await assertGoodPage('invoices')
  await page.getByLabel('Status', { exact: true }).selectOption('Paid')
  await page.getByRole('heading', { name: 'No invoices match this status' }).waitFor()
  await page.getByRole('link', { name: 'Received' }).click()
  await page.getByRole('heading', { name: 'No invoices received yet' }).waitFor()
  const tabs = page.getByRole('navigation', { name: 'Sent or received' })
  assert.deepEqual(await tabs.locator('[aria-current]').allInnerTexts(), ['Received'])
})

test('a viewer sees the invoices and can change none of them', async (t) => {
  const holder = await newHolder(t)
  await addVerifiedBank(holder.api)
  const order = { amount: 40, name: 'Dana Outside', recipient: 'dana@example.com', description: 'Painting' }
  const { body } = await holder.api.post('/v3/invoice', order)
  await signInAs((await newMember(service, holder.id, 'viewer')).browser)
  await page.goto(`/invoices/${body.id}`)
  await page.getByText('Nobody has paid this invoice yet.').waitFor()
  assert.equal(await button('Void').count(), 0)
  await page.goto('/invoices/new')
  await page.getByText('Your role doesn’t include this page').waitFor()
})

/** The requests of each page, in addition to those of the frame. */
const contents: [path: string, call: string][] = [
  ['/', '/v3/payment'],
  ['/payments', '/v3/payment'],
  ['/users', '/web/v1/users'],
  ['/accounts', '/web/v1/banks'],
  ['/approvals', '/web/v1/approvals'],
  ['/approvals/ended', '/web/v1/approvals/ended'],
  ['/invoices', '/web/v1/invoices'],
  ['/recurring', '/v3/subscription'],
  ['/batches', '/v3/batch'],
  ['/payees', '/v3/directory'],
  ['/settings/developer', '/web/v1/developer'],
  ['/settings/webhooks', '/v3/webhook/endpoint'],
  ['/settings/webhooks/deliveries', '/v3/webhook/delivery'],
  ['/settings/events', '/web/v1/events'],
  ['/settings/requests', '/v3/request'],
  ['/settings/applications', '/web/v1/applications'],
  ['/settings/connected', '/web/v1/grants'],
  ['/settings/team', '/web/v1/team'],
  ['/settings/profile', '/v3/user'],
  ['/settings/security', '/web/v1/sessions'],
  ['/settings/approval', '/v3/approval/policy'],
  ['/settings/audit', '/v3/audit'],
]

test('each page whose content cannot be loaded shows an error with the request id, and can load it again', async (t) => {
  await newHolder(t)
  const id = 'f'.repeat(32)
  for (const [path, call] of contents) {
    const json = { code: 'internal_error', message: 'The service has failed.' }
    const stop = await answerCalls(call, { status: 500, headers: { 'x-request-id': id }, json })
    await page.goto(path)
    const alert = page.getByRole('alert').filter({ hasText: 'The service has failed.' }).first()
    await alert.waitFor()
    assert.match((await alert.textContent()) ?? '', new RegExp(`Request ${id}`), path)
    await assertAccessible({ page, settle }, `failed ${path}`)
    await stop()
    await button('Try again').first().click()
    await alert.waitFor({ state: 'detached' })
  }
})
