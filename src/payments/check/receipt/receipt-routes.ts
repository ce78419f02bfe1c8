import { Type } from 'typebox'
import { savedFile } from '../../../foundation/http/content-disposition.ts'
import { get, type Route } from '../../../foundation/http/route.ts'
import { closed, idParams, nullable, oneOf } from '../../../foundation/http/schema.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { getProgress, getReceipt } from './receipt-actions.ts'
import { MOVEMENTS } from './receipt-rules.ts'

const tag = 'Payments'

export const receiptRoutes: Route[] = [
  get(
    '/v3/payment/:id/receipt.pdf',
    {
      access: 'user',
      permission: 'read',
      tag,
      operationId: 'downloadReceipt',
      summary: 'Download a receipt',
      description:
        'Returns a receipt of a payment as a PDF: who pays whom, the amount, the dates, the method, and the numbers by which banks find it. It says whether the payment is final. Each side sees its own account, masked. It changes nothing.',
      errors: ['payment_not_found', 'overloaded', 'rate_limited'],
      params: idParams,
      answerType: 'application/pdf',
    },
    async (deps, { caller, params, reply }) => {
      const { number, pdf } = await getReceipt(deps, caller, params.id)
      reply.type('application/pdf').header('content-disposition', savedFile(`receipt-${number}.pdf`))
      reply.header('cache-control', 'no-store')
      return pdf
    },
  ),

  get(
    '/web/v1/payments/:id',
    {
      access: 'session',
      permission: 'read',
      tag,
      summary: 'Retrieve how far the money of a payment is',
      errors: ['payment_not_found'],
      params: idParams,
      answer: closed({
        expected: nullable(
          Type.String({ description: 'The expected day, YYYY-MM-DD; null unless the money is in transit' }),
        ),
        arrived: nullable(Type.String({ description: 'When the payee got the money' })),
        check_number: nullable(
          Type.Integer({ description: 'The number on the check; null if it equals the number of the payment' }),
        ),
        traces: Type.Array(
          closed({
            movement: oneOf(MOVEMENTS),
            number: Type.String({ description: 'The trace number of an ACH entry: 15 digits' }),
            effective_date: Type.String({ description: 'YYYY-MM-DD' }),
          }),
        ),
      }),
    },
    async (deps, { caller, params }) => {
      const { expectedOn, arrivedAt, checkNumber, traces } = await getProgress(deps, caller, params.id)
      return {
        expected: expectedOn,
        arrived: arrivedAt && formatDateTime(arrivedAt),
        check_number: checkNumber,
        traces: traces.map(({ movement, number, effectiveDate }) => ({
          movement,
          number,
          effective_date: effectiveDate,
        })),
      }
    },
  ),
]
