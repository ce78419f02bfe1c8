import type { NachaAccount } from '../../../foundation/core/environment.ts'
import { type BankCalendar, nextAchWindow } from '../../../foundation/lib/banking-day.ts'
import { businessDate } from '../../../foundation/lib/clock.ts'
import type { LegPurpose } from '../../rail/leg-store.ts'
import type { SecCode } from '../format/nacha-authorization-rules.ts'
import { FILE_ID_MODIFIERS } from '../format/nacha-build-rules.ts'
import {
  type Direction,
  MICRO_ENTRY_DESCRIPTION,
  type NachaBatch,
  type NachaEntry,
  offsetEntry,
  traceNumberOf,
  traceSequenceAfter,
} from '../format/nacha-entry-rules.ts'
import type { NachaOrigin } from '../format/nacha-origin-rules.ts'
import { formatNachaName } from '../format/nacha-text-rules.ts'

/** The time after a cut-off in which files are made, in milliseconds. Later legs wait for the next cut-off. */
const WINDOW_MS = 60 * 60 * 1000

/** Returns whether files are made at a time, which is so shortly after a cut-off. */
export const isWindowOpen = (now: Date, calendar: BankCalendar): boolean =>
  nextAchWindow(new Date(now.getTime() - WINDOW_MS), calendar) <= now

/** The descriptions of entries in their batches. A debit that is retried has another one. */
export const entryDescriptions = {
  payment_pull: 'PAYMENT',
  payment_push: 'PAYMENT',
  payment_refund: 'REFUND',
  micro_deposit: MICRO_ENTRY_DESCRIPTION,
} as const satisfies Record<LegPurpose, string>

/** Returns the receiver id of a leg's entry: that of its receiver, or if it has no usable characters, a part of the leg's id. */
export const receiverIdOf = ({ id }: { id: string }, { receiverId }: { receiverId: string }): string =>
  formatNachaName(receiverId, id.slice(-15))

/** The fields of a leg that the making of files needs. */
type FiledLeg = {
  platformId: string
  id: string
  subjectId: string
  purpose: string
  direction: Direction
  cents: number
}

export const MAX_LEGS_PER_FILE = 10_000

/** The maximum total of a file in cents. Totals have twelve digits. The entry that balances a batch has only ten. */
const MAX_FILE_CENTS = { plain: 999_999_999_999, balanced: 9_999_999_999 }

/** The bank's limits for one file and for all files of a day. Null: no limit. */
export type FileLimits = { entriesPerFile: number | null; centsPerFile: number | null; centsPerDay: number | null }

type Cents = Record<Direction, number>

/**
 * Returns as many legs as one file can hold, and the legs that no file can hold. Earlier legs are preferred: if one is above what is left of
 * a limit for debits or credits, later ones with the same direction wait too. The micro-deposits of a bank stay together, because they must
 * settle together. `hasMore`: whether there may be more legs than the given ones. `sentToday`: the totals of earlier files of the day.
 *
 * @returns `within` in the order in which to lock the legs
 */
export function limitLegsToFile<Leg extends FiledLeg>(
  legs: readonly Leg[],
  given: { isBalanced: boolean; hasMore: boolean; limits?: FileLimits; sentToday?: Cents },
): { within: Leg[]; above: Leg[] } {
  const { hasMore, sentToday = { debit: 0, credit: 0 } } = given
  const { entriesPerFile, centsPerFile, centsPerDay } = given.limits ?? NO_LIMITS
  const maxTotalCents = MAX_FILE_CENTS[given.isBalanced ? 'balanced' : 'plain']
  const groups = [...Map.groupBy(legs, groupOf).values()]
  if (hasMore && groups.length > 1 && isMicro(legs.at(-1))) groups.pop() // the rest of the last group may be missing
  const hasRoom = (count: number, { debit, credit }: Cents) =>
    isUpTo(count, entriesPerFile) && debit + credit <= maxTotalCents
  const isAllowed = (cents: number, before: number) =>
    isUpTo(cents, centsPerFile) && isUpTo(cents + before, centsPerDay)
  const isPossible = (group: readonly Leg[]) => {
    const sum = sumOf(group)
    return hasRoom(group.length, sum) && isAllowed(sum.debit, 0) && isAllowed(sum.credit, 0)
  }
  const [possible, above] = [groups.filter(isPossible), groups.filter((group) => !isPossible(group)).flat()]
  const within: Leg[] = []
  const sum = { debit: 0, credit: 0 }
  const full = new Set<Direction>()
  for (const group of possible) {
    const own = sumOf(group)
    const next = { debit: sum.debit + own.debit, credit: sum.credit + own.credit }
    if (!hasRoom(within.length + group.length, next)) break
    const directions = DIRECTIONS.filter((direction) => own[direction] > 0)
    for (const direction of directions) if (!isAllowed(next[direction], sentToday[direction])) full.add(direction)
    if (directions.some((direction) => full.has(direction))) continue
    within.push(...group)
    Object.assign(sum, next)
  }
  return { within: within.toSorted(compareLocks), above }
}

const DIRECTIONS: readonly Direction[] = ['debit', 'credit']

/** Compares legs in the order in which they are locked. Micro-deposits come last, because their locks block other payments of the user. */
function compareLocks(one: FiledLeg, other: FiledLeg): number {
  if (isMicro(one) !== isMicro(other)) return isMicro(one) ? 1 : -1
  for (const field of ['platformId', 'subjectId', 'direction', 'id'] as const)
    if (one[field] !== other[field]) return one[field] < other[field] ? -1 : 1
  return 0
}

const NO_LIMITS: FileLimits = { entriesPerFile: null, centsPerFile: null, centsPerDay: null }

const isUpTo = (value: number, limit: number | null): boolean => limit === null || value <= limit

function sumOf(legs: readonly Pick<FiledLeg, 'direction' | 'cents'>[]): Cents {
  const sum: Cents = { debit: 0, credit: 0 }
  for (const { direction, cents } of legs) sum[direction] += cents
  return sum
}

/** Returns the debits and credits of a file, with its balancing entries. */
export function sumOfEntries(batches: readonly NachaBatch[]): { debitCents: number; creditCents: number } {
  const entries = batches.flatMap(({ entries: some }) => some)
  const { debit, credit } = sumOf(entries.map(({ direction, amountCents }) => ({ direction, cents: amountCents })))
  return { debitCents: debit, creditCents: credit }
}

const isMicro = (leg: FiledLeg | undefined): boolean => leg?.purpose === 'micro_deposit'

const groupOf = (leg: FiledLeg) => (isMicro(leg) ? `${leg.platformId} ${leg.subjectId}` : leg.id)

/** An entry for a leg, before it has a trace number. */
export type DraftEntry = {
  leg: { platformId: string; id: string }
  secCode: SecCode
  entryDescription: string
  entry: Omit<NachaEntry, 'traceSequence'>
}

/** An entry with its trace number. `leg` is null for an entry that balances its batch. */
export type TracedEntry = {
  traceNumber: string
  leg: { platformId: string; id: string } | null
  account: NachaAccount
}

/**
 * Returns the batches of a file, by SEC code and purpose, and the sums of the entries that balance them. Their trace numbers continue after
 * `sentBefore` entries.
 */
export function buildBatches(
  drafts: readonly DraftEntry[],
  { origin, sentBefore, effectiveEntryDate }: { origin: NachaOrigin; sentBefore: number; effectiveEntryDate: Date },
): { batches: NachaBatch[]; traced: TracedEntry[]; balancing: Cents } {
  const traced: TracedEntry[] = []
  const balancing: Cents = { debit: 0, credit: 0 }
  const traceEntry = (entry: Omit<NachaEntry, 'traceSequence'>, leg: TracedEntry['leg']): NachaEntry => {
    const traceSequence = traceSequenceAfter(sentBefore + traced.length)
    traced.push({ traceNumber: traceNumberOf(origin, traceSequence), leg, account: entry.account })
    return { ...entry, traceSequence }
  }
  const groups = Map.groupBy(drafts, ({ secCode, entryDescription }) => `${secCode} ${entryDescription}`)
  const batches = [...groups.values()].map((group) => {
    const { secCode, entryDescription } = group[0] as DraftEntry
    const entries = group.map(({ entry, leg }) => traceEntry(entry, leg))
    const offset = offsetEntry(origin, entries)
    if (offset) {
      entries.push(traceEntry(offset, null))
      balancing[offset.direction] += offset.amountCents
    }
    return { secCode, entryDescription, effectiveEntryDate, entries }
  })
  return { batches, traced, balancing }
}

/** Returns the date for a file's header: the date of its bank. */
export const creationDateOf = (now: Date, { timeZone }: Pick<BankCalendar, 'timeZone'>): string =>
  businessDate(now, timeZone)

/** Returns the next file id modifier of a day, or null if all 36 are used. */
export const modifierAfter = (used: string): string | null =>
  FILE_ID_MODIFIERS.charAt(Math.max(...[...used].map(modifierIndex), -1) + 1) || null

const modifierIndex = (modifier: string): number => FILE_ID_MODIFIERS.indexOf(modifier)

/** Returns a sort key for the names of ACH files. It sorts them in the order in which they were made. */
export const orderOfName = (name: string): string =>
  `${name.slice(0, 9)}${String(modifierIndex(name.slice(9))).padStart(2, '0')}`

/** Returns the name of a file for operators: `20261122-A`. The physical file is `20261122-A.ach`. */
export const fileNameOf = ({ creationDate, modifier }: { creationDate: string; modifier: string }): string =>
  `${creationDate.replaceAll('-', '')}-${modifier}`

/** Returns whether a text has the form of the name of an ACH file: its date and its modifier. */
export const isAchFileName = (text: string): boolean => /^\d{8}-[A-Z0-9]$/.test(text)
