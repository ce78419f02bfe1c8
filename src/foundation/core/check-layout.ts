// The layouts of check lists, as each bank defines them: the lists of issued, stopped and paid checks.

export const LIST_FORMS = ['csv', 'fixed'] as const
export type ListForm = (typeof LIST_FORMS)[number]

export const LINE_ENDS = ['crlf', 'lf'] as const
export const QUOTES = ['when_needed', 'always', 'never'] as const
export const CHARACTERS = ['utf-8', 'latin-1', 'ascii', 'letters-digits'] as const
export type ListCharacters = (typeof CHARACTERS)[number]

/** The events of a check that a list can report. `add`: the check was issued outside a print file, because its recipient prints it. */
export const CHECK_ACTIONS = ['issue', 'add', 'void', 'stop'] as const
export type CheckAction = (typeof CHECK_ACTIONS)[number]

export const DATE_PATTERNS = [
  ...['YYYY-MM-DD', 'YYYY/MM/DD', 'YYYYMMDD', 'YYMMDD', 'YY/MM/DD'],
  ...['MM/DD/YYYY', 'MM-DD-YYYY', 'MM/DD/YY', 'MM-DD-YY', 'MMDDYYYY', 'MMDDYY'],
] as const
export type DatePattern = (typeof DATE_PATTERNS)[number]

/** The fields of a line about one check, for the bank. */
export const CHECK_FIELDS = [
  ...['account', 'number', 'amount', 'issue_date', 'stop_date', 'payee', 'payee_rest', 'action', 'line_number'],
] as const
/** Fields of a header or trailer. `line_count` includes headers and trailers. */
export const TOTAL_FIELDS = [
  ...['account', 'file_date', 'file_time', 'count', 'sum', 'issue_count', 'issue_sum', 'void_count', 'void_sum'],
  'line_count',
] as const
/** The fields of a line in which the bank reports one paid check. */
export const PAID_FIELDS = ['number', 'amount', 'account', 'date', 'status', 'other'] as const

export const LIST_FIELDS = [...new Set([...CHECK_FIELDS, ...TOTAL_FIELDS, ...PAID_FIELDS, 'text' as const])]
export type ListField = (typeof LIST_FIELDS)[number]

export const isDateField = (field: ListField): boolean =>
  ['issue_date', 'stop_date', 'file_date', 'date'].includes(field)
export const isMoneyField = (field: ListField): boolean => field === 'amount' || field.endsWith('sum')
export const isCountField = (field: ListField): boolean => field.endsWith('count')
export const isPayeeField = (field: ListField): boolean => field === 'payee' || field === 'payee_rest'
/** Returns whether the value of a field consists of digits. Zeros may be put before such a value, never after it. */
export const isDigitField = (field: ListField): boolean =>
  isMoneyField(field) || isCountField(field) || ['account', 'number', 'line_number'].includes(field)

/**
 * One column of a line. `at`: the position of its first character, counted from 1, or 0 in a CSV file. `width`: the number of characters,
 * or null in a CSV column of any length.
 */
export type ListColumn = {
  field: ListField
  /** The heading of a CSV column. */
  name: string
  at: number
  width: number | null
  align: 'left' | 'right'
  /** The character that fills the column. If it is empty, the column is not padded. */
  pad: string
  isUpperCase: boolean
  date: DatePattern
  /** `implied`: the last two digits are cents without a decimal point, so 1250.00 is written as 125000. */
  decimals: 'point' | 'implied'
  /** Whether a text that is too long ends after a whole word. */
  cutsAtWord: boolean
  codes: Partial<Record<CheckAction, string>>
  text: string
}

/**
 * The lines of one list. If there are no columns for a header or trailer, the list has none. `hasHeadings`: the first line names the
 * columns.
 */
export type ListLayout = {
  hasHeadings: boolean
  header: readonly ListColumn[]
  lines: readonly ListColumn[]
  trailer: readonly ListColumn[]
}

/** The form of all lines of a list. */
export type ListStyle = {
  form: ListForm
  separator: ',' | ';' | '\t' | '|'
  quotes: (typeof QUOTES)[number]
  lineEnd: '\r\n' | '\n'
  characters: ListCharacters
  /** Replaces the characters that the bank cannot read. */
  unknown: string
  /** The length to which lines with fixed columns are filled with spaces. Null: lines end with their last column. */
  length: number | null
}

/** A list of paid checks. `style` is the form in which the bank writes it. `datePattern` null: dates have any usual form. */
export type PaidListLayout = ListLayout & {
  style: Pick<ListStyle, 'form' | 'separator'>
  datePattern: DatePattern | null
  hasImpliedCents: boolean
}

export type CheckLayout = {
  style: ListStyle
  /** The maximum number of checks in one file. */
  checksPerFile: number
  issueFile: ListLayout
  stopFile: ListLayout
  /** The layout of the bank's list of paid checks. Null: its first line has the usual headings, by which the columns are found. */
  paidList: PaidListLayout | null
}

/** The maximum number of checks in a list, unless the layout sets a lower one. */
export const CHECKS_PER_LIST = 1_000

/** The layouts in the folder `layouts`, named after their form. */
export const SHIPPED_LAYOUTS = ['csv-with-headings', 'csv-with-totals', 'fixed-with-totals'] as const
export const DEFAULT_LAYOUT = 'csv-with-headings' satisfies (typeof SHIPPED_LAYOUTS)[number]
