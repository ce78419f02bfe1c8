import { amountText, decimalsOf, readWholeCents } from './amount-text-rules.ts'
import { typeCodeOf } from './bai2-code-rules.ts'
import { type AccountFields, fundsLength, readAccountFields, readBai2Date } from './bai2-field-rules.ts'
import { type Bai2Record, createRecordAssembler, detailFieldsOf, fieldsOf, isRecord } from './bai2-record-rules.ts'
import { type OpenStatement, openStatement } from './statement-tally-rules.ts'
import type {
  Emit,
  ProblemScope,
  ReadOptions,
  References,
  StatementAction,
  StatementKind,
  StatementLine,
  StatementReader,
} from './statement-types.ts'
import { FrameProblem, readLines, type TextLine } from './text-line-rules.ts'

/** The sums and counts that are compared with the trailer of an account, a group or the file. */
type Counted = { line: number; records: number; parts: number; totalCents: number; currencies: Set<string> }

type FileState = Counted & { version: string; id: string | null }
type GroupState = Counted & {
  day: string | null
  dayProblem: string | null
  currency: string
  kind: StatementKind
  action: StatementAction
}
type AccountState = Counted & { fields: AccountFields; statement: OpenStatement }

const ACTIONS: Readonly<Record<string, StatementAction>> = {
  '1': 'new',
  '2': 'deletion',
  '3': 'correction',
  '4': 'test',
}

/** The kinds of statements by as-of-date modifier. With 1 and 3, the day has not ended. */
const KINDS: Readonly<Record<string, StatementKind>> = { '1': 'interim', '3': 'interim' }

/** The number of lines at the beginning that may have any content before the file counts as another format. */
const FIRST_LINES = 5

/** Reads BAI2, and files that name version 3 (BTRS). @throws FrameProblem if the file has another format */
export function createBai2Reader(emit: Emit, options: ReadOptions): StatementReader {
  return readLines(new Bai2Reading(emit, options))
}

/** The state of reading a file, with its open group and account. */
class Bai2Reading {
  private file: FileState | null = null
  private group: GroupState | null = null
  private account: AccountState | null = null
  private isEnded = false
  private hasRecords = false
  private readonly linesBefore: TextLine[] = []
  private readonly emit: Emit
  private readonly today: string
  private readonly assembler = createRecordAssembler(
    (record) => this.takeRecord(record),
    ({ line, message }) => this.tell('line', line, message),
  )

  constructor(emit: Emit, { today }: ReadOptions) {
    this.emit = emit
    this.today = today
  }

  take(line: TextLine): void {
    if (!this.hasRecords && !isRecord(line.text)) {
      if (line.text.trim() !== '') this.linesBefore.push(line)
      if (this.linesBefore.length < FIRST_LINES) return
      throw new FrameProblem('line 1', 'the file is not BAI2: its lines do not begin with the code of a record')
    }
    this.hasRecords = true
    for (const one of [...this.linesBefore.splice(0), line]) this.assembler.write(one)
  }

  end(): void {
    this.assembler.end()
    if (!this.file) throw new FrameProblem('line 1', 'the file has no records of BAI2')
    if (!this.isEnded) this.leaveFile('the file has no end (99), so a part of it may be missing')
  }

  private tell(scope: ProblemScope, line: number, message: string): void {
    this.emit({ type: 'problem', problem: { scope, place: `line ${line}`, message } })
  }

  private takeRecord(record: Bai2Record): void {
    if (record.code === '01') {
      this.beginFile(record)
      return
    }
    if (!this.file) this.tell('file', record.line, 'the file does not begin with its header (01)')
    if (this.isEnded) this.tell('file', record.line, 'a record after the end of the file (99)')
    this.file ??= { ...beginning(record), records: 0, version: '2', id: null }
    for (const one of [this.file, this.group, this.account]) if (one) one.records += record.count
    if (record.code === '02') this.beginGroup(record)
    if (record.code === '03') this.beginAccount(record)
    if (record.code === '16') this.takeDetail(record)
    if (record.code === '49') this.endAccount(record)
    if (record.code === '98') this.endGroup(record)
    if (record.code === '99') this.endFile(record)
  }

  private beginFile(record: Bai2Record): void {
    if (this.file && !this.isEnded) this.leaveFile('the file has no end (99)')
    const fields = fieldsOf(record)
    const version = fields[7] ?? ''
    if (version !== '2' && version !== '3')
      this.tell('field', record.line, 'the file header names another version than 2 and 3')
    this.file = { ...beginning(record), version, id: fields[4] || null }
    this.isEnded = false
  }

  private beginGroup(record: Bai2Record): void {
    if (this.group) this.leaveGroup()
    const [, , status = '', date = '', , currency = '', modifier = ''] = fieldsOf(record)
    const day = readBai2Date(date)
    const action = ACTIONS[status]
    if (!action) this.tell('statement', record.line, 'the status of the group is none of 1 to 4')
    this.group = {
      ...beginning(record),
      currency,
      day: day !== null && day <= this.today ? day : null,
      dayProblem: dayProblemOf(day, this.today),
      kind: KINDS[modifier] ?? 'statement',
      action: action ?? 'new',
    }
  }

  private beginAccount(record: Bai2Record): void {
    const { line } = record
    if (this.account) this.leaveAccount()
    if (!this.group) this.tell('statement', line, 'an account outside of a group (02)')
    const { day = null, dayProblem = null } = this.group ?? {}
    const fields = readAccountFields(fieldsOf(record), day)
    // In BTRS, a group has no currency, so an account has no default currency.
    const currency = fields.currency || this.group?.currency || (this.file?.version === '3' ? '' : 'USD')
    const head = {
      place: `line ${line}`,
      kind: this.group?.kind ?? 'statement',
      action: this.group?.action ?? 'new',
      isCopy: false,
      account: fields.account || null,
      currency: currency || null,
      day,
      dayProblem,
      id: this.file?.id ?? null,
      sequence: null,
      page: null,
    }
    this.account = {
      ...beginning(record),
      totalCents: fields.totalCents,
      fields,
      statement: openStatement(head, this.emit),
    }
    if (currency !== '') for (const one of [this.file, this.group, this.account]) one?.currencies.add(currency)
    if (dayProblem !== null) this.tell('statement', this.group?.line ?? line, dayProblem)
    if (fields.account === '') this.tell('statement', line, 'the account has no number')
    if (decimalsOf(currency) === null)
      this.tell('statement', line, 'the currency of the account is missing or no code of three letters')
    for (const message of fields.problems) this.tell('statement', line, message)
  }

  private takeDetail(record: Bai2Record): void {
    if (!this.account) {
      this.tell('line', record.line, 'a transaction (16) outside of an account (03)')
      return
    }
    const { statement } = this.account
    const read = readDetail(record, statement.head)
    if (read.line === null) {
      statement.lose(`line ${record.line}`, read.problem)
      return
    }
    for (const message of read.problems) this.tell('field', record.line, message)
    this.account.totalCents += Math.abs(read.line.cents)
    statement.take(read.line)
  }

  private endAccount(record: Bai2Record): void {
    if (!this.account) {
      this.tell('statement', record.line, 'the end of an account (49) without its beginning (03)')
      return
    }
    this.compare(record, { counted: this.account, parts: null, above: this.group })
    this.closeAccount({ isComplete: true })
  }

  private endGroup(record: Bai2Record): void {
    if (this.account) this.leaveAccount()
    if (!this.group) {
      this.tell('file', record.line, 'the end of a group (98) without its beginning (02)')
      return
    }
    this.compare(record, { counted: this.group, parts: 'accounts', above: this.file })
    this.closeGroup()
  }

  private endFile(record: Bai2Record): void {
    if (this.group || this.account) this.leaveGroup()
    if (this.file) this.compare(record, { counted: this.file, parts: 'groups', above: null })
    this.isEnded = true
  }

  /** Compares a trailer with the content that was read: control total, number of parts, number of records. */
  private compare(record: Bai2Record, { counted, parts, above }: Comparison): void {
    const [total = '', ...counts] = fieldsOf(record)
    const scope = record.code === '49' ? 'statement' : 'file'
    const tell = (message: string) => this.tell(scope, record.line, message)
    const { cents, problem } = readWholeCents(total)
    const difference = (cents ?? 0) - counted.totalCents
    if (problem !== null) tell(`control total: ${problem}`)
    else if (difference !== 0)
      tell(`the control total differs from the amounts by ${amountText(difference, onlyOne(counted.currencies))}`)
    const records = parts === null ? counts[0] : counts[1]
    if (parts !== null && numberOf(counts[0]) !== counted.parts)
      tell(`${counted.parts} ${parts} were read, and the trailer has another number`)
    if (numberOf(records) !== counted.records)
      tell(`${counted.records} records were read, and the trailer has another number`)
    if (above) above.totalCents += cents ?? counted.totalCents
  }

  private closeAccount({ isComplete }: { isComplete: boolean }): void {
    const { balances, totals } = this.account?.fields ?? { balances: [] }
    this.account?.statement.close({ balances, ...(totals && { totals }), isComplete })
    this.account = null
    if (this.group) this.group.parts++
  }

  private closeGroup(): void {
    this.group = null
    if (this.file) this.file.parts++
  }

  /** Ends an account that has no trailer. */
  private leaveAccount(): void {
    if (this.account) this.tell('statement', this.account.line, 'the account has no end (49)')
    this.closeAccount({ isComplete: false })
  }

  private leaveGroup(): void {
    if (this.account) this.leaveAccount()
    if (this.group) this.tell('file', this.group.line, 'the group has no end (98)')
    this.closeGroup()
  }

  private leaveFile(message: string): void {
    if (this.group || this.account) this.leaveGroup()
    if (this.file) this.tell('file', this.file.line, message)
  }
}

/** The input for comparing a trailer. `parts`: the name of the parts that the trailer counts. `above`: the counts of the level above. */
type Comparison = { counted: Counted; parts: 'accounts' | 'groups' | null; above: Counted | null }

const beginning = ({ line, count }: Bai2Record): Counted => ({
  ...{ line, records: count, parts: 0, totalCents: 0, currencies: new Set() },
})

/** Returns the only currency of some amounts, or null if there are several. */
const onlyOne = (currencies: ReadonlySet<string>): string | null =>
  currencies.size === 1 ? ([...currencies][0] ?? null) : null

/** Explains why the day of a group is not used, or returns null. `day`: null if it cannot be read. */
function dayProblemOf(day: string | null, today: string): string | null {
  if (day === null) return 'the date of its group cannot be read: it should be YYMMDD'
  return day > today ? `its day, ${day}, is in the future` : null
}

const numberOf = (text = ''): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null)

type DetailReading = { line: StatementLine; problems: string[] } | { line: null; problem: string }

/** Reads one transaction. */
function readDetail(
  record: Bai2Record,
  { day, currency }: { day: string | null; currency: string | null },
): DetailReading {
  const { head, text } = detailFieldsOf(record, (fields) => 5 + (fundsLength(fields, 2) ?? 0))
  const [code = '', amount = '', funds = ''] = head
  if (!/^\d{3}$/.test(code)) return { line: null, problem: 'the type code of the transaction is not three digits' }
  const { sign, kind, hasCheckNumber } = typeCodeOf(code)
  if (sign === null)
    return { line: null, problem: `the type code ${code} does not say whether it is a credit or a debit` }
  const { cents, problem } = sign === 0 && amount === '' ? { cents: 0, problem: null } : readWholeCents(amount)
  if (cents === null) return { line: null, problem }
  if (/^-/.test(amount))
    return { line: null, problem: 'the amount has a sign, but its type code already says credit or debit' }
  const problems: string[] = []
  const length = fundsLength(head, 2)
  if (length === null) problems.push('the funds type is unknown, so the references may be in the text')
  const valueOn = funds === 'V' ? readBai2Date(head[3] ?? '') : null
  if (funds === 'V' && valueOn === null) problems.push('the value date cannot be read: it should be YYMMDD')
  const [bank = '', customer = ''] = head.slice(3 + (length ?? 0))
  return {
    problems,
    line: {
      place: `line ${record.line}`,
      status: 'booked',
      bookedOn: day,
      valueOn,
      // Without this, a debit of 0 would be a negative zero.
      cents: cents === 0 ? 0 : (sign || 1) * cents,
      currency,
      code,
      kind,
      references: referencesOf({ bank, customer, hasCheckNumber }),
      name: null,
      text,
      isReversal: false,
      batch: null,
      details: [],
      charges: [],
      returnReason: null,
    },
  }
}

function referencesOf({
  bank,
  customer,
  hasCheckNumber,
}: {
  bank: string
  customer: string
  hasCheckNumber: boolean
}): References {
  return {
    ...(bank !== '' && { bank }),
    ...(customer !== '' && (hasCheckNumber ? { check: customer.replace(/^0+(?=\d)/, '') } : { customer })),
  }
}
