import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { liveVersion } from '../../live.ts'

const COUNTING_MS = 1_000

/** The last 30 days: all figures of Home are of one answer. Asked for again while older payments are still being counted. */
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

/** Whether a webhook has ever arrived, as far as deliveries are kept. */
export const deliveredQuery = queryOptions({
  queryKey: ['webhooks', 'delivered'],
  queryFn: () => api.deliveries({ status: 'DELIVERED' }).then(({ deliveries }) => deliveries.length > 0),
})
