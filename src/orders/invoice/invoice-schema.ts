import { Type } from 'typebox'
import { amount, calendarDate, closed, named, nullable, text, visible } from '../../foundation/http/schema.ts'
import { MAX_ITEMS, MAX_QUANTITY } from './invoice-items-rules.ts'

const Item = named('InvoiceItem', {
  description: text(1, 255, visible),
  quantity: Type.Number({
    exclusiveMinimum: 0,
    maximum: MAX_QUANTITY,
    description: 'At least 0.001, with at most three decimals',
  }),
  unit_price: amount,
  tax_rate: Type.Optional(
    nullable(
      Type.Number({ minimum: 0, maximum: 100, description: 'Percent, with at most three decimals. Default: no tax' }),
    ),
  ),
})

/** The fields of an invoice's optional terms in a request. */
export const termsFields = {
  due_date: Type.Optional(nullable(calendarDate)),
  terms: Type.Optional(nullable(text(0, 1_024))),
  items: Type.Optional(
    nullable(
      Type.Array(Item, {
        minItems: 1,
        maxItems: MAX_ITEMS,
        description:
          '1 to 50 lines. Each line is rounded to cents, half up: first quantity × unit_price, then its tax. `amount` must be their total.',
      }),
    ),
  ),
}

/** The fields of an invoice's lines in an answer. */
export const itemsFields = {
  items: Type.Array(
    closed({
      description: Type.String(),
      quantity: Type.Number(),
      unit_price: Type.Number(),
      tax_rate: Type.Number({ description: 'The tax rate in percent' }),
      amount: Type.Number({ description: 'The amount before tax' }),
      tax: Type.Number(),
      total: Type.Number(),
    }),
    { description: 'The lines; empty for an invoice with only a total' },
  ),
  subtotal: nullable(Type.Number({ description: 'The total before tax; null for an invoice without lines' })),
  tax: nullable(Type.Number()),
}
