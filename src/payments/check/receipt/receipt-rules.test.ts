import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONNECTIONS } from '../../../foundation/core/connections.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { PAYMENT_STATUSES, type PaymentStatus } from '../../payment/payment-status.ts'
import { arrivalOf, describeOutcome, findPayout, type PayoutState } from './receipt-rules.ts'

const day = (text: string) => new Date(`${text}T12:00:00Z`)
const calendar = { timeZone: 'America/New_York', trustBankingDays: 2, connections: NO_CONNECTIONS.current() }
const ach = { rail: 'ACH', fundingKind: 'bank', depositedAt: day('2026-03-02') } as const
const leg = (changes: Partial<LegRow>) => ({ purpose: 'payment_push', status: 'SENT', ...changes }) as LegRow

test('a receipt is final when the payee has the money or can no longer get it', () => {
  const finalWith = (payout: PayoutState) =>
    PAYMENT_STATUSES.filter((status) => describeOutcome({ status, payout }).isFinal).sort()
  assert.deepEqual(finalWith('none'), ['EXPIRED', 'REFUNDED', 'VOID'])
  assert.deepEqual(finalWith('arrived'), ['EXPIRED', 'FAILED', 'PAID', 'REFUNDED', 'VOID'])
  for (const payout of ['moving', 'stopping'] as const) assert.deepEqual(finalWith(payout), [], payout)
  const sent = describeOutcome({ status: 'PAID', payout: 'moving' })
  assert.deepEqual(sent, {
    isFinal: false,
    text: 'This payment is not final. The money was sent and has not arrived yet.',
  })
})

test('a receipt never says that the payee was not paid if the payee has the money or can still get it', () => {
  const textOf = (status: PaymentStatus, payout: PayoutState) => describeOutcome({ status, payout }).text
  for (const status of ['FAILED', 'VOID', 'EXPIRED', 'REFUNDED'] as const) {
    assert.match(textOf(status, 'none'), /The money did not arrive|The payee was not paid\.$/)
    assert.match(textOf(status, 'arrived'), /, but the payee was paid\.$/)
    assert.match(textOf(status, 'stopping'), /, but the bank can still pay the check\.$/)
    assert.match(textOf(status, 'moving'), /, but the money is on its way to the payee\.$/)
  }
})

test('the day of the rail replaces the expected day as soon as the payout is sent, and the arrival replaces both', () => {
  const nothing = { expectedOn: null, arrivedAt: null }
  for (const status of ['UNPAID', 'FAILED', 'VOID', 'EXPIRED', 'REFUNDED'] as const)
    assert.deepEqual(arrivalOf({ ...ach, status }, null, calendar), nothing, status)
  assert.deepEqual(arrivalOf({ ...ach, status: 'IN_PROCESS' }, null, calendar), {
    expectedOn: '2026-03-06', // four banking days
    arrivedAt: null,
  })
  const waiting = leg({ status: 'WAITING', nextEvent: 'send', nextAt: day('2026-03-05') })
  assert.equal(arrivalOf({ ...ach, status: 'IN_PROCESS' }, waiting, calendar).expectedOn, '2026-03-06')
  const sent = leg({ nextEvent: 'settle', nextAt: day('2026-03-09') })
  assert.equal(arrivalOf({ ...ach, status: 'PAID' }, sent, calendar).expectedOn, '2026-03-09')
  const settledAt = day('2026-03-10')
  const settled = leg({ status: 'SETTLED', settledAt })
  assert.deepEqual(arrivalOf({ ...ach, status: 'PAID' }, settled, calendar), { expectedOn: null, arrivedAt: settledAt })
  assert.deepEqual(arrivalOf({ ...ach, status: 'VOID' }, settled, calendar), { expectedOn: null, arrivedAt: settledAt })
  const wallet = { status: 'PAID', rail: 'WALLET', fundingKind: 'wallet', depositedAt: settledAt } as const
  assert.deepEqual(arrivalOf(wallet, null, calendar), { expectedOn: null, arrivedAt: settledAt })
})

test('a payout that was returned or canceled pays nobody', () => {
  for (const status of ['RETURNED', 'CANCELLED'] as const) assert.equal(findPayout([leg({ status })]), null)
  const again = leg({ status: 'WAITING' })
  assert.equal(findPayout([leg({ status: 'RETURNED' }), again, leg({ purpose: 'payment_refund' })]), again)
})
