import { formatAmount } from '../../foundation/core/money.ts'
import { printableLatin } from '../../foundation/lib/text/paper-text.ts'

/** The payer or payee as printed: a name and up to four address lines. */
export type PaperParty = { name: string; address: readonly string[] }

export type RemittanceItem = {
  id: string | null
  /** YYYY-MM-DD */
  date: string | null
  amountCents: number | null
  description: string | null
}

/** The account on which a check is drawn. */
export type PaperBank = {
  name: string | null
  routingNumber: string
  accountNumber: string
  /** The fractional routing number, as the bank prints it. Null: it is derived from the routing number. */
  fractionalRouting: string | null
}

/** Everything printed on a check and its voucher. */
export type PaperCheck = {
  number: string
  /** The sender's reference for the payment, if it differs from the check number. */
  reference: string | null
  /** YYYY-MM-DD */
  date: string
  amountCents: number
  sender: PaperParty
  recipient: PaperParty
  memo: string | null
  /** The payee as the bank's list of issued checks shows it. Null: the same as on the check. */
  listedPayee: string | null
  bank: PaperBank
  /** The signature as a JPEG, or as a PNG that `drawablePng` accepted, because pdfkit trusts the header of a PNG. */
  signature: Buffer | null
  /** The payees who endorsed the check to another one. Their endorsements are drawn on the back. */
  endorsements?: readonly { name: string; signature: Buffer | null }[]
  voidAfterDays: number
  /** The lines of a table, or a text that is printed unchanged. */
  remittanceAdvice: readonly RemittanceItem[] | string | null
  /** The text across a check that must not be cashed. Null for a real check. */
  mark: 'SPECIMEN' | 'NOT NEGOTIABLE' | null
  /** The creation time in the document. The same check gives the same bytes. */
  createdAt: Date
}

/** The maximum length of a payee's name. The name on a scanned check can be longer. */
export const MAX_PAYEE_LENGTH = 180

/** Returns the payee's name as printed on the check. The bank's lists contain the same text. */
export const payeeText = (name: string): string => printableLatin(name).slice(0, MAX_PAYEE_LENGTH).trimEnd()

/** Formats the amount in figures so that no digit can be added on either side: "$**125.50**". */
export const protectedAmount = (cents: number): string => `$**${formatAmount(cents)}**`

/** Formats a date for checks: 2026-01-31 becomes "01/31/2026". Other text is returned unchanged. */
export const usDate = (date: string): string => date.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1')

export const voidAfterText = (days: number): string => `Void after ${days} ${days === 1 ? 'day' : 'days'}`

/** The label for a payee's name that differs in the bank's list. */
export const LISTED_PAYEE = 'Payee on the bank’s list'
