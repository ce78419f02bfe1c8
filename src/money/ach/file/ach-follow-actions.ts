import { followUps } from '../../../connections/exchange/outgoing-file-status.ts'
import type { OutgoingFileRow } from '../../../connections/exchange/outgoing-file-store.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { runInGroup } from '../../../foundation/db/statement-group.ts'
import {
  acceptLeg,
  applyLegEvent,
  isBookedNow,
  type LegHandlers,
  lockLeg,
  lockLegs,
  recallLeg,
} from '../../rail/leg-actions.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import {
  areLegsInAcceptedFiles,
  countLegsOfFile,
  type FollowingEntry,
  listFollowingEntries,
  markEntryRecalled,
} from './ach-file-store.ts'

/** The number of entries whose legs one transaction updates. */
const ENTRIES_PER_BATCH = 500

/**
 * Updates the legs of one platform after the status of an ACH file changed: they are accepted, or wait for another file. Undoes entries
 * that the bank rejected in an accepted file.
 *
 * @param given.after the trace number of the last entry of the previous batch, or '' for the first batch
 * @returns the trace number of the last entry of this batch, or null after the last batch
 */
export async function followAchFile(
  tx: TxDeps,
  handlers: LegHandlers,
  { file, platformId, after }: { file: OutgoingFileRow; platformId: string; after: string },
): Promise<string | null> {
  const followUp = followUps.ach[file.status]
  if (!followUp) return null
  const given = { fileId: file.id, platformId, after, limit: ENTRIES_PER_BATCH }
  const entries = await listFollowingEntries(tx.sql, given)
  const legs = new Map((await lockLegs(tx, handlers, entries)).map((leg) => [leg.id, leg]))
  const isAccepted = followUp === 'accept'
  await runInGroup(tx.sql, entries, {
    keysOf: ({ id }) => keysOfFollowing(legs.get(id)),
    inHalves: true,
    run: (entry) => followOne(tx, handlers, { file, entry, isAccepted }),
  })
  return entries.length < ENTRIES_PER_BATCH ? null : (entries.at(-1) as FollowingEntry).traceNumber
}

/** Entries with a common key follow one at a time: those of one payment, and micro-deposits, whose events can change a bank. */
const keysOfFollowing = (leg: LegRow | undefined): string[] =>
  leg ? [leg.purpose === 'micro_deposit' ? 'banks' : leg.subjectId] : []

async function followOne(
  tx: TxDeps,
  handlers: LegHandlers,
  { file, entry, isAccepted }: { file: OutgoingFileRow; entry: FollowingEntry; isAccepted: boolean },
): Promise<void> {
  const leg = await lockLeg(tx, handlers, entry)
  if (!leg) return
  if (isAccepted && !entry.isRejected) return void (await acceptLeg(tx, handlers, leg, file.settlesAt as Date))
  const isUndone = isAccepted ? await undoRejected(tx, handlers, leg) : await takeBack(tx, handlers, leg)
  if (isUndone) {
    await markEntryRecalled(tx.sql, { fileId: file.id, traceNumber: entry.traceNumber }, tx.clock.now())
  }
}

/**
 * Lets a leg wait for another file. If a line of a bank statement has booked the leg in the meantime, the bank may have moved its money, so the
 * leg is returned instead.
 */
const takeBack = async (tx: TxDeps, handlers: LegHandlers, leg: LegRow): Promise<boolean> =>
  (await isBookedNow(tx, leg)) ? returnLeg(tx, handlers, leg) : recallLeg(tx, handlers, leg)

const returnLeg = async (tx: TxDeps, handlers: LegHandlers, leg: LegRow): Promise<boolean> =>
  (await applyLegEvent(tx, handlers[leg.purpose], leg, 'return')) !== null

/**
 * Undoes an entry that the bank rejected after accepting its file. The leg waits for another file. If the leg has settled or its payment is
 * PAID, the leg is returned instead, without a return code.
 */
export async function undoRejected(tx: TxDeps, handlers: LegHandlers, leg: LegRow): Promise<boolean> {
  const isPaidOut = leg.status === 'ACCEPTED' && leg.purpose === 'payment_push'
  if (!isPaidOut && leg.status !== 'SETTLED' && leg.status !== 'TRUSTED') return takeBack(tx, handlers, leg)
  return returnLeg(tx, handlers, leg)
}

/**
 * Returns whether the bank has accepted the files of these legs of one platform, and the operator has no open question. Payouts wait for
 * this.
 */
export const areFilesAccepted = async (
  deps: Pick<TxDeps, 'sql'>,
  platformId: string,
  legs: readonly LegRow[],
): Promise<boolean> => {
  const sent = legs.filter(({ status }) => status === 'SETTLED' || status === 'TRUSTED')
  if (sent.length === 0) return true
  return areLegsInAcceptedFiles(deps.sql, { platformId, legIds: sent.map(({ id }) => id) })
}

/** Counts the legs of a file by status. Recalled entries count as RECALLED. */
export const countLegs = async (deps: Pick<TxDeps, 'sql'>, fileId: string): Promise<Record<string, number>> =>
  Object.fromEntries((await countLegsOfFile(deps.sql, fileId)).map(({ status, count }) => [status, count]))
