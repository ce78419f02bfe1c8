import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api.ts'
import type { InvoiceFilters } from './invoice-filters.ts'

/** `direction`: by default those that were sent. */
type ListedInvoices = Omit<InvoiceFilters, 'direction'> & { direction?: 'INCOMING' | 'OUTGOING' | undefined }

export const invoicesQuery = ({ direction = 'OUTGOING', status }: ListedInvoices) =>
  infiniteQueryOptions({
    queryKey: ['invoices', 'list', direction, status],
    queryFn: ({ pageParam }) => api.invoices({ direction, status, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

export const invoiceQuery = (id: string) =>
  queryOptions({ queryKey: ['invoices', 'one', id], queryFn: () => api.invoice(id) })

export const refreshInvoices = (queryClient: QueryClient) => queryClient.invalidateQueries({ queryKey: ['invoices'] })
