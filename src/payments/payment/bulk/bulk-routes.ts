import { Type } from 'typebox'
import { post, type Route } from '../../../foundation/http/route.ts'
import { closed } from '../../../foundation/http/schema.ts'
import { itemValidator } from '../../../foundation/http/validation.ts'
import { Payment } from '../accept/order-schema.ts'
import { acceptFile } from './bulk-actions.ts'
import { BULK_BODY_LIMIT_BYTES, BulkPayments, BulkRow, bulkErrors } from './bulk-schema.ts'

const validate = itemValidator(BulkRow)

export const bulkRoutes = ({ isOverloaded }: { isOverloaded: () => boolean }): Route[] => [
  post(
    '/v3/check/csv',
    {
      access: 'user',
      permission: 'send',
      needsStepUp: true,
      tag: 'Payments',
      operationId: 'sendBulkPayments',
      summary: 'Send the payments of a file',
      description:
        'Sends up to 1,500 payments, all of them or none. `file` has the rows as JSON, or is the text of a CSV file with a header line. A row with `account_number` and `routing_number` is deposited into that checking account at once. Other rows are sent by email or, with a physical address, mailed as `mail_type`. The CSV of `GET /v3/export` can be corrected and sent too: its `recipient` is the email, and its other columns are ignored. If any row has a problem, nothing is sent, and `errors` names every bad row with its line.',
      errors: bulkErrors,
      body: BulkPayments,
      status: 201,
      answer: closed({ checks: Type.Array(Payment) }),
      bodyLimitBytes: BULK_BODY_LIMIT_BYTES,
      isOverloaded,
    },
    async (deps, { caller, body }) => {
      const texts = await acceptFile(deps, caller, { ...body, validate })
      return { checks: texts.map((text) => JSON.parse(text)) }
    },
  ),
]
