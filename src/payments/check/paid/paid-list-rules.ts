import { decodeInbound } from '../../../connections/exchange/inbound-text-rules.ts'
import type { PaidListLayout } from '../../../foundation/core/check-layout.ts'
import { type OwnNames, type PaidHeader, readHeader } from './paid-column-rules.ts'
import { headerOfLayout, isMarked, namesInLayout, splitRow, totalsText, valueFormsOf } from './paid-layout-rules.ts'
import { type FramedLine, type PaidLine, readLine, unreadableLine } from './paid-line-rules.ts'
import { isTotalsLine, isTotalsTitle, totalsProblem } from './paid-total-rules.ts'
import { type ReadAccount, readAccount } from './paid-value-rules.ts'

export type Remark = { line: number; reason: string }

/** A list of paid checks. If there are `problems`, the whole list is a case, and `lines` has the lines that can still be used. */
export type PaidReading = {
  lines: PaidLine[]
  /** The account in the titles of a list without an account column. */
  account: ReadAccount | null
  hasAccountColumn: boolean
  problems: string[]
  remarks: Remark[]
  /** The lines that show the problems. */
  shown: FramedLine[]
}

/**
 * Reads a list of paid checks in three steps: decodes it, splits it into lines, and reads each line. Never throws.
 *
 * @param layout the columns as the bank writes them. Null: a line of the list names them by their usual headings
 */
export function readPaidList(bytes: Buffer, layout: PaidListLayout | null): PaidReading {
  const { text, remarks } = decodeInbound(bytes)
  const lines = linesOf(text)
  const common = { remarks: remarks.map((reason) => ({ line: 0, reason })) }
  const found = findParts(lines, layout)
  if (typeof found === 'string') {
    return { ...common, ...unreadList([found]), shown: lines.slice(0, MAX_LINES_SHOWN) }
  }
  const list = frameList(found)
  return { ...list, remarks: [...common.remarks, ...list.remarks] }
}

/** Returns the result for a list that cannot be read at all. */
export const unreadList = (problems: string[]): PaidReading => ({
  lines: [],
  account: null,
  hasAccountColumn: false,
  problems,
  remarks: [],
  shown: [],
})

const MAX_LINES_SHOWN = 20

/** Returns the lines with content. A form feed begins a page. */
const linesOf = (text: string): FramedLine[] =>
  text
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ number: index + 1, text: line.replaceAll('\f', '') }))
    .filter((line) => line.text.trim() !== '')

/**
 * The lines before the table, the header that names its columns, and the lines of the table. `layout`: the layout of a list without a
 * header.
 */
type FoundParts = {
  titles: readonly FramedLine[]
  headerLine: FramedLine | null
  rows: readonly FramedLine[]
  header: PaidHeader
  layout: PaidListLayout | null
}

/** @returns the parts of a list, or why they cannot be found */
function findParts(lines: readonly FramedLine[], layout: PaidListLayout | null): FoundParts | string {
  if (lines.length === 0) return 'the file is empty'
  const header = headerOfLayout(layout)
  if (header) return { titles: [], headerLine: null, rows: lines, header, layout }
  return findHeader(lines, { own: namesInLayout(layout), forms: valueFormsOf(layout) })
}

/** @returns the first line that names the number and the amount, or why there is none */
function findHeader(lines: readonly FramedLine[], names: OwnNames): FoundParts | string {
  const readings = lines.slice(0, MAX_LINES_BEFORE_HEADER).map(({ text }) => readHeader(text, names))
  const at = readings.findIndex(({ kind }) => kind === 'header')
  const reading = readings[at]
  const [titles, headerLine = null, rows] = [lines.slice(0, at), lines[at], lines.slice(at + 1)]
  if (reading?.kind === 'header') return { titles, headerLine, rows, header: reading.header, layout: null }
  const [best] = readings.filter((one) => one.kind === 'unusable').sort((a, b) => b.score - a.score)
  return best?.problem ?? 'no line names the columns'
}

const MAX_LINES_BEFORE_HEADER = 1_000

/** The kind of a line in or around the table. */
type Part =
  | { kind: 'check'; one: PaidLine }
  | { kind: 'totals'; line: FramedLine }
  | { kind: 'title'; line: FramedLine }
  | { kind: 'text'; line: FramedLine }

function frameList(found: FoundParts): PaidReading {
  const { titles, headerLine, rows, header, layout } = found
  const named = headerLine === null ? [] : [headerLine]
  const known = new Set([...titles, ...named].map(({ text }) => text.trim()))
  const parts = [
    ...titles.map((line) => titlePart(line, header)),
    ...named.map(headerPart),
    ...joinOpenLines(rows, header).map((line) => markedPart(line, found) ?? tablePart(line, header, known)),
  ]
  const last = parts.findLastIndex(({ kind }) => kind === 'check')
  // Text between two checks may be a damaged line about a check.
  const judged = parts.map((part, index) =>
    part.kind === 'text' && (index < last || !isProse(part.line.text))
      ? ({ kind: 'check', one: unreadableLine(part.line, 'it is not a line of the table') } as const)
      : part,
  )
  const checks = judged.flatMap((part) => (part.kind === 'check' ? [part.one] : []))
  const totals = totalsProblems(judged, found)
  const needsTrailer = layout !== null && layout.trailer.length > 0 && judged.at(-1)?.kind !== 'totals'
  return {
    lines: refuseAmbiguous(checks),
    account: titles.map(({ text }) => accountInTitle(text)).find((one) => one !== null) ?? null,
    hasAccountColumn: header.columns.account !== null,
    problems: [
      ...totals.map(({ problem }) => problem),
      ...(needsTrailer ? ['it does not end with its trailer, so lines may be missing'] : []),
    ],
    remarks: judged.flatMap((part) =>
      part.kind === 'text' ? [{ line: part.line.number, reason: 'text below the table' }] : [],
    ),
    shown: totals.length > 0 ? [...named, ...totals.map(({ line }) => line)] : [],
  }
}

/** Reads a header. If it contains values, the end of its line is missing. */
const headerPart = (line: FramedLine): Part =>
  /\d{3}/.test(line.text)
    ? { kind: 'check', one: unreadableLine(line, 'values of a check are in the header') }
    : { kind: 'title', line }

/** Ignores titles, unless one of them is a complete line of the table. */
function titlePart(line: FramedLine, header: PaidHeader): Part {
  const { readings } = splitRow(line.text, header)
  const one = readings.some(({ length }) => length >= header.width) ? readLine(line, header) : null
  if (one && one.number !== null && one.cents.length > 0) return { kind: 'check', one }
  return isTotalsTitle(line) ? { kind: 'totals', line } : { kind: 'title', line }
}

/** Recognizes a line that the layout describes as a header or trailer. A complete line of the table is never one. */
function markedPart(line: FramedLine, { header, layout }: FoundParts): Part | null {
  if (!layout) return null
  if (isMarked(line.text, layout.trailer, header)) return { kind: 'totals', line }
  if (!isMarked(line.text, layout.header, header)) return null
  const one = readLine(line, header)
  return one.number !== null && one.cents.length > 0 ? { kind: 'check', one } : { kind: 'title', line }
}

function tablePart(line: FramedLine, header: PaidHeader, known: ReadonlySet<string>): Part {
  const isBlank = /^[\s,;|"]*$/.test(line.text)
  // The same title can come from another page.
  if (isBlank || known.has(line.text.trim())) return { kind: 'title', line }
  const one = readLine(line, header)
  if (one.problem === null) return { kind: 'check', one }
  const [fields = []] = splitRow(line.text, header).readings
  if (isTotalsLine(fields)) return { kind: 'totals', line }
  if (!/\d/.test(line.text) || isPageMark(fields)) return { kind: 'text', line }
  return { kind: 'check', one }
}

/** Returns whether a line has a single value about the page or the printing. */
const isPageMark = (fields: readonly string[]): boolean => {
  const [value = '', ...others] = fields.filter((field) => field.trim() !== '')
  const isNamed = /^\W*(page|printed|prepared|generated|created|run|report|as of)\b/i.test(value)
  return others.length === 0 && isNamed && !/\d[.,]\d\d\b/.test(value)
}

/** Returns whether a text contains a word, so that it is not a damaged line about a check. */
const isProse = (text: string): boolean => /\p{L}{3}/u.test(text)

/**
 * Joins a line with the next ones if a quoted field continues there (RFC 4180). A line that may be a check of its own is never joined: the
 * part that continues must not contain both separators and numbers.
 */
function joinOpenLines(lines: readonly FramedLine[], header: PaidHeader): FramedLine[] {
  const joined: FramedLine[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as FramedLine
    const next = joinedLine(lines.slice(at, at + MAX_LINES_OF_FIELD), header)
    joined.push(next?.line ?? line)
    if (next) at += next.count - 1
  }
  return joined
}

const MAX_LINES_OF_FIELD = 5

function joinedLine(lines: readonly FramedLine[], header: PaidHeader): { line: FramedLine; count: number } | null {
  const [first, ...others] = lines
  if (!first || !splitRow(first.text, header).isOpen) return null
  for (const [index] of others.entries()) {
    const count = index + 2
    const text = lines
      .slice(0, count)
      .map((line) => line.text)
      .join('\n')
    const { readings, isOpen } = splitRow(text, header)
    const [fields = []] = readings
    if (isOpen) continue
    const isSafe = fields.every(
      (field) => !field.includes('\n') || !(/\d{3}/.test(field) && field.includes(header.separator)),
    )
    return fields.length === header.width && isSafe ? { line: { number: first.number, text }, count } : null
  }
  return null
}

/** Finds an account such as "Account: ****6789" in a title. Ignores other numbers. */
function accountInTitle(text: string): ReadAccount | null {
  const [, value] =
    /\b(?:account|acct)\b(?:\s*(?:number|no\.?|#))?\s*[:=,;|\t]?\s*"?([\d*xX#•….-]{4,}|ending(?: in)? \d{3,})/i.exec(
      text,
    ) ?? []
  return value ? readAccount(value) : null
}

function totalsProblems(
  parts: readonly Part[],
  { header, layout }: FoundParts,
): { line: FramedLine; problem: string }[] {
  const checks = parts.flatMap((part, index) => (part.kind === 'check' ? [{ one: part.one, index }] : []))
  let before = 0
  return parts.flatMap((part, index) => {
    if (part.kind !== 'totals') return []
    const isAbove = !checks.some((check) => check.index < index)
    const all = checks.filter((check) => isAbove || check.index < index)
    const since = all.filter((check) => check.index > before)
    before = index
    const lists = { all: all.map(({ one }) => one), since: since.map(({ one }) => one), separator: header.separator }
    const problem = layout ? trailerProblem(part.line, { layout, header, lists }) : totalsProblem(part.line, lists)
    return problem === null ? [] : [{ line: part.line, problem }]
  })
}

type Lists = Parameters<typeof totalsProblem>[1]

/** Compares a trailer that the layout describes with the lines above it. Returns the difference in words, or null. */
function trailerProblem(
  line: FramedLine,
  { layout, header, lists }: { layout: PaidListLayout; header: PaidHeader; lists: Lists },
): string | null {
  const text = totalsText(line.text, layout.trailer, header)
  if (text === null) return `line ${line.number}: its totals cannot be read`
  return totalsProblem({ ...line, text }, { ...lists, separator: ' ' })
}

/** Refuses lines whose dates or negative amounts are still ambiguous after the whole list was read. */
function refuseAmbiguous(lines: readonly PaidLine[]): PaidLine[] {
  const usable = lines.filter(({ problem }) => problem === null)
  const hasDayFirst = lines.some(({ isDayFirst }) => isDayFirst)
  const areMixed = new Set(usable.map(({ isNegative }) => isNegative)).size > 1
  return lines.map((one) => {
    if (one.problem !== null) return one
    if (areMixed && one.isNegative) {
      return { ...one, problem: 'its amount is negative and others are not, so it may be the reversal of a paid check' }
    }
    if (hasDayFirst && !one.isOrderKnown) {
      return { ...one, problem: 'its date can have the day or the month first, and another line has the day first' }
    }
    return one
  })
}
