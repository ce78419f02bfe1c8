import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export const contextQuery = queryOptions({
  queryKey: ['context'],
  queryFn: api.context,
  staleTime: 60_000,
  // A change would replace a dialog that shows recovery codes while the person copies them elsewhere.
  refetchOnWindowFocus: false,
})

/** Environment and owner. The root route loads them before it shows any page. */
export const useServiceContext = () => useSuspenseQuery(contextQuery).data
