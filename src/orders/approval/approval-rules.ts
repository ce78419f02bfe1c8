import type { DepositOption } from '../../money/rail/rail-rules.ts'
import type { PostalAddress, RecipientInput } from '../../payments/payment/payment-rules.ts'
import type { GivenLine } from '../../payments/payment/payment-types.ts'
import type { UserKey } from '../../people/user/user-store.ts'

/** How many approvals of a user can be open. Runs of subscriptions may exceed it. */
export const MAX_OPEN_APPROVALS = 1_000

/** How many of them can be batches, which have up to 1,500 payments each. */
export const MAX_OPEN_BATCHES = 20

/** An approval expires after so many days. */
export const APPROVAL_DAYS = 30

export const APPROVAL_KINDS = ['DIGITAL', 'PHYSICAL', 'MULTI', 'BATCH', 'INVOICE'] as const
export type ApprovalKind = (typeof APPROVAL_KINDS)[number]

/** How the payment of an invoice names its payee, and the account that it is paid into. */
export type InvoicedPayee = { recipient: RecipientInput; account: string }

/** The part of an order that only its payment reads. */
export type OrderDetails = {
  /** Empty: of a batch or an invoice. */
  recipient: RecipientInput | PostalAddress
  invoice?: InvoicedPayee
  /** Of a payment to several recipients, without their PINs. */
  recipients?: { name: string; recipient: string; endorse_only?: boolean | null }[]
  deposit_options?: DepositOption[] | null
  remittance_advice?: GivenLine[] | string | null
  mail_type?: string | null
  /** The users that these were when it was prepared or edited last. */
  payees?: (UserKey | null)[]
  /** Of a batch: how many payments it has. */
  rows?: number
  /** Changes with each edit. */
  version?: string
}
