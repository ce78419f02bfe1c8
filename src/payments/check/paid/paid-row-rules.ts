import type { Separator } from '../../../foundation/lib/text/loose-row.ts'

/** The most additional fields that separators within a field can explain. */
const MAX_EXTRA_FIELDS = 3

/**
 * Fits the fields of a line to the columns. Blank fields at the end are dropped or added. A separator that is not in quotation marks
 * ("Smith, John" or 1,250.00) can be in any field, so each possibility is returned.
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
