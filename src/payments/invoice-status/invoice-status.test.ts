import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStatus } from '../../../test/support/transitions.ts'
import { PAYMENT_STATUSES } from '../payment/payment-status.ts'
import {
  INVOICE_STATUSES,
  type InvoiceEvent,
  invoiceEventByPaymentStatus,
  invoiceTransitions,
} from './invoice-status.ts'

test('each event leads an invoice from each status to the one of specification.md 5.11, and nowhere else', () => {
  const expected: Record<InvoiceEvent, (string | null)[]> = {
    //        UNPAID       IN_PROCESS PAID      VOID
    pay: ['IN_PROCESS', null, null, null],
    receive: ['PAID', null, null, null],
    settle: [null, 'PAID', null, null],
    reopen: [null, 'UNPAID', 'UNPAID', null],
    void: ['VOID', null, null, null],
  }
  assert.deepEqual([...INVOICE_STATUSES], ['UNPAID', 'IN_PROCESS', 'PAID', 'VOID'])
  assert.deepEqual(Object.keys(invoiceTransitions), Object.keys(expected))
  for (const [event, row] of Object.entries(expected) as [InvoiceEvent, (string | null)[]][]) {
    assert.deepEqual(
      INVOICE_STATUSES.map((status) => nextStatus(invoiceTransitions, event, status)),
      row,
      event,
    )
  }
})

test('an invoice follows the status of its payment', () => {
  assert.deepEqual(
    Object.fromEntries(PAYMENT_STATUSES.map((status) => [status, invoiceEventByPaymentStatus[status]])),
    {
      UNPAID: undefined,
      IN_PROCESS: undefined,
      PAID: 'settle',
      FAILED: 'reopen',
      PRINTED: undefined,
      VOID: 'reopen',
      EXPIRED: 'reopen',
      MAILED: undefined,
      REFUNDED: 'reopen',
    },
  )
})
