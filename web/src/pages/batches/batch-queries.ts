import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

export const batchesQuery = infiniteQueryOptions({
  queryKey: ['batches', 'list'],
  queryFn: ({ pageParam }) => api.batches(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})

export const batchQuery = (id: string) =>
  queryOptions({ queryKey: ['batches', 'one', id], queryFn: () => api.batch(id) })

export const batchRowsQuery = (id: string) =>
  queryOptions({ queryKey: ['batches', 'rows', id], queryFn: () => api.batchRows(id) })

export const refreshBatches = async (queryClient: QueryClient): Promise<void> => {
  for (const queryKey of [['batches'], ['approvals'], ['payments']]) await queryClient.invalidateQueries({ queryKey })
}
