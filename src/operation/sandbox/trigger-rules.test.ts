import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStatus } from '../../../test/support/transitions.ts'
import { PAYMENT_STATUSES, paymentTransitions } from '../../payments/payment/payment-status.ts'
import { paymentTriggers } from './trigger-rules.ts'

test('the steps of every trigger follow the state table and end at the requested status', () => {
  let count = 0
  for (const from of PAYMENT_STATUSES) {
    for (const [to, steps] of Object.entries(paymentTriggers[from] ?? {})) {
      let status: (typeof PAYMENT_STATUSES)[number] | null = from
      for (const [event] of steps) status = status && nextStatus(paymentTransitions, event, status)
      assert.equal(status, to, `${from} → ${to}`)
      count++
    }
  }
  assert.equal(count, 28)
})

test('no trigger leads from a status to itself, out of VOID, EXPIRED and REFUNDED, or from PAID to VOID and EXPIRED', () => {
  for (const status of PAYMENT_STATUSES) assert.equal(paymentTriggers[status]?.[status], undefined, status)
  for (const status of ['VOID', 'EXPIRED', 'REFUNDED'] as const) assert.equal(paymentTriggers[status], undefined)
  assert.deepEqual(Object.keys(paymentTriggers.PAID ?? {}), ['FAILED', 'REFUNDED'])
})

test('every trigger that pays an UNPAID payment chooses a rail', () => {
  for (const [to, [first]] of Object.entries(paymentTriggers.UNPAID ?? {})) {
    const [event, rail] = first as readonly [string, string?]
    assert.equal(rail !== undefined, !['void', 'expire'].includes(event), to)
  }
})
