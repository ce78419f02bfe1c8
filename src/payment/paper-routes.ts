import { Type } from 'typebox'
import { inlineFile } from '../http/content-disposition.ts'
import { get, postByItself, type Route } from '../http/route.ts'
import { closed, idParams } from '../http/schema.ts'
import { formatDateTime } from '../lib/clock.ts'
import { getTracking, printCheck } from './paper-actions.ts'

const tag = 'Payments'

export const paperRoutes: Route[] = [
  // An Idempotency-Key changes nothing here: the check is the same each time, and once it is stopped it is not given.
  postByItself(
    '/v3/check/print/:id',
    {
      access: 'user',
      tag,
      summary: 'Take the printable check of a payment that offers PRINT',
      params: idParams,
      body: closed({}),
      answerType: 'application/pdf',
    },
    async (deps, { caller, params, reply }) => {
      const { number, pdf } = await printCheck(deps, caller, params.id)
      reply.type('application/pdf').header('content-disposition', inlineFile(`check-${number}.pdf`))
      reply.header('cache-control', 'no-store') // an account number is on it
      return pdf
    },
  ),

  get(
    '/v3/check/:id/tracking',
    {
      access: 'user',
      tag,
      summary: 'Where a check on paper was',
      params: idParams,
      answer: closed({ tracking: Type.Array(closed({ action_ts: Type.String(), location: Type.String() })) }),
    },
    async (deps, { caller, params }) => ({
      tracking: (await getTracking(deps, caller, params.id)).map(({ at, location }) => ({
        action_ts: formatDateTime(at),
        location,
      })),
    }),
  ),
]
