import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, type DeliveryFilters } from '../../api.ts'
import { hasCode } from '../../service-error.ts'
import type { EventFilters } from './event-filters.ts'

/** The polling interval while a delivery is pending. */
const LIVE_MS = 3_000

export const endpointsQuery = queryOptions({ queryKey: ['webhooks', 'endpoints'], queryFn: api.endpoints })

/** Keeps the previous rows until the new ones arrive, so that the page does not flicker. */
export const deliveriesQuery = (filters: DeliveryFilters) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', filters],
    queryFn: () => api.deliveries(filters),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === 'PENDING') ? LIVE_MS : false,
  })

export const deliveryQuery = (event: string, endpoint: string) =>
  queryOptions({
    queryKey: ['webhooks', 'delivery', event, endpoint],
    queryFn: () => api.delivery(event, endpoint),
    refetchInterval: ({ state }) => (state.data?.status === 'PENDING' ? LIVE_MS : false),
  })

export const eventsQuery = (filters: EventFilters) =>
  infiniteQueryOptions({
    queryKey: ['webhooks', 'events', filters],
    queryFn: ({ pageParam }) => api.events({ ...filters, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** An event never changes. */
export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'event', id],
    queryFn: () => api.event(id),
    staleTime: Number.POSITIVE_INFINITY,
  })

export type EventDelivery = Awaited<ReturnType<typeof api.event>>['deliveries'][number]

/** The deliveries of an event. Empty if the event has been deleted. */
export const deliveriesOfEventQuery = (event: string) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries-of', event],
    queryFn: (): Promise<EventDelivery[]> =>
      api.event(event).then(
        ({ deliveries }) => deliveries,
        (error) => {
          if (hasCode(error, 'event_not_found')) return []
          throw error
        },
      ),
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'PENDING') ? LIVE_MS : false),
  })

/** Refreshes the lists after a replay. */
export const refreshWebhooks = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: ['webhooks'] })
