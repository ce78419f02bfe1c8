import type { PaymentFilters } from '../../api.ts'
import { paymentStatusWords, railWords } from './payment-words.ts'

/** The filters of the list without the cursor, which only "Load more" needs. */
export type ListFilters = Omit<PaymentFilters, 'cursor'>

/** Reads the filters of the list from its address and drops invalid ones. */
export function readPaymentFilters(search: Record<string, unknown>): ListFilters {
  const text = <Value extends string>(name: keyof ListFilters, isValid: (value: string) => boolean) => {
    const value = typeof search[name] === 'number' ? String(search[name]) : search[name] // the router parses digits as a number
    return typeof value === 'string' && isValid(value) ? (value as Value) : undefined
  }
  // Every filter is set, because the router would otherwise keep the values from the address.
  return {
    direction: text('direction', (value) => value === 'INCOMING'),
    q: text('q', (value) => value !== '' && value.length <= 180),
    status: text('status', (value) => Object.hasOwn(paymentStatusWords, value)),
    rail: text('rail', (value) => Object.hasOwn(railWords, value)),
    start_date: text('start_date', isDay),
    end_date: text('end_date', isDay),
    min_amount: dollarsIn(search.min_amount),
    max_amount: dollarsIn(search.max_amount),
    user: text('user', isId),
    batch: text('batch', isId),
  }
}

const isId = (text: string) => /^[0-9a-f]{32}$/.test(text)
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

const MAX_DOLLARS = 99_999_999.99

/** Reads dollars with at most two decimals. Undefined for any other text. */
export function dollarsIn(value: unknown): number | undefined {
  if (!/^\d+(\.\d{0,2})?$/.test(String(value))) return undefined
  return Number(value) <= MAX_DOLLARS ? Number(value) : undefined
}

export const noFilters: Omit<ListFilters, 'direction'> = {
  q: undefined,
  status: undefined,
  rail: undefined,
  start_date: undefined,
  end_date: undefined,
  min_amount: undefined,
  max_amount: undefined,
  user: undefined,
  batch: undefined,
}

/** Returns whether two lists have equal filters. Unset filters are ignored. */
export const isSameList = (a: object, b: object): boolean => canonical(a) === canonical(b)

const canonical = (filters: object) =>
  JSON.stringify(
    Object.entries(readPaymentFilters({ ...filters }))
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )

export const countFilters = ({ direction: _, ...filters }: ListFilters): number =>
  Object.values(filters).filter((value) => value !== undefined).length
