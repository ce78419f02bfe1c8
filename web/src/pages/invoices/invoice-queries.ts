import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import type { InvoiceFilters } from './invoice-filters.ts'

/** Lists invoices: sent ones, unless `direction` says otherwise. */
type ListedInvoices = Omit<InvoiceFilters, 'direction'> & { direction?: 'INCOMING' | 'OUTGOING' | undefined }

const EMPTY_REFRESH_MS = 10_000

export const invoicesQuery = ({ direction = 'OUTGOING', status }: ListedInvoices) =>
  infiniteQueryOptions({
    queryKey: ['invoices', 'list', direction, status],
    queryFn: ({ pageParam }) => api.invoices({ direction, status, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    // Invoices to the email of a new account appear only some seconds after the sign-up.
    refetchInterval: ({ state }) =>
      direction === 'INCOMING' && state.data?.pages[0]?.invoices.length === 0 ? EMPTY_REFRESH_MS : false,
  })

export const invoiceQuery = (id: string) =>
  queryOptions({ queryKey: ['invoices', 'one', id], queryFn: () => api.invoice(id) })

export const invoiceDetailsQuery = (id: string) =>
  queryOptions({ queryKey: ['invoices', 'details', id], queryFn: () => api.invoiceDetails(id) })

export const invoiceSenderQuery = (id: string) =>
  queryOptions({ queryKey: ['invoices', 'sender', id], queryFn: () => api.invoiceSender(id) })

export const refreshInvoices = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: ['invoices'] })
