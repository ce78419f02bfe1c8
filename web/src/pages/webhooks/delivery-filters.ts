import type { DeliveryFilters } from '../../api.ts'
import { eventTypes } from './event-words.ts'
import { statusWords } from './webhook-words.ts'

/** Reads the filters of the list from its address and drops invalid ones. */
export function readDeliveryFilters(search: Record<string, unknown>): DeliveryFilters {
  const read = <Value extends string>(name: keyof DeliveryFilters, isValid: (value: string) => boolean) => {
    const value = search[name]
    return typeof value === 'string' && isValid(value) ? (value as Value) : undefined
  }
  // Every filter is set, because the router would otherwise keep the values from the address.
  return {
    status: read('status', (value) => Object.hasOwn(statusWords, value)),
    endpoint: read('endpoint', isId),
    type: read('type', (value) => eventTypes.some(({ type }) => type === value)),
    start_date: read('start_date', isDay),
    end_date: read('end_date', isDay),
    cursor: read('cursor', (value) => value !== ''),
  }
}

/** The filters of the whole list, from its newest page. */
export const noDeliveryFilters: DeliveryFilters = {
  status: undefined,
  endpoint: undefined,
  type: undefined,
  start_date: undefined,
  end_date: undefined,
  cursor: undefined,
}

const isId = (text: string) => /^[0-9a-f]{32}$/.test(text)
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

export const isFiltered = ({ cursor: _, ...filters }: DeliveryFilters): boolean =>
  Object.values(filters).some((value) => value !== undefined)
