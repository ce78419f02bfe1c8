import type { NachaAccount, NachaOrigin } from '../../../foundation/core/environment.ts'
import { formatDate } from '../../../foundation/lib/clock.ts'
import { nextAchWindow, pacificClock } from '../../rail/banking-day-rules.ts'
import type { SecCode } from '../format/nacha-authorization-rules.ts'
import { FILE_ID_MODIFIERS } from '../format/nacha-build-rules.ts'
import {
  type NachaBatch,
  type NachaEntry,
  offsetEntry,
  traceNumberOf,
  traceSequenceAfter,
} from '../format/nacha-entry-rules.ts'

/** How long after a cut-off files are still made. Later legs wait for the next cut-off. */
const WINDOW_MS = 60 * 60 * 1000

/** Whether files are made now, shortly after a cut-off. */
export const isWindowOpen = (now: Date): boolean => nextAchWindow(new Date(now.getTime() - WINDOW_MS)) <= now

/** The fields of a leg that matter for files. */
type FiledLeg = { platformId: string; id: string; subjectId: string; purpose: string; cents: number }

export const MAX_LEGS_PER_FILE = 10_000

/** Totals have twelve digits of cents. The single entry that balances a batch has ten. */
const MAX_FILE_CENTS = { plain: 999_999_999_999, balanced: 9_999_999_999 }

/**
 * As many legs as one file can hold, in order. A bank's micro-deposits stay together because they must settle
 * together. `isCut`: there may be more legs than these.
 */
export function legsForOneFile<Leg extends FiledLeg>(
  legs: readonly Leg[],
  { isBalanced, isCut }: { isBalanced: boolean; isCut: boolean },
): Leg[] {
  const maxCents = MAX_FILE_CENTS[isBalanced ? 'balanced' : 'plain']
  const groups = [...Map.groupBy(legs, groupOf).values()]
  if (isCut && groups.length > 1 && isMicro(legs.at(-1))) groups.pop() // the rest of the group may be missing
  let totalCents = 0
  const chosen = groups.findIndex((group) => {
    totalCents += group.reduce((sum, { cents }) => sum + cents, 0)
    return totalCents > maxCents
  })
  return groups.slice(0, chosen === -1 ? groups.length : chosen).flat()
}

const isMicro = (leg: FiledLeg | undefined): boolean => leg?.purpose === 'micro_deposit'

const groupOf = (leg: FiledLeg) => (isMicro(leg) ? `${leg.platformId} ${leg.subjectId}` : leg.id)

/** An entry without a trace number yet, made for `leg`. */
export type DraftEntry = {
  leg: { platformId: string; id: string }
  secCode: SecCode
  entryDescription: string
  entry: Omit<NachaEntry, 'traceSequence'>
}

/** An entry as sent. `leg` is null for an entry that balances its batch. */
export type TracedEntry = {
  traceNumber: string
  leg: { platformId: string; id: string } | null
  account: NachaAccount
}

/** The batches of a file, by SEC code and purpose, with trace numbers that continue after `sentBefore` entries. */
export function batchesOf(
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

/** The Pacific date in a file's header. */
export const creationDateOf = (now: Date): string => formatDate(pacificClock(now))

/** The next file id modifier of a day, or null when all 36 are used. */
export const modifierAfter = (used: string): string | null =>
  FILE_ID_MODIFIERS.charAt(Math.max(...[...used].map(modifierIndex), -1) + 1) || null

const modifierIndex = (modifier: string): number => FILE_ID_MODIFIERS.indexOf(modifier)

/** A sort key that puts the names of ACH files in the order in which they were made. */
export const orderOfName = (name: string): string =>
  `${name.slice(0, 9)}${String(modifierIndex(name.slice(9))).padStart(2, '0')}`

/** `20261122-A`: the name that operators use. The file is `20261122-A.ach`. */
export const fileNameOf = ({ creationDate, modifier }: { creationDate: string; modifier: string }): string =>
  `${creationDate.replaceAll('-', '')}-${modifier}`
