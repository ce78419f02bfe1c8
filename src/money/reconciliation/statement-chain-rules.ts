import type { OperatorAccount } from '../../foundation/core/connections.ts'
import type { StatementHead } from '../statement/statement-types.ts'
import type { LineSums, StatementRow } from './statement-store.ts'

/** The sums and balances of a statement. */
export type Numbers = LineSums & {
  day: string
  openingCents: number | null
  closingCents: number | null
  sequence: number | null
}

/** Explains why a statement cannot be used at all, or returns null. */
export function refusalOf({
  account,
  currency,
  action,
  kind,
  hasEnd,
  day,
  dayProblem,
}: Pick<StatementHead, 'currency' | 'action' | 'kind' | 'dayProblem'> & {
  account: OperatorAccount | null
  hasEnd: boolean
  day: string | null
}): string | null {
  if (!hasEnd) return 'its end is missing'
  if (account === null) return 'connections.json has no such account for this connection'
  if (currency !== null && currency !== account.currency) return `its currency is not ${account.currency}`
  if (action === 'deletion') return 'the bank deletes a statement with it'
  if (action === 'correction') return 'the bank corrects a statement with it'
  if (day === null && kind === 'statement') return dayProblem ?? 'its day is missing'
  return null
}

type Placed = Pick<
  StatementRow,
  | 'id'
  | 'part'
  | 'sequence'
  | 'openingCents'
  | 'closingCents'
  | 'lineCount'
  | 'creditCents'
  | 'debitCents'
  | 'linesHash'
>

/**
 * Returns the place of a statement among those of its day: a part of the day, or none, because it repeats or contradicts another statement.
 */
export function partOf(
  numbers: Numbers,
  placed: readonly Placed[],
): { part: number } | { sameAs: string } | { problem: string } {
  const same = placed.find((one) => isSame(numbers, one))
  if (same) return { sameAs: same.id }
  const [first, last] = [placed[0], placed.at(-1)]
  if (!first || !last) return { part: 0 }
  if (numbers.openingCents !== null && numbers.openingCents === last.closingCents) return { part: last.part + 1 }
  if (numbers.closingCents !== null && numbers.closingCents === first.openingCents) return { part: first.part - 1 }
  return { problem: 'another statement of this account and day has other content' }
}

/**
 * Returns whether two statements are the same. Two statements of one day whose sum is zero can follow each other. Then the bank's statement
 * numbers distinguish them.
 */
function isSame(one: Numbers, other: Placed): boolean {
  const hasSameNumbers =
    one.linesHash === other.linesHash &&
    one.lineCount === other.lineCount &&
    one.openingCents === other.openingCents &&
    one.closingCents === other.closingCents
  const changesNothing = one.creditCents === one.debitCents
  const isAnother = one.sequence !== null && other.sequence !== null && one.sequence !== other.sequence
  return hasSameNumbers && !(changesNothing && one.lineCount > 0 && isAnother)
}
