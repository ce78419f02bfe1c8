import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import type { UserFilters } from './user-filters.ts'

/** The first key of every query about users, including the list for filters. */
const USERS = 'users'

export const userListQuery = (filters: UserFilters) =>
  infiniteQueryOptions({
    queryKey: [USERS, 'list', filters],
    queryFn: ({ pageParam }) => api.userPage({ ...filters, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

export const userQuery = (id: string) => queryOptions({ queryKey: [USERS, 'one', id], queryFn: () => api.user(id) })

export const userBanksQuery = (id: string) =>
  queryOptions({ queryKey: [USERS, 'banks', id], queryFn: () => api.banksOf(id) })

/** The sending limits of a user, or of the platform's own account. */
export const limitQuery = (id: string | undefined) =>
  queryOptions({ queryKey: [USERS, 'limit', id], queryFn: () => api.limits(id) })

export const refreshUsers = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: [USERS] })
