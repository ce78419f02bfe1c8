import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { type PageFilters, toServiceFilters } from './request-filters.ts'

/** The polling interval of the open list. New requests appear within seconds. */
const LIVE_MS = 5_000

/** Keeps the previous rows until the new ones arrive, so that the page does not flicker. */
export const requestsQuery = (filters: PageFilters) =>
  infiniteQueryOptions({
    queryKey: ['requests', 'list', filters],
    queryFn: ({ pageParam }) => api.requests({ ...toServiceFilters(filters), cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? LIVE_MS : false),
  })

/** One request, or null if it is not in the log. */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['requests', 'one', id],
    queryFn: () => api.request(id),
  })

export const requestSettingsQuery = queryOptions({
  queryKey: ['requests', 'settings'],
  queryFn: api.requestSettings,
})
