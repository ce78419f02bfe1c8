import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '../../foundation/lib/clock.ts'
import { busyReason, type UserObligations } from './user-busy-rules.ts'

const now = new Date('2026-06-01T12:00:00Z')
const free: UserObligations = {
  hasUnfinishedPayments: false,
  debtCents: 0,
  walletCents: 0,
  hasPayable: false,
  hasLegsUnderWay: false,
  lastDebitAt: null,
  lastCreditAt: null,
}

test('a user is busy for each reason in order, and otherwise free', () => {
  for (const [obligations, expected] of [
    [{}, null],
    [{ hasUnfinishedPayments: true, debtCents: 1 }, /^The user has open payments/],
    [{ debtCents: 4_064, walletCents: 1 }, /^The user owes \$40\.64/],
    [{ walletCents: 1 }, /user’s wallets hold \$0\.01/],
    [{ hasPayable: true }, /^Money of earlier payments is in transit/],
    [{ hasLegsUnderWay: true }, /^Money of earlier payments is in transit/],
    [
      { lastDebitAt: addDays(now, -59) },
      /^Earlier payments can still be returned until 2026-06-02\. Try again after that date\.$/,
    ],
    [{ lastDebitAt: addDays(now, -60) }, null],
    [{ lastCreditAt: addDays(now, -4) }, /until 2026-06-02/],
    [{ lastCreditAt: addDays(now, -5) }, null],
    [{ lastDebitAt: addDays(now, -59), lastCreditAt: now }, /until 2026-06-06/],
  ] as const) {
    const reason = busyReason({ ...free, ...obligations }, now)
    if (expected === null) assert.equal(reason, null, JSON.stringify(obligations))
    else assert.match(reason ?? '', expected)
  }
})
