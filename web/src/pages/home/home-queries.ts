import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { liveVersion } from '../../live.ts'

const COUNTING_MS = 1_000

/** All figures of the last 30 days on Home, in one answer. It is loaded again while the service is still counting older payments. */
export const summaryQuery = (user: string | undefined) =>
  queryOptions({
    queryKey: ['payments', 'summary', user],
    queryFn: () => api.summary(user),
    refetchInterval: ({ state }) => (state.data?.is_complete === false ? COUNTING_MS : false),
    placeholderData: keepPreviousData,
  })

export const balanceQuery = (user: string | undefined) =>
  queryOptions({
    queryKey: ['payments', 'balance', user],
    queryFn: () => api.balance(user),
    placeholderData: keepPreviousData,
  })

export const attentionQuery = queryOptions({ queryKey: ['payments', 'attention'], queryFn: api.attention })

const RECENT = 5

export const recentQuery = (user: string | undefined) =>
  queryOptions({
    queryKey: ['payments', 'recent', user],
    queryFn: async () => {
      const version = liveVersion()
      const { payments } = await api.payments({ user }, 10)
      return { payments: payments.slice(0, RECENT), version, isComplete: payments.length <= RECENT }
    },
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
  })

/** Whether the platform has users. */
export const hasUsersQuery = queryOptions({
  queryKey: ['users', 'any'],
  queryFn: () => api.users(undefined, 10).then((users) => users.length > 0),
  staleTime: 60_000,
})

/** Whether a webhook has arrived within the retention of deliveries. */
export const deliveredQuery = queryOptions({
  queryKey: ['webhooks', 'delivered'],
  queryFn: () => api.deliveries({ status: 'DELIVERED' }).then(({ deliveries }) => deliveries.length > 0),
})
