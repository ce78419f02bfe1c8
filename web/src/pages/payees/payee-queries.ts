import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'

/** Keeps the previous rows until the new ones arrive, so that the page does not flicker. */
export const payeesQuery = (q: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['payees', 'list', q],
    queryFn: ({ pageParam }) => api.payees({ q, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** The payees that the send form offers: up to 250, by name. */
export const allPayeesQuery = queryOptions({
  queryKey: ['payees', 'all'],
  queryFn: async () => {
    const pages = []
    let cursor: string | undefined
    do {
      const { payees, next } = await api.payees({ q: undefined, cursor })
      pages.push(...payees)
      cursor = next ?? undefined
    } while (cursor !== undefined && pages.length < 250)
    return pages
  },
})

export const payeeQuery = (id: string) =>
  queryOptions({ queryKey: ['payees', 'one', id], queryFn: () => api.payee(id) })

/** The payees of former payments. */
export const formerPayeesQuery = queryOptions({ queryKey: ['payees', 'former'], queryFn: api.formerPayees })

/** The latest payments to a payee, found by the email or the name. */
export const paymentsToQuery = (recipient: string) =>
  queryOptions({
    queryKey: ['payments', 'to', recipient],
    queryFn: () => api.payments({ q: recipient, direction: 'OUTGOING' }, 10),
  })

export const refreshPayees = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: ['payees'] })
