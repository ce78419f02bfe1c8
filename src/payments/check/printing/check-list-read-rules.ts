import type { CheckLayout } from '../../../foundation/core/check-layout.ts'
import { parseCsv } from '../../../foundation/lib/text/csv.ts'

/**
 * Reads the check numbers in a list of issued checks that was written in a layout. Returns null if they cannot be told from other numbers: in
 * lists with headers or trailers, or after a change of the layout.
 */
export function readIssuedNumbers({ style, issueFile }: CheckLayout, content: Buffer): number[] | null {
  const { header, lines, trailer, hasHeadings } = issueFile
  const index = lines.findIndex(({ field }) => field === 'number')
  const column = lines[index]
  if (!column || header.length + trailer.length > 0) return null
  const text = content.toString(style.characters === 'utf-8' ? 'utf8' : 'latin1')
  const from = column.at - 1
  const cells =
    style.form === 'csv'
      ? (parseCsv(text, { separator: style.separator }).rows ?? []).map(({ fields }) => fields[index] ?? '')
      : text.split(/\r?\n/).flatMap((line) => (line === '' ? [] : [line.slice(from, from + (column.width ?? 12))]))
  const numbers = cells.slice(hasHeadings ? 1 : 0).map((cell) => cell.trim())
  return numbers.length > 0 && numbers.every((one) => /^\d{1,12}$/.test(one)) ? numbers.map(Number) : null
}
