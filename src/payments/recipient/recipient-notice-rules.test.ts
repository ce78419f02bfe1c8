import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LegStatus } from '../../money/rail/leg-status.ts'
import type { LegPurpose, LegRow } from '../../money/rail/leg-store.ts'
import type { Rail } from '../../money/rail/rail-rules.ts'
import type { PaymentStatus } from '../payment/payment-status.ts'
import { type Notice, noticeOf } from './recipient-notice-rules.ts'

type Leg = Pick<LegRow, 'purpose' | 'status' | 'rail' | 'sentAt'>

const leg = (purpose: LegPurpose, status: LegStatus, rail: Rail = 'ACH', sentAt: Date | null = new Date(0)): Leg => ({
  purpose,
  status,
  rail,
  sentAt,
})
const push = (status: LegStatus, rail?: Rail, sentAt?: Date | null) => leg('payment_push', status, rail, sentAt)
const collected = leg('payment_pull', 'TRUSTED')
const returned = leg('payment_pull', 'RETURNED')
const refund = (status: LegStatus) => leg('payment_refund', status)

const rows: [status: PaymentStatus, rail: Rail | null, legs: Leg[], canRetry: boolean, expected: Notice | null][] = [
  // status        rail       legs                                              can retry
  ['UNPAID', null, [], true, 'invited'],
  ['IN_PROCESS', 'ACH', [leg('payment_pull', 'SENT')], false, 'on_its_way'],
  ['IN_PROCESS', 'MAIL', [leg('payment_pull', 'SENT')], false, null],
  ['PRINTED', 'PRINT', [], false, null],
  ['EXPIRED', null, [], false, 'expired'],
  ['EXPIRED', 'MAIL', [push('CANCELLED', 'MAIL')], false, null],
  ['MAILED', 'MAIL', [collected, push('SENT', 'MAIL')], false, 'check_mailed'],
  ['PAID', 'ACH', [collected, push('SENT')], false, 'paid'],
  ['PAID', 'VENMO', [push('SENT', 'VENMO')], false, 'paid'],
  ['PAID', 'MAIL', [collected, push('SETTLED', 'MAIL')], false, null],
  ['PAID', 'PRINT', [collected, push('SETTLED', 'PRINT')], false, null],
  ['PAID', 'WALLET', [], false, null],
  ['REFUNDED', 'ACH', [collected, push('RETURNED'), refund('WAITING')], false, 'returned'],
  ['VOID', null, [], false, null],
  ['VOID', 'ACH', [leg('payment_pull', 'CANCELLED')], false, null],
  ['VOID', 'MAIL', [collected, push('CANCELLED', 'MAIL', null)], false, null],
  ['VOID', 'MAIL', [collected, push('CANCELLED', 'MAIL'), refund('WAITING')], false, 'check_stopped'],
  ['VOID', 'MAIL', [collected, push('STOPPING', 'MAIL')], false, 'check_stopped'],
  ['VOID', 'PRINT', [leg('payment_pull', 'CANCELLED')], false, 'check_stopped'],
  ['FAILED', 'ACH', [returned], true, 'not_collected'],
  ['FAILED', 'ACH', [returned], false, 'not_collected'],
  ['FAILED', 'PRINT', [returned], false, 'check_stopped'],
  ['FAILED', 'ACH', [collected, push('RETURNED')], true, 'account_needed'],
  ['FAILED', 'ACH', [collected, push('RETURNED')], false, 'undeliverable'],
  ['FAILED', 'ACH', [collected, push('RETURNED'), returned], true, 'not_collected'],
  ['FAILED', 'MAIL', [collected, push('RETURNED', 'MAIL')], true, 'address_needed'],
  ['FAILED', 'ACH', [returned, push('CANCELLED', 'ACH', null)], true, 'not_collected'],
  ['FAILED', 'ACH', [returned, push('SENT')], false, null],
  ['FAILED', 'ACH', [returned, push('ACCEPTED')], false, null],
  ['FAILED', 'ACH', [returned, push('SETTLED')], false, null],
  ['FAILED', 'MAIL', [returned, push('SETTLED', 'MAIL')], false, null],
  ['FAILED', 'MAIL', [returned, push('CANCELLED', 'MAIL')], true, 'check_stopped'],
  ['FAILED', 'MAIL', [returned, push('STOPPING', 'MAIL')], false, 'check_stopped'],
  ['FAILED', 'ACH', [collected, push('RETURNED'), refund('RETURNED')], false, null],
]

test('each status of a payment has its notice, depending on the latest leg', () => {
  for (const [status, rail, legs, canRetry, expected] of rows) {
    const notice = noticeOf({ status, rail }, { legs: legs as LegRow[], canBeDeposited: canRetry })
    assert.equal(notice, expected, `${status} ${rail} ${legs.map((one) => `${one.purpose} ${one.status}`)}`)
  }
})
