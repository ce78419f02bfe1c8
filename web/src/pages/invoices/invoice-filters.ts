import type { Invoice } from '../../answers.ts'

/** In the address of the list. */
export type InvoiceFilters = { direction: 'INCOMING' | undefined; status: Invoice['status'] | undefined }

const STATUSES: Invoice['status'][] = ['UNPAID', 'IN_PROCESS', 'PAID', 'VOID']

export const noInvoiceFilters: InvoiceFilters = { direction: undefined, status: undefined }

export const readInvoiceFilters = (search: Record<string, unknown>): InvoiceFilters => ({
  direction: search.direction === 'INCOMING' ? 'INCOMING' : undefined,
  status: STATUSES.find((status) => status === search.status),
})
