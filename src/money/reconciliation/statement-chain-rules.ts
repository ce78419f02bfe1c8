import type { OperatorAccount } from '../../foundation/core/connections.ts'
import type { LineDetail, References, StatementHead } from '../statement/statement-types.ts'
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

/** The place of a statement among those of its day: a part of the day, or none, because it repeats or contradicts another statement. */
export type StatementPlace = { part: number } | { sameAs: string } | { problem: string }

export const OTHER_CONTENT: StatementPlace = { problem: 'another statement of this account and day has other content' }

/** Returns the place of a statement, by its numbers alone. */
export function partOf(numbers: Numbers, placed: readonly Placed[]): StatementPlace {
  const same = placed.find((one) => isSame(numbers, one))
  if (same) return { sameAs: same.id }
  const [first, last] = [placed[0], placed.at(-1)]
  if (!first || !last) return { part: 0 }
  if (numbers.openingCents !== null && numbers.openingCents === last.closingCents) return { part: last.part + 1 }
  if (numbers.closingCents !== null && numbers.closingCents === first.openingCents) return { part: first.part - 1 }
  return OTHER_CONTENT
}

/**
 * Returns whether equal numbers prove that two statements are the same. Without balances, two different statements of one day can have them,
 * such as two exports with a payment of the same amount.
 */
export const doNumbersProve = ({
  openingCents,
  closingCents,
}: Pick<Numbers, 'openingCents' | 'closingCents'>): boolean => openingCents !== null || closingCents !== null

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

/** The texts and references of a line. */
export type LineTexts = {
  bookedOn: string | null
  cents: number
  name: string | null
  text: string
  references: References
  details: readonly LineDetail[]
}

/** Returns the content of a line that two exports of the bank have in common, whatever the order of their columns is. */
export const comparedContent = ({ bookedOn, cents, details, ...line }: LineTexts): string =>
  JSON.stringify([bookedOn, cents, textsOf(line), ...details.map((one) => [one.cents, textsOf(one)])])

const textsOf = ({ name, text, references }: Pick<LineTexts, 'name' | 'text' | 'references'>): unknown[] => [
  name,
  text,
  Object.entries(references).sort(([one], [other]) => (one < other ? -1 : 1)),
]
