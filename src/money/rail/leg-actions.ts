import { calendarOfRail } from '../../connections/exchange/bank-calendar-rules.ts'
import { connectionOfRail } from '../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { afterBankingDays, nextAchWindow } from '../../foundation/lib/banking-day.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { recordInSubjectTrace } from '../../foundation/lib/trace/trace.ts'
import type { StoppedUser } from '../../people/user/user-store.ts'
import { type LegEvent, legTransitions } from './leg-status.ts'
import {
  type DueLeg,
  type FileQuery,
  findLeg,
  insertLeg,
  isLegBooked,
  type LegKey,
  type LegPurpose,
  type LegRow,
  type LegsOfFile,
  listLegs,
  listLegsById,
  listLegsForFile,
  listLegsOfPlatform,
  listPlatformsForFile,
  listStoppedLegs,
  updateCancelDue,
  updateFileAt,
  updateLeg,
  updateLegsHeld,
  updateNextAt,
  updateStoppedBy,
  updateUnstopped,
} from './leg-store.ts'
import { waitsForConnection } from './rail-rules.ts'
import type { ReturnCode } from './return-code-rules.ts'
import { type MagicOutcome, nextStep } from './simulated-rail-rules.ts'

/** The subject of a leg: a payment or a bank, locked until the end of the transaction. It decides which effects the leg's events have. */
export type LegSubject = {
  /** Checks the account of a leg that is about to be sent. */
  checkAccount(leg: LegRow): Promise<AccountCheck>
  /** Whether a leg may be sent now. Called before the leg is sent or put into a file. */
  isReadyToSend(leg: LegRow): Promise<boolean>
  /** Returns the suspended or closed user whose money a leg moves, or null. Called before the leg is sent. */
  stopOf(leg: LegRow): Promise<StoppedUser | null>
  /** Ends the subject instead of sending a leg, because a user is closed. @returns whether that was possible */
  abandon(leg: LegRow): Promise<boolean>
  /** Acts on the decision of the operator that held legs have not left. Called after they are released. */
  afterReview?(): Promise<void>
  /** Applies the effects of an event: postings, status, the next leg. `before` is the leg before the event. */
  applyEffects(leg: LegRow, event: LegEvent, before: LegRow): Promise<void>
}

/** The result of checking the account of a leg. */
export type AccountCheck = {
  /** The code with which the leg fails instead of being sent, or null. */
  refusal: ReturnCode | null
  /** Returns the outcome that the sandbox simulates, or null. */
  magicOutcome(): MagicOutcome | null
}

/**
 * Locks the subjects of legs in a fixed order. Each purpose has one handler.
 *
 * @returns the subject of each leg, or null if it does not exist
 */
export type LegHandler = (deps: TxDeps, legs: readonly LegOfSubject[]) => Promise<(LegSubject | null)[]>

type LegOfSubject = Pick<LegRow, 'platformId' | 'subjectId' | 'userId'>

export type LegHandlers = Record<LegPurpose, LegHandler>

export type NewLeg = Pick<
  LegRow,
  'platformId' | 'purpose' | 'subjectId' | 'userId' | 'accountId' | 'rail' | 'direction' | 'cents'
>

/** Returns a new leg that waits for its rail. */
export function newLeg(deps: Pick<TxDeps, 'clock' | 'random' | 'settings' | 'connections'>, leg: NewLeg): LegRow {
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

/** Returns when a waiting leg is sent over its connection, or when its rail causes its next event. */
function waitingPlan(
  deps: Pick<TxDeps, 'clock' | 'settings' | 'connections'>,
  leg: Pick<LegRow, 'rail' | 'direction' | 'status' | 'fate'>,
): Pick<LegRow, 'fileAt' | 'nextEvent' | 'nextAt'> {
  const next = stepAfter(deps, leg)
  return {
    fileAt: waitsForConnection(leg, deps.settings) ? nextFileAt(deps, leg, deps.clock.now()) : null,
    nextEvent: next?.event ?? null,
    nextAt: next?.at ?? null,
  }
}

/** Returns when a leg can be sent: ACH at the next cut-off, everything else at once. */
const nextFileAt = ({ connections }: Pick<TxDeps, 'connections'>, { rail }: Pick<LegRow, 'rail'>, now: Date): Date =>
  rail === 'ACH' ? nextAchWindow(now, calendarOfRail(connections.current(), rail)) : now

const stepAfter = (
  { clock, settings, connections }: Pick<TxDeps, 'clock' | 'settings' | 'connections'>,
  leg: Pick<LegRow, 'rail' | 'direction' | 'status' | 'fate'>,
  at = clock.now(),
) => {
  if (waitsForConnection(leg, settings)) return null
  const calendar = calendarOfRail(connections.current(), leg.rail)
  return nextStep(leg, at, { trustDays: settings.trustBankingDays, calendar })
}

export async function createLeg(deps: TxDeps, leg: NewLeg): Promise<LegRow> {
  const row = newLeg(deps, leg)
  await insertLeg(deps.sql, { ...row, createdAt: deps.clock.now() })
  deps.afterCommit(() => deps.meter.legChanged(row))
  return row
}

export const legsOf = (deps: Pick<TxDeps, 'sql'>, subject: { platformId: string; subjectId: string }) =>
  listLegs(deps.sql, subject)

/**
 * Applies one event of the state table to a leg, with its effects. A leg that must not be sent is returned instead. The caller must have
 * locked the subject before reading the leg. All status changes of legs use this function.
 *
 * @returns the updated leg, or null if its status does not allow the event
 */
export async function applyLegEvent(
  deps: TxDeps,
  handler: LegHandler,
  leg: LegRow,
  event: LegEvent,
  given: EventDetails = {},
): Promise<LegRow | null> {
  return applyToSubject(deps, await lockSubject(deps, handler, leg), leg, event, given)
}

/** Locks the subject of one leg. */
async function lockSubject(deps: TxDeps, handler: LegHandler, leg: LegOfSubject): Promise<LegSubject> {
  const [subject] = await handler(deps, [leg])
  return existing(subject, leg)
}

function existing(subject: LegSubject | null | undefined, { subjectId }: LegOfSubject): LegSubject {
  if (!subject) throw new Error(`a leg belongs to ${subjectId}, which does not exist`)
  return subject
}

type EventDetails = { returnCode?: ReturnCode; isSimulated?: true; settlesAt?: Date; isAtBank?: boolean }

async function applyToSubject(
  deps: TxDeps,
  subject: LegSubject,
  leg: LegRow,
  event: LegEvent,
  given: EventDetails = {},
): Promise<LegRow | null> {
  const { from, to } = legTransitions[event]
  const account = event === 'send' && !given.isAtBank ? await subject.checkAccount(leg) : null
  if (account?.refusal) return applyToSubject(deps, subject, leg, 'return', { returnCode: account.refusal })
  const mayFollowMagic = deps.settings.canTriggerOutcomes && !given.isSimulated
  const magicOutcome = mayFollowMagic ? account?.magicOutcome() : null
  const after: LegRow = {
    ...leg,
    status: to,
    fileAt: to === 'WAITING' ? nextFileAt(deps, leg, deps.clock.now()) : null,
    fate: magicOutcome?.fate ?? leg.fate,
    returnCode: event === 'reinstate' ? null : (given.returnCode ?? magicOutcome?.returnCode ?? leg.returnCode),
  }
  const now = deps.clock.now()
  const next = stepAfter(deps, after, given.settlesAt)
  after.nextEvent = next?.event ?? null
  after.nextAt = next?.at ?? null
  const isChanged = await updateLeg(deps.sql, {
    ...{ platformId: leg.platformId, leg, next: after },
    ...{ from, to, event, now, realNow: deps.realClock.now(), actor: deps.actor },
    connectionId: connectionOfRail(deps.connections.current(), leg.rail)?.id ?? null,
  })
  if (!isChanged) return null
  deps.afterCommit(() => {
    deps.meter.legChanged(after)
    recordInSubjectTrace(leg.subjectId, `leg ${event}`, { 'remit.rail': leg.rail, 'remit.leg.status': to })
  })
  await subject.applyEffects(after, event, leg)
  return after
}

/**
 * Prepares due legs of one platform, each with another subject, on simulated rails. Locks all subjects and reads all legs.
 *
 * @returns a function that applies the due event of one leg, unless that was already done
 */
export async function prepareDueLegs(
  deps: TxDeps,
  handlers: LegHandlers,
  { platformId, legs }: { platformId: string; legs: readonly DueLeg[] },
): Promise<(due: DueLeg) => Promise<void>> {
  const subjects = await lockSubjects(deps, handlers, legs)
  const ids = legs.map(({ id }) => id)
  const rows = new Map((await listLegsOfPlatform(deps.sql, platformId, ids)).map((leg) => [leg.id, leg]))
  return async (due) =>
    doDueLeg(deps, due, { subject: existing(subjects.get(due.subjectId), due), leg: rows.get(due.id) })
}

/**
 * Due legs with a common key are done one at a time. These are the legs whose events can change a bank, which others of them read: returns,
 * micro-deposits, and corrections that the sandbox simulates.
 */
export const keysOfDueLeg = ({ purpose, nextEvent, fate }: DueLeg): string[] =>
  purpose === 'micro_deposit' || nextEvent === 'return' || fate === 'corrected' ? ['banks'] : []

async function doDueLeg(
  deps: TxDeps,
  due: DueLeg,
  { subject, leg }: { subject: LegSubject; leg: LegRow | undefined },
): Promise<void> {
  const isStillDue = leg?.nextEvent === due.nextEvent && leg.nextAt?.getTime() === due.dueAt.getTime()
  if (!leg || !isStillDue || leg.heldAt) return
  if (due.nextEvent === 'send' && (await withholdIfStopped(deps, subject, leg))) return
  const isReadyToSend = due.nextEvent !== 'send' || (await subject.isReadyToSend(leg))
  if (isReadyToSend) await applyToSubject(deps, subject, leg, due.nextEvent)
  else await updateNextAt(deps.sql, leg, new Date(deps.clock.now().getTime() + RECHECK_MS))
}

/** Locks the subjects of legs. @returns the subjects by id */
async function lockSubjects<Leg extends LegOfSubject & Pick<LegRow, 'purpose'>>(
  deps: TxDeps,
  handlers: LegHandlers,
  legs: readonly Leg[],
): Promise<Map<string, LegSubject | null>> {
  const found = new Map<string, LegSubject | null>()
  for (const [handler, group] of Map.groupBy(legs, ({ purpose }) => handlers[purpose])) {
    const subjects = await handler(deps, group)
    for (const [index, { subjectId }] of group.entries()) found.set(subjectId, subjects[index] ?? null)
  }
  return found
}

/** Lists the legs of a rail that are due for a file. */
export const legsToFile = (deps: TxDeps, query: LegsOfFile): Promise<LegRow[]> => listLegsForFile(deps.sql, query)

export const platformsToFile = (deps: Pick<Deps, 'sql'>, query: FileQuery): Promise<string[]> =>
  listPlatformsForFile(deps.sql, query)

/** Postpones a leg that cannot be put into a file now. */
export const postponeLeg = (deps: Pick<TxDeps, 'sql'>, leg: LegKey, fileAt: Date) => updateFileAt(deps.sql, leg, fileAt)

/** Sets the number of banking days after which a settled debit is trusted. Has no effect on a leg that does not wait to be trusted. */
export const postponeTrust = (
  deps: Pick<TxDeps, 'sql' | 'clock' | 'connections'>,
  leg: LegRow,
  bankingDays: number,
): Promise<void> =>
  leg.nextEvent === 'trust'
    ? updateNextAt(
        deps.sql,
        leg,
        afterBankingDays(deps.clock.now(), bankingDays, calendarOfRail(deps.connections.current(), leg.rail)),
      )
    : Promise.resolve()

/**
 * Sends a leg in a file, unless it no longer waits or must not be sent. `isAtBank`: the bank already has it, so it counts as sent also if it
 * must not be sent now, or is held. @returns whether it was sent
 */
export async function sendLegInFile(
  deps: TxDeps,
  handlers: LegHandlers,
  waiting: LegRow,
  { isAtBank = false } = {},
): Promise<boolean> {
  const subject = await lockSubject(deps, handlers[waiting.purpose], waiting)
  const leg = await findLeg(deps.sql, waiting)
  if (leg?.status !== 'WAITING' || (!leg.fileAt && leg.rail !== 'PRINT')) return false // paper to hand out is in no file
  if (!isAtBank && (leg.heldAt || (await withholdIfStopped(deps, subject, leg)))) return false
  const isSendable = isAtBank || (await subject.isReadyToSend(leg))
  if (isSendable) return (await applyToSubject(deps, subject, leg, 'send', { isAtBank }))?.status === 'SENT'
  await updateFileAt(deps.sql, leg, nextFileAt(deps, leg, new Date(deps.clock.now().getTime() + RECHECK_MS)))
  return false
}

/**
 * Sends the waiting leg of a check that is about to be handed out. The caller must have locked the payment before reading the leg.
 *
 * @returns false if the leg is held or must not be sent now
 */
export async function sendHandedOut(deps: TxDeps, handler: LegHandler, leg: LegRow): Promise<boolean> {
  const subject = await lockSubject(deps, handler, leg)
  if (leg.heldAt || (await withholdIfStopped(deps, subject, leg)) || !(await subject.isReadyToSend(leg))) return false
  return (await applyToSubject(deps, subject, leg, 'send'))?.status === 'SENT'
}

/** Finds the suspended or closed user whose money a leg moves, for a leg that is marked as sent and has not left the service. */
export const findStopOfLeg = async (deps: TxDeps, handlers: LegHandlers, leg: LegRow): Promise<StoppedUser | null> =>
  (await lockSubject(deps, handlers[leg.purpose], leg)).stopOf(leg)

/**
 * Withholds a leg if a user whose money it moves is stopped. If the user is SUSPENDED, the leg waits until the status changes. If the user
 * is CLOSED, ends the leg's subject.
 *
 * @returns whether the leg was withheld
 */
async function withholdIfStopped(deps: TxDeps, subject: LegSubject, leg: LegRow): Promise<boolean> {
  const stop = await subject.stopOf(leg)
  if (!stop) return false
  const hasEnded = stop.standing === 'CLOSED' && (await subject.abandon(leg))
  if (!hasEnded) await updateStoppedBy(deps.sql, leg, { stoppedBy: stop.by, ...recheckPlan(deps, leg) })
  return true
}

/**
 * Returns when a stopped leg is checked again. The user's status is read without a lock, so it may change, and the user's other legs may
 * resume, before this leg is marked as stopped. The check finds such legs.
 */
function recheckPlan(
  { clock, settings, connections }: Pick<TxDeps, 'clock' | 'settings' | 'connections'>,
  leg: LegRow,
) {
  const at = new Date(clock.now().getTime() + STOPPED_RECHECK_MS)
  return waitingPlan({ clock: { now: () => at }, settings, connections }, leg)
}

const STOPPED_RECHECK_MS = 24 * 60 * 60 * 1000

/**
 * Lets legs that were stopped by the status of a user wait for their rails again. They are checked again when they are due.
 *
 * @returns the number of legs, at most `limit`
 */
export async function resumeStoppedLegs(
  deps: TxDeps,
  handlers: LegHandlers,
  stopped: { platformId: string; stoppedBy: string; limit: number },
): Promise<number> {
  const legs = await lockLegs(deps, handlers, await listStoppedLegs(deps.sql, stopped))
  for (const leg of legs) {
    const clock = await clockOf(deps, leg.platformId)
    await updateUnstopped(deps.sql, leg, waitingPlan({ ...deps, clock }, leg))
  }
  return legs.length
}

/** The delay before a leg that is not ready is tried again. ACH waits for the cut-off after that. */
const RECHECK_MS = 60 * 60 * 1000

/** Applies the acceptance of a file to one leg. @returns false if the leg is no longer in flight */
export async function acceptLeg(deps: TxDeps, handlers: LegHandlers, leg: LegRow, settlesAt: Date): Promise<boolean> {
  return (await applyLegEvent(deps, handlers[leg.purpose], leg, 'accept', { settlesAt })) !== null
}

/** Puts a leg into another file, because its file, batch or entry never took effect. @returns false if the leg is not in flight */
export async function recallLeg(deps: TxDeps, handlers: LegHandlers, leg: LegRow): Promise<boolean> {
  return (await applyLegEvent(deps, handlers[leg.purpose], leg, 'recall')) !== null
}

/**
 * Cancels a leg that the bank or the processor has agreed to stop. A held leg is canceled when the operator releases it, because a message
 * of the bank may say that it was paid before. @returns false if the leg is not being stopped
 */
export async function endStop(deps: TxDeps, handlers: LegHandlers, leg: LegRow): Promise<boolean> {
  if (leg.heldAt) return updateCancelDue(deps.sql, leg, deps.clock.now())
  return (await applyLegEvent(deps, handlers[leg.purpose], leg, 'cancel')) !== null
}

/**
 * Holds a leg and all other legs of its payment or bank until the operator releases them. Held legs are not sent, settled or trusted
 * automatically. Messages of the bank still apply, such as a return or a paid check. The caller must hold the lock on the subject.
 */
export const holdLeg = (deps: Pick<TxDeps, 'sql' | 'clock'>, leg: LegRow, reason: string): Promise<void> =>
  updateLegsHeld(deps.sql, leg, { heldAt: deps.clock.now(), reason })

/** Locks the subjects of legs in a fixed order, and then reads the legs. */
export async function lockLegs(deps: TxDeps, handlers: LegHandlers, keys: readonly LegKey[]): Promise<LegRow[]> {
  await lockSubjects(deps, handlers, await listLegsById(deps.sql, keys))
  return listLegsById(deps.sql, keys)
}

export const findLegs = (deps: Pick<TxDeps, 'sql'>, keys: readonly LegKey[]) => listLegsById(deps.sql, keys)

export const isBookedNow = (deps: Pick<TxDeps, 'sql'>, key: LegKey): Promise<boolean> => isLegBooked(deps.sql, key)

/** Locks the subject of a leg, and then reads the leg. */
export async function lockLeg(deps: TxDeps, handlers: LegHandlers, key: LegKey): Promise<LegRow | null> {
  const leg = await findLeg(deps.sql, key)
  if (!leg) return null
  await lockSubject(deps, handlers[leg.purpose], leg)
  return findLeg(deps.sql, key)
}
