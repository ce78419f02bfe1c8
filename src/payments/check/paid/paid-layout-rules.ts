import type { ListColumn, PaidListLayout } from '../../../foundation/core/check-layout.ts'
import { decimalAmount } from '../../../foundation/core/money.ts'
import { SEPARATORS, type SplitLine, splitLine } from '../../../foundation/lib/text/loose-row.ts'
import type { PaidColumn, PaidColumnName, PaidHeader, PaidValueForms } from './paid-column-rules.ts'

// Reads a list of paid checks whose columns the bank's layout describes.

/** Returns the headings that the layout defines, for a list with a line of headings. */
export const namesInLayout = (layout: PaidListLayout | null): PaidColumnName[] =>
  layout?.hasHeadings
    ? layout.lines.flatMap(({ field, name }) => (field === 'other' ? [] : [{ column: field as PaidColumn, name }]))
    : []

/** Returns the form of amounts and dates in the layout. */
export const valueFormsOf = (layout: PaidListLayout | null): PaidValueForms => ({
  datePattern: layout?.datePattern ?? null,
  hasImpliedCents: layout?.hasImpliedCents ?? false,
})

/** Returns the columns of a list without headings. Returns null if a line of the list names them. */
export function headerOfLayout(layout: PaidListLayout | null): PaidHeader | null {
  if (!layout || layout.hasHeadings) return null
  const { lines, style } = layout
  const placeOf = (column: PaidColumn) => {
    const at = lines.findIndex(({ field }) => field === column)
    return at === -1 ? null : at
  }
  return {
    separator: style.separator ?? SEPARATORS[0],
    width: lines.length,
    fixed: style.form === 'fixed' ? lines : null,
    texts: textsOf(lines),
    forms: valueFormsOf(layout),
    columns: {
      number: placeOf('number') ?? 0,
      amount: placeOf('amount') ?? 0,
      account: placeOf('account'),
      date: placeOf('date'),
      status: lines.flatMap(({ field }, at) => (field === 'status' ? [at] : [])),
    },
  }
}

const textsOf = (columns: readonly ListColumn[]): { at: number; text: string }[] =>
  columns.flatMap(({ field, text }, at) => (field === 'text' ? [{ at, text: text.trim() }] : []))

/** Splits a line into fields: at the separators, or at the positions of the columns. */
export function splitRow(text: string, { separator, fixed }: Pick<PaidHeader, 'separator' | 'fixed'>): SplitLine {
  return fixed ? { readings: [cellsOf(text, fixed)], isOpen: false } : splitLine(text, separator)
}

const cellsOf = (text: string, columns: readonly ListColumn[]): string[] =>
  columns.map(({ at, width }) => text.slice(at - 1, at - 1 + (width ?? 0)))

/** Explains why the values of a line with fixed columns may be at other positions. Returns null if they are not. */
export function lengthProblem(text: string, columns: readonly ListColumn[]): string | null {
  const endOf = ({ at, width }: ListColumn) => at - 1 + (width ?? 0)
  const length = text.trimEnd().length
  const isTooShort = columns.some(
    (column) => column.field !== 'other' && column.field !== 'status' && length < endOf(column),
  )
  if (isTooShort) return 'it is shorter than its columns'
  return length > Math.max(...columns.map(endOf)) ? 'it is longer than its columns' : null
}

/** Returns whether a line has the texts by which the layout distinguishes a header or trailer from a check. */
export function isMarked(text: string, columns: readonly ListColumn[], header: PaidHeader): boolean {
  const fields = partsOf(text, columns, header)
  const texts = textsOf(columns)
  return texts.length > 0 && texts.every((one) => fields[one.at]?.trim() === one.text)
}

const partsOf = (text: string, columns: readonly ListColumn[], { separator, fixed }: PaidHeader): string[] =>
  splitRow(text, { separator, fixed: fixed && columns }).readings[0] ?? []

/** Returns the count and the sum of a trailer as text, such as "20 1250.00". Returns null if they cannot be read. */
export function totalsText(text: string, columns: readonly ListColumn[], header: PaidHeader): string | null {
  const fields = partsOf(text, columns, header)
  const values = columns.flatMap((column, at) => {
    const value = (fields[at] ?? '').trim()
    if (column.field === 'count') return [/^\d{1,15}$/.test(value) ? String(Number(value)) : null]
    if (column.field !== 'sum') return []
    const form = column.decimals === 'implied' ? /^\d{1,15}$/ : /^\d{1,13}(\.\d\d)?$/
    if (!form.test(value)) return [null]
    return [column.decimals === 'implied' ? decimalAmount(Number(value)) : value.replace(/^0+(?=\d)/, '')]
  })
  return values.includes(null) ? null : values.join(' ')
}
