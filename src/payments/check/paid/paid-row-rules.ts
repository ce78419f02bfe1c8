import type { Separator } from '../../../foundation/lib/text/loose-row.ts'

/** The maximum number of extra fields that are explained by unquoted separators. */
const MAX_EXTRA_FIELDS = 3

/**
 * Assigns the fields of a line to the columns. Empty fields at the end are dropped or added. An unquoted separator in a value ("Smith,
 * John" or 1,250.00) can be in any field, so all possible assignments are returned.
 */
export function alignFields(fields: readonly string[], width: number, separator: Separator): string[][] {
  let end = fields.length
  while (end > width && fields[end - 1]?.trim() === '') end--
  const extra = end - width
  if (extra > MAX_EXTRA_FIELDS) return []
  if (extra <= 0) return [[...fields.slice(0, end), ...Array<string>(-extra).fill('')]]
  return Array.from({ length: width }, (_, at) => [
    ...fields.slice(0, at),
    fields.slice(at, at + extra + 1).join(separator),
    ...fields.slice(at + extra + 1, end),
  ])
}
