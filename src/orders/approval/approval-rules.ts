import type { DepositOption } from '../../money/rail/rail-rules.ts'
import type { PostalAddress, RecipientInput } from '../../payments/payment/payment-rules.ts'
import type { GivenLine } from '../../payments/payment/payment-types.ts'
import type { UserKey } from '../../people/user/user-store.ts'

/** The maximum number of open approvals of a user. Runs of subscriptions may exceed it. */
export const MAX_OPEN_APPROVALS = 1_000

/** The maximum number of open batches of a user. Each has up to 1,500 payments. */
export const MAX_OPEN_BATCHES = 20

/** The number of days after which an approval expires. */
export const APPROVAL_DAYS = 30

export const APPROVAL_KINDS = ['DIGITAL', 'PHYSICAL', 'MULTI', 'BATCH', 'INVOICE'] as const
export type ApprovalKind = (typeof APPROVAL_KINDS)[number]

/** The payee of an invoice, and the account that receives the money. */
export type InvoicedPayee = { recipient: RecipientInput; account: string }

/** The fields of an order that are stored as JSON, because only its payment uses them. */
export type OrderDetails = {
  /** Empty for a batch, and for a payment for an invoice. */
  recipient: RecipientInput | PostalAddress
  invoice?: InvoicedPayee
  /** The recipients of a payment to several, without their PINs. */
  recipients?: { name: string; recipient: string; endorse_only?: boolean | null }[]
  deposit_options?: DepositOption[] | null
  remittance_advice?: GivenLine[] | string | null
  mail_type?: string | null
  /** The user of each recipient at the time of the last edit. Null for a recipient without a user. */
  payees?: (UserKey | null)[]
  /** The number of payments of a batch. */
  rows?: number
  /** The version, which changes with each edit. */
  version?: string
}

/** The version of an approval that a person saw. Without a version, the current one is used. */
export type Seen = { id: string; version?: string | null | undefined }
