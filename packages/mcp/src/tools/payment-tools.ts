import { z } from 'zod'
import type { PaymentDetails } from '../../../sdk/src/index.ts'
import { date, defineTool, firstOf, given, id, limit, pageSize, type Tool } from '../tool.ts'

const STATUSES = ['UNPAID', 'IN_PROCESS', 'PAID', 'FAILED', 'PRINTED', 'VOID', 'EXPIRED', 'MAILED', 'REFUNDED'] as const

/** The meaning of each status, for the person who asks. */
const advice: Record<(typeof STATUSES)[number], string> = {
  UNPAID: 'The recipient has not chosen a payout method. Remind the recipient, or void the payment in Remit.',
  IN_PROCESS: 'The money is in transit. `expected` is the day on which it arrives.',
  PAID: 'The payment is complete. Nothing has to be done.',
  FAILED: 'The payment was returned or failed. `failure` gives the reason and the next step.',
  PRINTED: 'The recipient printed the check. It is PAID when it is cashed.',
  VOID: 'The sender voided the payment. A new payment is needed if the money is still due.',
  EXPIRED: 'The recipient did not deposit the payment in time. A new payment is needed if the money is still due.',
  MAILED: 'The check is in the mail. It is PAID when it is cashed.',
  REFUNDED: 'The money was returned to the sender. A new payment is needed if the money is still due.',
}

export const paymentTools: readonly Tool[] = [
  defineTool({
    name: 'find_payments',
    title: 'Find payments',
    description: 'Finds payments of the platform with names, amounts in dollars and statuses, newest first.',
    input: {
      text: z.string().min(1).max(180).optional().describe('a part of a name, a description or a number'),
      status: z.enum(STATUSES).optional(),
      direction: z.enum(['INCOMING', 'OUTGOING']).optional(),
      user: id.optional().describe('only payments of this user'),
      from: date.optional().describe('the first day'),
      to: date.optional().describe('the last day'),
      min_amount: z.number().nonnegative().optional(),
      max_amount: z.number().nonnegative().optional(),
      limit,
    },
    run: async ({ remit }, { text, from, to, limit: count, ...filters }) => {
      const query = given({ ...filters, q: text, start_date: from, end_date: to, per_page: pageSize(count) })
      const { items, has_more } = await firstOf(remit.payments.search(query as never), count)
      return { payments: items, has_more }
    },
  }),

  defineTool({
    name: 'get_payment',
    title: 'Show a payment',
    description: 'Shows one payment with its history, the reason of a failure, and the next step.',
    input: { id },
    run: async ({ remit }, { id: payment }) => {
      const [details, timeline] = await Promise.all([
        remit.payments.getDetails(payment),
        remit.payments.getTimeline(payment),
      ])
      const failure = details.return_code ? await failureOf(remit, details.return_code) : null
      return { payment: details, history: timeline.entries, failure, what_to_do: advice[details.status] }
    },
  }),

  defineTool({
    name: 'find_users',
    title: 'Find users',
    description: 'Finds users of the platform by a part of their name or user_id, newest first.',
    input: { text: z.string().min(1).max(180).optional(), limit },
    run: async ({ remit }, { text, limit: count }) => {
      const list = remit.users.list(given({ q: text, per_page: pageSize(count) }) as never)
      const { items, has_more } = await firstOf(list, count)
      return {
        users: items.map(({ id: user, user_id, name, date: created }) => ({ id: user, user_id, name, created })),
        has_more,
      }
    },
  }),

  defineTool({
    name: 'get_user',
    title: 'Show a user',
    description: 'Shows the profile of a user with its status, its sending limits, and its balance and debt.',
    input: { id },
    run: async ({ remit }, { id: user }) => {
      const [profile, limits, balance] = await Promise.all([
        remit.users.get(user),
        remit.users.getLimits({ user }),
        remit.overview.getBalance({ user }),
      ])
      return { profile, limits, balance }
    },
  }),
]

type Remit = Parameters<Tool['run']>[0]['remit']

const failureOf = async (remit: Remit, code: NonNullable<PaymentDetails['return_code']>) => remit.returnCodes.get(code)
