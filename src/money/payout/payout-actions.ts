import { findLastRestore } from '../../connections/exchange/exchange-guard-actions.ts'
import type {
  CallOutcome,
  OrderReport,
  Processor,
  ProcessorOrder,
} from '../../connections/processor/processor-types.ts'
import type { Connection, ProcessorContract } from '../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { endBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { addDays } from '../../foundation/lib/clock.ts'
import { post } from '../ledger/ledger-actions.ts'
import { findStopOfLeg, type LegHandlers, legsOf, lockLeg, sendLegInFile } from '../rail/leg-actions.ts'
import type { LegRow } from '../rail/leg-store.ts'
import { holdIfMaybeAtBank } from '../rail/restore-hold-actions.ts'
import type { ReturnCode } from '../rail/return-code-rules.ts'
import {
  applyPayoutEvent,
  type LockedPayout,
  type PayoutChange,
  recordPayoutCase,
  reschedulePayout,
} from './payout-change-actions.ts'
import { isOverdue, lostAt, nextReturnCheckAt, nextTryAt, returnCodeOf } from './payout-rules.ts'
import { allows, eventOfState, hasEnded, type PayoutEvent, type PayoutStatus } from './payout-status.ts'
import { insertPayout, lockPayout, type PayoutKey, type PayoutRow } from './payout-store.ts'

/** The functions of higher folders that payouts call. */
export type PayoutHooks = {
  handlers: LegHandlers
  /** Returns the person whom a leg pays, with the purpose. Returns a return code if that is impossible. */
  payeeOf(tx: TxDeps, leg: LegRow): Promise<PayeeOfLeg | ReturnCode>
  /** Stores the token that replaces the number of a leg's card, which may be on another platform. */
  keepToken(deps: Deps, leg: LegRow, token: string): Promise<void>
}

export type PayeeOfLeg = Pick<ProcessorOrder, 'payee' | 'description'>

/** A connection to a processor that is ready to be called. */
export type OpenProcessor = {
  connection: Connection
  contract: ProcessorContract
  answerMs: number
  processor: Processor
}

/**
 * Marks a waiting leg as sent and inserts its order, in one transaction. A later pass submits the order. After a restore, a leg is held if
 * its payment may have another order at the processor that the database has lost.
 *
 * @returns whether the leg was sent
 */
export const startPayout = (
  deps: Deps,
  { handlers }: PayoutHooks,
  { connection, leg }: { connection: Connection; leg: LegRow },
): Promise<boolean> =>
  inTransaction(deps, async (tx) => {
    const locked = await lockLeg(tx, handlers, leg)
    if (locked && !locked.heldAt && (await holdIfMaybeAtBank(tx, locked, await findLastRestore(tx)))) return false
    if (!(await sendLegInFile(tx, handlers, leg))) return false
    const { platformId, id: legId, rail } = leg
    const row = { platformId, legId, connectionId: connection.id, rail: rail as PayoutRow['rail'] }
    if (!(await insertPayout(tx.sql, { ...row, now: tx.clock.now() }))) throw new Error(`the leg ${legId} has an order`)
    return true
  })

/** Locks the subject of an order's leg, and then the order and the leg. */
export async function lockPayoutWithLeg(
  tx: TxDeps,
  handlers: LegHandlers,
  { platformId, legId }: PayoutKey,
): Promise<LockedPayout | null> {
  const leg = await lockLeg(tx, handlers, { platformId, id: legId })
  const payout = leg && (await lockPayout(tx.sql, { platformId, legId }))
  return payout ? { payout, leg } : null
}

/**
 * Submits an order that is READY. The status SENDING is committed before the first byte is sent. If the process stops after that, the
 * processor is asked about the order, and the order is never sent again.
 *
 * @returns the result of the call, or null if nothing was to be sent
 */
export async function submitPayout(
  deps: Deps,
  hooks: PayoutHooks,
  { open, key }: { open: OpenProcessor; key: PayoutKey },
): Promise<CallOutcome | null> {
  const order = await inTransaction(deps, (tx) => prepareOrder(tx, hooks, { open, key }))
  if (!order) return null
  const outcome = await open.processor.submit(order)
  await record(deps, hooks, { open, key, outcome })
  return outcome
}

/** Records the result of a call, and then the token of a card. */
async function record(
  deps: Deps,
  hooks: PayoutHooks,
  { open, key, outcome }: { open: OpenProcessor; key: PayoutKey; outcome: CallOutcome },
): Promise<void> {
  const leg = await inTransaction(deps, (tx) => recordOutcome(tx, hooks, { open, key, outcome }))
  const report = outcome.kind === 'reported' ? outcome.report : null
  if (leg && report?.cardToken != null && report.cents === leg.cents) await hooks.keepToken(deps, leg, report.cardToken)
}

/** Asks a processor about an order that it has or may have. */
export async function askAboutPayout(
  deps: Deps,
  hooks: PayoutHooks,
  { open, payout }: { open: OpenProcessor; payout: PayoutRow },
): Promise<CallOutcome> {
  const order = isAskedBySubmitting(open, payout, deps.clock.now())
    ? await inTransaction(deps, (tx) => repeatOrder(tx, hooks, payout))
    : null
  const key = { reference: payout.legId, processorId: payout.processorId }
  const outcome = await (order ? open.processor.submit(order) : open.processor.find(key))
  await record(deps, hooks, { open, key: payout, outcome })
  return outcome
}

/**
 * The days for which a request may be repeated. PayPal remembers a reference for 30 days. After that, the same request could create another
 * order.
 */
const REPEATED_FOR_DAYS = 25

const isAskedBySubmitting = ({ processor }: OpenProcessor, payout: PayoutRow, now: Date): boolean =>
  processor.asksBySubmitting && payout.processorId === null && now < addDays(payout.createdAt, REPEATED_FOR_DAYS)

/**
 * Returns the order that a processor may have, so that the request can be repeated. Returns null if the order has ended in the meantime, or
 * its account is gone.
 */
async function repeatOrder(tx: TxDeps, hooks: PayoutHooks, key: PayoutKey): Promise<ProcessorOrder | null> {
  const locked = await lockPayoutWithLeg(tx, hooks.handlers, key)
  if (!locked || hasEnded(locked.payout.status)) return null
  const payee = await hooks.payeeOf(tx, locked.leg)
  return typeof payee === 'string' ? null : orderOf(locked, payee)
}

const orderOf = ({ leg, payout }: LockedPayout, payee: PayeeOfLeg): ProcessorOrder => ({
  reference: leg.id,
  rail: payout.rail,
  cents: leg.cents,
  paymentId: leg.subjectId,
  ...payee,
})

const HELD_RECHECK_TRIES = 9

async function prepareOrder(
  tx: TxDeps,
  hooks: PayoutHooks,
  { open, key }: { open: OpenProcessor; key: PayoutKey },
): Promise<ProcessorOrder | null> {
  const locked = await lockPayoutWithLeg(tx, hooks.handlers, key)
  if (locked?.payout.status !== 'READY') return null
  const { leg, payout } = locked
  const now = tx.clock.now()
  const decision = await decideToSend(tx, hooks.handlers, leg)
  if (decision === 'wait') {
    await reschedulePayout(tx, locked, { nextAt: nextTryAt(now, { tries: HELD_RECHECK_TRIES }) })
    return null
  }
  const limit = open.contract.centsPerOrder
  const isAboveLimit = limit !== null && leg.cents > limit
  const payee = decision ?? (isAboveLimit ? 'AM02' : await hooks.payeeOf(tx, leg))
  if (typeof payee === 'string') {
    await applyPayoutEvent(tx, hooks.handlers, locked, 'reject', { returnCode: payee })
    return null
  }
  await applyPayoutEvent(tx, hooks.handlers, locked, 'send', { nextAt: lostAt(now, open), tries: payout.tries })
  return orderOf(locked, payee)
}

/**
 * Decides whether an order that was READY for some time may still be sent.
 *
 * @returns null if it may. `wait`: not now. A return code: it must not be sent, because a user was closed, or the debit that paid for it
 * was returned
 */
async function decideToSend(tx: TxDeps, handlers: LegHandlers, leg: LegRow): Promise<'wait' | ReturnCode | null> {
  if (leg.heldAt) return 'wait'
  const stop = await findStopOfLeg(tx, handlers, leg)
  if (stop) return stop.standing === 'CLOSED' ? NOT_SENT : 'wait'
  const legs = await legsOf(tx, leg)
  const debits = legs.filter(({ purpose, status }) => purpose === 'payment_pull' && status !== 'CANCELLED')
  return debits.length > 0 && debits.every(({ status }) => status === 'RETURNED') ? NOT_SENT : null
}

/** The return code for a refusal without a reason. */
const NOT_SENT = 'MS03'

/** Records the outcome of a call. @returns the leg of the order */
async function recordOutcome(
  tx: TxDeps,
  hooks: PayoutHooks,
  { open, key, outcome }: { open: OpenProcessor; key: PayoutKey; outcome: CallOutcome },
): Promise<LegRow | null> {
  const locked = await lockPayoutWithLeg(tx, hooks.handlers, key)
  if (!locked) return null
  await applyOutcome(tx, hooks, { open, locked, outcome })
  return locked.leg
}

async function applyOutcome(
  tx: TxDeps,
  hooks: PayoutHooks,
  { open, locked, outcome }: { open: OpenProcessor; locked: LockedPayout; outcome: CallOutcome },
): Promise<void> {
  const { payout } = locked
  const now = tx.clock.now()
  const isSending = payout.status === 'SENDING'
  // If the process stopped during an earlier call, that call may still have arrived. The answer to a repeated call therefore proves
  // nothing.
  const isFirstCall = isSending && (payout.nextAt ?? now) > now
  switch (outcome.kind) {
    case 'reported':
      return applyReport(tx, hooks, { open, locked, report: outcome.report })
    case 'refused':
      if (!isFirstCall) return stayUnknown(tx, hooks, { open, locked, problem: outcome.problem })
      await applyPayoutEvent(tx, hooks.handlers, locked, 'reject', { returnCode: returnCodeOf(outcome.reasonCode) })
      return
    case 'not_taken': {
      const tries = payout.tries + 1
      const change = { tries, lastProblem: outcome.problem, nextAt: nextTryAt(now, { ...outcome, tries }) }
      if (isFirstCall) await applyPayoutEvent(tx, hooks.handlers, locked, 'postpone', change)
      else await stayUnknown(tx, hooks, { open, locked, problem: outcome.problem })
      return
    }
    case 'unknown':
      return stayUnknown(tx, hooks, { open, locked, problem: outcome.problem })
    case 'not_found': {
      const problem = 'The processor knows no order with this reference.'
      // An order without an id at the processor may have been taken, or a person reported it as paid.
      if (payout.processorId !== null)
        await recordPayoutCase(tx, locked, { kind: 'payout_contradicts', note: `${problem} It was ${payout.status}.` })
      return stayUnknown(tx, hooks, { open, locked, problem })
    }
  }
}

/** Asks again about an order that may have been taken. After the time limit of its connection, a case is opened for the operator. */
async function stayUnknown(
  tx: TxDeps,
  { handlers }: PayoutHooks,
  { open, locked, problem }: { open: OpenProcessor; locked: LockedPayout; problem: string },
): Promise<void> {
  const { payout } = locked
  const now = tx.clock.now()
  const tries = payout.tries + 1
  const change = { tries, lastProblem: problem, nextAt: laterAt(locked, now, { ...open.contract, tries }) }
  if (payout.status === 'SENDING') await applyPayoutEvent(tx, handlers, locked, 'lose', change)
  else await reschedulePayout(tx, locked, change)
  if (isOverdue(payout, now, open.contract))
    await recordPayoutCase(tx, locked, {
      kind: 'payout_unknown',
      note: `Nobody knows whether the order was paid. ${problem}`,
    })
}

/** Returns when the processor is asked about an order again. For a paid order, that is each day while it can be returned. */
const laterAt = (
  { payout }: LockedPayout,
  now: Date,
  { returnDays, tries }: { returnDays: number; tries: number },
): Date | null =>
  payout.paidAt && payout.status === 'PAID'
    ? nextReturnCheckAt(now, { paidAt: payout.paidAt, returnDays })
    : nextTryAt(now, { tries })

/** Applies a processor's report about an order. */
async function applyReport(
  tx: TxDeps,
  hooks: PayoutHooks,
  { open, locked, report }: { open: OpenProcessor; locked: LockedPayout; report: OrderReport },
): Promise<void> {
  const { payout, leg } = locked
  const now = tx.clock.now()
  if (report.cents !== leg.cents) {
    await recordPayoutCase(tx, locked, { kind: 'payout_contradicts', note: 'The processor names another amount.' })
    return stayUnknown(tx, hooks, { open, locked, problem: 'The processor names another amount.' })
  }
  const event = eventOfState[report.state]
  const known = { processorId: report.processorId, feeCents: report.feeCents ?? payout.feeCents }
  await postFee(tx, payout, known)
  const change: PayoutChange = {
    ...known,
    nextAt: nextAfter(event, now, open.contract),
    ...(BACK.includes(event) && { returnCode: returnCodeOf(report.reasonCode) }),
  }
  if (await applyPayoutEvent(tx, hooks.handlers, locked, event, change)) {
    const resolution = `The processor says that the order is ${report.state}.`
    return endBankCase(tx, { kind: 'payout_unknown', subjectId: leg.id }, resolution)
  }
  const tries = payout.tries + 1
  const nextAt = laterAt(locked, now, { ...open.contract, tries })
  await reschedulePayout(tx, locked, {
    ...known,
    tries,
    lastProblem: null,
    nextAt: isFinal(payout.status) ? null : nextAt,
  })
  if (isContradiction(payout.status, event))
    await recordPayoutCase(tx, locked, {
      kind: 'payout_contradicts',
      note: `The processor says that the order is ${report.state}. It was ${payout.status}.`,
    })
}

/** Posts the change of the processor's fee for an order. */
async function postFee(
  tx: TxDeps,
  { platformId, feeCents: before }: PayoutRow,
  { feeCents }: Pick<PayoutRow, 'feeCents'>,
): Promise<void> {
  const cents = (feeCents ?? 0) - (before ?? 0)
  const rule = cents > 0 ? 'payout_fee' : 'payout_fee_returned'
  if (cents !== 0) await post(tx, { platformId, paymentId: null }, rule, { cents: Math.abs(cents) })
}

/** The events after which the money goes back to the sender. */
const BACK: readonly PayoutEvent[] = ['reject', 'return', 'cancel']

const isFinal = (status: PayoutStatus): boolean => hasEnded(status) && status !== 'PAID'

/**
 * Whether a report that could not be applied contradicts the known state: the leg or the order ended in another way. It is no contradiction
 * if an accepted order is reported as submitted, because some parts of a processor are slower than others.
 */
const isContradiction = (status: PayoutStatus, event: PayoutEvent): boolean =>
  allows(event, status) || (hasEnded(status) && STATUS_AFTER[event] !== status)

const STATUS_AFTER: Partial<Record<PayoutEvent, PayoutStatus>> = {
  pay: 'PAID',
  reject: 'REJECTED',
  return: 'RETURNED',
  cancel: 'CANCELED',
}

/** Returns when the processor is asked about an order after an event. Null: never again. */
function nextAfter(event: PayoutEvent, now: Date, { returnDays }: ProcessorContract): Date | null {
  if (event === 'pay') return nextReturnCheckAt(now, { paidAt: now, returnDays })
  return BACK.includes(event) ? null : nextTryAt(now, { tries: 0 })
}
