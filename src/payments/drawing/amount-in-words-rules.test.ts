import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { MAX_AMOUNT_CENTS } from '../../foundation/core/money.ts'
import { amountInWords } from './amount-in-words-rules.ts'

test('amounts are written as on US business checks', () => {
  for (const [cents, words] of [
    [0, 'Zero and 00/100'],
    [1, 'Zero and 01/100'],
    [99, 'Zero and 99/100'],
    [1_00, 'One and 00/100'],
    [10_10, 'Ten and 10/100'],
    [11_05, 'Eleven and 05/100'],
    [19_99, 'Nineteen and 99/100'],
    [20_00, 'Twenty and 00/100'],
    [21_00, 'Twenty-one and 00/100'],
    [40_40, 'Forty and 40/100'],
    [99_00, 'Ninety-nine and 00/100'],
    [100_00, 'One hundred and 00/100'],
    [101_00, 'One hundred one and 00/100'],
    [125_50, 'One hundred twenty-five and 50/100'],
    [999_99, 'Nine hundred ninety-nine and 99/100'],
    [1_000_00, 'One thousand and 00/100'],
    [1_001_00, 'One thousand one and 00/100'],
    [10_100_00, 'Ten thousand one hundred and 00/100'],
    [100_000_00, 'One hundred thousand and 00/100'],
    [1_000_000_00, 'One million and 00/100'],
    [1_000_010_00, 'One million ten and 00/100'],
    [20_015_000_07, 'Twenty million fifteen thousand and 07/100'],
    [MAX_AMOUNT_CENTS, 'Ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine and 99/100'],
  ] as const) {
    assert.equal(amountInWords(cents), words)
  }
})

test('the words of an amount, read back one by one, give the amount', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MAX_AMOUNT_CENTS }), (cents) => {
      const words = amountInWords(cents)
      assert.match(words, /^[A-Z][a-z]*([ -][a-z]+)* and \d\d\/100$/)
      assert.equal(centsOf(words), cents)
    }),
    { numRuns: 2_000 },
  )
})

test('an amount that a check cannot have is refused', () => {
  for (const cents of [-1, 0.5, MAX_AMOUNT_CENTS + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => amountInWords(cents), RangeError, String(cents))
  }
})

const VALUES = new Map(
  Object.entries({
    ...{ zero: 0, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
    ...{ eleven: 11, twelve: 12, thirteen: 13, fourteen: 14, fifteen: 15, sixteen: 16, seventeen: 17 },
    ...{ eighteen: 18, nineteen: 19, twenty: 20, thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70 },
    ...{ eighty: 80, ninety: 90 },
  }),
)

/** Converts the words back to cents as a person would: each word adds to or multiplies the value so far. */
function centsOf(text: string): number {
  const [dollars, cents] = text.toLowerCase().replace('/100', '').split(' and ') as [string, string]
  let total = 0
  let group = 0
  for (const word of dollars.split(/[ -]/)) {
    if (word === 'hundred') group *= 100
    else if (word === 'thousand' || word === 'million') {
      total += group * (word === 'million' ? 1_000_000 : 1_000)
      group = 0
    } else {
      const value = VALUES.get(word)
      assert.ok(value !== undefined, word)
      group += value
    }
  }
  return (total + group) * 100 + Number(cents)
}
