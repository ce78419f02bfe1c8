import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

export const subscriptionsQuery = infiniteQueryOptions({
  queryKey: ['subscriptions', 'list'],
  queryFn: ({ pageParam }) => api.subscriptions(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

export const subscriptionQuery = (id: string) =>
  queryOptions({ queryKey: ['subscriptions', 'one', id], queryFn: () => api.subscription(id) })

export const runsQuery = (id: string) =>
  queryOptions({ queryKey: ['subscriptions', 'runs', id], queryFn: () => api.subscriptionRuns(id) })

export const refreshSubscriptions = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: ['subscriptions'] })
