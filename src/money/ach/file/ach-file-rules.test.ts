import assert from 'node:assert/strict'
import { test } from 'node:test'
import { origin as company } from '../../../../test/support/ach.ts'
import { FEDERAL } from '../../../foundation/lib/banking-day.ts'
import type { NachaOrigin } from '../format/nacha-origin-rules.ts'
import { buildBatches, type DraftEntry, isWindowOpen, limitLegsToFile, modifierAfter } from './ach-file-rules.ts'

const leg = (
  id: number,
  cents: number,
  purpose = 'payment_pull',
  subjectId = String(id),
  direction: 'debit' | 'credit' = 'debit',
) => ({
  direction,
  platformId: 'p',
  id: String(id),
  subjectId,
  purpose,
  cents,
})
const idsOf = (legs: { id: string }[]) => legs.map(({ id }) => id).join(' ')
const plain = { isBalanced: false, hasMore: false }

test('files are made in the hour after a cut-off on a banking day', () => {
  for (const [now, isOpen] of [
    ['2026-03-02T21:59:59Z', false], // a Monday; 14:00 Pacific is 22:00
    ['2026-03-02T22:00:00Z', true],
    ['2026-03-02T23:00:00Z', true],
    ['2026-03-02T23:00:01Z', false],
    ['2026-03-03T01:30:00Z', true],
    ['2026-03-07T22:30:00Z', false], // a Saturday
    ['2026-07-06T21:30:00Z', true], // in summer, 14:00 Pacific is 21:00
    ['2026-09-07T21:30:00Z', false], // Labor Day
  ] as const) {
    assert.equal(isWindowOpen(new Date(now), FEDERAL), isOpen, now)
  }
})

test('a file takes as many legs as its totals can hold, in order', () => {
  const legs = [leg(1, 9_999_999_999), leg(2, 1), leg(3, 1)]
  assert.equal(idsOf(limitLegsToFile(legs, plain).within), '1 2 3')
  assert.equal(idsOf(limitLegsToFile(legs, { isBalanced: true, hasMore: false }).within), '1')
  const large = Array.from({ length: 101 }, (_, index) => leg(index, 9_999_999_999))
  assert.equal(limitLegsToFile(large, plain).within.length, 100)
})

test('a file stays within the limits of the bank, and a leg that is above them alone is left out', () => {
  const none = { entriesPerFile: null, centsPerFile: null, centsPerDay: null }
  const credit = (id: number, cents: number) => leg(id, cents, 'payment_push', String(id), 'credit')
  const legs = [leg(1, 60), leg(2, 50), credit(3, 70), leg(4, 101)]
  const chosen = (limits: object, sentToday = { debit: 0, credit: 0 }) => {
    const { within, above } = limitLegsToFile(legs, { ...plain, limits: { ...none, ...limits }, sentToday })
    return [idsOf(within), idsOf(above)]
  }
  assert.deepEqual(chosen({}), ['1 2 3 4', ''])
  assert.deepEqual(chosen({ entriesPerFile: 2 }), ['1 2', ''])
  assert.deepEqual(chosen({ centsPerFile: 100 }), ['1 3', '4'])
  assert.deepEqual(chosen({ centsPerFile: 110 }), ['1 2 3', ''])
  assert.deepEqual(chosen({ centsPerDay: 100 }, { debit: 40, credit: 100 }), ['1', '4'])
  assert.deepEqual(chosen({ centsPerDay: 100 }, { debit: 41, credit: 0 }), ['3', '4'])
})

test('a leg above what is left of a limit is not overtaken by later ones, except in the other direction', () => {
  const limits = { entriesPerFile: null, centsPerFile: null, centsPerDay: 100 }
  const micro = [20, 10, 30].map((cents, index) =>
    leg(7 + index, cents, 'micro_deposit', 'a', index < 2 ? 'credit' : 'debit'),
  )
  const push = (id: number, cents: number) => leg(id, cents, 'payment_push', String(id), 'credit')
  const legs = [leg(1, 60), leg(2, 50), leg(3, 5), ...micro, push(4, 60), push(5, 41), push(6, 40)]
  assert.equal(idsOf(limitLegsToFile(legs, { ...plain, limits }).within), '1 4')
  const first = [...micro, ...legs.filter(({ purpose }) => purpose !== 'micro_deposit')]
  assert.equal(idsOf(limitLegsToFile(first, { ...plain, limits }).within), '1 4 7 8 9')
})

test('the legs of a file are locked by platform and payment, and micro-deposits last', () => {
  const of = (platformId: string, one: ReturnType<typeof leg>) => ({ ...one, platformId })
  const legs = [
    of('q', leg(1, 5)),
    of('p', leg(2, 5, 'micro_deposit', 'a')),
    of('q', leg(3, 5)),
    of('p', leg(4, 5)),
    of('p', leg(5, 5, 'payment_push', '3')),
  ]
  assert.equal(idsOf(limitLegsToFile(legs, plain).within), '5 4 1 3 2')
})

test('the legs of one bank’s micro-deposits stay together', () => {
  const micro = (id: number, bank: string) => leg(id, 10, 'micro_deposit', bank)
  const legs = [leg(1, 5), micro(2, 'a'), micro(3, 'a'), micro(4, 'a'), micro(5, 'b'), micro(6, 'b')]
  assert.equal(idsOf(limitLegsToFile(legs, plain).within), '1 2 3 4 5 6')
  assert.equal(idsOf(limitLegsToFile(legs, { isBalanced: false, hasMore: true }).within), '1 2 3 4')
  assert.equal(idsOf(limitLegsToFile([leg(1, 5), leg(2, 5)], { isBalanced: false, hasMore: true }).within), '1 2')
  const full = [leg(1, 9_999_999_980), ...legs.slice(1, 4)]
  assert.equal(idsOf(limitLegsToFile(full, { isBalanced: true, hasMore: false }).within), '1')
})

test('trace numbers continue across batches and files, also past 9,999,999, and balancing entries have one', () => {
  const account = { routingNumber: '091000019', accountNumber: '4400', kind: 'checking' } as const
  const origin: NachaOrigin = { ...company, settlementAccount: account }
  const draft = (id: string, secCode: 'WEB' | 'PPD'): DraftEntry => ({
    leg: { platformId: 'p', id },
    secCode,
    entryDescription: 'PAYMENT',
    entry: { account, direction: 'debit', amountCents: 5, receiverId: id, receiverName: id },
  })
  const { batches, traced } = buildBatches([draft('a', 'WEB'), draft('b', 'PPD'), draft('c', 'WEB')], {
    origin,
    sentBefore: 9_999_996,
    effectiveEntryDate: new Date('2026-03-03T13:30:00Z'),
  })
  assert.deepEqual(
    batches.map(({ secCode, entries }) => [secCode, entries.map(({ amountCents }) => amountCents)]),
    [
      ['WEB', [5, 5, 10]],
      ['PPD', [5, 5]],
    ],
  )
  assert.deepEqual(
    traced.map(({ traceNumber, leg: of }) => [traceNumber, of?.id ?? null]),
    [
      ['091000019999997', 'a'],
      ['091000019999998', 'c'],
      ['091000019999999', null],
      ['091000010000001', 'b'],
      ['091000010000002', null],
    ],
  )
})

test('a day can have 36 files', () => {
  const used = ['', 'A', 'BA', 'AC', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'Z0', '9']
  assert.deepEqual(used.map(modifierAfter), ['A', 'B', 'C', 'D', '0', '1', null])
})
