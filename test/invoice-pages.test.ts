import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { businessDate } from '../src/foundation/lib/clock.ts'
import { mailInvoices } from '../src/orders/payer/payer-worker.ts'
import { openDashboard } from './support/dashboard.ts'
import { newEmail } from './support/login.ts'
import { mailsTo } from './support/recipients.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

// Due date, lines, terms, preview, timeline and link of invoices, in a browser.

const service = await startTestService({ after })
const { clock, deps, baseUrl } = service
const { page, context, complaints, newHolder, signInAs, assertGoodPage, button } = await openDashboard(
  { after },
  service,
)
const DAY = 24 * 3_600

const dayIn = (days: number) =>
  businessDate(new Date(clock.now().getTime() + days * DAY * 1_000), deps.settings.timeZone)

const line = (number: number) => page.getByRole('group', { name: `Line ${number}`, exact: true })

async function fillLine(number: number, [item, quantity, price, tax]: [string, string, string, string]): Promise<void> {
  await line(number).getByLabel('Item').fill(item)
  await line(number).getByLabel('Quantity').fill(quantity)
  await line(number).getByLabel('Unit price').fill(price)
  await line(number).getByLabel('Tax %').fill(tax)
}

test('an owner sends an invoice with lines after a preview, and its payer sees the same content', async (t) => {
  const holder = await newHolder(t)
  await addVerifiedBank(holder.api)
  const email = newEmail()
  await page.goto('/invoices/new')
  await page.getByLabel('To', { exact: true }).fill(email)
  await page.getByLabel('Name', { exact: true }).fill('Dana Outside')
  await page.getByLabel('Description').fill('Painting of the fence')
  await button('Add line items').click()
  await line(1).getByLabel('Item').and(page.locator(':focus')).waitFor()
  assert.equal(await page.getByLabel('Amount').count(), 0)
  await fillLine(1, ['Painting of the fence, two coats', '0', '-1', '101'])
  await page.getByLabel('Due date').fill(dayIn(-1))
  await button('Preview invoice').click()
  for (const problem of [
    'Enter a number, such as 2.5.',
    'Enter a price, such as 40.00.',
    'Enter 0 to 100, such as 8.25.',
    'Choose today or a later day.',
  ]) {
    await page.getByText(problem).waitFor()
  }
  await assertGoodPage('invoice-new-problems')
  await fillLine(1, ['Painting of the fence, two coats', '2.5', '40', '8.25'])
  await button('Add line').click()
  await fillLine(2, ['Paint', '3', '19.99', ''])
  await button('Add line').click()
  await page.getByText('$168.22').waitFor() // updated immediately, without the line that has no price
  await button('Remove line 3').click()
  await button('Add line').and(page.locator(':focus')).waitFor()
  await page.getByLabel('Due date').fill(dayIn(10))
  await page.getByLabel('Terms').fill('Pay within ten days.\nQuestions? Call us.')
  await page.locator('input[type=file]').setInputFiles({
    name: 'plan.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.4\n%%EOF'),
  })
  await page.getByText('plan.pdf').waitFor()
  await assertGoodPage('invoice-new')

  await button('Preview invoice').click()
  await page.getByText('This is how Dana Outside will see the invoice.').waitFor()
  await page.locator('h1:focus').waitFor()
  const sheet = page.getByRole('article', { name: 'The invoice' })
  const previewed = await sheet.innerText()
  await assertGoodPage('invoice-preview')
  await button('Change').click()
  assert.equal(await line(2).getByLabel('Unit price').inputValue(), '19.99')
  await button('Preview invoice').click()
  await button('Send invoice').click()
  await page.getByRole('heading', { name: 'Invoice for $168.22 to Dana Outside' }).waitFor()
  await page.getByText('2.5 × $40.00 · 8.25% tax').waitFor()
  await page.getByText('Invoice sent', { exact: true }).first().waitFor()
  await assertGoodPage('invoice-with-lines')
  const address = page.url()
  const id = address.split('/').at(-1) as string
  const { status, text } = await holder.api.get(`/v3/invoice/${id}/attachment`)
  assert.deepEqual([status, text.slice(0, 5)], [200, '%PDF-'])

  await mailInvoices(deps, baseUrl)
  const [mail] = await mailsTo(service, email)
  const [, path] = /(\/invoice\/[A-Za-z0-9]{40})$/m.exec(mail?.text ?? '') ?? []
  await signInAs(null)
  await page.goto(path as string)
  await page.getByText('Pay within ten days.').waitFor()
  const shown = await page.getByRole('main').innerText()
  for (const words of previewed.split('\n').filter((words) => words.trim() !== '')) {
    assert.ok(shown.includes(words), `${words} is not in ${shown}`)
  }
  await assertGoodPage('payer-with-lines')
})

test('an overdue invoice is marked in the list, on its page and on the page of its payer', async (t) => {
  const holder = await newHolder(t)
  await addBank(holder.api)
  const email = newEmail()
  const order = { name: 'Dana Outside', recipient: email, description: 'Painting', amount: 40 }
  for (const due_date of [dayIn(30), dayIn(1), null]) {
    assert.equal((await holder.api.post('/v3/invoice', { ...order, due_date })).status, 201)
  }
  clock.advance(3 * DAY)
  await page.goto('/invoices')
  await page.getByText('3 invoices shown').waitFor({ state: 'attached' })
  await page.locator('table').getByText('Overdue').waitFor()
  await assertGoodPage('invoices-overdue')
  await page.getByLabel('Status', { exact: true }).selectOption('Overdue')
  await page.getByText('1 invoice shown').waitFor({ state: 'attached' })
  await page.getByRole('link', { name: 'Dana Outside' }).click()
  await page.getByRole('heading', { level: 1, name: 'Invoice for $40.00 to Dana Outside' }).waitFor()
  await page.getByText('Overdue', { exact: true }).waitFor()
  await page.getByText('Email sent to the recipient').waitFor()
  await assertGoodPage('invoice-overdue')

  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: baseUrl })
  await button('Copy link').click()
  await page.getByText('Link copied.').waitFor()
  const url = await page.evaluate<string>('navigator.clipboard.readText()')
  assert.ok(url.startsWith(`${baseUrl}/invoice/`), url)
  await signInAs(null)
  await page.goto(url)
  await page.getByText('Overdue. It was due').waitFor()
  await assertGoodPage('payer-view-only')
  await button('Email the link to pay').click()
  await page.getByRole('heading', { name: 'Check your email' }).waitFor()
  await mailInvoices(deps, baseUrl)
  assert.ok((await mailsTo(service, email)).some(({ subject }) => subject.startsWith('Reminder')))
})

test('a problem that only the service can find is shown at its field', async (t) => {
  const holder = await newHolder(t)
  await addBank(holder.api)
  await page.goto('/invoices/new')
  await page.getByLabel('To', { exact: true }).fill('nobody-of-that-name')
  await page.getByLabel('Name', { exact: true }).fill('Dana Outside')
  await page.getByLabel('Description').fill('Painting')
  await page.getByLabel('Amount').fill('40')
  await button('Preview invoice').click()
  await button('Send invoice').click()
  await page.getByLabel('To', { exact: true }).and(page.locator('[aria-invalid=true]:focus')).waitFor()
  await assertGoodPage('invoice-new-refused')
  await page.getByLabel('To', { exact: true }).fill(newEmail())
  const notPdf = { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('not a PDF') }
  await page.locator('input[type=file]').setInputFiles(notPdf)
  await button('Preview invoice').click()
  await button('Send invoice').click()
  await page.getByText('This must be a PDF, PNG or JPEG file').waitFor()
  await button('Remove the file').click()
  await button('Preview invoice').click()
  await button('Send invoice').click()
  await page.getByRole('heading', { name: 'Invoice for $40.00 to Dana Outside' }).waitFor()
  const refusals = complaints.splice(0)
  assert.equal(refusals.filter((one) => /status of 400/.test(one)).length, 2)
  assert.equal(refusals.length, 2)
})
