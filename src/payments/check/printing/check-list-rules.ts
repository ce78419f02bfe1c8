import {
  type CheckAction,
  type CheckLayout,
  type DatePattern,
  isDateField,
  isMoneyField,
  type ListColumn,
  type ListLayout,
} from '../../../foundation/core/check-layout.ts'
import { decimalAmount } from '../../../foundation/core/money.ts'
import { csvLine } from '../../../foundation/lib/text/csv.ts'
import { type ListedPayee, payeesInList } from './listed-payee-rules.ts'

/** One check in a list for the bank. Dates are YYYY-MM-DD, as on the check. */
export type CheckForBank = {
  action: CheckAction
  account: string
  number: number
  cents: number
  issuedOn: string
  payee: string
  stoppedOn: string | null
}

/** The time at which a file is made: YYYY-MM-DD and HHMMSS, in the time zone of the business. */
export type FileTime = { date: string; time: string }

/**
 * A list in the form of the bank. `lines`: the lines of the file, without their ends. `payees`: the payees whose names differ from those on
 * the checks.
 */
export type RenderedList = { lines: string[]; content: Buffer; payees: ListedPayee[] }

type Row = Readonly<Partial<Record<string, string>>>

/**
 * Writes a list of checks in the layout of the bank.
 *
 * @throws RangeError for a check number or account number that does not fit its column
 */
export function renderCheckList(
  layout: CheckLayout,
  list: ListLayout,
  { checks, at }: { checks: readonly CheckForBank[]; at: FileTime },
): RenderedList {
  const { style } = layout
  const payees = payeesInList(style, list)
  const lines = list.hasHeadings
    ? [
        csvLine(
          list.lines.map(({ name }) => name),
          style,
        ),
      ]
    : []
  const changed: ListedPayee[] = []
  let lineNumber = 0
  for (const block of blocksOf(list, checks)) {
    const totals = totalsOf(block, list, at)
    if (list.header.length > 0) lines.push(lineOf(layout, list.header, totals))
    for (const check of block) {
      const listed = payees(check.payee)
      lines.push(
        lineOf(layout, list.lines, { ...checkRow(check), ...listed.row, line_number: String(++lineNumber) }, check),
      )
      if (listed.isChanged) changed.push({ number: check.number, payee: check.payee, listed: listed.text })
    }
    if (list.trailer.length > 0) lines.push(lineOf(layout, list.trailer, totals))
  }
  const text = lines.map((line) => `${line}${style.lineEnd}`).join('')
  return { lines, content: Buffer.from(text, style.characters === 'utf-8' ? 'utf8' : 'latin1'), payees: changed }
}

/** Groups the checks by account if the header or trailer names the account. Each account then has its own header and trailer. */
function blocksOf({ header, trailer }: ListLayout, checks: readonly CheckForBank[]): CheckForBank[][] {
  if (![...header, ...trailer].some(({ field }) => field === 'account')) return [[...checks]]
  const accounts = new Set(checks.map(({ account }) => account))
  return [...accounts].map((account) => checks.filter((check) => check.account === account))
}

const checkRow = ({ account, number, cents, issuedOn, stoppedOn }: CheckForBank): Row => ({
  account,
  number: String(number),
  amount: String(cents),
  issue_date: issuedOn,
  stop_date: stoppedOn ?? '',
})

function totalsOf(checks: readonly CheckForBank[], { header, trailer }: ListLayout, { date, time }: FileTime): Row {
  const voids = checks.filter(({ action }) => action === 'void')
  const issues = checks.filter(({ action }) => action === 'issue' || action === 'add')
  const sumOf = (some: readonly CheckForBank[]) => String(some.reduce((sum, { cents }) => sum + cents, 0))
  return {
    account: checks[0]?.account ?? '',
    file_date: date,
    file_time: time,
    count: String(checks.length),
    sum: sumOf(checks),
    issue_count: String(issues.length),
    issue_sum: sumOf(issues),
    void_count: String(voids.length),
    void_sum: sumOf(voids),
    line_count: String(checks.length + Math.min(header.length, 1) + Math.min(trailer.length, 1)),
  }
}

function lineOf({ style }: CheckLayout, columns: readonly ListColumn[], row: Row, check?: CheckForBank): string {
  const values = columns.map((column) => fitted(column, cellOf(column, row, check)))
  if (style.form === 'csv') return csvLine(values, style)
  let line = ''
  for (const [index, { at }] of columns.entries()) line = line.padEnd(at - 1) + values[index]
  return line.padEnd(style.length ?? 0)
}

/** Returns the value of a column, without padding. */
function cellOf(column: ListColumn, row: Row, check: CheckForBank | undefined): string {
  const { field, text, codes, decimals, date } = column
  if (field === 'text') return text
  if (field === 'action') return check ? codeOf(codes, check.action) : ''
  const value = row[field] ?? ''
  if (isMoneyField(field)) return decimals === 'implied' ? value : decimalAmount(Number(value))
  return isDateField(field) ? dateText(value, date) : value
}

const codeOf = (codes: ListColumn['codes'], action: CheckAction): string =>
  codes[action] ?? (action === 'add' ? codes.issue : undefined) ?? ''

/** Formats a date in a pattern. @param date YYYY-MM-DD, or empty */
export function dateText(date: string, pattern: DatePattern): string {
  if (date === '') return ''
  const [year = '', month = '', day = ''] = date.split('-')
  return pattern.replace('YYYY', year).replace('YY', year.slice(2)).replace('MM', month).replace('DD', day)
}

/** Fits a value to the width of its column. @throws RangeError */
function fitted({ field, width, align, pad }: ListColumn, given: string): string {
  if (width === null) return given
  const value = field === 'account' && given.length > width ? given.replace(/^0+/, '') : given
  if (value.length > width) {
    throw new RangeError(
      `The column ${field} of the layout of check lists holds ${width} characters, and a value has ${value.length}.`,
    )
  }
  if (pad === '') return value
  return align === 'right' ? value.padStart(width, pad) : value.padEnd(width, pad)
}
