import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, type DeliveryFilters } from '../../api.ts'

/** Often enough to see a delivery come through, while one is under way. */
const LIVE_MS = 3_000

export const endpointsQuery = queryOptions({ queryKey: ['webhooks', 'endpoints'], queryFn: api.endpoints })

/** The rows before stay until those of other filters are there, so that nothing flickers. */
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

/** The bytes of an event never change. */
export const eventQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', 'event', id],
    queryFn: () => api.event(id),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** After anything that sends events anew. */
export const refreshWebhooks = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: ['webhooks'] })
