import { isCalendarDate } from '../../foundation/lib/clock.ts'
import { splitLine } from '../../foundation/lib/text/loose-row.ts'
import { decimalsOf, readDecimal } from './amount-text-rules.ts'
import { type CsvColumn, type CsvMapping, type DateFormat, referenceColumns } from './csv-mapping-rules.ts'
import { type OpenStatement, openStatement } from './statement-tally-rules.ts'
import type { Emit, ReadOptions, StatementBalance, StatementLine, StatementReader } from './statement-types.ts'
import { FrameProblem, readLines, type TextLine } from './text-line-rules.ts'

/** The maximum line number of the header. */
const MAX_HEADER_LINE = 50
/**
 * The maximum number of lines in one row. A quoted field can contain line ends, and this limits the damage of a misplaced quotation mark.
 */
const MAX_ROW_LINES = 20

/**
 * Reads CSV with the columns of a mapping. A new statement begins whenever the account changes. @throws FrameProblem if there is no header
 */
export function createCsvReader(emit: Emit, options: ReadOptions & { mapping: CsvMapping }): StatementReader {
  return readLines(new CsvReading(emit, options))
}

type Places = Partial<Record<CsvColumn, number>>
type Row = { fields: string[]; line: number }

/** A movement with the balance after it. The first and the last one give the balances at both ends of the file. */
type Step = { on: string; cents: number; balanceCents: number }

class CsvReading {
  private readonly emit: Emit
  private readonly mapping: CsvMapping
  private readonly today: string
  private places: Places | null = null
  private width = 0
  private readonly rowsBefore: Row[] = []
  private waiting: TextLine[] = []
  private statement: OpenStatement | null = null
  private first: Step | null = null
  private last: Step | null = null

  constructor(emit: Emit, { mapping, today }: ReadOptions & { mapping: CsvMapping }) {
    this.emit = emit
    this.mapping = mapping
    this.today = today
  }

  take(line: TextLine): void {
    const lines = [...this.waiting, line]
    const text = lines.map((one) => one.text).join('\n')
    const { readings, isOpen } = splitLine(text, this.mapping.separator)
    if (isOpen && this.places && lines.length < MAX_ROW_LINES) {
      this.waiting = lines
      return
    }
    this.waiting = []
    // If a quotation mark is never closed, it affects only its own line.
    if (isOpen && lines.length > 1)
      for (const one of lines) this.takeFields(splitLine(one.text, this.mapping.separator).readings[0] ?? [], one.line)
    else this.takeFields(readings[0] ?? [], lines[0]?.line ?? line.line)
  }

  end(): void {
    for (const one of this.waiting)
      this.takeFields(splitLine(one.text, this.mapping.separator).readings[0] ?? [], one.line)
    if (!this.places) throw new FrameProblem('line 1', this.noHeader())
    this.closeStatement()
  }

  private noHeader(): string {
    const names = Object.values(this.mapping.columns)
    return `no line in the first ${MAX_HEADER_LINE} has all columns of the mapping: ${names.join(', ')}`
  }

  private takeFields(fields: string[], line: number): void {
    if (fields.every((field) => field.trim() === '')) return
    if (this.places) {
      if (!this.isIgnored({ fields, line })) this.takeRow({ fields, line })
      return
    }
    this.places = placesOf(fields, this.mapping)
    this.width = fields.length
    if (!this.places && line >= MAX_HEADER_LINE) throw new FrameProblem('line 1', this.noHeader())
    if (!this.places) {
      this.rowsBefore.push({ fields, line })
      return
    }
    if (fields.some((field) => /^[+-]?\d[\d.,]*$/.test(field.trim()))) {
      const message = 'the line with the names of the columns has amounts, so it may contain a movement'
      this.emit({ type: 'problem', problem: { scope: 'file', place: `line ${line}`, message } })
    }
    // Banks write their name above the header. A movement above the header is a problem, because it would be lost.
    for (const row of this.rowsBefore.splice(0)) if (typeof this.lineOf(row) !== 'string') this.takeRow(row)
  }

  /** Returns whether a line is no movement: its first field or, without an amount, its text begins with words of the mapping. */
  private isIgnored(row: Row): boolean {
    const hasAmount = (['amount', 'debit', 'credit'] as const).some((column) => this.field(row, column) !== '')
    const begins = [row.fields[0]?.trim() ?? '', hasAmount ? '' : this.field(row, 'text')]
    return this.mapping.ignoredLines.some((word) => begins.some((text) => text.startsWith(word)))
  }

  private takeRow(row: Row): void {
    const account = this.field(row, 'account') || this.mapping.account
    const statement = this.statementOf(account, row)
    const place = `line ${row.line}`
    const isTooLong = row.fields.slice(this.width).some((field) => field.trim() !== '')
    // Some banks leave out empty fields at the end. A column of the mapping must not be missing.
    const isTooShort = row.fields.length <= Math.max(...Object.values(this.places ?? {}))
    if (isTooLong || isTooShort) {
      statement.lose(place, `the line has ${row.fields.length} fields, and the header has ${this.width}`)
      return
    }
    const read = this.lineOf(row)
    if (typeof read === 'string') statement.lose(place, read)
    else {
      this.followBalance(read, this.field(row, 'balance'), place)
      statement.take(read)
    }
  }

  private field({ fields }: Row, column: CsvColumn): string {
    const at = this.places?.[column]
    return at === undefined ? '' : (fields[at]?.trim() ?? '')
  }

  private statementOf(account: string | null, { line }: Row): OpenStatement {
    if (this.statement && this.statement.head.account === account) return this.statement
    this.closeStatement()
    this.statement = openStatement(
      {
        place: `line ${line}`,
        kind: 'statement',
        action: 'new',
        isCopy: false,
        account,
        currency: this.mapping.currency,
        day: null,
        dayProblem: null,
        id: null,
        sequence: null,
        page: null,
      },
      this.emit,
    )
    if (!account)
      this.emit({
        type: 'problem',
        problem: {
          scope: 'statement',
          place: `line ${line}`,
          message: 'neither the file nor the mapping names the account',
        },
      })
    return this.statement
  }

  /** Reads one row. @returns its line, or the reason why it has none */
  private lineOf(row: Row): StatementLine | string {
    const bookedOn = readDate(this.field(row, 'booked_on'), this.mapping.dateFormat)
    if (bookedOn === null) return `the date cannot be read: it should be ${this.mapping.dateFormat}`
    if (bookedOn > this.today) return `the date, ${bookedOn}, is in the future`
    const currency = this.field(row, 'currency') || this.mapping.currency
    if (currency !== this.mapping.currency) return 'the line has another currency than its account'
    const amount = this.amountOf(row)
    if (amount.cents === null) return amount.problem
    const code = this.field(row, 'code')
    const references = referenceColumns
      .map((column) => [column, this.field(row, column)])
      .filter(([, text]) => text !== '')
    return {
      place: `line ${row.line}`,
      status: 'booked',
      bookedOn,
      valueOn: readDate(this.field(row, 'value_on'), this.mapping.dateFormat),
      cents: amount.cents,
      currency,
      code,
      kind: this.mapping.kinds[code] ?? 'unknown',
      references: Object.fromEntries(references),
      name: this.field(row, 'name') || null,
      text: this.field(row, 'text'),
      isReversal: false,
      batch: null,
      details: [],
      charges: [],
      returnReason: null,
    }
  }

  /**
   * Returns the amount of a row. A file has one signed amount, one amount with a word for its direction, or one column for each direction.
   */
  private amountOf(row: Row): { cents: number; problem: null } | { cents: null; problem: string } {
    if (this.mapping.columns.amount) {
      const read = this.readAmount(this.field(row, 'amount'))
      if (read.cents === null || !this.mapping.columns.sign) return read
      const word = this.field(row, 'sign')
      const sign = this.mapping.debitWords.includes(word) ? -1 : this.mapping.creditWords.includes(word) ? 1 : null
      if (sign === null) return { cents: null, problem: 'the word for credit or debit is not in the mapping' }
      if (read.cents < 0)
        return { cents: null, problem: 'the amount has a sign, and another column says credit or debit' }
      return { cents: read.cents === 0 ? 0 : sign * read.cents, problem: null }
    }
    const [debit, credit] = [this.field(row, 'debit'), this.field(row, 'credit')]
    const zero = (text: string) => text === '' || /^0*[.,]?0*$/.test(text)
    if (zero(debit) === zero(credit) && !(zero(debit) && debit + credit !== ''))
      return { cents: null, problem: 'the line needs an amount in one of the columns for debits and credits' }
    const read = this.readAmount(zero(debit) ? credit || debit : debit)
    if (read.cents === null) return read
    return { cents: zero(debit) || read.cents === 0 ? read.cents : -Math.abs(read.cents), problem: null }
  }

  private readAmount(text: string): ReturnType<typeof readDecimal> {
    const { decimal, currency } = this.mapping
    const value = text.replace(/^([+-]?)\$/, '$1').replace(/^\((.*)\)$/, '-$1')
    return readDecimal(value, decimalsOf(currency) ?? 2, { decimal, thousands: decimal === '.' ? ',' : '.' })
  }

  private followBalance(line: StatementLine, text: string, place: string): void {
    if (text === '' || line.bookedOn === null) return
    const { cents, problem } = this.readAmount(text)
    if (cents === null) {
      this.emit({
        type: 'problem',
        problem: { scope: 'field', place, message: problem.replace('the amount', 'the balance') },
      })
      return
    }
    this.last = { on: line.bookedOn, cents: line.cents, balanceCents: cents }
    this.first ??= this.last
  }

  private closeStatement(): void {
    this.statement?.close({ balances: balancesOf(this.first, this.last), isComplete: true })
    this.statement = null
    this.first = null
    this.last = null
  }
}

/** Returns the positions of the mapped columns in a header line. Returns null if the line does not contain them all. */
function placesOf(fields: readonly string[], { columns }: CsvMapping): Places | null {
  const plain = (text: string) => text.trim().toLowerCase()
  const names = fields.map(plain)
  const found = Object.entries(columns).map(([column, name]) => [column, names.indexOf(plain(name))] as const)
  return found.some(([, at]) => at === -1) ? null : (Object.fromEntries(found) as Places)
}

/** Returns the balances. Banks list the newest line either first or last. */
function balancesOf(first: Step | null, last: Step | null): StatementBalance[] {
  if (!first || !last) return []
  const [early, late] = first.on <= last.on ? [first, last] : [last, first]
  return [
    { kind: 'opening', code: 'first', cents: early.balanceCents - early.cents, on: early.on },
    { kind: 'closing', code: 'last', cents: late.balanceCents, on: late.on },
  ]
}

function readDate(text: string, format: DateFormat): string | null {
  const marks = format.replace(/[YMD]/g, '')
  const order = format
    .replace(/[^YMD]+/g, ' ')
    .replace('YYYYMMDD', 'YYYY MM DD')
    .split(' ')
  const pattern = order.map((part) => `(\\d{${part.startsWith('YYYY') || marks === '' ? part.length : `1,2`}})`)
  const [, ...parts] = new RegExp(`^${pattern.join(marks === '' ? '' : `\\${marks.charAt(0)}`)}$`).exec(text) ?? []
  const part = (letter: string) => parts[order.findIndex((one) => one.startsWith(letter))] ?? ''
  const date = `${part('Y').padStart(4, '20')}-${part('M').padStart(2, '0')}-${part('D').padStart(2, '0')}`
  return parts.length === 3 && isCalendarDate(date) ? date : null
}
