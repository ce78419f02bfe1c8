import { fieldError } from '../../foundation/core/errors.ts'
import { formatDollars } from '../../foundation/core/money.ts'
import type { InvoiceStatus } from '../../payments/invoice-status/invoice-status.ts'
import { type GivenItem, type InvoiceItem, readItem, totalsOfItems } from './invoice-items-rules.ts'

/** The optional terms of an invoice. A term that was not given is null. */
export type InvoiceTerms = {
  /** `YYYY-MM-DD`, a day of the business. */
  dueDate: string | null
  terms: string | null
  items: InvoiceItem[] | null
}

/** The optional terms in a request. */
export type GivenTerms = {
  due_date?: string | null
  terms?: string | null
  items?: readonly GivenItem[] | null
}

/**
 * Reads the optional terms of a request. An empty text counts as not given.
 *
 * @param today the day of the business @throws ApiError invalid_request
 */
export function readTerms(
  { due_date = null, terms, items = null }: GivenTerms,
  { amountCents, today }: { amountCents: number; today: string },
): InvoiceTerms {
  if (due_date !== null && due_date < today) {
    throw fieldError('invalid_request', 'due_date', `must not be before today, which is ${today}`)
  }
  return { dueDate: due_date, terms: terms?.trim() || null, items: items && readItems(items, amountCents) }
}

function readItems(given: readonly GivenItem[], amountCents: number): InvoiceItem[] {
  const items = given.map((each, index) => {
    const item = readItem(each)
    if ('problem' in item) throw fieldError('invalid_request', `items.${index}.${item.field}`, item.problem)
    return item
  })
  const { totalCents } = totalsOfItems(items)
  if (totalCents === amountCents) return items
  const [total, amount] = [formatDollars(totalCents), formatDollars(amountCents)]
  throw fieldError('invalid_request', 'amount', `must be the total of the items, ${total}, and is ${amount}`)
}

/** Returns whether an invoice is unpaid after its due day. `today`: the day of the business. */
export const isOverdue = (
  { status, dueDate }: { status: InvoiceStatus; dueDate: string | null },
  today: string,
): boolean => status === 'UNPAID' && dueDate !== null && dueDate < today
