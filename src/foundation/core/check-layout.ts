// How a bank wants the lists of checks: those that it may pay, those that it must not pay, and those that it has paid.

export const LIST_FORMS = ['csv', 'fixed'] as const
export type ListForm = (typeof LIST_FORMS)[number]

export const LINE_ENDS = ['crlf', 'lf'] as const
export const QUOTES = ['when_needed', 'always', 'never'] as const
export const CHARACTERS = ['utf-8', 'latin-1', 'ascii', 'letters-digits'] as const
export type ListCharacters = (typeof CHARACTERS)[number]

/** What happened to a check. `add`: it was issued outside a print file, because its recipient prints it. */
export const CHECK_ACTIONS = ['issue', 'add', 'void', 'stop'] as const
export type CheckAction = (typeof CHECK_ACTIONS)[number]

export const DATE_PATTERNS = [
  ...['YYYY-MM-DD', 'YYYY/MM/DD', 'YYYYMMDD', 'YYMMDD', 'YY/MM/DD'],
  ...['MM/DD/YYYY', 'MM-DD-YYYY', 'MM/DD/YY', 'MM-DD-YY', 'MMDDYYYY', 'MMDDYY'],
] as const
export type DatePattern = (typeof DATE_PATTERNS)[number]

/** Fields of a line about one check that goes to the bank. */
export const CHECK_FIELDS = [
  ...['account', 'number', 'amount', 'issue_date', 'stop_date', 'payee', 'payee_rest', 'action', 'line_number'],
] as const
/** Fields of a header or trailer. `line_count` includes headers and trailers. */
export const TOTAL_FIELDS = [
  ...['account', 'file_date', 'file_time', 'count', 'sum', 'issue_count', 'issue_sum', 'void_count', 'void_sum'],
  'line_count',
] as const
/** Fields of a line about one check that the bank has paid. */
export const PAID_FIELDS = ['number', 'amount', 'account', 'date', 'status', 'other'] as const

export const LIST_FIELDS = [...new Set([...CHECK_FIELDS, ...TOTAL_FIELDS, ...PAID_FIELDS, 'text' as const])]
export type ListField = (typeof LIST_FIELDS)[number]

export const isDateField = (field: ListField): boolean =>
  ['issue_date', 'stop_date', 'file_date', 'date'].includes(field)
export const isMoneyField = (field: ListField): boolean => field === 'amount' || field.endsWith('sum')
export const isCountField = (field: ListField): boolean => field.endsWith('count')
export const isPayeeField = (field: ListField): boolean => field === 'payee' || field === 'payee_rest'
/** Whether the value of a field consists of digits, so that zeros may stand before it and never after it. */
export const isDigitField = (field: ListField): boolean =>
  isMoneyField(field) || isCountField(field) || ['account', 'number', 'line_number'].includes(field)

/** One column of a line. `at`: its first character, from 1; 0 in a CSV file. `width`: null in a CSV column of any length. */
export type ListColumn = {
  field: ListField
  /** The heading of a CSV column. */
  name: string
  at: number
  width: number | null
  align: 'left' | 'right'
  /** One character. Empty: the column is not padded. */
  pad: string
  isUpperCase: boolean
  date: DatePattern
  /** `implied`: 1250.00 is 125000. */
  decimals: 'point' | 'implied'
  /** Whether a text that is too long ends after a whole word. */
  cutsAtWord: boolean
  codes: Partial<Record<CheckAction, string>>
  text: string
}

/** The lines of one list. Empty columns: it has no header or trailer. `hasHeadings`: the first line names the columns. */
export type ListLayout = {
  hasHeadings: boolean
  header: readonly ListColumn[]
  lines: readonly ListColumn[]
  trailer: readonly ListColumn[]
}

/** How lines are written. */
export type ListStyle = {
  form: ListForm
  separator: ',' | ';' | '\t' | '|'
  quotes: (typeof QUOTES)[number]
  lineEnd: '\r\n' | '\n'
  characters: ListCharacters
  /** Replaces a character that the bank does not have. */
  unknown: string
  /** Lines of a fixed form are filled with spaces to this length. Null: they end with their last column. */
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
  /** The most checks of one file. */
  checksPerFile: number
  issueFile: ListLayout
  stopFile: ListLayout
  /** Null: the bank's list has a line with the usual headings. */
  paidList: PaidListLayout | null
}

/** The most checks of a list, unless the layout says less. */
export const CHECKS_PER_LIST = 1_000

/** The layouts in the folder `layouts`, named after their form. */
export const SHIPPED_LAYOUTS = ['csv-with-headings', 'csv-with-totals', 'fixed-with-totals'] as const
export const DEFAULT_LAYOUT = 'csv-with-headings' satisfies (typeof SHIPPED_LAYOUTS)[number]
