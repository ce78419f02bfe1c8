import type { Sql } from '../../db/connect.ts'
import type { InvoiceStatus } from './invoice-status.ts'

export type InvoiceKey = { platformId: string; id: string }

export type InvoiceChange = {
  from: readonly InvoiceStatus[]
  to: InvoiceStatus
  /** The payment that the invoice has before the change. Null: it has none. */
  paymentBefore: string | null
  paymentAfter: string | null
  eventId: string
  eventBody: string
  now: Date
}

/** Changes the status and writes the event: see `sql/change_invoice_status_v1.sql`. */
export async function changeInvoiceStatus(
  sql: Sql,
  { platformId, id }: InvoiceKey,
  change: InvoiceChange,
): Promise<{ changed: boolean; isDue: boolean | null }> {
  const [row] = await sql<{ changed: boolean; isDue: boolean | null }[]>`
    select changed, is_due
    from change_invoice_status_v1(
      ${platformId}, ${id}, ${change.from as InvoiceStatus[]}, ${change.to}, ${change.paymentBefore},
      ${change.paymentAfter}, ${change.eventId}, ${change.eventBody}, ${change.now}
    )
  `
  return row as { changed: boolean; isDue: boolean | null }
}
