import { printableLatin } from './paper-text-rules.ts'

/** Who pays or is paid, as it stands on the paper: a name, and up to four lines of address. */
export type PaperParty = { name: string; address: readonly string[] }

export type RemittanceItem = {
  id: string | null
  /** YYYY-MM-DD */
  date: string | null
  amountCents: number | null
  description: string | null
}

/** The account that a check is drawn on. */
export type PaperBank = {
  name: string | null
  routingNumber: string
  accountNumber: string
  /** The routing number as a fraction, as the bank prints it; null: derived from the routing number. */
  fractionalRouting: string | null
}

/** Everything that stands on a check and its voucher. */
export type PaperCheck = {
  number: string
  /** What the sender calls the payment, where that is not the number of the check. */
  reference: string | null
  /** YYYY-MM-DD */
  date: string
  amountCents: number
  sender: PaperParty
  recipient: PaperParty
  memo: string | null
  bank: PaperBank
  /** A JPEG, or a PNG that `drawablePng` has let through: pdfkit believes what a PNG says of itself. */
  signature: Buffer | null
  voidAfterDays: number
  /** Lines of a table, or a text that is set as it is. */
  remittanceAdvice: readonly RemittanceItem[] | string | null
  /** Printed across a check that nobody may cash; null: the check is real. */
  mark: 'SPECIMEN' | 'NOT NEGOTIABLE' | null
  /** When the document was made. The same check gives the same bytes. */
  createdAt: Date
}

/** A longer name, which letters of other scripts can grow to, does not fit on a check. */
const MAX_PAYEE_LENGTH = 180

/** The payee as it stands on the check. What a bank is told about the check says the same. */
export const payeeText = (name: string): string => printableLatin(name).slice(0, MAX_PAYEE_LENGTH).trimEnd()

/** 123456 cents are "1,234.56". */
export function dollarsText(cents: number): string {
  const [dollars, fraction] = (Math.abs(cents) / 100).toFixed(2).split('.') as [string, string]
  return `${cents < 0 ? '-' : ''}${dollars.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`
}

/** The amount in figures, closed at both ends so that no digit can be added: "$**125.50**". */
export const protectedAmount = (cents: number): string => `$**${dollarsText(cents)}**`

/** 2026-01-31 is "01/31/2026". What is no such date stays as it is. */
export const usDate = (date: string): string => date.replace(/^(\d{4})-(\d\d)-(\d\d)$/, '$2/$3/$1')

export const voidAfterText = (days: number): string => `Void after ${days} ${days === 1 ? 'day' : 'days'}`

/**
 * The routing number as a fraction, the form that people key when the MICR line cannot be read: 021200025 is "2/212". In
 * front of it banks print a prefix for their city or state ("55-2/212"), which no routing number tells.
 */
export function fractionalRouting(routingNumber: string): string {
  const [symbol, institution] = [routingNumber.slice(0, 4), routingNumber.slice(4, 8)]
  return `${Number(institution)}/${Number(symbol)}`
}

/** Whether a fraction, with or without a prefix, is that of a routing number. */
export function isFractionOf(fraction: string, routingNumber: string): boolean {
  const [, institution, symbol] = /^(?:\d{1,2}-)?(\d{1,4})\/(\d{1,4})$/.exec(fraction) ?? []
  return `${Number(institution)}/${Number(symbol)}` === fractionalRouting(routingNumber)
}
