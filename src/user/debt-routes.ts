import { Type } from 'typebox'
import { dollarsOfCents, requireCents } from '../core/money.ts'
import { post, type Route } from '../http/route.ts'
import { amount, closed } from '../http/schema.ts'
import { settleDebt } from './debt-actions.ts'

/** Only where outcomes can be provoked: elsewhere the operator records what a debtor paid. */
export const debtRoutes: Route[] = [
  post(
    '/v3/sandbox/receivable/settle',
    {
      access: 'user',
      tag: 'Sandbox',
      summary: 'Settle a debt',
      description:
        'Records that the user paid what it owes because a debit came back after the money was paid out: everything, or `amount`. Until then the user cannot send payments.',
      errors: ['no_debt'],
      body: closed({ amount: Type.Optional(amount) }),
      answer: closed({
        settled: Type.Number({ description: 'Dollars that were paid' }),
        debt: Type.Number({ description: 'Dollars that the user still owes' }),
      }),
    },
    async (deps, { caller, body }) => {
      const cents = body.amount === undefined ? null : requireCents(body.amount, 'amount')
      const { settledCents, debtCents } = await settleDebt(deps, caller, { cents, note: null, actor: caller })
      return { settled: dollarsOfCents(settledCents), debt: dollarsOfCents(debtCents) }
    },
  ),
]
