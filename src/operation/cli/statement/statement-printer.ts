import { styleText } from 'node:util'
import { formatLongDate } from '../../../foundation/lib/clock.ts'
import { plainText } from '../../../foundation/lib/text/plain-text.ts'
import { decimalsOf } from '../../../money/statement/amount-text-rules.ts'
import type {
  ProblemScope,
  References,
  StatementEvent,
  StatementHead,
  StatementLine,
  StatementProblem,
  StatementTotals,
} from '../../../money/statement/statement-types.ts'

/** Formats a stream of statements for a terminal. Account numbers are shown by their last four characters. */
export type StatementPrinter = { print(event: StatementEvent): string; end(): string }

export function createStatementPrinter(): StatementPrinter {
  const problems: StatementProblem[] = []
  let head: StatementHead | null = null
  let lines = 0
  return {
    print(event) {
      if (event.type === 'problem') problems.push(event.problem)
      if (event.type === 'statement') {
        head = event.statement
        lines = 0
        return `\n${headText(head)}\n`
      }
      if (event.type === 'line') return `${lines++ === 0 ? columnTitles() : ''}${lineText(event.line)}\n`
      return event.type === 'end' ? `${totalsText(event.totals, head?.currency ?? null)}\n` : ''
    },
    end: () => problemsText(problems),
  }
}

const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stdout, validateStream: true })

function headText({ account, day, currency, kind, action, isCopy, sequence, page }: StatementHead): string {
  const name = account === null ? 'Unknown account' : `Account ending in ${plainText(account).slice(-4)}`
  const parts = [
    day === null ? null : formatLongDate(new Date(day)),
    currency,
    kind === 'statement' ? null : kind,
    action === 'new' ? null : action,
    isCopy ? 'copy' : null,
    sequence === null ? null : `number ${sequence}`,
    page === null ? null : `page ${page.number}`,
  ]
  return styled('bold', [name, ...parts.filter((part) => part !== null)].map(plainText).join(' · '))
}

const WIDTHS = { date: 10, amount: 17, kind: 11, code: 14, reference: 24, text: 60 }

const cells = (date: string, amount: string, kind: string, code: string, reference: string, text: string): string =>
  [
    date.padEnd(WIDTHS.date),
    amount.padStart(WIDTHS.amount),
    fit(kind, WIDTHS.kind),
    fit(code, WIDTHS.code),
    fit(reference, WIDTHS.reference),
    plainText(text).slice(0, WIDTHS.text),
  ]
    .join('  ')
    .trimEnd()

const fit = (text: string, width: number): string => {
  const plain = plainText(text)
  return plain.length > width ? `${plain.slice(0, width - 1)}…` : plain.padEnd(width)
}

const columnTitles = (): string => `${styled('gray', cells('BOOKED', 'AMOUNT', 'KIND', 'CODE', 'REFERENCE', 'TEXT'))}\n`

function lineText(line: StatementLine): string {
  const { bookedOn, cents, currency, kind, code, references, name, text, status, isReversal, details } = line
  const notes = [
    status === 'booked' ? null : status,
    isReversal ? 'reversal' : null,
    details.length > 1 ? `${details.length} details` : null,
  ].filter((note) => note !== null)
  const words = [notes.length > 0 ? `(${notes.join(', ')})` : null, name, text].filter((part) => part)
  return cells(bookedOn ?? '', amountText(cents, currency), kind, code, referenceText(references), words.join(' '))
}

/** Returns the reference that identifies the movement most precisely. */
function referenceText(references: References): string {
  const order = [
    'end_to_end',
    'check',
    'trace',
    'batch',
    'file',
    'instruction',
    'transaction',
    'customer',
    'bank',
  ] as const
  const kind = order.find((one) => references[one])
  return kind ? `${kind.replaceAll('_', '-')} ${references[kind]}` : ''
}

function amountText(cents: number, currency: string | null): string {
  const digits = decimalsOf(currency ?? 'USD') ?? 2
  const format = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return (cents / 10 ** digits).toLocaleString('en-US', format)
}

function totalsText(totals: StatementTotals, currency: string | null): string {
  const { openingCents, closingCents, lineCount, creditCents, debitCents, differenceCents } = totals
  const amount = (cents: number | null) =>
    (cents === null ? 'not given' : amountText(cents, currency)).padStart(WIDTHS.amount)
  const row = (name: string, cents: number | null, more = '') => `${name.padEnd(WIDTHS.date)}  ${amount(cents)}${more}`
  return [
    row('Opening', openingCents),
    row('Credits', creditCents),
    row('Debits', -debitCents || 0, `  in ${lineCount} ${lineCount === 1 ? 'line' : 'lines'}`),
    row('Closing', closingCents, `  ${verdict(differenceCents, currency)}`),
  ].join('\n')
}

function verdict(differenceCents: number | null, currency: string | null): string {
  if (differenceCents === null) return styled('gray', 'cannot be checked')
  if (differenceCents === 0) return styled('green', '✓ adds up')
  return styled('red', `✗ differs by ${amountText(differenceCents, currency)}`)
}

const EFFECTS: Record<ProblemScope, string> = {
  file: 'the file',
  statement: 'a statement',
  line: 'not read',
  field: 'read without it',
}

function problemsText(problems: readonly StatementProblem[]): string {
  if (problems.length === 0) return ''
  const title = problems.length === 1 ? '1 problem:' : `${problems.length} problems:`
  const rows = problems.map(
    ({ place, scope, message }) => `  ${place}: ${message} ${styled('gray', `(${EFFECTS[scope]})`)}`,
  )
  return `\n${styled('red', title)}\n${rows.join('\n')}\n`
}
