import type { Option } from 'commander'
import type { Remit } from '#sdk'
import { RAILS } from '../../../money/rail/rail-rules.ts'
import { INVOICE_STATUSES } from '../../../payments/invoice-status/invoice-status.ts'

import { PAYMENT_STATUSES } from '../../../payments/payment/payment-status.ts'
import { EVENT_TYPES } from '../../../webhook/event/event-rules.ts'
import { option } from '../command-options.ts'
import type { Item } from './list-printer.ts'

/** A filter of a list. `query`: its name in the API. */
type Filter = { option: Option; query: string }

/** A list in the SDK. */
type Items = AsyncIterable<object>
type Query = Record<string, string | number>

/** A noun with the commands `list` and `get`. */
export type Resource = {
  /** The columns of the list, unless `--columns` names others. */
  columns: readonly string[]
  filters: readonly Filter[]
  list(remit: Remit, query: Query): Items
  get(remit: Remit, id: string): Promise<Item>
}

const filter = (flags: string, text: string, values?: readonly string[]): Filter => {
  const made = option(flags, values ? `${text}: ${values.join(', ')}` : text)
  if (values) made.choices(values)
  return { option: made, query: made.name().replaceAll('-', '_') }
}

const text = filter('--q <text>', 'only those with this text in a name, a description or a number')
const direction = filter('--direction <direction>', 'only this direction', ['INCOMING', 'OUTGOING'])
const dates = [
  filter('--start-date <date>', 'only from this day on: YYYY-MM-DD, UTC'),
  filter('--end-date <date>', 'only until this day: YYYY-MM-DD, UTC'),
]
const user = filter('--user <id>', 'only of this user of the platform')

/** The nouns, by their command. */
export const resourceTable = {
  payments: {
    columns: ['id', 'date', 'amount', 'status', 'direction', 'name', 'recipient'],
    filters: [
      text,
      filter('--status <status>', 'only this status', PAYMENT_STATUSES),
      direction,
      filter('--rail <rail>', 'only this rail', RAILS),
      user,
      filter('--min-amount <dollars>', 'only of at least this amount'),
      filter('--max-amount <dollars>', 'only of at most this amount'),
      ...dates,
    ],
    list: (remit, query) => remit.payments.search(query as never),
    get: async (remit, id) => ({ ...(await remit.payments.getDetails(id)) }),
  },
  users: {
    columns: ['id', 'date', 'user_id', 'name'],
    filters: [text],
    list: (remit, query) => remit.users.list(query as never),
    get: async (remit, id) => ({ ...(await remit.users.get(id)) }),
  },
  banks: {
    columns: ['id', 'date', 'name', 'routing', 'account', 'type', 'status', 'default'],
    filters: [text, user],
    list: (remit, query) => remit.banks.list(query as never),
    get: async (remit, id) => ({ ...(await remit.banks.get(id)) }),
  },
  invoices: {
    columns: ['id', 'date', 'number', 'amount', 'status', 'direction', 'name', 'recipient'],
    filters: [text, filter('--status <status>', 'only this status', INVOICE_STATUSES), direction, ...dates],
    list: (remit, query) => remit.invoices.list(query as never),
    get: async (remit, id) => ({ ...(await remit.invoices.get(id)), ...(await remit.invoices.getDetails(id)) }),
  },
  events: {
    columns: ['id', 'date', 'type', 'subject', 'body'],
    filters: [filter('--type <type>', 'only this type', EVENT_TYPES), ...dates],
    list: (remit, query) => remit.webhookEvents.list(query as never),
    get: async (remit, id) => ({ ...(await remit.webhookEvents.get(id)) }),
  },
} as const satisfies Record<string, Resource>

export type ResourceName = keyof typeof resourceTable
