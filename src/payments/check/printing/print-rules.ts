import { decimalAmount } from '../../../foundation/core/money.ts'
import { csvForMachine } from '../../../foundation/lib/text/csv.ts'
import { payeeText } from '../../drawing/paper-check-rules.ts'
import { addressCells } from '../../payment/paper-rules.ts'
import type { PostalAddress } from '../../payment/payment-rules.ts'

/** The maximum number of checks in a print file. One transaction draws them and locks their payments. */
export const CHECKS_PER_FILE = 50

/** A check of a print file. `page` is its page in the PDF, counted from 1. */
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

/** Formats the manifest of a print file: the list of its checks for the printer. */
export const manifestOf = (checks: readonly PrintedCheck[]): string =>
  csvForMachine([
    MANIFEST_COLUMNS,
    ...checks.map(({ paymentId, number, name, address, cents, mailType, page }) => [
      paymentId,
      String(number),
      payeeText(name),
      ...addressCells(address),
      decimalAmount(cents),
      mailType,
      String(page),
    ]),
  ])

/** Returns the name that operators see for a check file. */
export const fileNameOf = (kind: 'print' | 'issue' | 'stop', id: string): string => `${kind}-${id}`
