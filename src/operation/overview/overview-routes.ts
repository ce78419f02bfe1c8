import { Type } from 'typebox'
import { centsToDollars } from '../../foundation/core/money.ts'
import { get, type Route } from '../../foundation/http/route.ts'
import { closed, id, nullable, oneOf } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { getAttention, getBalance } from './overview-actions.ts'
import { ATTENTION_KIND_NAMES, ATTENTION_KINDS } from './overview-rules.ts'

const dollars = (description: string) => Type.Number({ description: `${description}, in dollars` })

export const overviewRoutes: Route[] = [
  get(
    '/v3/attention',
    {
      access: 'owner',
      permission: 'read',
      tag: 'Overview',
      operationId: 'listAttentionItems',
      summary: 'List items that need attention',
      description:
        'Counts the items that you may have to act on: payments that failed in the last 30 days, undeposited payments that expire within 7 days, banks that wait for their micro-deposits to be verified, users in debt, and webhook endpoints that fail or were disabled. Kinds with a count of zero are omitted.',
      answer: closed({
        attention: Type.Array(
          closed({
            kind: oneOf(ATTENTION_KIND_NAMES),
            count: Type.Integer({ description: 'The number of items, at most 99' }),
            has_more: Type.Boolean({ description: 'Whether there are more than 99 items' }),
            link: nullable(Type.String({ description: 'The path that lists the items; null if there is none' })),
          }),
        ),
      }),
    },
    async (deps, { caller }) => {
      const items = await getAttention(deps, caller)
      return {
        attention: items.map(({ kind, count, hasMore }) => ({
          kind,
          count,
          has_more: hasMore,
          link: ATTENTION_KINDS[kind],
        })),
      }
    },
  ),

  get(
    '/v3/balance',
    {
      access: 'user',
      permission: 'read',
      tag: 'Overview',
      operationId: 'getBalance',
      summary: 'Retrieve the balance',
      description:
        'Returns the total of the wallets and debts of your platform. With `user`, or with a user’s own API key, it covers only this user.',
      errors: ['user_not_found'],
      query: closed({ user: Type.Optional(id) }),
      answer: closed({
        as_of: Type.String({ description: 'The time on the clock of the platform' }),
        wallets: Type.Integer({ description: 'The number of wallets' }),
        balance: dollars('The balance of the wallets'),
        available: dollars('The balance of the wallets minus the amount held for payments'),
        held: dollars('The amount held for payments'),
        debt: dollars('The amount that users owe because debits were returned after the money had been paid out'),
      }),
    },
    async (deps, { caller, query }) => {
      const { asOf, wallets, balanceCents, heldCents, debtCents } = await getBalance(deps, caller, query.user)
      return {
        as_of: formatDateTime(asOf),
        wallets,
        balance: centsToDollars(balanceCents),
        available: centsToDollars(balanceCents - heldCents),
        held: centsToDollars(heldCents),
        debt: centsToDollars(debtCents),
      }
    },
  ),
]
