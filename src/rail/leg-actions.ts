import type { Deps, TxDeps } from '../db/deps.ts'
import { clockOf } from '../db/platform-clock.ts'
import { newId } from '../lib/ids.ts'
import type { Stop } from '../user/user-store.ts'
import { nextAchWindow } from './banking-day-rules.ts'
import { type LegEvent, legTransitions } from './leg-status.ts'
import {
  type DueLeg,
  type FileQuery,
  findLeg,
  insertLeg,
  type LegPurpose,
  type LegRow,
  listLegs,
  listLegsById,
  listLegsForFile,
  listPlatformsForFile,
  listStoppedLegs,
  updateFileAt,
  updateLeg,
  updateLegsHeld,
  updateLegsReleased,
  updateNextAt,
  updateStoppedBy,
  updateUnstopped,
} from './leg-store.ts'
import { waitsForFile } from './rail-rules.ts'
import type { ReturnCode } from './return-code-rules.ts'
import { type MagicOutcome, nextStep } from './simulated-rail-rules.ts'

/** What becomes of a leg of one purpose. */
export type LegHandler = {
  /** Locks what the leg belongs to, until the end of the transaction. */
  lock(deps: TxDeps, leg: Pick<LegRow, 'platformId' | 'subjectId' | 'userId'>): Promise<unknown>
  /** What the sandbox lets happen to it; asked when it is sent. */
  magicOutcome(deps: TxDeps, leg: LegRow): Promise<MagicOutcome | null>
  /** Asked when it is sent: the code with which it fails instead of leaving, or null. */
  refusal(deps: TxDeps, leg: LegRow): Promise<ReturnCode | null>
  /** Whether it may leave now; asked before it is put into a file or handed over. */
  isReadyToSend(deps: TxDeps, leg: LegRow): Promise<boolean>
  /** Who is stopped of those whose money it moves; asked before it leaves. Null: nobody. */
  stopOf(deps: TxDeps, leg: LegRow): Promise<Stop | null>
  /** Ends what the leg belongs to instead of sending it, because somebody's account is closed. @returns whether it could */
  abandon(deps: TxDeps, leg: LegRow): Promise<boolean>
  /** Its effects: books, status, the next leg. `before` is the leg as it was. */
  applyEffects(deps: TxDeps, leg: LegRow, event: LegEvent, before: LegRow): Promise<void>
}

export type LegHandlers = Record<LegPurpose, LegHandler>

export type NewLeg = Pick<
  LegRow,
  'platformId' | 'purpose' | 'subjectId' | 'userId' | 'accountId' | 'rail' | 'direction' | 'cents'
>

/** A leg that waits for its rail. */
export function newLeg(deps: Pick<TxDeps, 'clock' | 'random' | 'settings'>, leg: NewLeg): LegRow {
  const waiting = { ...leg, status: 'WAITING', fate: null } as const
  return {
    ...waiting,
    id: newId(deps),
    ...waitingPlan(deps, waiting),
    returnCode: null,
    sentAt: null,
    settledAt: null,
    heldAt: null,
    stoppedBy: null,
  }
}

/** When a leg that waits is put into a file, or leaves by itself. */
function waitingPlan(
  deps: Pick<TxDeps, 'clock' | 'settings'>,
  leg: Pick<LegRow, 'rail' | 'direction' | 'status' | 'fate'>,
): Pick<LegRow, 'fileAt' | 'nextEvent' | 'nextAt'> {
  const next = stepAfter(deps, leg)
  return {
    fileAt: waitsForFile(leg, deps.settings) ? nextFileAt(leg, deps.clock.now()) : null,
    nextEvent: next?.event ?? null,
    nextAt: next?.at ?? null,
  }
}

/** When a leg can be put into a file: ACH at the next cut-off, paper at once. */
const nextFileAt = ({ rail }: Pick<LegRow, 'rail'>, now: Date): Date => (rail === 'ACH' ? nextAchWindow(now) : now)

const stepAfter = (
  { clock, settings }: Pick<TxDeps, 'clock' | 'settings'>,
  leg: Pick<LegRow, 'rail' | 'direction' | 'status' | 'fate'>,
  at = clock.now(),
) => (waitsForFile(leg, settings) ? null : nextStep(leg, at, settings.trustBankingDays))

export async function createLeg(deps: TxDeps, leg: NewLeg): Promise<LegRow> {
  const row = newLeg(deps, leg)
  await insertLeg(deps.sql, row, deps.clock.now())
  deps.afterCommit(() => deps.meter.legChanged(row))
  return row
}

export const legsOf = (deps: Pick<TxDeps, 'sql'>, subject: { platformId: string; subjectId: string }) =>
  listLegs(deps.sql, subject)

/**
 * The one place where a leg changes its status: applies one event of the table, and what follows from it. What the leg
 * belongs to is locked by then. A leg that must not leave is returned instead of sent.
 *
 * @returns the leg as it is then, or null when it is not in a state that the event may leave
 */
export async function applyLegEvent(
  deps: TxDeps,
  handler: LegHandler,
  leg: LegRow,
  event: LegEvent,
  given: { returnCode?: ReturnCode; isSimulated?: true; settlesAt?: Date } = {},
): Promise<LegRow | null> {
  const { from, to } = legTransitions[event]
  const refusal = event === 'send' ? await handler.refusal(deps, leg) : null
  if (refusal) return applyLegEvent(deps, handler, leg, 'return', { returnCode: refusal })
  const mayFollowMagic = event === 'send' && deps.settings.canTriggerOutcomes && !given.isSimulated
  const magicOutcome = mayFollowMagic ? await handler.magicOutcome(deps, leg) : null
  const after: LegRow = {
    ...leg,
    status: to,
    fileAt: to === 'WAITING' ? nextFileAt(leg, deps.clock.now()) : null,
    fate: magicOutcome?.fate ?? leg.fate,
    returnCode: given.returnCode ?? magicOutcome?.returnCode ?? leg.returnCode,
  }
  const now = deps.clock.now()
  const next = stepAfter(deps, after, given.settlesAt)
  after.nextEvent = next?.event ?? null
  after.nextAt = next?.at ?? null
  const isChanged = await updateLeg(deps.sql, leg, { from, event, now, to, ...pickPlan(after) })
  if (!isChanged) return null
  deps.afterCommit(() => deps.meter.legChanged(after))
  await handler.applyEffects(deps, after, event, leg)
  return after
}

/** Does what a rail does with a leg now, unless it was done meanwhile. */
export async function doDueLeg(deps: TxDeps, handlers: LegHandlers, due: DueLeg): Promise<void> {
  const handler = handlers[due.purpose]
  await handler.lock(deps, due)
  const leg = await findLeg(deps.sql, due)
  const isStillDue = leg?.nextEvent === due.nextEvent && leg.nextAt?.getTime() === due.dueAt.getTime()
  if (!leg || !isStillDue || leg.heldAt) return
  if (due.nextEvent === 'send' && (await withholdIfStopped(deps, handler, leg))) return
  const isReadyToSend = due.nextEvent !== 'send' || (await handler.isReadyToSend(deps, leg))
  if (isReadyToSend) await applyLegEvent(deps, handler, leg, due.nextEvent)
  else await updateNextAt(deps.sql, leg, new Date(deps.clock.now().getTime() + RECHECK_MS))
}

/** The legs of a rail that go into a file now. */
export const legsToFile = (deps: TxDeps, query: FileQuery & { limit: number }): Promise<LegRow[]> =>
  listLegsForFile(deps.sql, query)

export const platformsToFile = (deps: Pick<Deps, 'sql'>, query: FileQuery): Promise<string[]> =>
  listPlatformsForFile(deps.sql, query)

/** Lets a leg that cannot be put into a file wait until another time. */
export const postponeLeg = (deps: Pick<TxDeps, 'sql'>, leg: Pick<LegRow, 'platformId' | 'id'>, fileAt: Date) =>
  updateFileAt(deps.sql, leg, fileAt)

/** Sends a leg in a file, unless it waits no more or may not leave now. @returns whether it was sent */
export async function sendLegInFile(deps: TxDeps, handlers: LegHandlers, waiting: LegRow): Promise<boolean> {
  const handler = handlers[waiting.purpose]
  await handler.lock(deps, waiting)
  const leg = await findLeg(deps.sql, waiting)
  if (!leg?.fileAt || leg.heldAt || (await withholdIfStopped(deps, handler, leg))) return false
  if (await handler.isReadyToSend(deps, leg))
    return (await applyLegEvent(deps, handler, leg, 'send'))?.status === 'SENT'
  await updateFileAt(deps.sql, leg, nextFileAt(leg, new Date(deps.clock.now().getTime() + RECHECK_MS)))
  return false
}

/**
 * Keeps a leg from leaving when somebody whose money it moves is stopped. SUSPENDED: it waits until that status changes.
 * CLOSED: what it belongs to ends.
 *
 * @returns whether it was kept
 */
async function withholdIfStopped(deps: TxDeps, handler: LegHandler, leg: LegRow): Promise<boolean> {
  const stop = await handler.stopOf(deps, leg)
  if (!stop) return false
  const hasEnded = stop.standing === 'CLOSED' && (await handler.abandon(deps, leg))
  if (!hasEnded) await updateStoppedBy(deps.sql, leg, stop.by)
  return true
}

/**
 * Lets legs that the status of a user has stopped wait for their rails again: they are asked anew when they are due.
 *
 * @returns how many, `limit` at most
 */
export async function resumeStoppedLegs(
  deps: TxDeps,
  handlers: LegHandlers,
  stopped: { stoppedBy: string; limit: number },
): Promise<number> {
  const legs = await lockLegs(deps, handlers, await listStoppedLegs(deps.sql, stopped))
  for (const leg of legs) {
    const clock = await clockOf(deps, leg.platformId)
    await updateUnstopped(deps.sql, leg, waitingPlan({ ...deps, clock }, leg))
  }
  return legs.length
}

/** A leg that may not leave is looked at again after so long, ACH at the cut-off after that. */
const RECHECK_MS = 60 * 60 * 1000

/** What follows for one leg of a file that was accepted. @returns false when it is not on its way any more */
export async function acceptLeg(deps: TxDeps, handlers: LegHandlers, leg: LegRow, settlesAt: Date): Promise<boolean> {
  return (await applyLegEvent(deps, handlers[leg.purpose], leg, 'accept', { settlesAt })) !== null
}

/** The leg goes into another file: its file, batch or entry never took effect. @returns false when it is not on its way */
export async function recallLeg(deps: TxDeps, handlers: LegHandlers, leg: LegRow): Promise<boolean> {
  return (await applyLegEvent(deps, handlers[leg.purpose], leg, 'recall')) !== null
}

/**
 * Holds a leg, and all others of its payment or bank, until an operator has looked. They do not move by themselves: none is
 * sent, settles or is trusted. The bank's word is still applied: a return that matches, a check that was paid. What the leg
 * belongs to is locked by then.
 */
export const holdLeg = (deps: Pick<TxDeps, 'sql' | 'clock'>, leg: LegRow, reason: string): Promise<void> =>
  updateLegsHeld(deps.sql, leg, { heldAt: deps.clock.now(), reason })

/** Lets a held leg, and all others of its payment or bank, go on. */
export async function releaseHeldLeg(
  deps: TxDeps,
  handlers: LegHandlers,
  key: { platformId: string; id: string },
): Promise<void> {
  const leg = await lockLeg(deps, handlers, key)
  if (!leg) return
  await updateLegsReleased(deps.sql, leg)
  deps.afterCommit(deps.wake)
}

/** Locks what legs belong to, in one order for all, and reads them. */
export async function lockLegs(
  deps: TxDeps,
  handlers: LegHandlers,
  keys: readonly { platformId: string; id: string }[],
): Promise<LegRow[]> {
  const bySubject = new Map(
    (await listLegsById(deps.sql, keys)).map((leg) => [`${leg.platformId} ${leg.subjectId}`, leg]),
  )
  const inOrder = [...bySubject].sort(([a], [b]) => (a < b ? -1 : 1))
  await Promise.all(inOrder.map(([, leg]) => handlers[leg.purpose].lock(deps, leg)))
  return listLegsById(deps.sql, keys)
}

export const findLegs = (deps: Pick<TxDeps, 'sql'>, keys: readonly { platformId: string; id: string }[]) =>
  listLegsById(deps.sql, keys)

/** Locks what a leg belongs to, and reads it. */
export async function lockLeg(
  deps: TxDeps,
  handlers: LegHandlers,
  key: { platformId: string; id: string },
): Promise<LegRow | null> {
  const leg = await findLeg(deps.sql, key)
  if (!leg) return null
  await handlers[leg.purpose].lock(deps, leg)
  return findLeg(deps.sql, key)
}

const pickPlan = ({ fate, returnCode, nextEvent, nextAt, fileAt }: LegRow) => ({
  fate,
  returnCode,
  nextEvent,
  nextAt,
  fileAt,
})
