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

/** Days after which a person outside who has not paid is reminded, each counted from the mail before. */
export const REMINDER_DAYS = [7, 7, 14] as const

/** An invoice is OUTGOING for its sender, who is paid, and INCOMING for its recipient, who pays. */
export type Direction = 'INCOMING' | 'OUTGOING'
