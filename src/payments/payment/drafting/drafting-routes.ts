import { Type } from 'typebox'
import { get, type Route } from '../../../foundation/http/route.ts'
import { calendarDate, closed, nullable, oneOf } from '../../../foundation/http/schema.ts'
import { RAILS } from '../../../money/rail/rail-rules.ts'
import { getFormerPayees, getPaymentDays } from './drafting-actions.ts'

const tag = 'Sending'

const address = closed({
  line_1: Type.String(),
  line_2: nullable(Type.String()),
  city: Type.String(),
  state: Type.String(),
  zip: Type.String(),
})

/** The routes that the form for a new payment calls. */
export const draftingRoutes: Route[] = [
  get(
    '/web/v1/former-payees',
    {
      access: 'session',
      permission: 'prepare',
      tag,
      summary: 'List the payees of your former payments, newest first',
      answer: closed({
        payees: Type.Array(
          closed({
            name: Type.String(),
            recipient: nullable(Type.String({ description: 'null for a check by mail' })),
            address: nullable(address),
          }),
        ),
      }),
    },
    async (deps, { caller }) => ({
      payees: (await getFormerPayees(deps, caller)).map((payee) => ({
        name: payee.name,
        recipient: payee.recipient,
        address: payee.address && {
          line_1: payee.address.line_1,
          line_2: payee.address.line_2 ?? null,
          city: payee.address.city,
          state: payee.address.state,
          zip: payee.address.zip,
        },
      })),
    }),
  ),

  get(
    '/web/v1/payment-days',
    {
      access: 'session',
      permission: 'prepare',
      tag,
      summary: 'Retrieve the days on which a payment of today leaves and arrives',
      answer: closed({
        from: Type.Array(
          closed({
            account: oneOf(['bank', 'wallet']),
            debited: calendarDate,
            arrives: Type.Array(closed({ rail: oneOf(RAILS), day: calendarDate })),
          }),
        ),
      }),
    },
    async (deps) => ({ from: getPaymentDays(deps) }),
  ),
]
