import {
  CHECKS_PER_LIST,
  type CheckLayout,
  type DatePattern,
  isDateField,
  isDigitField,
  type ListColumn,
  type ListField,
  type ListForm,
  type ListLayout,
  type ListStyle,
  type PaidListLayout,
} from '../../foundation/core/check-layout.ts'
import type { LayoutFile } from './layout-schema-rules.ts'

export type ListInFile = LayoutFile['issue_file']
export type PaidListInFile = NonNullable<LayoutFile['paid_list']>
export type ColumnInFile = ListInFile['lines'][number]

/** Converts the content of the file, and adds defaults. */
export function layoutOf(file: LayoutFile): CheckLayout {
  const issueFile = listOf(file.issue_file, file.form)
  return {
    style: {
      form: file.form,
      separator: (file.separator ?? ',') as ListStyle['separator'],
      quotes: file.quotes ?? 'when_needed',
      lineEnd: file.line_end === 'lf' ? '\n' : '\r\n',
      characters: file.characters ?? 'ascii',
      unknown: file.unknown ?? ' ',
      length: file.length ?? null,
    },
    checksPerFile: file.checks_per_file ?? CHECKS_PER_LIST,
    issueFile,
    stopFile: file.stop_file ? listOf(file.stop_file, file.form) : issueFile,
    paidList: file.paid_list ? paidListOf(file.paid_list) : null,
  }
}

const listOf = ({ headings, header, lines, trailer }: ListInFile | PaidListInFile, form: ListForm): ListLayout => ({
  hasHeadings: headings ?? false,
  header: columnsOf(header ?? [], form),
  lines: columnsOf(lines, form),
  trailer: columnsOf(trailer ?? [], form),
})

const paidListOf = (list: PaidListInFile): PaidListLayout => ({
  ...listOf(list, list.form),
  style: { form: list.form, separator: (list.separator ?? ',') as ListStyle['separator'] },
  datePattern: list.lines.find(({ field }) => field === 'date')?.date ?? null,
  hasImpliedCents: list.lines.some(({ field, decimals }) => field === 'amount' && decimals === 'implied'),
})

/** Returns columns with their positions. In a list with fixed columns, a column without a position follows the one before it. */
export function columnsOf(columns: readonly ColumnInFile[], form: ListForm): ListColumn[] {
  let next = 1
  return columns.map((given) => {
    const column = columnOf(given, form)
    if (form === 'csv') return column
    const at = given.at ?? next
    next = at + (column.width ?? 0)
    return { ...column, at }
  })
}

function columnOf(given: ColumnInFile, form: ListForm): ListColumn {
  const field = given.field as ListField
  const date: DatePattern = given.date ?? 'YYYY-MM-DD'
  const isDigits = isDigitField(field)
  const ownPad = isDigits ? '0' : ' '
  return {
    field,
    name: given.name ?? field,
    at: 0,
    width: given.width ?? (form === 'fixed' ? ownWidth(given, date) : null),
    align: given.align ?? (isDigits ? 'right' : 'left'),
    pad: given.pad ?? (form === 'fixed' ? ownPad : ''),
    isUpperCase: given.case === 'upper',
    date,
    decimals: given.decimals ?? 'point',
    cutsAtWord: given.too_long === 'cut_words',
    codes: given.codes ?? {},
    text: given.text ?? '',
  }
}

/** Returns the width of a column whose values all have the same length, or null. */
function ownWidth({ field, text, codes }: ColumnInFile, date: DatePattern): number | null {
  if (field === 'text' && text !== undefined) return text.length
  if (isDateField(field as ListField)) return date.length
  if (field === 'file_time') return 'HHMMSS'.length
  if (field === 'action' && codes) return Math.max(...Object.values(codes).map((code) => code.length))
  return null
}
