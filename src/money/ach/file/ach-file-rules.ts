import type { NachaAccount, NachaOrigin } from '../../../foundation/core/environment.ts'
import { nextAchWindow, pacificClock } from '../../../foundation/lib/banking-day.ts'
import { formatDate } from '../../../foundation/lib/clock.ts'
import type { SecCode } from '../format/nacha-authorization-rules.ts'
import { FILE_ID_MODIFIERS } from '../format/nacha-build-rules.ts'
import {
  type NachaBatch,
  type NachaEntry,
  offsetEntry,
  traceNumberOf,
  traceSequenceAfter,
} from '../format/nacha-entry-rules.ts'

/** How long files are made after a cut-off. Later legs wait for the next cut-off. */
const WINDOW_MS = 60 * 60 * 1000

/** Whether files are made now, which is shortly after a cut-off. */
export const isWindowOpen = (now: Date): boolean => nextAchWindow(new Date(now.getTime() - WINDOW_MS)) <= now

/** The fields of a leg that files need. */
type FiledLeg = { platformId: string; id: string; subjectId: string; purpose: string; cents: number }

export const MAX_LEGS_PER_FILE = 10_000

/** The maximum total of a file. Totals have twelve digits of cents. The entry that balances a batch has ten. */
const MAX_FILE_CENTS = { plain: 999_999_999_999, balanced: 9_999_999_999 }

/**
 * Returns as many legs as one file can hold, in order. The micro-deposits of a bank stay together, because they must settle together.
 * `isCut`: whether there may be more legs.
 */
export function limitLegsToFile<Leg extends FiledLeg>(
  legs: readonly Leg[],
  { isBalanced, isCut }: { isBalanced: boolean; isCut: boolean },
): Leg[] {
  const maxCents = MAX_FILE_CENTS[isBalanced ? 'balanced' : 'plain']
  const groups = [...Map.groupBy(legs, groupOf).values()]
  if (isCut && groups.length > 1 && isMicro(legs.at(-1))) groups.pop() // the rest of the last group may be missing
  let totalCents = 0
  const chosen = groups.findIndex((group) => {
    totalCents += group.reduce((sum, { cents }) => sum + cents, 0)
    return totalCents > maxCents
  })
  return groups.slice(0, chosen === -1 ? groups.length : chosen).flat()
}

const isMicro = (leg: FiledLeg | undefined): boolean => leg?.purpose === 'micro_deposit'

const groupOf = (leg: FiledLeg) => (isMicro(leg) ? `${leg.platformId} ${leg.subjectId}` : leg.id)

/** An entry for `leg` that has no trace number yet. */
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

/** Returns the batches of a file, by SEC code and purpose. Their trace numbers continue after `sentBefore` entries. */
export function buildBatches(
  drafts: readonly DraftEntry[],
  { origin, sentBefore, effectiveEntryDate }: { origin: NachaOrigin; sentBefore: number; effectiveEntryDate: Date },
): { batches: NachaBatch[]; traced: TracedEntry[] } {
  const traced: TracedEntry[] = []
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
    if (offset) entries.push(traceEntry(offset, null))
    return { secCode, entryDescription, effectiveEntryDate, entries }
  })
  return { batches, traced }
}

/** Returns the Pacific date for a file's header. */
export const creationDateOf = (now: Date): string => formatDate(pacificClock(now))

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
