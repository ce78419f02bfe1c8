import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseLookup } from './search-rules.ts'

for (const [q, number, cents, hasIds] of [
  ['Dana  Payee', null, null, false],
  ['dana@example.com', null, null, false],
  ['1042', '1042', 104_200, false],
  ['$1,250.50', null, 125_050, false],
  ['0.1', '0.1', 10, false],
  ['inv-7', 'inv-7', null, false],
  ['019caf10', '019caf10', null, true],
  ['0', '0', null, false],
  ['%', null, null, false],
] as const) {
  test(`“${q}” is looked up as a ${[number !== null && 'number', cents !== null && 'amount', hasIds && 'id'].filter(Boolean).join(', ') || 'text'}`, () => {
    const lookup = parseLookup(q)
    assert.deepEqual([lookup.number, lookup.cents, lookup.ids !== null], [number, cents, hasIds])
  })
}

test('spaces and capitals make no difference, and the beginning of an id is a range', () => {
  assert.equal(parseLookup('  Dana  PAYEE ').words, 'dana payee')
  assert.deepEqual(parseLookup('019CAF10').ids, {
    first: `019caf10${'0'.repeat(24)}`,
    last: `019caf10${'f'.repeat(24)}`,
  })
})
