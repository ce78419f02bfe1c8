import type { SortType } from '../../foundation/db/paging.ts'

/** The sort fields of the list. */
export const invoiceSorts = {
  NUMBER: 'text',
  TYPE: 'text',
  AMOUNT: 'bigint',
  STATUS: 'text',
  DATE: 'timestamptz',
  UPDATE: 'timestamptz',
  DESCRIPTION: 'text',
} as const satisfies Record<string, SortType>

export type InvoiceSort = keyof typeof invoiceSorts

/** Days until each reminder to a person without an account, counted from the previous mail. */
export const REMINDER_DAYS = [7, 7, 14] as const

/** An invoice is OUTGOING for its sender, who is paid, and INCOMING for its recipient, who pays. */
export type Direction = 'INCOMING' | 'OUTGOING'
