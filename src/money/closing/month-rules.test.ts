import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoContract } from '../../../test/support/iso-contract.ts'
import type { OperatorAccount } from '../../foundation/core/connections.ts'
import { type MonthReport, railsOfAccount, reportCsv } from './month-rules.ts'

const account = (id: string): OperatorAccount => ({
  ...{ id, routingNumber: '091000019', accountNumber: '123456789', type: 'checking', currency: 'USD' },
})

test('the rails of an account are those whose money moves over it', () => {
  const accounts = [account('operating'), account('wires')]
  const iso20022 = isoContract({ account: 'wires' })
  const bank = { accounts, ach: null, checks: null, iso20022 }
  assert.deepEqual(railsOfAccount(bank, 'operating'), ['ACH'])
  assert.deepEqual(railsOfAccount(bank, 'wires'), ['RTP', 'WIRE', 'SWIFT'])
  assert.deepEqual(railsOfAccount({ ...bank, accounts: [account('wires')] }, 'wires'), ['ACH', 'RTP', 'WIRE', 'SWIFT'])
})

test('a report says how many open items it does not list, and their sum', () => {
  const report: MonthReport = {
    ...{ month: '2026-03', account: 'first:operating', openingCents: 0, closingCents: 0, kinds: [], bookings: [] },
    ...{ openItems: [], decisions: [], cases: [], closedBy: 'Ada Lovelace', closedAt: '2026-04-02 10:00' },
    moreOpenItems: { count: 1_234, cents: -56_789 },
  }
  assert.match(reportCsv(report), /open items not listed,,"1,234 later open items",1234,,,-567\.89,/)
  assert.doesNotMatch(reportCsv({ ...report, moreOpenItems: { count: 0, cents: 0 } }), /not listed/)
})
