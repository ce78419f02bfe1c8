import type { InvoiceFilters as ListFilters } from '../../api.ts'

/** The filters of the list of invoices, kept in its address. */
export type InvoiceFilters = { direction: 'INCOMING' | undefined; status: InvoiceStatusFilter | undefined }

type InvoiceStatusFilter = NonNullable<ListFilters['status']>

const STATUSES: InvoiceStatusFilter[] = ['UNPAID', 'OVERDUE', 'IN_PROCESS', 'PAID', 'VOID']

export const noInvoiceFilters: InvoiceFilters = { direction: undefined, status: undefined }

export const readInvoiceFilters = (search: Record<string, unknown>): InvoiceFilters => ({
  direction: search.direction === 'INCOMING' ? 'INCOMING' : undefined,
  status: STATUSES.find((status) => status === search.status),
})
