import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../../foundation/lib/clock.ts'
import type { LegStatus } from '../../../money/rail/leg-status.ts'
import type { LegPurpose } from '../../../money/rail/leg-store.ts'
import type { ReturnCode } from '../../../money/rail/return-code-rules.ts'
import { retryRefusal } from './retry-rules.ts'

const sentAt = new Date('2026-03-02T22:00:00Z')
const settledAt = new Date('2026-03-03T13:30:00Z')

const leg = (
  status: LegStatus,
  given: { purpose?: LegPurpose; sentAt?: Date | null; settledAt?: Date | null; returnCode?: ReturnCode } = {},
) => ({
  purpose: 'payment_pull' as const,
  status,
  sentAt,
  settledAt,
  returnCode: 'R01' as ReturnCode,
  ...given,
})

const returned = leg('RETURNED')
const neverLeft = leg('RETURNED', { sentAt: null, settledAt: null })

test('a debit is retried twice within 180 days of the first one, and never after that', () => {
  const soon = addDays(settledAt, 1)
  const lastMoment = addDays(settledAt, 180)
  const tooLate = new Date(lastMoment.getTime() + 1)
  for (const [what, legs, now, expected] of [
    ['no debit yet', [], tooLate, null],
    ['a debit that never left', [neverLeft, neverLeft, neverLeft], tooLate, null],
    ['a debit that was canceled', [leg('CANCELLED')], tooLate, null],
    ['the first retry', [returned], soon, null],
    ['the second retry', [returned, returned], soon, null],
    ['the second retry after one that never left', [returned, neverLeft, returned], soon, null],
    ['the third retry', [returned, returned, returned], soon, /retried 2 times/],
    ['the last moment', [returned], lastMoment, null],
    ['a moment later', [returned], tooLate, /more than 180 days/],
    ['the second retry, a moment later', [returned, returned], tooLate, /more than 180 days/],
    [
      '180 days after the first, and not after the second',
      [returned, leg('RETURNED', { settledAt: soon })],
      tooLate,
      /180/,
    ],
    ['a first debit that came back unsettled', [leg('RETURNED', { settledAt: null })], addDays(sentAt, 180), null],
    [
      'the same debits, later',
      [leg('RETURNED', { settledAt: null })],
      new Date(addDays(sentAt, 180).getTime() + 1),
      /180 days/,
    ],
    ['pushes that came back', Array(5).fill(leg('RETURNED', { purpose: 'payment_push' })), tooLate, null],
  ] as const) {
    const refusal = retryRefusal(legs, now)
    if (expected === null) assert.equal(refusal, null, what)
    else assert.match(refusal ?? '', expected, what)
  }
})

test('a debit that came back with a code that blocks its account is not retried, also after the operator lifted the block', () => {
  const soon = addDays(settledAt, 1)
  // For R08 and R11, the operator decides by closing the case.
  for (const code of ['R01', 'R09', 'R08', 'R11'] as const)
    assert.equal(retryRefusal([leg('RETURNED', { returnCode: code })], soon), null)
  for (const code of ['R02', 'R03', 'R04', 'R05', 'R07', 'R10', 'R14', 'R15', 'R16', 'R20', 'R29'] as const) {
    const legs = [returned, leg('RETURNED', { returnCode: code })]
    assert.match(
      retryRefusal(legs, soon) ?? '',
      new RegExp(`came back with ${code}, so that it needs a new authorization`),
    )
  }
})
