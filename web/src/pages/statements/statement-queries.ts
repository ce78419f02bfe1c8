import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

const REFRESH_MS = 30_000

export const accountsQuery = queryOptions({
  queryKey: ['statements', 'accounts'],
  queryFn: api.statementAccounts,
  refetchInterval: ({ state }) => (state.data === undefined ? false : REFRESH_MS),
})

export const daysQuery = (account: string, month: string) =>
  queryOptions({
    queryKey: ['statements', 'days', account, month],
    queryFn: () => api.statementDays(account, month),
    placeholderData: keepPreviousData,
  })

export const waitingQuery = (q: string | undefined) =>
  queryOptions({
    queryKey: ['statements', 'waiting', q ?? ''],
    queryFn: () => api.waitingLines(q),
    placeholderData: keepPreviousData,
  })

export const decidedQuery = (q: string | undefined) =>
  queryOptions({
    queryKey: ['statements', 'decided', q ?? ''],
    queryFn: () => api.decidedLines(q),
    placeholderData: keepPreviousData,
  })

export const monthsQuery = queryOptions({ queryKey: ['statements', 'months'], queryFn: api.closedMonths })

/** Loads everything of the page again, after a decision. */
export const refreshStatements = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: ['statements'] })
