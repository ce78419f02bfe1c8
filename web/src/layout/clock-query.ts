import { queryOptions } from '@tanstack/react-query'
import { api } from '../api.ts'

const POLL_MS = 300

/** The clock of the platform in the sandbox. */
export const clockQuery = queryOptions({
  queryKey: ['clock'],
  queryFn: api.clock,
  refetchInterval: ({ state }) => (state.data?.status === 'advancing' ? POLL_MS : false),
})
