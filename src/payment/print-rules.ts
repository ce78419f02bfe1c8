import { MAX_AMOUNT_CENTS } from '../lib/money.ts'
import type { PostalAddress } from './payment-rules.ts'
import { csvOf } from './print-csv-rules.ts'

/** Drawn in one transaction, which holds their payments. */
export const CHECKS_PER_FILE = 50
export const STOPS_PER_FILE = 1_000

/** A check of a file for the printer; `page` is where it is in the PDF, from 1. */
export type PrintedCheck = {
  paymentId: string
  number: number
  name: string
  address: PostalAddress
  cents: number
  mailType: string
  page: number
}

const MANIFEST_COLUMNS = 'payment,number,payee,line_1,line_2,city,state,zip,country,amount,mail_type,page'.split(',')

/** What the printer is told of each check of a PDF. */
export const manifestOf = (checks: readonly PrintedCheck[]): string =>
  csvOf([
    MANIFEST_COLUMNS,
    ...checks.map(({ paymentId, number, name, address, cents, mailType, page }) => [
      paymentId,
      String(number),
      name,
      address.line_1,
      address.line_2 ?? '',
      address.city,
      address.state,
      address.zip,
      address.country ?? '',
      plainAmount(cents),
      mailType,
      String(page),
    ]),
  ])

/** A check that the bank must not pay any more. */
export type StoppedCheck = { accountLast4: string; number: number; cents: number; stoppedOn: string }

export const stopListOf = (checks: readonly StoppedCheck[]): string =>
  csvOf([
    ['account_last4', 'number', 'amount', 'date'],
    ...checks.map(({ accountLast4, number, cents, stoppedOn }) => [
      accountLast4,
      String(number),
      plainAmount(cents),
      stoppedOn,
    ]),
  ])

/** 123456 cents are 1234.56: for programs. */
const plainAmount = (cents: number): string => (cents / 100).toFixed(2)

/** Cents of an amount as banks write it, which has both decimals; null for anything else. */
export function centsOfAmount(text: string): number | null {
  if (!/^\$?(\d{1,10}|\d{1,3}(,\d{3}){1,3})\.\d\d$/.test(text)) return null
  const cents = Number(text.replace(/\D/g, ''))
  return cents > 0 && cents <= MAX_AMOUNT_CENTS ? cents : null
}

/** Banks fill numbers of checks and accounts up with zeros, each in its own way. */
export const withoutZeros = (text: string): string => (/^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text)

/** What operators call a file of checks. */
export const fileNameOf = (kind: 'print' | 'stop', id: string): string => `${kind}-${id}`
