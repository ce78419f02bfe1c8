import type { Transitions } from '../../foundation/lib/transitions.ts'

export const INVOICE_STATUSES = ['UNPAID', 'IN_PROCESS', 'PAID', 'VOID'] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

export const invoiceTransitions = {
  // event      may leave                    leads to           specification.md 5.11
  pay: { from: ['UNPAID'], to: 'IN_PROCESS' }, // its payment is IN_PROCESS
  receive: { from: ['UNPAID'], to: 'PAID' }, //                 from wallet to wallet: at once
  settle: { from: ['IN_PROCESS'], to: 'PAID' }, //              its payment is PAID
  reopen: { from: ['IN_PROCESS', 'PAID'], to: 'UNPAID' }, //    its payment ended without paying
  void: { from: ['UNPAID'], to: 'VOID' }, // by its sender, or because its sender is deleted
} as const satisfies Transitions<InvoiceStatus>

export type InvoiceEvent = keyof typeof invoiceTransitions

/** The event of an invoice for each status of its payment. */
export const invoiceEventByPaymentStatus: Readonly<Record<string, InvoiceEvent>> = {
  PAID: 'settle',
  FAILED: 'reopen',
  REFUNDED: 'reopen',
  VOID: 'reopen',
  EXPIRED: 'reopen',
}
