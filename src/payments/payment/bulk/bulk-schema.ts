import { Type } from 'typebox'
import {
  accountNumber,
  closed,
  email,
  id,
  named,
  nullable,
  oneOf,
  postalAddress,
  routingNumber,
} from '../../../foundation/http/schema.ts'
import { commonOrderErrors, mailFields, orderFields } from '../accept/order-schema.ts'
import { CSV_COLUMNS, MAX_ROWS } from './bulk-rules.ts'

const MIB = 1024 * 1024

/** The maximum size of a body in bytes. It is enough for all rows with the longest addresses and descriptions. */
export const BULK_BODY_LIMIT_BYTES = 4 * MIB

const { amount, name, description, number } = orderFields

export const BulkRow = named('BulkPaymentRow', {
  name,
  amount,
  address: Type.Union(
    [
      named('EmailRecipient', { type: oneOf(['email']), address: email }),
      named('PostalRecipient', { type: oneOf(['physical']), address: postalAddress }),
    ],
    { description: '{type: email, address} or {type: physical, address: {line_1, …}}' },
  ),
  account_number: Type.Optional(nullable(accountNumber)),
  routing_number: Type.Optional(nullable(routingNumber)),
  description,
  number,
})

export const BulkPayments = closed({
  file: Type.Union(
    [
      // Each row is validated on its own, so that all bad rows are named.
      Type.Unsafe<unknown[]>({ type: 'array', minItems: 1, maxItems: MAX_ROWS, 'x-items': BulkRow }),
      Type.String({
        minLength: 1,
        description: `A CSV file with a header line. Columns: ${CSV_COLUMNS.join(', ')}. They are separated by commas, semicolons, tabs or vertical bars. The separator decides if an amount may have a comma before its cents.`,
      }),
    ],
    { description: `1 to ${MAX_ROWS} rows, or the text of a CSV file` },
  ),
  account: Type.Optional(nullable(id)),
  ...mailFields,
})

export const bulkErrors = [...commonOrderErrors, 'invalid_rows', 'paper_unavailable'] as const
