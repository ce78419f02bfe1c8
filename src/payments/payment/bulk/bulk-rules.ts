import { ApiError, type FieldErrors } from '../../../foundation/core/errors.ts'
import { parseCsv } from '../../../foundation/lib/text/csv.ts'
import { plainCell, readSheet, SEPARATORS, type Separator, separatorNames } from '../../../foundation/lib/text/sheet.ts'
import type { PostalAddress } from '../payment-rules.ts'
import { columnsOfExport } from './export-columns-rules.ts'
import { readSheetAmount } from './sheet-amount-rules.ts'

export const MAX_ROWS = 1_500

/** The columns of a CSV file. A row with a `line_1` is mailed. All other rows need an `email`. */
export const CSV_COLUMNS = [
  'name',
  'amount',
  'email',
  'line_1',
  'line_2',
  'city',
  'state',
  'zip',
  'country',
  'account_number',
  'routing_number',
  'description',
  'number',
] as const

type Column = (typeof CSV_COLUMNS)[number]

/** A validated row. */
export type BulkRow = {
  name: string
  amount: number
  address: { type: 'email'; address: string } | { type: 'physical'; address: PostalAddress }
  account_number?: string | null
  routing_number?: string | null
  description?: string | null
  number?: string | number | null
}

/** A row of a file. Rows of JSON are numbered from line 1, and rows of a CSV file from the line below its header. */
export type FileRow = {
  line: number
  value: unknown
  /** Problems in the text of the row, before validation. A problem of the whole row has the field ''. */
  problem?: FieldErrors
}

/** Reads a CSV file up to one row more than allowed. The rows are not validated. */
export function rowsOfCsv(content: string): { rows: FileRow[] } | { problem: string } {
  const { text, separator } = readSheet(content)
  const read = parseCsv(text, { maxRows: MAX_ROWS + 2, separator })
  if (read.rows === null) return { problem: `cannot be read: ${read.problem}` }
  const [header, ...rows] = read.rows.filter(({ fields }) => fields.some((field) => field.trim() !== ''))
  const columns = columnsOfExport((header?.fields ?? []).map((name) => plainCell(name).toLowerCase()))
  const unknown = columns.find((column) => column !== null && !isColumn(column))
  if (unknown != null) return { problem: unknownColumn(unknown, columns.indexOf(unknown)) }
  const named = columns.filter((column) => column !== null)
  if (new Set(named).size < named.length) return { problem: 'has a column twice' }
  const missing = (['name', 'amount'] as const).find((column) => !columns.includes(column))
  if (missing) return { problem: `has no column ${missing}. Its first line must name the columns` }
  return {
    rows: rows.map(({ line, fields }) => ({ line, ...rowOfFields(columns as (Column | null)[], fields, separator) })),
  }
}

/** Names an unknown column by its number. Its name is not quoted, because in a file without a header it can be an account number. */
const unknownColumn = (name: string, index: number): string =>
  /^[a-z_ ]{1,40}$/.test(name)
    ? `has the unknown column "${name}"`
    : `has an unknown column at position ${index + 1}. Its first line must name the columns`

const isColumn = (name: string): name is Column => (CSV_COLUMNS as readonly string[]).includes(name)

const ADDRESS_COLUMNS = ['line_1', 'line_2', 'city', 'state', 'zip', 'country'] as const

/** Converts the fields of a row to the form of JSON, without empty fields, and finds problems in their text. */
function rowOfFields(
  columns: readonly (Column | null)[],
  fields: readonly string[],
  separator: Separator,
): Omit<FileRow, 'line'> {
  const cells: Partial<Record<Column, string>> = {}
  columns.forEach((column, index) => {
    const cell = plainCell(fields[index] ?? '')
    if (cell && column) cells[column] = cell
  })
  const { amount: amountText, number, email } = cells
  const read = amountText === undefined ? null : readSheetAmount(amountText, separator)
  const others = ['name', 'account_number', 'routing_number', 'description'] as const
  const address = ADDRESS_COLUMNS.filter((column) => cells[column] !== undefined)
  const value = {
    ...pick(cells, others),
    ...(read?.amount !== undefined && { amount: read.amount }),
    ...(number !== undefined && { number: /^[1-9]\d{0,8}$/.test(number) ? Number(number) : number }),
    ...(address.length > 0 && {
      address: { type: 'physical', address: pick(cells, address), ...(email && { email }) },
    }),
    ...(address.length === 0 && { address: { type: 'email', ...(email && { address: email }) } }),
  }
  const problem = shapeProblem(columns.length, fields, separator)
  if (problem !== null) return { value, problem: { '': [problem] } }
  return read?.problem === undefined ? { value } : { value, problem: { amount: [read.problem] } }
}

/** Explains why the fields of a row do not fit the columns. */
function shapeProblem(columnCount: number, fields: readonly string[], separator: Separator): string | null {
  if (fields.slice(columnCount).some((field) => field.trim() !== '')) {
    return `has more fields than the header. A field with ${separator === '\t' ? 'a tab' : `“${separator}”`} must be in quotation marks`
  }
  const other = SEPARATORS.find((each) => each !== separator && fields[0]?.includes(each))
  return fields.length === 1 && columnCount > 1 && other
    ? `is separated by ${separatorNames[other]}, and the first line by ${separatorNames[separator]}`
    : null
}

const pick = (cells: Partial<Record<Column, string>>, columns: readonly Column[]) =>
  Object.fromEntries(columns.flatMap((column) => (cells[column] === undefined ? [] : [[column, cells[column]]])))

/** Returns the CSV column for a field of a row. */
export const columnOf = (field: string): string =>
  field === 'address.address' ? 'email' : field.replace(/^address\.(address\.)?/, '')

/** The texts of validation problems in a CSV file, whose author does not know the JSON fields. */
const CSV_WORDS: Record<string, string> = {
  'address.email is not a field of this request': 'must be empty in a row with a postal address',
}

export const inWordsOfCsv = (fields: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(fields).map(([field, texts]) => [field, texts.map((text) => CSV_WORDS[`${field} ${text}`] ?? text)]),
  )

/** The problems of one row, by field. */
export type RowProblem = { index: number; line: number; fields: FieldErrors }

const MAX_LINES_IN_MESSAGE = 50

/** Creates the error that names each bad row by its index in the file and by its line. */
export function invalidRows(
  problems: readonly RowProblem[],
  { isCsv, isSent }: { isCsv: boolean; isSent: boolean },
): ApiError {
  const lines = problems.map(({ line }) => line)
  const more = lines.length - MAX_LINES_IN_MESSAGE
  const named = lines.slice(0, MAX_LINES_IN_MESSAGE).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const [none, again] = isSent ? ['sent', 'send'] : ['saved', 'save']
  const message = `Nothing was ${none}, because ${lines.length === 1 ? `line ${named} has` : `lines ${named} have`} problems. Correct them and ${again} the file again.`
  const fields = problems.flatMap(({ index, line, fields }) =>
    Object.entries(fields).map(([field, texts]): [string, string[]] => [
      ['file', index, isCsv ? columnOf(field) : field].filter((part) => part !== '').join('.'),
      texts.map((text) => `line ${line}: ${text}`),
    ]),
  )
  return new ApiError('invalid_rows', { message, fields: Object.fromEntries(fields) })
}
