import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

/** Every query about users begins with this key, also the list for filters. */
const USERS = 'users'

export const userListQuery = (q: string | undefined) =>
  infiniteQueryOptions({
    queryKey: [USERS, 'list', q],
    queryFn: ({ pageParam }) => api.userPage({ q, cursor: pageParam }),
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
