import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { References } from '../../statement/statement-types.ts'
import { type LinkedLine, pairsOf } from './detail-rules.ts'

const line = (id: string, cents: number, references: References): LinkedLine => ({
  ...{ id, cents },
  content: { name: null, text: '', references, details: [], isReversal: false, returnReason: null },
})

const pairs = (booked: LinkedLine[], notified: LinkedLine[]) =>
  pairsOf(booked, notified).map((pair) => [pair.line.id, pair.detail.id])

test('a line and a notification are paired by their amount and one reference, the strongest first', () => {
  const booked = [line('a', 100, { bank: 'BANK-1', batch: 'BATCH' }), line('b', 100, { batch: 'BATCH' })]
  const notified = [line('x', 100, { bank: 'BANK-1', batch: 'BATCH' }), line('y', 100, { batch: 'BATCH' })]
  assert.deepEqual(pairs(booked, notified), [
    ['a', 'x'],
    ['b', 'y'],
  ])
})

test('another amount, a short reference and a reference of the payer pair nothing, and neither do two lines that share both', () => {
  const one = line('a', 100, { bank: 'BANK-1' })
  assert.deepEqual(pairs([one], [line('x', -100, { bank: 'BANK-1' })]), [])
  assert.deepEqual(pairs([line('a', 100, { bank: 'B1' })], [line('x', 100, { bank: 'B1' })]), [])
  assert.deepEqual(pairs([line('a', 100, { end_to_end: 'SALARY' })], [line('x', 100, { end_to_end: 'SALARY' })]), [])
  assert.deepEqual(pairs([one, { ...one, id: 'b' }], [line('x', 100, { bank: 'BANK-1' })]), [])
  assert.deepEqual(pairs([one], [line('x', 100, { bank: 'BANK-1' }), line('y', 100, { bank: 'BANK-1' })]), [])
})
