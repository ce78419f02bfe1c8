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
  /** The routing number as a fraction, as the bank prints it. Null derives it from the routing number. */
  fractionalRouting: string | null
}

/** Everything printed on a check and its voucher. */
export type PaperCheck = {
  number: string
  /** The sender's name for the payment, if it differs from the check number. */
  reference: string | null
  /** YYYY-MM-DD */
  date: string
  amountCents: number
  sender: PaperParty
  recipient: PaperParty
  memo: string | null
  /** The payee as the bank's list of issued checks has it. Null: as on the check. */
  listedPayee: string | null
  bank: PaperBank
  /** A JPEG, or a PNG that `drawablePng` accepted: pdfkit trusts a PNG's header. */
  signature: Buffer | null
  /** The payees who endorsed the check for another one, drawn on its back. */
  endorsements?: readonly { name: string; signature: Buffer | null }[]
  voidAfterDays: number
  /** Lines of a table, or text that is printed as it is. */
  remittanceAdvice: readonly RemittanceItem[] | string | null
  /** Printed across a check that must not be cashed. Null for a real check. */
  mark: 'SPECIMEN' | 'NOT NEGOTIABLE' | null
  /** When the document was created. The same check gives the same bytes. */
  createdAt: Date
}

/** The most letters of a payee. The name of a scanned check can be longer. */
export const MAX_PAYEE_LENGTH = 180

/** The payee as printed on the check. The bank's lists contain the same text. */
export const payeeText = (name: string): string => printableLatin(name).slice(0, MAX_PAYEE_LENGTH).trimEnd()

/** The amount in figures, closed at both ends so that no digit can be added: "$**125.50**". */
export const protectedAmount = (cents: number): string => `$**${formatAmount(cents)}**`

/** 2026-01-31 becomes "01/31/2026". Other text is returned unchanged. */
export const usDate = (date: string): string => date.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1')

export const voidAfterText = (days: number): string => `Void after ${days} ${days === 1 ? 'day' : 'days'}`

/** The label of a payee that the bank's list has otherwise than the check. */
export const LISTED_PAYEE = 'Payee on the bank’s list'
