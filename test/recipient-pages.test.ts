import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { matchRecipients } from '../src/payments/recipient/recipient-match-worker.ts'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import { openBrowser } from './support/browser.ts'
import { openDashboard } from './support/dashboard.ts'
import { mailedCode, newEmail } from './support/login.ts'
import { sendPayment } from './support/payments.ts'
import { mailedToken, payNewRecipient } from './support/recipients.ts'
import { addVerifiedBank, PASSWORD, startTestService } from './support/service.ts'

// The pages of a payment link, for people who sign up, sign in or endorse there.

const service = await startTestService({ after })
const { page, newHolder, signInAs, assertGoodPage, button } = await openDashboard({ after }, service)
const payer = await service.newOwner('Northwind Traders')
await addVerifiedBank(payer.api)

test('a recipient signs in from the link, adds the payment to the account, and finds it among the incoming ones', async (t) => {
  const payer = await service.newOwner('Northwind Traders')
  await addVerifiedBank(payer.api)
  const link = await payNewRecipient(service, payer.api, { amount: 320, name: 'Dana Payee' })
  const { email } = await newHolder(t)
  await signInAs(null)
  await page.goto(`/pay/${link.page.token}`)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button('Sign in').click()
  const add = page.getByRole('button', { name: 'Use a saved account' })
  await add.waitFor()
  await assertGoodPage('pay-claim')
  await add.click()
  await page.getByText('This payment was added to an account.').waitFor()
  await assertGoodPage('pay-claimed')
  await service.applyOutbox()
  await page.getByRole('link', { name: 'View your incoming payments' }).click()
  await page.getByRole('link', { name: 'Northwind Traders' }).click()
  await page.getByRole('heading', { level: 1, name: /\$320\.00/ }).waitFor()
})

test('a recipient without an account sees the paid invoices, and downloads the sender’s file', async () => {
  const link = await payNewRecipient(service, payer.api, {
    amount: 20,
    attachment: { filename: 'order.pdf', content: Buffer.from('%PDF-1.4\n%%EOF').toString('base64') },
    remittance_advice: [{ id: '4711', date: '2026-02-20', amount: 20 }],
  })
  await signInAs(null)
  await page.goto(`/pay/${link.page.token}`)
  await page.getByText('Invoice 4711', { exact: true }).waitFor()
  await assertGoodPage('pay-attachment')
  const [file] = await Promise.all([page.waitForEvent('download'), button('Download attachment').click()])
  assert.equal(file.suggestedFilename(), 'attachment.pdf')
})

test('a recipient signs up from the link, and finds this payment and another one that was sent to the address', async () => {
  const link = await payNewRecipient(service, payer.api, { amount: 75, name: 'Dana Payee' })
  await sendPayment(payer.api, { amount: 12.5, recipient: link.email, name: 'Dana Payee' })
  await signInAs(null)
  await page.goto(`/pay/${link.page.token}`)
  await page.getByRole('link', { name: 'sign up' }).click()
  await page.getByLabel('Name').fill('Dana Payee')
  await page.getByLabel('Email').fill(link.email)
  await page.locator('input[type=password]').fill(PASSWORD)
  await button('Sign up').click()
  await page.getByRole('heading', { name: 'Confirm your email' }).waitFor()
  await page.getByLabel('Code').fill(await mailedCode(openBrowser(service), link.email))
  await button('Confirm').click()
  await page.getByText('This payment was added to an account.').or(button('Use a saved account')).waitFor()
  while ((await inviteRecipients(service.deps, service.baseUrl)) > 0); // the mail of the other payment
  while ((await matchRecipients(service.deps)) > 0);
  await service.applyOutbox()
  await page.goto('/payments?direction=INCOMING')
  for (const amount of ['$75.00', '$12.50']) await page.getByText(amount).waitFor()
  const tabs = page.getByRole('navigation', { name: 'Directions' })
  assert.deepEqual(await tabs.locator('[aria-current]').allInnerTexts(), ['Incoming'])
  await page
    .getByRole('row', { name: /75\.00/ })
    .getByRole('link', { name: 'Northwind Traders' })
    .click()
  await page.getByRole('heading', { level: 1, name: /\$75\.00/ }).waitFor()
  await button('Deposit').waitFor()
  await assertGoodPage('pay-signed-up')
  await setUpPlatform()
})

/** The menu of a payee has three pages until it requests the others. */
async function setUpPlatform(): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main' })
  const entries = () => menu.getByRole('list').getByRole('link').allTextContents()
  assert.deepEqual(await entries(), ['Home', 'Payments', 'Accounts'])
  await menu.getByRole('link', { name: 'Payments' }).last().click()
  await page.getByText('$12.50').waitFor()
  assert.match(page.url(), /direction=INCOMING/)
  await menu.getByRole('link', { name: 'Home' }).last().click()
  await page.getByRole('table', { name: 'Recent payments' }).getByText('$75.00').waitFor()
  await page.getByRole('columnheader', { name: 'Payer', exact: true }).waitFor()
  assert.equal(await page.getByRole('heading', { name: 'Payments by day' }).count(), 0)
  await assertGoodPage('home-payee')
  await button('Set up a platform').click()
  const dialog = page.getByRole('dialog', { name: 'Set up a platform?' })
  await dialog.waitFor()
  await assertGoodPage('home-payee-set-up')
  await dialog.getByRole('button', { name: 'Set up platform' }).click()
  await page.getByRole('heading', { name: 'Payments by day' }).waitFor()
  assert.equal(await button('Set up a platform').count(), 0)
  assert.ok((await entries()).includes('Send payment'))
  const { audit } = await (await page.request.get('/v3/audit')).json()
  assert.equal(audit[0].action, 'platform_set_up')
}

test('two recipients without an account: one endorses with name and signature, and the other one is paid', async () => {
  const emails = [newEmail(), newEmail()]
  const recipients = emails.map((recipient, index) => ({ name: `Person ${index + 1}`, recipient }))
  const sent = await payer.api.post('/v3/check/multi', { amount: 50, recipients })
  assert.equal(sent.status, 201, sent.text)
  while ((await inviteRecipients(service.deps, service.baseUrl)) > 0);
  const [one, two] = await Promise.all(emails.map((email) => mailedToken(service, email)))
  await signInAs(null)

  await page.goto(`/pay/${two}`)
  await page.getByRole('heading', { name: 'Endorse this payment' }).waitFor()
  await button('Endorse payment').click()
  await page.getByText('Enter your full name.').waitFor()
  await assertGoodPage('pay-endorse')
  await page.getByLabel('Full name').fill('Second Person')
  const pad = page.getByRole('img', { name: 'Draw your signature' })
  await pad.scrollIntoViewIfNeeded()
  const box = (await pad.boundingBox()) ?? assert.fail('no box')
  await page.mouse.move(box.x + 30, box.y + 50)
  await page.mouse.down()
  await page.mouse.move(box.x + 120, box.y + 20)
  await page.mouse.move(box.x + 200, box.y + 60)
  await page.mouse.up()
  await button('Endorse payment').click()
  await page.getByRole('heading', { name: 'You endorsed this payment' }).waitFor()
  await assertGoodPage('pay-endorsed')
  const [row] = await service.deps.sql<{ signature: Buffer | null }[]>`
    select signature_sealed as signature
    from payment_recipients
    where payment_id = ${sent.body.id} and endorsed_at is not null
  `
  assert.ok(row?.signature, 'the drawn signature was stored')

  await page.goto(`/pay/${one}`)
  await page.getByRole('heading', { name: 'How do you want to get paid?' }).waitFor()
})
