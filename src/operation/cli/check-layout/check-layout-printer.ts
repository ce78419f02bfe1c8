import type { CheckLayout, ListColumn, ListLayout, ListStyle } from '../../../foundation/core/check-layout.ts'
import { neutralText } from '../../../foundation/lib/text/plain-text.ts'
import { textTable } from '../../../foundation/lib/text/text-table.ts'
import type { CheckForBank, RenderedList } from '../../../payments/check/printing/check-list-rules.ts'

/** A list with its kind and checks, for `remit checks layout`. */
export type PrintedList = RenderedList & { kind: 'issue' | 'stop'; checks: readonly CheckForBank[] }

/**
 * Formats the columns of each list, its lines below a ruler, and the payees whose names differ from those on the checks. Accounts are
 * masked.
 */
export const printLists = (layout: CheckLayout, lists: readonly PrintedList[]): string =>
  lists.map((list) => printList(layout, list)).join('\n\n')

function printList(layout: CheckLayout, { kind, checks, lines, payees }: PrintedList): string {
  const columns = kind === 'issue' ? layout.issueFile : layout.stopFile
  const shown = lines.map((line) => neutralText(masked(line, checks)))
  const width = Math.max(...shown.map(({ length }) => length))
  const count = checks.length === 1 ? '1 check' : `${checks.length} checks`
  return [
    `${kind}_file, ${layout.style.form}: ${count}`,
    '',
    columnTable(layout.style, columns),
    '',
    ...ruler(width),
    ...shown,
    ...(payees.length > 0 ? ['', 'Payees that the list has otherwise than the check:'] : []),
    ...payees.map(({ number, payee, listed }) => neutralText(`  check ${number}: ${payee} is listed as ${listed}`)),
  ].join('\n')
}

/** Returns two lines that count characters: their tens and their ones. */
function ruler(width: number): string[] {
  const places = Array.from({ length: width }, (_, index) => index + 1)
  const tens = places.map((place) => (place % 10 === 0 ? String((place / 10) % 10) : ' ')).join('')
  return [tens.trimEnd(), places.map((place) => place % 10).join('')]
}

function columnTable({ form }: ListStyle, { header, lines, trailer }: ListLayout): string {
  const rows = Object.entries({ header, lines, trailer }).flatMap(([part, columns]) =>
    columns.map((column, index) => [part, placeOf(column, { form, index }), column.field, formOf(column)]),
  )
  return textTable([['LINE', form === 'fixed' ? 'CHARACTERS' : 'COLUMN', 'FIELD', 'WRITTEN'], ...rows])
}

const placeOf = ({ at, width }: ListColumn, { form, index }: { form: ListStyle['form']; index: number }): string =>
  form === 'fixed' ? `${at}-${at + (width ?? 0) - 1}` : String(index + 1)

/** Describes the form of a column's values. */
function formOf({ field, width, align, pad, date, decimals, codes, text, isUpperCase }: ListColumn): string {
  const isDate = field.endsWith('date')
  const isMoney = field === 'amount' || field.endsWith('sum')
  return [
    ...(field === 'text' ? [`"${text}"`] : []),
    ...(isDate ? [date] : []),
    ...(isMoney ? [decimals === 'implied' ? 'implied cents' : 'with a point'] : []),
    ...(field === 'action'
      ? [
          Object.entries(codes)
            .map(([action, code]) => `${action} "${code}"`)
            .join(' '),
        ]
      : []),
    ...(isUpperCase ? ['upper case'] : []),
    ...(width === null || isDate || field === 'text' || field === 'action' ? [] : [`${align}, at most ${width}`]),
    ...(pad === '' || pad === ' ' ? [] : [`filled with ${pad}`]),
  ].join(', ')
}

/** Masks the accounts of a line. Only their last four digits are shown. */
function masked(line: string, checks: readonly CheckForBank[]): string {
  const numbers = new Set(checks.map(({ account }) => account.replace(/^0+/, '')))
  return [...numbers].reduce((text, one) => text.replaceAll(one, one.slice(-4).padStart(one.length, '*')), line)
}
