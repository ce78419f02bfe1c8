import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import type { RecurringFilters } from './recurring-filters.ts'

export const subscriptionsQuery = ({ direction }: RecurringFilters) =>
  infiniteQueryOptions({
    queryKey: ['subscriptions', 'list', direction ?? null],
    queryFn: ({ pageParam: cursor }) => api.subscriptions({ direction: direction ?? 'OUTGOING', cursor }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

export const subscriptionQuery = (id: string) =>
  queryOptions({ queryKey: ['subscriptions', 'one', id], queryFn: () => api.subscription(id) })

export const runsQuery = (id: string) =>
  queryOptions({ queryKey: ['subscriptions', 'runs', id], queryFn: () => api.subscriptionRuns(id) })

export const refreshSubscriptions = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: ['subscriptions'] })
