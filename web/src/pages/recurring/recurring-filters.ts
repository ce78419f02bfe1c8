/** In the address of the list. */
export type RecurringFilters = { direction: 'INCOMING' | undefined }

export const readRecurringFilters = (search: Record<string, unknown>): RecurringFilters => ({
  direction: search.direction === 'INCOMING' ? 'INCOMING' : undefined,
})
