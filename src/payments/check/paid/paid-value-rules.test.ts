import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAccount, readAmount, readCheckNumber, readDate, readDateAs } from './paid-value-rules.ts'

test('amounts are read in the usual American forms; without a decimal point they can be dollars or cents', () => {
  for (const [text, cents, sign] of [
    ['1250.00', [125_000], ''],
    ['1,250.00', [125_000], ''],
    ['$1,250.00', [125_000], ''],
    ['$ 1,250.00', [125_000], ''],
    ['USD 1,250.00', [125_000], ''],
    ['1250.5', [125_050], ''],
    ['.50', [50], ''],
    ['**1,250.00', [125_000], ''],
    ['="1250.00"', [125_000], ''],
    ["'1250.00", [125_000], ''],
    ['1250,00', [125_000], ''],
    ['1.250,00', [125_000], ''],
    ['1250', [125_000, 1_250], ''],
    ['1,250', [125_000, 1_250], ''],
    ['0000125000', [12_500_000, 125_000], ''],
    ['(1,250.00)', [125_000], '-'],
    ['($1,250.00)', [125_000], '-'],
    ['-1,250.00', [125_000], '-'],
    ['-$1,250.00', [125_000], '-'],
    ['$-1,250.00', [125_000], '-'],
    ['−1,250.00', [125_000], '-'],
    ['1,250.00-', [125_000], '-'],
    ['1,250.00 DR', [125_000], ''],
    ['DR 1,250.00', [125_000], ''],
    ['1,250.00CR', [125_000], 'CR'],
    ['12,50.00', null, ''],
    ['1250.000', null, ''],
    ['1250.', null, ''],
    ['0.00', null, ''],
    ['1,250.00 EUR', null, ''],
    ['100000000.00', null, ''],
    ['12x0.00', null, ''],
    ['', null, ''],
  ] as const) {
    const read = readAmount(text)
    assert.deepEqual(read?.cents ?? null, cents, text)
    if (read) assert.equal(`${read.isNegative ? '-' : ''}${read.isCredit ? 'CR' : ''}`, sign, text)
  }
})

test('dates are read in the American order, if they have one meaning', () => {
  for (const [text, on] of [
    ['2026-03-02', '2026-03-02'],
    ['2026/3/2', '2026-03-02'],
    ['03/02/2026', '2026-03-02'],
    ['3/2/2026', '2026-03-02'],
    ['3/2/26', '2026-03-02'],
    ['03-02-2026', '2026-03-02'],
    ['02-Mar-26', '2026-03-02'],
    ['2-MAR-2026', '2026-03-02'],
    ['02 March 2026', '2026-03-02'],
    ['02MAR2026', '2026-03-02'],
    ['Mar 2, 2026', '2026-03-02'],
    ['March 2 2026', '2026-03-02'],
    ['20260302', '2026-03-02'],
    ['03022026', '2026-03-02'],
    ['2026-03-02 00:00:00', '2026-03-02'],
    ['2026-03-02T00:00:00Z', '2026-03-02'],
    ['3/2/2026 12:00:00 AM', '2026-03-02'],
    ['3/13/2026', '2026-03-13'],
    ['13/3/2026', 'day first'],
    ['02.03.2026', 'day first'],
    ['2026-02-30', null],
    ['03/02/226', null],
    ['030226', null],
    ['26-03-02', 'day first'],
    ['46083', null],
    ['02-Xyz-26', null],
    ['', null],
  ] as const) {
    const date = readDate(text)
    assert.equal(date.on ?? (date.isDayFirst ? 'day first' : null), on, text)
  }
  const isOrderKnown = (text: string) => {
    const date = readDate(text)
    return date.on !== null && date.isOrderKnown
  }
  assert.deepEqual(['3/2/2026', '3/3/2026', '3/13/2026', '2026-03-02'].map(isOrderKnown), [false, true, true, true])
})

test('accounts are read whole or by their last digits', () => {
  for (const [text, digits] of [
    ['000555006789', '000555006789'],
    ['000-555006789', '000555006789'],
    ['000 555 006789', '000555006789'],
    ["'000555006789", '000555006789'],
    ['="000555006789"', '000555006789'],
    ['DDA 555006789', '555006789'],
    ['****6789', '…6789'],
    ['xxxx6789', '…6789'],
    ['XXXXX-6789', '…6789'],
    ['...6789', '…6789'],
    ['…6789', '…6789'],
    ['Checking ****6789', '…6789'],
    ['ending in 6789', '…6789'],
    ['**89', null],
    ['5.55007E+08', null],
    ['123456789012345678', null],
    ['', null],
  ] as const) {
    const read = readAccount(text)
    assert.equal(read && `${read.isSuffix ? '…' : ''}${read.digits}`, digits, text)
  }
})

test('check numbers may have zeros in front, a name and the mark of a gap', () => {
  for (const [text, number] of [
    ['1001', 1001],
    ['0000001001', 1001],
    ['#1001', 1001],
    ['Check 1001', 1001],
    ['CK# 1001', 1001],
    ['1001*', 1001],
    ['="0001001"', 1001],
    ['0', null],
    ['A-17', null],
    ['1,001', null],
    ['1001.00', null],
    ['1234567890123456', null],
    ['', null],
  ] as const) {
    assert.equal(readCheckNumber(text), number, text)
  }
})

test('a date in the pattern of a layout may lack leading zeros if it has separators', () => {
  for (const [text, pattern, on] of [
    ['4/1/2026', 'MM/DD/YYYY', '2026-04-01'],
    ['04/01/2026', 'MM/DD/YYYY', '2026-04-01'],
    ['4-1-26', 'MM-DD-YY', '2026-04-01'],
    ['2026-4-1', 'YYYY-MM-DD', '2026-04-01'],
    ['040126', 'MMDDYY', '2026-04-01'],
    ['4126', 'MMDDYY', null],
    ['4/1/26', 'MM/DD/YYYY', null],
    ['13/1/2026', 'MM/DD/YYYY', null],
    ['4-1-2026', 'MM/DD/YYYY', null],
    ['4/1/2026 x', 'MM/DD/YYYY', null],
  ] as const) {
    assert.equal(readDateAs(text, pattern).on, on, `${text} as ${pattern}`)
  }
})
