import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAbaRoutingNumber } from '../../foundation/core/routing-number.ts'
import { BANK_NAMES_DATE, bankNameOf, NAMED_ROUTING_NUMBERS } from './bank-name-rules.ts'

test('every number of the table is a routing number, and belongs to one bank', () => {
  assert.deepEqual(
    NAMED_ROUTING_NUMBERS.filter((number) => !isAbaRoutingNumber(number)),
    [],
  )
  assert.equal(new Set(NAMED_ROUTING_NUMBERS).size, NAMED_ROUTING_NUMBERS.length)
  assert.ok(NAMED_ROUTING_NUMBERS.length > 200, `${NAMED_ROUTING_NUMBERS.length}`)
  assert.match(BANK_NAMES_DATE, /^\d{4}-\d\d-\d\d$/)
})

test('a bank is named by its number, and an unknown one is not', () => {
  for (const [number, name] of [
    ['021000021', 'Chase'],
    ['026009593', 'Bank of America'],
    ['121000248', 'Wells Fargo'],
    ['021000089', 'Citibank'],
    ['122105155', 'U.S. Bank'],
    ['256074974', 'Navy Federal Credit Union'],
  ] as const)
    assert.equal(bankNameOf(number), name)
  for (const number of ['', '123', '011000015', '02100002', '021000021 ']) assert.equal(bankNameOf(number), null)
})
