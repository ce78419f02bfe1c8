import { Type } from 'typebox'
import { centsToDollars, requireCents } from '../../foundation/core/money.ts'
import { post, type Route } from '../../foundation/http/route.ts'
import { amount, closed, nullable } from '../../foundation/http/schema.ts'
import { settleDebt } from './debt-actions.ts'

/**
 * The routes for debts. They exist only in environments where outcomes can be simulated. Elsewhere, the operator records the payment of a
 * debt.
 */
export const debtRoutes: Route[] = [
  post(
    '/v3/sandbox/receivable/settle',
    {
      access: 'user',
      permission: 'simulate',
      tag: 'Sandbox',
      operationId: 'settleDebt',
      summary: 'Settle a debt',
      description:
        'Records that the user paid its debt: all of it, or `amount`. A debt arises when a debit is returned after the money was paid out. The user cannot send payments until it is settled.',
      errors: ['no_debt'],
      body: closed({ amount: Type.Optional(nullable(amount)) }),
      answer: closed({
        settled: Type.Number({ description: 'Dollars that were paid' }),
        debt: Type.Number({ description: 'Dollars that the user still owes' }),
      }),
    },
    async (deps, { caller, body }) => {
      const cents = body.amount == null ? null : requireCents(body.amount, 'amount')
      const { settledCents, debtCents } = await settleDebt(deps, caller, { cents, payment: null, actor: caller })
      return { settled: centsToDollars(settledCents), debt: centsToDollars(debtCents) }
    },
  ),
]
