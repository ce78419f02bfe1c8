import type { CallOutcome, OrderKey, Processor, ProcessorOrder } from '../../connections/processor/processor-types.ts'
import type { Connection, ProcessorContract } from '../../foundation/core/connections.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { addDays, businessDate, startOfNextDay } from '../../foundation/lib/clock.ts'
import { findStopOfLeg, type LegHandlers, legsOf, lockLeg, sendLegInFile } from '../rail/leg-actions.ts'
import type { LegRow } from '../rail/leg-store.ts'
import { holdIfMaybeAtProcessor } from '../rail/restore-hold-actions.ts'
import type { ReturnCode } from '../rail/return-code-rules.ts'
import { applyPayoutEvent, type LockedPayout, reschedulePayout } from './payout-change-actions.ts'
import { recordOutcome } from './payout-outcome-actions.ts'
import { DAY_LIMIT, lostAt, nextTryAt } from './payout-rules.ts'
import { hasEnded } from './payout-status.ts'
import { insertPayout, lockPayout, type PayoutKey, type PayoutRow, sumSentOn } from './payout-store.ts'

/** The functions of higher folders that payouts call. */
export type PayoutHooks = {
  handlers: LegHandlers
  /** Returns whom a leg pays over a connection, and for what. A code: why that is impossible. */
  payeeOf(tx: TxDeps, leg: LegRow, connectionId: string): Promise<PayeeOfLeg | ReturnCode>
  /** Keeps the token with which a connection replaces the number of a leg's card, which may be on another platform. */
  keepToken(deps: Deps, leg: LegRow, card: { connectionId: string; token: string }): Promise<void>
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
    if (locked && !locked.heldAt && (await holdIfMaybeAtProcessor(tx, locked))) return false
    if (!(await sendLegInFile(tx, handlers, leg))) return false
    const { platformId, id: legId, rail, cents } = leg
    const row = { platformId, legId, connectionId: connection.id, rail: rail as PayoutRow['rail'], cents }
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
  await record(deps, hooks, { open, key, outcome, isCancel: false })
  return outcome
}

type Answered = { open: OpenProcessor; key: PayoutKey; outcome: CallOutcome; isCancel: boolean }

/** Records the result of a call, and then the token of a card. */
async function record(deps: Deps, hooks: PayoutHooks, { open, key, outcome, isCancel }: Answered): Promise<void> {
  const leg = await inTransaction(deps, async (tx) => {
    const locked = await lockPayoutWithLeg(tx, hooks.handlers, key)
    if (locked) await recordOutcome(tx, hooks.handlers, { open, locked, outcome, isCancel })
    return locked?.leg ?? null
  })
  const report = outcome.kind === 'reported' ? outcome.report : null
  if (leg && report?.cardToken != null && report.cents === leg.cents)
    await hooks.keepToken(deps, leg, { connectionId: open.connection.id, token: report.cardToken })
}

/** Asks a processor about an order that it has or may have. The order of a payment that is being voided is canceled by this question. */
export async function askAboutPayout(
  deps: Deps,
  hooks: PayoutHooks,
  { open, payout }: { open: OpenProcessor; payout: PayoutRow },
): Promise<CallOutcome> {
  const question = await inTransaction(deps, (tx) => chooseQuestion(tx, hooks, { open, key: payout }))
  const outcome = await ask(open, question, { reference: payout.legId, processorId: payout.processorId })
  await record(deps, hooks, { open, key: payout, outcome, isCancel: question === 'cancel' })
  return outcome
}

/** The order again, whether the processor has canceled the order, the state of the order, or why nothing is asked. */
type Question = { order: ProcessorOrder } | 'cancel' | 'find' | { problem: string }

async function ask({ processor }: OpenProcessor, question: Question, key: OrderKey): Promise<CallOutcome> {
  if (question === 'cancel') return processor.cancel(key)
  if (question === 'find') return processor.find(key)
  return 'order' in question ? processor.submit(question.order) : { kind: 'unknown', ...question }
}

async function chooseQuestion(
  tx: TxDeps,
  hooks: PayoutHooks,
  { open, key }: { open: OpenProcessor; key: PayoutKey },
): Promise<Question> {
  const locked = await lockPayoutWithLeg(tx, hooks.handlers, key)
  if (!locked || hasEnded(locked.payout.status)) return 'find'
  const { payout, leg } = locked
  if (isAskedBySubmitting(open, payout, tx.clock.now())) return repeatOrder(tx, hooks, { open, locked })
  return leg.status === 'STOPPING' && payout.cancelAnsweredAt === null ? 'cancel' : 'find'
}

/** Returns the order again if it may still be paid. The processor may not have it, and would pay it now. */
async function repeatOrder(tx: TxDeps, hooks: PayoutHooks, { open, locked }: Judged): Promise<Question> {
  if (locked.leg.status === 'STOPPING') return { problem: 'The payment is being voided. The order is not sent again.' }
  const judgment = await judgeOrder(tx, hooks, { open, locked })
  if (typeof judgment === 'string') return { problem: `The order is not sent again: it may not be paid (${judgment}).` }
  if ('nextAt' in judgment)
    return { problem: judgment.lastProblem ?? 'The payment is held, or one of its users is suspended.' }
  await reschedulePayout(tx, locked, { sentOn: judgment.sentOn })
  return judgment
}

/**
 * The days for which a request may be repeated. PayPal remembers a reference for 30 days. After that, the same request could create another
 * order.
 */
const REPEATED_FOR_DAYS = 25

/** Returns whether the same request asks about an order. At another account, it would be another order. */
const isAskedBySubmitting = ({ processor }: OpenProcessor, payout: PayoutRow, now: Date): boolean =>
  processor.asksBySubmitting &&
  payout.processorId === null &&
  payout.accountMark === processor.accountMark &&
  now < addDays(payout.createdAt, REPEATED_FOR_DAYS)

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
  if (leg.status === 'STOPPING') {
    await applyPayoutEvent(tx, hooks.handlers, locked, 'cancel')
    return null
  }
  const judgment = await judgeOrder(tx, hooks, { open, locked })
  if (typeof judgment === 'string') {
    await applyPayoutEvent(tx, hooks.handlers, locked, 'reject', { returnCode: judgment })
    return null
  }
  if ('nextAt' in judgment) {
    await reschedulePayout(tx, locked, judgment)
    return null
  }
  const { order, sentOn } = judgment
  await applyPayoutEvent(tx, hooks.handlers, locked, 'send', {
    ...{ nextAt: lostAt(tx.clock.now(), open), tries: payout.tries, accountMark: open.processor.accountMark, sentOn },
  })
  return order
}

type Judged = { open: OpenProcessor; locked: LockedPayout }

/** The day on which an order is sent, in the time zone of its connection. */
type Sendable = { order: ProcessorOrder; sentOn: string }
type Waiting = { nextAt: Date; lastProblem?: string }

/**
 * Decides whether an order may be sent now, for the first time or again.
 *
 * @returns the order, or until when it waits, or the return code of an order that must not be sent
 */
async function judgeOrder(
  tx: TxDeps,
  hooks: PayoutHooks,
  { open, locked }: Judged,
): Promise<Sendable | Waiting | ReturnCode> {
  const { leg } = locked
  const { connection, contract } = open
  const now = tx.clock.now()
  const decision = await decideToSend(tx, hooks.handlers, leg)
  if (decision === 'wait') return { nextAt: nextTryAt(now, { tries: HELD_RECHECK_TRIES }) }
  const payee = decision ?? (isAboveLimit(contract, leg) ? 'AM02' : await hooks.payeeOf(tx, leg, connection.id))
  if (typeof payee === 'string') return payee
  const sentOn = businessDate(now, connection.timeZone)
  if (
    contract.centsPerDay !== null &&
    (await sumSentOn(tx.sql, locked.payout, sentOn)) + leg.cents > contract.centsPerDay
  )
    return { nextAt: startOfNextDay(now, connection.timeZone), lastProblem: DAY_LIMIT }
  return { order: orderOf(locked, payee), sentOn }
}

/** Returns whether the connection never pays an order of this amount, on any day. */
const isAboveLimit = ({ centsPerOrder, centsPerDay }: ProcessorContract, { cents }: LegRow): boolean =>
  cents > (centsPerOrder ?? cents) || cents > (centsPerDay ?? cents)

/**
 * Decides whether the state of its payment allows that an order is sent.
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
