import { z } from 'zod'
import { EVENT_TYPES } from '../../../sdk/src/index.ts'
import { date, defineTool, firstOf, given, id, limit, pageSize, type Tool } from '../tool.ts'

const MAX_ACCOUNTS = 50

export const moneyTools: readonly Tool[] = [
  defineTool({
    name: 'list_accounts',
    title: 'List accounts',
    description:
      'Lists the bank accounts (last four digits) and wallets of the user whose API key this is. With `user`, lists the bank accounts of another user of the platform. get_user has the balance of its wallets.',
    input: { user: id.optional() },
    run: async ({ remit }, { user }) => {
      const banks = await firstOf(remit.banks.list(given({ user, per_page: 100 }) as never), MAX_ACCOUNTS)
      if (user !== undefined) return { banks: banks.items, has_more: banks.has_more }
      const wallets = await firstOf(remit.wallets.list({ per_page: 100 } as never), MAX_ACCOUNTS)
      return { banks: banks.items, wallets: wallets.items, has_more: banks.has_more || wallets.has_more }
    },
  }),

  defineTool({
    name: 'get_balances',
    title: 'Show balances',
    description: "Shows the balances of the platform's wallets, the debts of users, and items that need attention.",
    input: {},
    run: async ({ remit }) => {
      const [balance, { attention }] = await Promise.all([
        remit.overview.getBalance(),
        remit.overview.listAttentionItems(),
      ])
      return { balance, attention }
    },
  }),

  defineTool({
    name: 'find_invoices',
    title: 'Find invoices',
    description:
      'Finds invoices that were sent or received, newest first. With `id`, shows one with its lines and its history.',
    input: {
      id: id.optional(),
      text: z.string().min(1).max(180).optional().describe('a part of a name, a description or a number'),
      status: z.enum(['UNPAID', 'IN_PROCESS', 'PAID', 'VOID']).optional(),
      direction: z.enum(['INCOMING', 'OUTGOING']).optional(),
      limit,
    },
    run: async ({ remit }, { id: invoice, text, limit: count, ...filters }) => {
      if (invoice !== undefined) {
        const [found, details] = await Promise.all([remit.invoices.get(invoice), remit.invoices.getDetails(invoice)])
        return { invoice: { ...found, ...details } }
      }
      const query = given({ ...filters, q: text, per_page: pageSize(count) })
      const { items, has_more } = await firstOf(remit.invoices.list(query as never), count)
      return { invoices: items, has_more }
    },
  }),

  defineTool({
    name: 'find_events',
    title: 'Find webhook events',
    description:
      'Finds webhook events, newest first. With `id`, shows one with its deliveries and whether they arrived.',
    input: {
      id: id.optional(),
      type: z.enum(EVENT_TYPES).optional(),
      from: date.optional(),
      to: date.optional(),
      limit,
    },
    run: async ({ remit }, { id: event, from, to, limit: count, type }) => {
      if (event !== undefined) return { event: await remit.webhookEvents.get(event) }
      const query = given({ type, start_date: from, end_date: to, per_page: pageSize(count) })
      const { items, has_more } = await firstOf(remit.webhookEvents.list(query as never), count)
      return { events: items, has_more }
    },
  }),

  defineTool({
    name: 'find_drafts',
    title: 'Find prepared payments',
    description: 'Finds payments that were prepared and that a person approves or rejects in Remit, newest first.',
    input: { id: id.optional(), limit },
    run: async ({ remit, baseUrl }, { id: draft, limit: count }) => {
      if (draft !== undefined) return { draft: await remit.approvals.get(draft), decide_at: `${baseUrl}/approvals` }
      const { items, has_more } = await firstOf(remit.approvals.list({ per_page: pageSize(count) } as never), count)
      return { drafts: items, has_more, decide_at: `${baseUrl}/approvals` }
    },
  }),
]
