import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Connection, NO_CONNECTIONS } from '../../foundation/core/connections.ts'
import { arrivalDay, debitDay } from './expected-day-rules.ts'

const calendar = { timeZone: 'America/Los_Angeles', trustBankingDays: 2, connections: NO_CONNECTIONS.current() }

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

test('the bank of a rail determines the end of its day and its holidays', () => {
  const bank = { timeZone: 'America/New_York', holidays: ['2026-03-04'] }
  const ach = { id: 'first', ...bank, ach: { windows: ['10:00'] } } as unknown as Connection
  const checks = { id: 'second', ...bank, ach: null } as unknown as Connection
  const connections = { all: [ach, checks], rails: { ACH: 'first', MAIL: 'second' }, keepBytesDays: 1 } as const
  const at = new Date('2026-03-02T15:30:00Z') // 10:30 in New York, and before each cut-off without a bank
  const days = { ...calendar, connections }
  assert.equal(debitDay('bank', at, days), '2026-03-05')
  assert.equal(arrivalDay({ rail: 'ACH', fundingKind: 'bank', at }, days), '2026-03-10')
  assert.equal(arrivalDay({ rail: 'MAIL', fundingKind: 'bank', at }, days), '2026-03-10')
  const evening = new Date('2026-03-03T05:30:00Z') // half past midnight in New York
  assert.equal(arrivalDay({ rail: 'MAIL', fundingKind: 'bank', at: evening }, days), '2026-03-11')
  assert.equal(arrivalDay({ rail: 'RTP', fundingKind: 'wallet', at: evening }, days), '2026-03-02')
})
