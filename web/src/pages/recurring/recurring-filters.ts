/** The filters of the list of recurring payments, kept in its address. */
export type RecurringFilters = { direction: 'INCOMING' | undefined }

export const readRecurringFilters = (search: Record<string, unknown>): RecurringFilters => ({
  direction: search.direction === 'INCOMING' ? 'INCOMING' : undefined,
})
