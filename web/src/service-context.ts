import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export const contextQuery = queryOptions({
  queryKey: ['context'],
  queryFn: api.context,
  staleTime: 60_000,
  // A refetch would close a dialog with recovery codes while the person copies them into another program.
  refetchOnWindowFocus: false,
})

/** Environment and owner. The root route loads them before it shows any page. */
export const useServiceContext = () => useSuspenseQuery(contextQuery).data
