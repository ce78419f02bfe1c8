import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountTicks } from '../web/src/pages/home/amount-ticks.ts'

test('the axis of an amount chart has round amounts up to the maximum', () => {
  const rows: [largest: number, top: number][] = [
    [0, 1],
    [0.3, 1],
    [77, 80],
    [80, 80],
    [81, 100],
    [950, 1_000],
    [1_001, 2_000],
    [3_706.5, 4_000],
    [8_021.25, 10_000],
    [1_000_000, 1_000_000],
  ]
  for (const [largest, top] of rows) {
    assert.deepEqual(amountTicks(largest), [0, top / 4, top / 2, (top * 3) / 4, top], `${largest}`)
  }
})
