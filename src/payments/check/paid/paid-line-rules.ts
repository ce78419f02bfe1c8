import type { PaidHeader } from './paid-column-rules.ts'
import { lengthProblem, splitRow } from './paid-layout-rules.ts'
import { alignFields } from './paid-row-rules.ts'
import {
  plainValue,
  type ReadAccount,
  type ReadAmount,
  type ReadDate,
  readAccount,
  readAmountAs,
  readCheckNumber,
  readDateAs,
} from './paid-value-rules.ts'

/** A line as it is in the file. `number` counts from 1. */
export type FramedLine = { number: number; text: string }

/**
 * A line of the table, read without the other lines. Readable values are present even if `problem` explains why the line cannot be used.
 * `account` is null if this line names none. `cents` has the possible readings of the amount.
 */
export type PaidLine = {
  line: FramedLine
  account: ReadAccount | null
  number: number | null
  cents: readonly number[]
  /** Whether a separator in the line may belong to the amount. */
  isAmountUncertain: boolean
  isNegative: boolean
  /** The day of the payment (YYYY-MM-DD). Null in a list without dates. */
  paidOn: string | null
  /** Whether the line has as many fields as the header, so that each value is in its column. */
  hasAllFields: boolean
  isOrderKnown: boolean
  isDayFirst: boolean
  problem: string | null
  /** The bank's status of the check, if it is not "paid". */
  listedAs: string | null
}

/** Returns a check that a bank statement books, as a line. */
export const bookedLine = (
  line: FramedLine,
  { account, number, cents, paidOn }: { account: string | null; number: number; cents: number; paidOn: string | null },
): PaidLine => ({
  line,
  account: account === null ? null : { digits: account, isSuffix: false },
  number,
  cents: [cents],
  isAmountUncertain: false,
  isNegative: false,
  paidOn,
  hasAllFields: true,
  isOrderKnown: true,
  isDayFirst: false,
  problem: null,
  listedAs: null,
})

/** Reads a line of the table. The problem never quotes the line, because it can contain an account number. */
export function readLine(line: FramedLine, header: PaidHeader): PaidLine {
  const lines = splitRow(line.text, header).readings.flatMap((fields) => {
    if (header.fixed) return [fixedLine(line, fields, header)]
    const hasAllFields = fields.length === header.width
    return alignFields(fields, header.width, header.separator).map((aligned) => ({
      ...lineOf(line, aligned, header),
      hasAllFields,
    }))
  })
  const usable = lines.filter(({ problem }) => problem === null)
  const [first = unreadableLine(line, 'it has too many fields')] = usable.length > 0 ? usable : lines
  if (!usable.every((one) => isSameItem(one, first))) return { ...first, problem: 'it can be read in several ways' }
  // The amount of the named check later decides which reading is right.
  const cents = [...new Set(usable.flatMap((one) => one.cents))]
  return usable.length > 0 && cents.length > first.cents.length ? { ...first, cents, isAmountUncertain: true } : first
}

/** Reads a line with fixed columns. If there is any problem, its values may belong to other columns. */
function fixedLine(line: FramedLine, fields: readonly string[], header: PaidHeader): PaidLine {
  const one = lineOf(line, fields, header)
  const problem = lengthProblem(line.text, header.fixed ?? []) ?? one.problem
  return { ...one, problem, hasAllFields: problem === null }
}

const isSameItem = (one: PaidLine, other: PaidLine): boolean => {
  const valuesOf = ({ account, number, paidOn, listedAs }: PaidLine) => [account, number, paidOn, listedAs]
  return JSON.stringify(valuesOf(one)) === JSON.stringify(valuesOf(other))
}

export const unreadableLine = (line: FramedLine, problem: string): PaidLine => ({
  line,
  account: null,
  number: null,
  cents: [],
  isAmountUncertain: false,
  isNegative: false,
  paidOn: null,
  hasAllFields: false,
  isOrderKnown: true,
  isDayFirst: false,
  problem,
  listedAs: null,
})

function lineOf(line: FramedLine, fields: readonly string[], header: PaidHeader): Omit<PaidLine, 'hasAllFields'> {
  const { columns, forms } = header
  const field = (at: number | null) => (at === null ? '' : (fields[at] ?? ''))
  const account = columns.account === null ? null : readAccount(field(columns.account))
  const number = readCheckNumber(field(columns.number))
  const amount = readAmountAs(field(columns.amount), forms)
  const date = columns.date === null ? null : readDateAs(field(columns.date), forms.datePattern)
  const words = columns.status.map((at) => plainValue(field(at)).toLowerCase())
  const listedAs = words.find((word) => NOT_PAID.test(word)) ?? null
  const hasTexts = header.texts.every(({ at, text }) => field(at).trim() === text)
  const problems = [
    ...(hasTexts ? [] : ['it is not marked as a line of the table']),
    ...problemsOf({ hasAccount: columns.account !== null, account, number, amount, date, words }),
  ]
  return {
    line,
    account,
    number,
    cents: amount?.cents ?? [],
    isAmountUncertain: false,
    isNegative: amount?.isNegative ?? false,
    paidOn: date?.on ?? null,
    isOrderKnown: date?.on == null || date.isOrderKnown,
    isDayFirst: date?.on === null && date.isDayFirst,
    problem: problems[0] ?? null,
    listedAs,
  }
}

/** Matches the statuses of checks that were not paid. Reconciliation reports list these checks as well. */
const NOT_PAID =
  /^(outstanding|o\/s|issued?|issuance|open|unpaid|not paid|void(ed)?|stop(ped)?( pay(ment)?)?|cancell?ed|stale( dated)?)$/
const REVERSED = /^(credit|cr|return(ed)?|reversal|reversed|rejected|reject)$/

type Values = {
  hasAccount: boolean
  account: ReadAccount | null
  number: number | null
  amount: ReadAmount | null
  date: ReadDate | null
  words: readonly string[]
}

function problemsOf({ hasAccount, account, number, amount, date, words }: Values): string[] {
  const problems: string[] = []
  if (hasAccount && !account) problems.push('the account must be 4 to 17 digits, or its last digits after a mask')
  if (number === null) problems.push('the number must be at most 15 digits')
  if (!amount) problems.push('the amount cannot be read')
  if (date?.on === null) problems.push(date.problem)
  if (amount?.isCredit || words.some((word) => REVERSED.test(word))) {
    problems.push('it is a credit, perhaps the reversal of a paid check')
  }
  return problems
}
