import Papa from 'papaparse'
import { plainCell, protectedCell, readSheet, type Separator } from '../../../../src/foundation/lib/text/sheet.ts'
import { columnsOfExport } from '../../../../src/payments/payment/bulk/export-columns-rules.ts'

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

/** The names of columns in files of other programs. */
const synonyms: Partial<Record<Column, string[]>> = {
  name: ['payee', 'payee_name', 'recipient', 'vendor', 'full_name', 'to'],
  amount: ['total', 'sum', 'amount_usd', 'payment_amount', 'usd'],
  email: ['e_mail', 'email_address', 'e_mail_address', 'mail', 'recipient'],
  line_1: ['street', 'address', 'address_1', 'address_line_1', 'line1'],
  line_2: ['address_2', 'address_line_2', 'street_2', 'line2'],
  zip: ['zip_code', 'postal_code', 'zipcode', 'postcode'],
  account_number: ['account', 'account_no', 'bank_account'],
  routing_number: ['routing', 'aba', 'routing_no'],
  description: ['memo', 'note', 'for', 'reference'],
  number: ['check_number', 'check_no', 'no', 'number'],
}

export type SourceFile = { name: string; separator: Separator; heads: string[]; rows: string[][] }

export const MAX_ROWS = 1_500

/** Reads a CSV file whose first line names the columns. @returns the file, or a text that says what is wrong with it */
export async function readSource(file: File): Promise<SourceFile | string> {
  const text = decoded(new Uint8Array(await file.arrayBuffer()))
  if (text.includes('\0')) return 'This is not a CSV file. In a spreadsheet program, save the sheet as CSV.'
  const { text: sheet, separator } = readSheet(text)
  const { data, errors } = Papa.parse<string[]>(sheet, { skipEmptyLines: 'greedy', delimiter: separator })
  const [heads = [], ...rows] = data
  const quote = errors.find(({ type }) => type === 'Quotes')
  if (quote) return `Cannot read row ${quote.row ?? 0}: a quotation mark is not closed, or is inside of a cell.`
  const long = rows.findIndex((row) => row.slice(heads.length).some((cell) => cell.trim() !== ''))
  if (long !== -1) return `Cannot read row ${long + 1}: it has more cells than the first line. ${QUOTE_COMMAS}`
  if (rows.length === 0) return 'This file has no rows below its first line, which must name the columns.'
  if (rows.length > MAX_ROWS) {
    return `This file has ${rows.length.toLocaleString('en-US')} rows. A batch has at most 1,500: split the file.`
  }
  return { name: file.name, separator, heads: heads.map(plainCell), rows }
}

const QUOTE_COMMAS = 'Put a cell that has a comma in quotation marks.'

/** Decodes a file in UTF-8, UTF-16 or Windows-1252, which older programs write. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The batch column for each column of a file, or null if the file's column is ignored. */
export type Mapping = (Column | null)[]

/** Guesses the columns from the names in a file. Each column is used once, and its own name is preferred to synonyms. */
export function guessMapping(heads: readonly string[]): Mapping {
  const names = heads.map((head) =>
    head
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_|_$/g, ''),
  )
  const known = columnsOfExport(names)
  const own = known.map((name) => columns.find((column) => column === name))
  const taken = new Set<Column | undefined>(own)
  return known.map((name, place) => {
    const column = own[place] ?? columns.find((each) => !taken.has(each) && name && synonyms[each]?.includes(name))
    taken.add(column)
    return column ?? null
  })
}

/** A row of a file: its permanent number, counted from 1, and its cells. */
export type FileRow = { number: number; cells: Partial<Record<Column, string>> }

export function readRows({ rows }: SourceFile, mapping: Mapping): FileRow[] {
  const all = rows.map((row, index): FileRow => {
    const cells = mapping.flatMap((column, place) => (column ? [[column, plainCell(row[place] ?? '')]] : []))
    return { number: index + 1, cells: Object.fromEntries(cells) }
  })
  return all.filter(({ cells }) => Object.values(cells).some((cell) => cell !== ''))
}

/** Writes rows as CSV for the service. It keeps the separator of the file, by which the service interprets amounts. */
export function writeCsv(rows: readonly FileRow[], separator: Separator): string {
  const used = columns.filter(
    (column) => ['name', 'amount', 'email'].includes(column) || rows.some(({ cells }) => cells[column]),
  )
  return Papa.unparse(
    { fields: used, data: rows.map(({ cells }) => used.map((column) => protectedCell(cells[column] ?? ''))) },
    { delimiter: separator },
  )
}

/** Describes the destination of a row in one line. */
export const destinationText = ({ cells }: FileRow): string => {
  const street = [cells.line_1, cells.line_2, cells.city, [cells.state, cells.zip].filter(Boolean).join(' ')]
  const account = cells.account_number && `account ending in ${cells.account_number.slice(-4)}`
  return [cells.line_1 ? street.filter(Boolean).join(', ') : cells.email, account].filter(Boolean).join(' · ')
}
