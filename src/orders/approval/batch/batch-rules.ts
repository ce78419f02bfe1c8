import { withoutZeros } from '../../../foundation/core/account-number.ts'
import { csvForPeople } from '../../../foundation/lib/text/csv.ts'
import { type BulkRow, CSV_COLUMNS } from '../../../payments/payment/bulk/bulk-rules.ts'
import { addressLine } from '../../../payments/payment/payment-rules.ts'

/** The days within which a second payment to the same payee counts as a likely duplicate. Weekly payments do not. */
export const DUPLICATE_DAYS = 6

/** The maximum number of payments from these days that are compared. */
export const MAX_COMPARED = 20_000

/** The fields of a row that are stored as JSON. The account number is sealed in its own column. */
export type RowDetails = Omit<BulkRow, 'name' | 'amount' | 'account_number'>

/** Returns the recipient of a row in one line. */
export const recipientOf = ({ address }: Pick<BulkRow, 'address'>): string =>
  address.type === 'email' ? address.address : addressLine(address.address)

/** A row for comparison. Likely duplicates have the same recipient, amount and account. The account of one of them may be unknown. */
export type Comparable = { line: number; row: BulkRow }

/** Returns for each row the line of an earlier row that pays the same amount to the same payee, or null. */
export function duplicatesInFile(rows: readonly Comparable[]): (number | null)[] {
  const firstLines = new Map<string, number>()
  return rows.map(({ line, row }) => {
    const { amount, account_number: account, routing_number: routing } = row
    const key = [
      recipientOf(row).toLowerCase(),
      amount,
      withoutZeros(account ?? ''),
      account == null ? '' : routing,
    ].join('\n')
    const first = firstLines.get(key)
    if (first === undefined) firstLines.set(key, line)
    return first ?? null
  })
}

/** Returns a CSV file with the columns and one example for each way to pay. */
export const templateFile = (): string => {
  const examples: Partial<Record<(typeof CSV_COLUMNS)[number], string>>[] = [
    { name: 'Ann Smith', amount: '125.00', email: 'ann@example.com', description: 'Invoice 1001' },
    {
      ...{ name: 'Ben Jones', amount: '80.50', line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' },
      description: 'Mailed check',
    },
    {
      ...{ name: 'Corner Supply', amount: '1200.00', email: 'billing@example.com', routing_number: '021000021' },
      ...{ account_number: '1234567890', description: 'Into a bank account' },
    },
  ]
  return csvForPeople([
    [...CSV_COLUMNS],
    ...examples.map((example) => CSV_COLUMNS.map((column) => example[column] ?? '')),
  ])
}
