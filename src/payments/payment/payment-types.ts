import type { Rail } from '../../money/rail/rail-rules.ts'
import type { ReturnCode } from '../../money/rail/return-code-rules.ts'
import type { PaymentStatus } from './payment-status.ts'

export type RemittanceLine = { id?: string; date?: string; amount?: number; description?: string }

/** A line of remittance advice in a request. A null cell counts as omitted. */
export type GivenLine = { [Cell in keyof RemittanceLine]: RemittanceLine[Cell] | null }

/** The source of an order: the dashboard, an API key, an application, a subscription or autopay, or a batch. */
export const ORDER_SOURCES = ['WEB', 'API', 'APPLICATION', 'RECURRING', 'BATCH'] as const
export type OrderSource = (typeof ORDER_SOURCES)[number]

/** The kinds of accounts that a payment is drawn on or paid into. */
export type FundingKind = 'bank' | 'wallet'
export type DestinationKind = 'bank' | 'wallet' | 'card' | 'paypal' | 'venmo' | 'interac' | 'wire' | 'vcc'

export type PaymentRow = {
  platformId: string
  id: string
  senderId: string
  /**
   * The kind of the payment. MULTI has several recipients (`payment_recipients`), and `recipientId` is the one who deposits it. SCANNED is
   * a check that arrived in a mailbox. Its sender and its recipient are the user, and its bank is the account of the drawer.
   */
  kind: 'DIGITAL' | 'PHYSICAL' | 'MULTI' | 'SCANNED'
  number: string
  numberIsText: boolean
  amountCents: number
  name: string
  recipient: string
  recipientPlatformId: string | null
  recipientId: string | null
  fundingKind: FundingKind
  fundingId: string
  destinationKind: DestinationKind | null
  destinationId: string | null
  /** The platform of the account that receives the money. Null: the recipient's platform. */
  destinationPlatformId: string | null
  description: string | null
  comment: string | null
  remittanceAdvice: RemittanceLine[] | null
  depositOptions: string[]
  /** The invoice that the payment pays. */
  invoiceId: string | null
  /** The grant of the application that created the payment. */
  grantId: string | null
  status: PaymentStatus
  rail: Rail | null
  returnCode: ReturnCode | null
  depositedAt: Date | null
  /** The time at which the money of a failed payment is returned to the sender. */
  refundAt: Date | null
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
}

/** The columns of a payment that every list and every answer shows. */
export type ShownPayment = Pick<
  PaymentRow,
  | 'id'
  | 'number'
  | 'numberIsText'
  | 'amountCents'
  | 'name'
  | 'recipient'
  | 'description'
  | 'comment'
  | 'status'
  | 'createdAt'
>

export type PaymentKey = { platformId: string; paymentId: string }
