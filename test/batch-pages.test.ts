import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDashboard } from './support/dashboard.ts'
import { addVerifiedBank, PASSWORD, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'

// The pages of batches in a real browser.

const service = await startTestService({ after }, { settings: { limits: null } })
const { deps } = service
const { page, intercept, signInAs, newHolder, assertGoodPage, button } = await openDashboard({ after }, service)
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const mainMenu = page.getByRole('navigation', { name: 'Main' })
const rowToMend = (number: number) => page.getByRole('group', { name: `Row ${number}` })

const choose = (content: string, name = 'Vendors in March.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })

/**
 * 200 payees with the columns of another program. Rows 3, 70 and 200 have errors, and row 120 repeats the payment of
 * row 119.
 */
const FILE = [
  'Vendor,E-mail address,Total,Memo,Internal',
  ...Array.from({ length: 200 }, (_, index) => {
    const row = index + 1
    const payee = row === 120 ? 119 : row
    const amount = row === 3 ? 'ten' : `"$1,0${String(payee % 100).padStart(2, '0')}.50"`
    const email = row === 70 ? 'nobody' : `payee${payee}@example.com`
    return [row === 200 ? '' : `Vendor ${payee}`, email, amount, `Invoice ${row}`, 'x'].join(',')
  }),
].join('\n')

test('a preparer corrects and saves a file of 200 rows, an approver with step-up releases it, and a viewer can do neither', async (t) => {
  const holder = await newHolder(t)
  const preparer = await newMember(service, holder.id, 'preparer')
  const approver = await newMember(service, holder.id, 'approver')
  const viewer = await newMember(service, holder.id, 'viewer')
  const policy = { dual_control: true, rules: [] }
  assert.equal((await holder.browser.put('/v3/approval/policy', policy)).status, 200)

  await signInAs(preparer.browser)
  await page.goto('/')
  await mainMenu.getByRole('link', { name: 'Bulk' }).click()
  await page.getByText('No batches yet').waitFor()
  await assertGoodPage('batches-empty')
  await page.getByRole('link', { name: 'Upload file' }).click()
  await heading('New batch')
  await choose('name,amount')
  await page.getByText('This file has no rows below its first line').waitFor()
  await assertGoodPage('batch-file')
  await choose(FILE)
  await page.getByText('Vendors in March.csv has 200 rows').waitFor()
  assert.equal(await page.getByLabel('E-mail address').inputValue(), 'email')
  assert.equal(await page.getByLabel('Internal').inputValue(), '')
  await page.getByLabel('Total').selectOption('')
  await button('Check rows').click()
  await page.getByText('Choose the column for: Amount.').waitFor()
  await page.getByLabel('Total').selectOption('amount')
  await assertGoodPage('batch-columns')
  await button('Check rows').click()

  await page.getByText('3 rows have errors. 1 row looks like a duplicate.').waitFor()
  await page.getByText('Likely duplicates', { exact: true }).click()
  await page.getByText('Same as row 119').waitFor()
  await assertGoodPage('batch-rows')
  await button('Save batch').click()
  await page.getByText('3 rows have errors. Fix or remove them first.').waitFor()
  await rowToMend(3).getByLabel('Amount').fill('10')
  await rowToMend(70).getByLabel('Email').fill('payee70@example.com')
  await rowToMend(200).getByLabel('Payee').fill('Vendor 200')
  await page.keyboard.press('Tab')
  await page.getByText('200 of 200 rows ready').waitFor()
  await page.getByText('3 rows have errors. Fix or remove them first.').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Remove row 120' }).click()
  await page.getByText('199 rows').waitFor()
  await page.getByLabel('Name of the batch').fill('March vendors')
  await button('Save batch').click()
  await heading('March vendors')
  await page.getByText('Needs one approval').waitFor()
  assert.equal(await page.getByRole('button', { name: /^(Approve|Reject)/ }).count(), 0)
  await page.getByText(/^199 payments, \$20\d,\d{3}\.\d\d in total$/).waitFor()
  await assertGoodPage('batch-waits')

  await signInAs(viewer.browser)
  await page.goto('/batches/new')
  await page.getByText('Your role doesn’t include this page').waitFor()
  await page.goto('/batches')
  await page.getByRole('link', { name: 'March vendors' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Upload file' }).count(), 0)
  await page.getByRole('link', { name: 'March vendors' }).click()
  await heading('March vendors')
  assert.equal(await page.getByRole('button', { name: /^(Approve|Reject|Withdraw)/ }).count(), 0)

  await signInAs(approver.browser)
  await page.goto('/approvals')
  await page.getByText('199 payments').waitFor()
  const user = await service.newUser(undefined, holder.api)
  await addVerifiedBank(user)
  const alone = { amount: 1, name: 'Alone', recipient: 'alone@example.com' }
  const sent = await user.post('/v3/check/digital', alone)
  assert.equal(sent.status, 201, sent.text)
  await deps.sql`update sessions set created_at = now() - interval '11 minutes' where platform_id = ${holder.id}`
  await page.getByRole('button', { name: /^Approve and send \$.* in the batch March vendors$/ }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Send \$/ })
    .click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.waitFor()
  await assertGoodPage('confirm-identity')
  await proof.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByText(/^Sent \$.* in the batch March vendors$/).waitFor()

  await page.goto('/batches')
  await page.getByRole('link', { name: 'March vendors' }).click()
  await page.getByText('by The approver').waitFor()
  await page.getByRole('table', { name: 'Totals by status' }).getByText('199').waitFor()
  await assertGoodPage('batch-released')
  await page.getByRole('link', { name: 'Show in Payments' }).click()
  await page
    .getByRole('link', { name: /^Vendor \d+$/ })
    .first()
    .waitFor() // in any order: they were made together
  await page.getByLabel('Batch').locator('option:checked', { hasText: 'March vendors' }).waitFor({ state: 'attached' })
  await assertGoodPage('payments-of-batch')
  await page.getByLabel('Search').fill('Alone')
  await page.getByText('No payments match these filters').waitFor()
  await page.getByLabel('Batch').selectOption('Any batch')
  await page.getByRole('link', { name: 'Alone' }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Vendor 1', exact: true }).click()
  await heading('to Vendor 1')
  for (const name of ['The preparer', 'The approver']) {
    await page.getByRole('definition').filter({ hasText: name }).waitFor()
  }
  await page.getByRole('link', { name: 'View batch' }).waitFor()
  await page.goto('/settings/audit')
  await page.getByText('March vendors').first().waitFor()
  const [made] = await deps.sql`
    select count(*) as count
    from payments
    where platform_id = ${holder.id} and prepared_by = ${preparer.loginId} and released_by = ${approver.loginId}
  `
  assert.equal(made?.count, 199)
})

test('a preparer replaces the file of a batch after a failed check, and deletes the batch', async (t) => {
  const holder = await newHolder(t)
  const preparer = await newMember(service, holder.id, 'preparer')
  const row = { name: 'Ann', amount: 5, address: { type: 'email', address: 'ann@example.com' } }
  const { body } = await preparer.browser.post('/v3/batch', { name: 'Refunds', file: [row] })
  await signInAs(preparer.browser)
  await page.goto(`/batches/${body.id}`)
  await page.getByRole('link', { name: 'Replace file' }).click()
  await heading('Replace file')
  await choose(
    'name,amount,street,city,state,zip\nBen,7,1 Main St,Springfield,IL,62701\nAnn,5,2 Main St,Springfield,IL,62701',
  )
  const stop = await intercept('**/v3/batch/preview', (route) => route.fulfill({ status: 500, json: {} }))
  await button('Check rows').click()
  await page.getByText('Something went wrong (status 500)').waitFor()
  await stop()
  await button('Try again').click()
  await page.getByText('2 of 2 rows ready, $12.00 in total').waitFor()
  await page.getByLabel('Mail', { exact: true }).selectOption('OVERNIGHT')
  await button('Save batch').click()
  await heading('Refunds')
  await page.getByText('2 payments, $12.00 in total').waitFor()
  await page.getByText('2 Main St, Springfield, IL 62701').waitFor()
  const { body: saved } = await preparer.browser.get(`/v3/batch/${body.id}`)
  assert.deepEqual([saved.mail_type, saved.edited_by], ['OVERNIGHT', ['The preparer']])
  await page.getByRole('button', { name: /^Withdraw/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('Deleted', { exact: true }).first().waitFor()
  assert.equal(await page.getByRole('link', { name: 'Replace file' }).count(), 0)
})

test('without a rule, no approval is needed: the owner sends the batch, and a file with the same rows shows that they were sent', async (t) => {
  const holder = await newHolder(t)
  await addVerifiedBank(holder.api)
  const file = 'name;email;amount\nAnn;ann@example.com;12,50'
  const toRows = async () => {
    await page.goto('/batches/new')
    await choose(file, 'May.csv')
    await button('Check rows').click()
    await page.getByText('1 of 1 rows ready, $12.50 in total').or(page.getByText('1 of 1 row ready')).waitFor()
    await page.locator('h1:focus').waitFor()
  }
  await toRows()
  await button('Save batch').click()
  await heading('May')
  await page.getByText('Needs no approval. Anyone who can release payments can send it.').waitFor()
  await page.locator('h1:focus', { hasText: 'May' }).waitFor()
  await button('Send $12.50 in the batch May').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send $12.50' }).click()
  await page.getByText('Sent $12.50 in the batch May').waitFor()
  await toRows()
  await page.getByRole('link', { name: 'Sent', exact: true }).waitFor()
})

test('an exported mailed payment is corrected: its address moves from the recipient to separate fields', async (t) => {
  await newHolder(t)
  await page.goto('/batches/new')
  await choose('name,recipient,amount\nBen,"12 Elm St, Boston, MA 02134, US",7')
  await button('Check rows').click()
  const row = rowToMend(1)
  await row.getByLabel('Email').fill('')
  for (const [label, text] of [
    ['Street', '12 Elm St'],
    ['City', 'Boston'],
    ['State', 'MA'],
    ['ZIP code', '02134'],
  ] as const) {
    await row.getByLabel(label, { exact: true }).fill(text)
  }
  await page.keyboard.press('Tab')
  await page.getByText('1 of 1 row ready').waitFor()
})
