import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemRandom } from '../../foundation/lib/ids.ts'
import { isCardNumber } from '../destination/destination-rules.ts'
import { simulatedIssuer } from './virtual-card-rules.ts'

test('the simulated issuer makes different valid numbers, and cards that are valid for four years', () => {
  const cards = Array.from({ length: 100 }, () =>
    simulatedIssuer.issueCard({ random: systemRandom, today: '2026-03-02' }),
  )
  assert.equal(new Set(cards.map(({ number }) => number)).size, 100)
  for (const { number, cvv, expirationDate } of cards) {
    assert.ok(isCardNumber(number) && /^400000\d{10}$/.test(number), number)
    assert.match(cvv, /^\d{3}$/)
    assert.equal(expirationDate, '2030-03')
  }
})
