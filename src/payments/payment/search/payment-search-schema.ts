import { Type } from 'typebox'
import { MAX_AMOUNT_CENTS } from '../../../foundation/core/money.ts'
import { id, oneOf, text } from '../../../foundation/http/schema.ts'
import { RAILS } from '../../../money/rail/rail-rules.ts'
import { PAYMENT_STATUSES } from '../payment-status.ts'

const dollars = Type.Number({ minimum: 0, maximum: MAX_AMOUNT_CENTS / 100, description: 'Dollars' })

/** The filters of a search for payments, in addition to the days. */
export const paymentFilters = {
  user: Type.Optional(id),
  batch: Type.Optional(id),
  direction: Type.Optional(oneOf(['INCOMING', 'OUTGOING'])),
  status: Type.Optional(oneOf(PAYMENT_STATUSES)),
  rail: Type.Optional(oneOf(RAILS)),
  min_amount: Type.Optional(dollars),
  max_amount: Type.Optional(dollars),
  q: Type.Optional(text(0, 180)),
}
