/** The maximum number of lines in an invoice. */
export const MAX_ITEMS = 50

/** The maximum quantity of a line. */
export const MAX_QUANTITY = 999_999.999

/** A line of an invoice in exact whole units. For example, a tax rate of 8.25 percent is stored as 8250 thousandths of a percent. */
export type InvoiceItem = {
  description: string
  quantityThousandths: number
  unitPriceCents: number
  taxRateThousandths: number
}

/** A line in a request, with the price in dollars and the tax rate in percent. Without a rate, it has no tax. */
export type GivenItem = {
  description: string
  quantity: number
  unit_price: number
  tax_rate?: number | null
}

/** The amounts of a line. `netCents` is without tax, `totalCents` with tax. */
export type LineTotals = { netCents: number; taxCents: number; totalCents: number }

export type InvoiceTotals = { lines: LineTotals[]; subtotalCents: number; taxCents: number; totalCents: number }

/** The maximum distance of a decimal number from a whole unit, in units. Floating-point noise such as 0.1 + 0.2 is smaller. */
const MAX_NOISE_UNITS = 1e-4

/** Converts a decimal number to whole units, of which `perOne` make 1. Returns null if it has too many decimals. */
export function wholeUnits(value: number, perOne: 100 | 1_000): number | null {
  const units = Math.round(value * perOne)
  return Math.abs(value * perOne - units) <= MAX_NOISE_UNITS ? units : null
}

/** The field of a line that cannot be used, with its problem. */
export type ItemProblem = { field: 'quantity' | 'unit_price' | 'tax_rate'; problem: string }

/** Reads a line whose values are within the limits of the schema. */
export function readItem({ description, quantity, unit_price, tax_rate }: GivenItem): InvoiceItem | ItemProblem {
  const quantityThousandths = wholeUnits(quantity, 1_000)
  if (quantityThousandths === null) return { field: 'quantity', problem: 'must have at most three decimal places' }
  if (quantityThousandths < 1) return { field: 'quantity', problem: 'must be at least 0.001' }
  const unitPriceCents = wholeUnits(unit_price, 100)
  if (unitPriceCents === null) return { field: 'unit_price', problem: 'must have at most two decimal places' }
  if (unitPriceCents < 1) return { field: 'unit_price', problem: 'must be at least 0.01' }
  const taxRateThousandths = wholeUnits(tax_rate ?? 0, 1_000)
  if (taxRateThousandths === null) return { field: 'tax_rate', problem: 'must have at most three decimal places' }
  return { description, quantityThousandths, unitPriceCents, taxRateThousandths }
}

/**
 * Returns the totals of an invoice. Each line is rounded to cents, half up: first quantity × price, then the tax on the rounded amount.
 * This way, the amounts that people see add up.
 */
export function totalsOfItems(items: readonly Omit<InvoiceItem, 'description'>[]): InvoiceTotals {
  const exact = items.map(exactTotals)
  const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n)
  const net = sum(exact.map((line) => line.net))
  const tax = sum(exact.map((line) => line.tax))
  return {
    lines: exact.map((line) => ({
      netCents: Number(line.net),
      taxCents: Number(line.tax),
      totalCents: Number(line.net + line.tax),
    })),
    subtotalCents: Number(net),
    taxCents: Number(tax),
    totalCents: Number(net + tax),
  }
}

/** A line in dollars and percent, for pages and programs. `amount` is without tax. */
export type ShownItem = {
  description: string
  quantity: number
  unit_price: number
  tax_rate: number
  amount: number
  tax: number
  total: number
}

/** The lines of an invoice with their sums, which are null without lines. */
export type ShownItems = { items: ShownItem[]; subtotal: number | null; tax: number | null }

export function shownItems(items: readonly InvoiceItem[] | null): ShownItems {
  if (items === null) return { items: [], subtotal: null, tax: null }
  const { lines, subtotalCents, taxCents } = totalsOfItems(items)
  return {
    items: items.map((item, index) => shownItem(item, lines[index] as LineTotals)),
    subtotal: subtotalCents / 100,
    tax: taxCents / 100,
  }
}

const shownItem = (item: InvoiceItem, { netCents, taxCents, totalCents }: LineTotals): ShownItem => ({
  description: item.description,
  quantity: item.quantityThousandths / 1_000,
  unit_price: item.unitPriceCents / 100,
  tax_rate: item.taxRateThousandths / 1_000,
  amount: netCents / 100,
  tax: taxCents / 100,
  total: totalCents / 100,
})

/** The number of thousandths of a percent in 1. */
const RATE_UNITS = 100_000n

function exactTotals({ quantityThousandths, unitPriceCents, taxRateThousandths }: Omit<InvoiceItem, 'description'>) {
  const net = divideHalfUp(BigInt(quantityThousandths) * BigInt(unitPriceCents), 1_000n)
  return { net, tax: divideHalfUp(net * BigInt(taxRateThousandths), RATE_UNITS) }
}

/** Divides and rounds half up. `value` is not negative, and `by` is positive. */
const divideHalfUp = (value: bigint, by: bigint): bigint => (value * 2n + by) / (by * 2n)
