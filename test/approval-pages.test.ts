import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDashboard } from './support/dashboard.ts'
import { startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'

// The pages of approvals in a real browser.

const service = await startTestService({ after })
const { page, signInAs, newHolder, assertGoodPage, button } = await openDashboard({ after }, service)
const heading = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

async function ask(payee: string, amount: string): Promise<void> {
  await page.goto('/send')
  await page.getByLabel('To', { exact: true }).fill('vendor@example.com')
  await page.getByLabel('Name of the payee').fill(payee)
  await page.getByLabel('Amount').fill(amount)
  await button('Review payment').click()
  await page.getByRole('button', { name: /^(Send|Ask for approval of) \$/ }).click()
  await page.getByText('Payment waits for approval').waitFor()
}

test('an owner sets the policy, a preparer asks, an approver sends or rejects, and a viewer can do neither', async (t) => {
  const holder = await newHolder(t)
  const preparer = await newMember(service, holder.id, 'preparer')
  const approver = await newMember(service, holder.id, 'approver')
  const viewer = await newMember(service, holder.id, 'viewer')

  await page.goto('/approvals')
  await page.getByText('Nothing waits for approval').waitFor()
  await assertGoodPage('approvals-empty')
  await page.getByRole('link', { name: 'Approval policy' }).first().click()
  await heading('Approval policy')
  await button('Add rule').click()
  await page.getByLabel('From amount').fill('1,00x')
  await button('Save policy').click()
  await page.getByText('Enter an amount in dollars').waitFor()
  await page.getByLabel('From amount').fill('500')
  await button('Save policy').click()
  await page.getByText('Approval policy changed').waitFor()
  await assertGoodPage('approval-policy')

  await ask('Owner’s Vendor', '700')
  await page.goto('/approvals')
  await page.getByText('another person must release it').waitFor()
  assert.equal(await page.getByRole('button', { name: /^Approve/ }).count(), 0)

  await signInAs(preparer.browser)
  await ask('Paper Vendor', '600')
  await assertGoodPage('send-waits')
  await page.goto('/approvals')
  await page.getByText('Your role cannot release them').waitFor()
  assert.equal(await page.getByRole('button', { name: /^(Approve|Reject)/ }).count(), 0)
  await page.goto('/settings/approval')
  await page.getByText('Payments of $500.00 or more need one approval').waitFor()

  await signInAs(approver.browser)
  await page.goto('/approvals')
  await page.getByRole('link', { name: 'Approvals 2 waiting' }).waitFor()
  await page.getByText('Prepared by The preparer').waitFor()
  assert.equal(await page.getByText('$500.00 or more').count(), 2)
  await assertGoodPage('approvals')
  await button('Approve and send $600.00 to Paper Vendor').click()
  await inDialog('Send $600.00').click()
  await page.getByText('Sent $600.00 to Paper Vendor').waitFor()
  await button('Reject $700.00 to Owner’s Vendor').click()
  await inDialog('Reject').click()
  await page.getByText('Enter the reason.').waitFor()
  await page.getByLabel('Reason').fill('Not our vendor')
  await inDialog('Reject').click()
  await page.getByText('Nothing waits for approval').waitFor()

  await signInAs(viewer.browser)
  await page.goto('/send')
  await page.getByText('Your role doesn’t include this page').waitFor()
  await page.goto('/approvals')
  await page.getByText('Nothing waits for approval').waitFor()
})

test('a change under dual control is confirmed by another person', async (t) => {
  const holder = await newHolder(t)
  const approver = await newMember(service, holder.id, 'approver')
  await page.goto('/settings/approval')
  await page.getByText('Dual control', { exact: true }).click()
  await button('Save policy').click()
  await page.getByText('Approval policy changed').waitFor()
  await page.getByText('Dual control', { exact: true }).click()
  await button('Save policy').click()
  await page.getByText('Another person who can release payments must confirm it.').waitFor()
  await signInAs(approver.browser)
  await page.goto('/settings/approval')
  await page.getByText(/proposed a change/).waitFor()
  await assertGoodPage('approval-policy-proposal')
  await button('Confirm the change').click()
  await inDialog('Confirm').click()
  await page.getByText('No rules. People send without an approval.').waitFor()
})
