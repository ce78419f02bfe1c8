import type { Rail } from '../rail/rail-rules.ts'
import type { ReturnCode } from '../rail/return-code-rules.ts'
import type { PaymentStatus } from './payment-status.ts'

export type RemittanceLine = { id?: string; date?: string; amount?: number; description?: string }

/** What a payment is drawn on, and what it is paid into. */
export type FundingKind = 'bank' | 'wallet'
export type DestinationKind = 'bank' | 'wallet' | 'card' | 'paypal' | 'venmo' | 'interac' | 'wire'

export type PaymentRow = {
  platformId: string
  id: string
  senderId: string
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
  description: string | null
  comment: string | null
  remittanceAdvice: RemittanceLine[] | null
  depositOptions: string[]
  /** Of the application that made it, if one did. */
  grantId: string | null
  status: PaymentStatus
  rail: Rail | null
  returnCode: ReturnCode | null
  depositedAt: Date | null
  /** When a failed payment whose money is here goes back to its sender. */
  refundAt: Date | null
  expiresAt: Date
  createdAt: Date
  updatedAt: Date
}

export type PaymentKey = { platformId: string; paymentId: string }
