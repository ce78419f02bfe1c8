import type { LineKind } from './statement-types.ts'

const REFERENCE_COLUMNS = ['check', 'end_to_end', 'batch', 'trace', 'bank', 'customer', 'transaction'] as const
const COLUMNS = [
  ...['booked_on', 'value_on', 'amount', 'debit', 'credit', 'sign', 'balance'],
  ...['account', 'currency', 'code', 'name', 'text'],
  ...REFERENCE_COLUMNS,
] as const

export type CsvColumn = (typeof COLUMNS)[number]

export const DATE_FORMATS = ['YYYY-MM-DD', 'YYYYMMDD', 'MM/DD/YYYY', 'MM/DD/YY', 'DD/MM/YYYY', 'DD.MM.YYYY'] as const
export type DateFormat = (typeof DATE_FORMATS)[number]

/** The form in which a bank writes statements as CSV. Columns are found by their names, in any order. */
export type CsvMapping = {
  columns: Partial<Record<CsvColumn, string>>
  separator: ',' | ';' | '\t' | '|'
  dateFormat: DateFormat
  decimal: '.' | ','
  /** The account, if the file has no column for it. */
  account: string | null
  currency: string
  /** The words in the column `sign` that mean a debit. All other words mean a credit. */
  debitWords: string[]
  creditWords: string[]
  /** The kinds of lines for the codes of the bank. */
  kinds: Record<string, LineKind>
  /** The first words of lines that are not movements, such as `Total`. */
  ignoredLines: string[]
}

export const referenceColumns = REFERENCE_COLUMNS

export type MappingReading = { mapping: CsvMapping; problems: null } | { mapping: null; problems: string[] }

type Json = Record<string, unknown>

/** Reads a mapping from JSON. docs/statements.md describes its keys. */
export function readCsvMapping(value: unknown): MappingReading {
  if (!isObject(value)) return { mapping: null, problems: ['the mapping is no JSON object'] }
  const problems: string[] = []
  const known = [
    'columns',
    'separator',
    'date_format',
    'decimal',
    'account',
    'currency',
    'debit_words',
    'credit_words',
    'kinds',
    'ignored_lines',
  ]
  for (const key of Object.keys(value))
    if (!known.includes(key)) problems.push(`${key} is unknown. Known keys: ${known.join(', ')}`)
  const choice = <Option extends string>(key: string, options: readonly Option[], fallback: Option): Option => {
    const given = value[key] ?? fallback
    if (options.includes(given as Option)) return given as Option
    problems.push(`${key} must be one of ${options.map((one) => JSON.stringify(one)).join(', ')}`)
    return fallback
  }
  const mapping: CsvMapping = {
    columns: columnsOf(value.columns, problems),
    separator: choice('separator', [',', ';', '\t', '|'], ','),
    dateFormat: choice('date_format', DATE_FORMATS, 'YYYY-MM-DD'),
    decimal: choice('decimal', ['.', ','], '.'),
    account: typeof value.account === 'string' ? value.account : null,
    currency: typeof value.currency === 'string' ? value.currency : 'USD',
    debitWords: wordsOf(value, 'debit_words', problems),
    creditWords: wordsOf(value, 'credit_words', problems),
    kinds: isObject(value.kinds) ? (value.kinds as Record<string, LineKind>) : {},
    ignoredLines: wordsOf(value, 'ignored_lines', problems),
  }
  return problems.length > 0 ? { mapping: null, problems } : { mapping, problems: null }
}

function columnsOf(value: unknown, problems: string[]): CsvMapping['columns'] {
  if (!isObject(value)) {
    problems.push('columns is missing')
    return {}
  }
  for (const [key, name] of Object.entries(value)) {
    if (!(COLUMNS as readonly string[]).includes(key))
      problems.push(`columns.${key} is unknown. Known columns: ${COLUMNS.join(', ')}`)
    if (typeof name !== 'string' || name.trim() === '') problems.push(`columns.${key} must be the name of a column`)
  }
  if (!value.booked_on) problems.push('columns.booked_on is missing')
  if (!value.amount && !(value.debit && value.credit)) problems.push('columns needs amount, or debit and credit')
  return value as CsvMapping['columns']
}

function wordsOf(value: Json, key: string, problems: string[]): string[] {
  const words = value[key] ?? []
  if (Array.isArray(words) && words.every((word) => typeof word === 'string')) return words
  problems.push(`${key} must be a list of texts`)
  return []
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
