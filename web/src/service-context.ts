import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { api } from './api.ts'

export const contextQuery = queryOptions({ queryKey: ['context'], queryFn: api.context, staleTime: 60_000 })

/** Environment and owner. The root route loads them before it shows any page. */
export const useServiceContext = () => useSuspenseQuery(contextQuery).data
