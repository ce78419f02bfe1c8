import { Type } from 'typebox'
import { centsToDollars } from '../../foundation/core/money.ts'
import { get, type Route } from '../../foundation/http/route.ts'
import { closed, nullable, oneOf, text } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { PAYMENT_STATUSES } from '../../payments/payment/payment-status.ts'
import { search } from './search-actions.ts'

export const searchRoutes: Route[] = [
  get(
    '/v3/search',
    {
      access: 'owner',
      permission: 'read',
      tag: 'Overview',
      operationId: 'search',
      summary: 'Find payments and users',
      description:
        'Finds at most eight payments that your platform sent, and at most eight of its users. Payments match by amount, or by the beginning of a word of the payee’s name, an email address, a number or an ID (8 digits or more). Users match by name and user_id. `is_complete` is false while payments are still being read. Search again then.',
      query: closed({ q: text(1, 180) }),
      answer: closed({
        payments: Type.Array(
          closed({
            id: Type.String(),
            name: Type.String(),
            number: Type.String(),
            amount: Type.Number({ description: 'Dollars' }),
            status: oneOf(PAYMENT_STATUSES),
            date: Type.String(),
          }),
        ),
        users: Type.Array(closed({ id: Type.String(), user_id: nullable(Type.String()), name: Type.String() })),
        is_complete: Type.Boolean(),
      }),
    },
    async (deps, { caller, query }) => {
      const { payments, users, isComplete } = await search(deps, caller, query.q)
      return {
        payments: payments.map(({ id, name, number, amountCents, status, createdAt }) => ({
          ...{ id, name, number, status },
          amount: centsToDollars(amountCents),
          date: formatDateTime(createdAt),
        })),
        users: users.map(({ id, externalId, name }) => ({ id, user_id: externalId, name })),
        is_complete: isComplete,
      }
    },
  ),
]
