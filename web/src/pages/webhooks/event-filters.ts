import type { EventType } from '../../answers.ts'
import { eventTypes } from './event-words.ts'

/** The filters of the list of events. */
export type EventFilters = { type?: EventType | undefined }

/** Reads the filters from the address and drops invalid ones. */
export const readEventFilters = (search: Record<string, unknown>): EventFilters => ({
  type: eventTypes.find(({ type }) => type === search.type)?.type,
})
