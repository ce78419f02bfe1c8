import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStatus } from '../../../test/support/transitions.ts'
import { allows, PAYOUT_STATUSES, type PayoutEvent, payoutTransitions } from './payout-status.ts'

test('each event leads an order from each status to one status, and only READY orders are ever sent', () => {
  const [R, P, X, C] = ['RETURNED', 'PAID', 'REJECTED', 'CANCELED']
  const expected: Record<PayoutEvent, (string | null)[]> = {
    //       READY    SENDING      UNKNOWN      SUBMITTED   ACCEPTED PAID REJECTED RETURNED CANCELED
    send: ['SENDING', null, null, null, null, null, null, null, null],
    postpone: [null, 'READY', null, null, null, null, null, null, null],
    lose: [null, 'UNKNOWN', null, null, null, null, null, null, null],
    submit: [null, 'SUBMITTED', 'SUBMITTED', null, null, null, null, null, null],
    accept: [null, 'ACCEPTED', 'ACCEPTED', 'ACCEPTED', null, null, null, null, null],
    pay: [null, P, P, P, P, null, null, null, null],
    reject: [X, X, X, X, X, null, null, null, null],
    return: [null, R, R, R, R, R, null, null, null],
    cancel: [C, C, C, C, C, null, null, null, null],
  } as Record<PayoutEvent, (string | null)[]>
  assert.deepEqual(Object.keys(payoutTransitions), Object.keys(expected))
  for (const [event, row] of Object.entries(expected) as [PayoutEvent, (string | null)[]][]) {
    assert.deepEqual(
      PAYOUT_STATUSES.map((status) => nextStatus(payoutTransitions, event, status)),
      row,
      event,
    )
    for (const [index, status] of PAYOUT_STATUSES.entries()) assert.equal(allows(event, status), row[index] !== null)
  }
})
