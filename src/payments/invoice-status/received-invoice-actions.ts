import type { TxDeps } from '../../foundation/db/deps.ts'
import type { InvoiceKey } from './invoice-change-store.ts'
import { claimInvoice, insertReceivedInvoice, updateReceivedInvoice } from './received-invoice-store.ts'

/** A message from the sender's platform to the platform of the account. */
type InvoiceMessage = { targetPlatformId: string; subjectId: string; position: number; content: object }

const keyOf = ({ targetPlatformId: platformId, subjectId: invoiceId }: InvoiceMessage) => ({ platformId, invoiceId })

export const copyInvoice = ({ sql }: TxDeps, message: InvoiceMessage): Promise<void> =>
  insertReceivedInvoice(sql, keyOf(message), message)

export const changeCopiedInvoice = ({ sql }: TxDeps, message: InvoiceMessage): Promise<void> =>
  updateReceivedInvoice(sql, keyOf(message), message)

/** Adds an invoice that was mailed to an address to the account that verified the address. */
export async function addInvoiceToAccount(deps: TxDeps, invoice: InvoiceKey, accountPlatformId: string): Promise<void> {
  if (await claimInvoice(deps.sql, invoice, accountPlatformId)) deps.afterCommit(deps.wake)
}
