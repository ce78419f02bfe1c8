import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { hasCode, ServiceError } from './service-error.ts'

/** A refusal stays a refusal; only what passes by itself is asked for again. */
const PASSING = ['unreachable', 'overloaded', 'database_unavailable']
const isPassing = (error: Error) => error instanceof ServiceError && PASSING.includes(error.code)

/** The page is loaded anew, so that nothing of the owner whose session ended stays in memory. */
function leaveWhenSignedOut(error: Error) {
  if (!hasCode(error, 'not_signed_in')) return
  const { pathname, search } = window.location
  window.location.assign(`/sign-in?${new URLSearchParams({ back: pathname + search })}`)
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (failures, error) => failures < 2 && isPassing(error) },
  },
})
