import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type GivenItem, type InvoiceItem, readItem, totalsOfItems } from './invoice-items-rules.ts'

const item = (quantity: number, unit_price: number, tax_rate?: number | null): GivenItem => ({
  description: 'Work',
  quantity,
  unit_price,
  ...(tax_rate !== undefined && { tax_rate }),
})

const totals = (...items: GivenItem[]) => totalsOfItems(items.map((each) => readItem(each) as InvoiceItem))

test('each line is rounded to cents, half up: first its amount, then the tax on it', () => {
  for (const [given, net, tax] of [
    [item(1, 100), 10_000, 0],
    [item(3, 19.99), 5_997, 0],
    [item(1.5, 0.01), 2, 0], //         1.5 cents
    [item(0.5, 0.01), 1, 0], //         0.5 cents
    [item(0.499, 0.01), 0, 0], //       0.499 cents
    [item(0.001, 0.01), 0, 0],
    [item(1.005, 1), 101, 0], //        100.5 cents, which floating point has as 100.49999999999999
    [item(1, 10, 8.25), 1_000, 83], //  82.5 cents
    [item(1, 10, 8.249), 1_000, 82], // 82.49 cents
    [item(0.5, 0.01, 100), 1, 1], //    the tax is on the rounded cent
    [item(2, 0.25, 0.001), 50, 0],
    [item(1, 10, null), 1_000, 0],
    [item(999_999.999, 99_999_999.99), 9_999_999_989_000_000, 0], // the product is larger than a number can represent exactly
    [item(0.1 + 0.2, 10), 300, 0],
    [item(1, 0.06 - 0.05), 1, 0],
  ] as const) {
    const { lines } = totals(given)
    assert.deepEqual(lines[0], { netCents: net, taxCents: tax, totalCents: net + tax }, JSON.stringify(given))
  }
})

test('an invoice is the sum of its rounded lines', () => {
  assert.deepEqual(totals(item(1, 10, 8.25), item(1, 10, 8.25), item(2.5, 40)), {
    lines: [
      { netCents: 1_000, taxCents: 83, totalCents: 1_083 },
      { netCents: 1_000, taxCents: 83, totalCents: 1_083 },
      { netCents: 10_000, taxCents: 0, totalCents: 10_000 },
    ],
    subtotalCents: 12_000,
    taxCents: 166,
    totalCents: 12_166,
  })
  assert.deepEqual(totals(), { lines: [], subtotalCents: 0, taxCents: 0, totalCents: 0 })
})

test('a value that is too small or has too many decimals is named', () => {
  for (const [given, field, problem] of [
    [item(1.0005, 1), 'quantity', 'must have at most three decimal places'],
    [item(0.0004, 1), 'quantity', 'must have at most three decimal places'],
    [item(1e-9, 1), 'quantity', 'must be at least 0.001'],
    [item(1, 1.005), 'unit_price', 'must have at most two decimal places'],
    [item(1, 1e-9), 'unit_price', 'must be at least 0.01'],
    [item(1, 1, 8.2505), 'tax_rate', 'must have at most three decimal places'],
  ] as const) {
    assert.deepEqual(readItem(given), { field, problem }, JSON.stringify(given))
  }
})
