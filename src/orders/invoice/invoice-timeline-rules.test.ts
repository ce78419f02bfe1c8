import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InvoiceStatus } from '../../payments/invoice-status/invoice-status.ts'
import { type InvoiceStory, invoiceTimeline } from './invoice-timeline-rules.ts'

const day = (number: number) => new Date(Date.UTC(2026, 2, number))

const story = (status: InvoiceStatus, more: Partial<InvoiceStory> = {}): InvoiceStory => ({
  invoice: { status, createdAt: day(1), updatedAt: day(20) },
  mails: null,
  payments: [],
  ...more,
})

/** Formats the entries as `day event payment`. */
const entriesOf = (given: InvoiceStory): string[] =>
  invoiceTimeline(given).map(({ at, event, paymentId }) =>
    [at.getUTCDate(), event, paymentId].filter((part) => part !== null).join(' '),
  )

const payment = (id: string, [begun, paid, ended]: [number, number | null, number | null]) => ({
  id,
  createdAt: day(begun),
  paidAt: paid === null ? null : day(paid),
  endedAt: ended === null ? null : day(ended),
})

test('each failed payment is named, and the last one only if it left the invoice unpaid', () => {
  const payments = [payment('a', [2, null, 4]), payment('b', [5, 8, 12])]
  const before = ['1 send', '2 begin_payment a', '4 fail_payment a', '5 begin_payment b', '8 pay b']
  assert.deepEqual(entriesOf(story('UNPAID', { payments })), [...before, '12 fail_payment b'])
  // The debit was returned after the payout, so the payer owes the money, and the invoice stays PAID.
  assert.deepEqual(entriesOf(story('PAID', { payments })), before)
})

test('a void adds an entry, and a status that a payment caused adds none', () => {
  assert.deepEqual(entriesOf(story('VOID')), ['1 send', '20 void'])
  assert.deepEqual(entriesOf(story('IN_PROCESS', { payments: [payment('a', [2, null, null])] })), [
    '1 send',
    '2 begin_payment a',
  ])
})

test('reminders have the times when they were due, and requested mails are never before the invoice', () => {
  const mails = { isMailed: true, reminders: 2, requested: [day(10), new Date(0)] }
  assert.deepEqual(entriesOf(story('UNPAID', { mails })), [
    '1 send',
    '1 mail',
    '1 remind',
    '8 remind',
    '10 remind',
    '15 remind',
  ])
  assert.deepEqual(entriesOf(story('UNPAID', { mails: { isMailed: false, reminders: 0, requested: [] } })), ['1 send'])
})
