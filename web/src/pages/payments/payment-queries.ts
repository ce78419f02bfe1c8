import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { PaymentDetails, PaymentStatus } from '../../answers.ts'
import { api } from '../../api.ts'
import { isLive, liveVersion } from '../../live.ts'
import type { ListFilters } from './payment-filters.ts'

/**
 * Keeps the previous rows until the new ones arrive, so that the page does not flicker. The list is not refreshed automatically, so
 * rows do not move. `version` shows whether a payment has changed since the list was loaded.
 */
export const paymentsQuery = (filters: ListFilters) =>
  infiniteQueryOptions({
    queryKey: ['payments', 'list', filters],
    queryFn: async ({ pageParam }) => {
      const version = liveVersion()
      return { ...(await api.payments({ ...filters, cursor: pageParam })), version }
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })

export const viewsQuery = queryOptions({ queryKey: ['views'], queryFn: api.views, staleTime: 60_000 })

/** The users of the platform for the filter: the newest hundred. */
export const usersQuery = queryOptions({ queryKey: ['users'], queryFn: () => api.users(undefined), staleTime: 60_000 })

const LIVE_MS = 5_000
const unfinished: PaymentStatus[] = ['UNPAID', 'IN_PROCESS', 'PRINTED', 'MAILED']

/** Loads a payment. Without a stream it polls while the payment is unfinished, because its payee or its bank can change it. */
export const paymentQuery = (id: string) =>
  queryOptions({
    queryKey: ['payments', 'one', id],
    queryFn: async () => withAnswer(await api.payment(id)),
    refetchInterval: ({ state }) =>
      !isLive() && state.data && unfinished.includes(state.data.status) ? LIVE_MS : false,
  })

/** The history of a payment. It is loaded again with each status change. */
export const timelineQuery = ({ id, status }: { id: string; status: PaymentStatus }) =>
  queryOptions({
    queryKey: ['payments', 'timeline', id, status],
    queryFn: () => api.timeline(id),
    placeholderData: keepPreviousData,
    refetchInterval: () => (!isLive() && (unfinished.includes(status) || status === 'PAID') ? LIVE_MS : false),
  })

/** The progress of the money. It is loaded again with each status change. */
export const progressQuery = ({ id, status }: { id: string; status: PaymentStatus }) =>
  queryOptions({
    queryKey: ['payments', 'progress', id, status],
    queryFn: () => api.paymentProgress(id),
    placeholderData: keepPreviousData,
  })

export const trackingQuery = (id: string) =>
  queryOptions({ queryKey: ['payments', 'tracking', id], queryFn: () => api.tracking(id) })

/** The meaning of a return code never changes. */
export const returnCodeQuery = (code: string) =>
  queryOptions({
    queryKey: ['return-code', code],
    queryFn: () => api.returnCode(code),
    staleTime: Number.POSITIVE_INFINITY,
  })

const ANSWER_MS = 60_000

/** Statuses from recent answers, by payment id. The service may return the previous status for a moment. */
const answers = new Map<string, { before: PaymentStatus; status: PaymentStatus; until: number }>()

function withAnswer(payment: PaymentDetails): PaymentDetails {
  const answer = answers.get(payment.id)
  if (answer && answer.before === payment.status && Date.now() < answer.until)
    return { ...payment, status: answer.status }
  answers.delete(payment.id)
  return payment
}

/**
 * Shows the status of an answer. For a payment from another platform, the service returns this status only a moment later, because
 * the copy of the payment is updated in the background.
 */
export async function showStatus(queryClient: QueryClient, id: string, status: PaymentStatus): Promise<void> {
  const { queryKey } = paymentQuery(id)
  await queryClient.cancelQueries({ queryKey })
  const shown = queryClient.getQueryData(queryKey)
  if (shown) {
    answers.set(id, { before: shown.status, status, until: Date.now() + ANSWER_MS })
    queryClient.setQueryData(queryKey, { ...shown, status })
  }
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [all, part] }) => all === 'payments' && part !== 'one',
  })
}

export const refreshPayments = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: ['payments'] })
