import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrivalDay, debitDay } from './expected-day-rules.ts'

const calendar = { timeZone: 'America/Los_Angeles', trustBankingDays: 2 }

for (const [what, at, rail, fundingKind, debited, arrives] of [
  ['before the last window', '2026-03-02T15:00:00Z', 'ACH', 'bank', '2026-03-03', '2026-03-06'],
  ['after the last window', '2026-03-03T02:00:00Z', 'ACH', 'bank', '2026-03-04', '2026-03-09'],
  ['from a wallet', '2026-03-02T15:00:00Z', 'ACH', 'wallet', '2026-03-02', '2026-03-03'],
  [
    'by mail in the evening of a Friday, which is Saturday in UTC',
    '2026-03-07T04:00:00Z',
    'MAIL',
    'bank',
    '2026-03-10',
    '2026-03-13',
  ],
  ['at once', '2026-03-07T04:00:00Z', 'RTP', 'wallet', '2026-03-06', '2026-03-06'],
  ['over a holiday', '2026-11-25T20:00:00Z', 'ACH', 'bank', '2026-11-27', '2026-12-02'],
] as const) {
  test(`the days of a payment ${what}`, () => {
    const day = new Date(at)
    assert.equal(debitDay(fundingKind, day, calendar), debited)
    assert.equal(arrivalDay({ rail, fundingKind, at: day }, calendar), arrives)
  })
}
