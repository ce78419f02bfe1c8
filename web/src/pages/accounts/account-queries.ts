import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

export const banksQuery = queryOptions({ queryKey: ['banks'], queryFn: api.banks })
export const walletsQuery = queryOptions({ queryKey: ['wallets'], queryFn: api.wallets })
export const otherAccountsQuery = queryOptions({ queryKey: ['accounts'], queryFn: api.otherAccounts })

/** The institutions at which a sign-in verifies a bank account. Empty if the service is not set up for it. */
export const institutionsQuery = queryOptions({
  queryKey: ['institutions'],
  queryFn: () => api.institutions().catch(() => []),
  staleTime: Number.POSITIVE_INFINITY,
})

export const walletQuery = (id: string) =>
  queryOptions({ queryKey: [...walletsQuery.queryKey, id], queryFn: () => api.wallet(id) })

export const transactionsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...walletsQuery.queryKey, id, 'transactions'],
    queryFn: ({ pageParam }) => api.walletTransactions(id, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })
