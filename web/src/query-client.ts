import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { hasCode, ServiceError } from './service-error.ts'
import { isSessionEnding } from './session-end.ts'

/** Retries only errors that may be temporary. */
const TEMPORARY = ['unreachable', 'overloaded', 'database_unavailable']
const isTemporary = (error: Error) => error instanceof ServiceError && TEMPORARY.includes(error.code)

/**
 * Reloads the page, so that no data of the previous owner stays in memory. If the session ended because it was not used, the page
 * stays (`session-end-dialog.tsx`).
 */
function leaveWhenSignedOut(error: Error) {
  if (!hasCode(error, 'not_signed_in') || isSessionEnding()) return
  const { pathname, search } = window.location
  window.location.assign(`/sign-in?${new URLSearchParams({ back: pathname + search })}`)
}

/** Reloads a page that shows the previous platform, after another tab has switched the platform. */
function leaveWhenSwitched(error: Error) {
  if (hasCode(error, 'platform_changed')) window.location.assign('/')
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      leaveWhenSignedOut(error)
      leaveWhenSwitched(error)
    },
  }),
  mutationCache: new MutationCache({ onError: leaveWhenSignedOut }),
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (failures, error) => failures < 2 && isTemporary(error) },
  },
})
