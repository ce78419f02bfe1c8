import Papa from 'papaparse'

/** The columns of a batch with their names on the page. */
export const columnNames = {
  name: 'Payee',
  amount: 'Amount',
  email: 'Email',
  line_1: 'Street',
  line_2: 'Street, second line',
  city: 'City',
  state: 'State',
  zip: 'ZIP code',
  country: 'Country',
  account_number: 'Account number',
  routing_number: 'Routing number',
  description: 'Description',
  number: 'Check number',
} as const

export type Column = keyof typeof columnNames

export const columns = Object.keys(columnNames) as Column[]

/** What other programs call the columns. */
const synonyms: Partial<Record<Column, string[]>> = {
  name: ['payee', 'payee_name', 'recipient', 'vendor', 'full_name', 'to'],
  amount: ['total', 'sum', 'amount_usd', 'payment_amount', 'usd'],
  email: ['e_mail', 'email_address', 'e_mail_address', 'mail'],
  line_1: ['street', 'address', 'address_1', 'address_line_1', 'line1'],
  line_2: ['address_2', 'address_line_2', 'street_2', 'line2'],
  zip: ['zip_code', 'postal_code', 'zipcode', 'postcode'],
  account_number: ['account', 'account_no', 'bank_account'],
  routing_number: ['routing', 'aba', 'routing_no'],
  description: ['memo', 'note', 'for', 'reference'],
  number: ['check_number', 'check_no', 'no', 'number'],
}

export type SourceFile = { name: string; heads: string[]; rows: string[][] }

export const MAX_ROWS = 1_500

/** Reads a CSV file whose first line names the columns. @returns what is wrong with it, or the file */
export async function readSource(file: File): Promise<SourceFile | string> {
  const { data } = Papa.parse<string[]>(await file.text(), { skipEmptyLines: 'greedy' })
  const [heads = [], ...rows] = data
  if (rows.length === 0) return 'This file has no rows below its first line, which must name the columns.'
  if (rows.length > MAX_ROWS) {
    return `This file has ${rows.length.toLocaleString('en-US')} rows. A batch has at most 1,500: split the file.`
  }
  return { name: file.name, heads: heads.map((head) => head.trim()), rows }
}

/** The column of each place of a file, or null if it is ignored. */
export type Mapping = (Column | null)[]

/** The columns that the names in a file stand for. Each column is taken once. */
export function guessMapping(heads: readonly string[]): Mapping {
  const taken = new Set<Column>()
  return heads.map((head) => {
    const plain = head
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, '')
    const column = columns.find((each) => !taken.has(each) && (each === plain || synonyms[each]?.includes(plain)))
    if (column) taken.add(column)
    return column ?? null
  })
}

/** A row of a file: its number from 1, which it keeps, and its cells. */
export type FileRow = { number: number; cells: Partial<Record<Column, string>> }

export function rowsOf({ rows }: SourceFile, mapping: Mapping): FileRow[] {
  const all = rows.map((row, index): FileRow => {
    const cells = mapping.flatMap((column, place) => (column ? [[column, cellOf(column, row[place] ?? '')]] : []))
    return { number: index + 1, cells: Object.fromEntries(cells) }
  })
  return all.filter(({ cells }) => Object.values(cells).some((cell) => cell !== ''))
}

/** Amounts may have a dollar sign and commas, which a batch does not take. */
const cellOf = (column: Column, cell: string): string =>
  column === 'amount' && /^\$?\s*[\d,]+(\.\d*)?$/.test(cell.trim()) ? cell.replace(/[$,\s]/g, '') : cell.trim()

/** Rows as the service reads them. */
export function csvOf(rows: readonly FileRow[]): string {
  const used = columns.filter(
    (column) => ['name', 'amount', 'email'].includes(column) || rows.some(({ cells }) => cells[column]),
  )
  return Papa.unparse({ fields: used, data: rows.map(({ cells }) => used.map((column) => cells[column] ?? '')) })
}

/** Where a row goes, in one line. */
export const destinationOf = ({ cells }: FileRow): string => {
  const street = [cells.line_1, cells.line_2, cells.city, [cells.state, cells.zip].filter(Boolean).join(' ')]
  const account = cells.account_number && `account ending in ${cells.account_number.slice(-4)}`
  return [cells.line_1 ? street.filter(Boolean).join(', ') : cells.email, account].filter(Boolean).join(' · ')
}
