import type { ReferenceKind } from '../../statement/statement-types.ts'
import type { LineContent } from '../credit/credit-rules.ts'

/** A line of a statement, or of a notification about the same account. `cents`: signed. */
export type LinkedLine = { id: string; cents: number; content: LineContent }

/** References by which a bank names one entry in a statement and in a notification, the strongest first. */
const KINDS = ['bank', 'uetr', 'transaction', 'instruction', 'batch', 'trace', 'file'] as const

/** The minimum length of a reference. Shorter ones could be counters. */
const MIN_REFERENCE = 4

/**
 * Finds the lines of notifications with the details of booked lines. Both lines have the same amount and the same reference. If two lines
 * share both, neither is used.
 *
 * @returns pairs of a booked line and a line of a notification. No line is in two of them
 */
export function pairsOf(
  booked: readonly LinkedLine[],
  notified: readonly LinkedLine[],
): { line: LinkedLine; detail: LinkedLine }[] {
  const used = new Set<string>()
  const pairs: { line: LinkedLine; detail: LinkedLine }[] = []
  for (const kind of KINDS) {
    const [lines, details] = [booked, notified].map((some) =>
      Map.groupBy(
        some.filter(({ id }) => !used.has(id)),
        (one) => keyOf(one, kind),
      ),
    ) as [ByKey, ByKey]
    for (const [key, [line, ...moreLines]] of lines) {
      const [detail, ...moreDetails] = details.get(key) ?? []
      if (key === null || !line || !detail || moreLines.length + moreDetails.length > 0) continue
      pairs.push({ line, detail })
      used.add(line.id).add(detail.id)
    }
  }
  return pairs
}

type ByKey = Map<string | null, LinkedLine[]>

/** Null: the line has no such reference. */
function keyOf({ cents, content: { references } }: LinkedLine, kind: ReferenceKind): string | null {
  const text = references[kind] ?? ''
  return text.length < MIN_REFERENCE ? null : `${cents} ${text}`
}

/** Returns the content of a booked line with the details of a notification, and with its mark of a return. */
export const withDetails = (own: LineContent, { details, isReversal, returnReason }: LineContent): LineContent => ({
  ...own,
  details,
  isReversal: own.isReversal || isReversal,
  returnReason: own.returnReason ?? returnReason,
})
