import type { CallOutcome, OrderReport } from '../../connections/processor/processor-types.ts'
import type { ProcessorContract } from '../../foundation/core/connections.ts'
import { formatDollars } from '../../foundation/core/money.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { endBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { post } from '../ledger/ledger-actions.ts'
import type { LegHandlers } from '../rail/leg-actions.ts'
import {
  applyPayoutEvent,
  type LockedPayout,
  type PayoutChange,
  recordPayoutCase,
  reschedulePayout,
} from './payout-change-actions.ts'
import { isOverdue, LOW_BALANCE, nextReturnCheckAt, nextTryAt, returnCodeOf } from './payout-rules.ts'
import { allows, eventOfState, hasEnded, type PayoutEvent, type PayoutStatus } from './payout-status.ts'
import type { PayoutRow } from './payout-store.ts'

/** The result of a call about an order. `isCancel`: the call asked to cancel it. */
type Outcome = {
  open: { contract: ProcessorContract }
  locked: LockedPayout
  outcome: CallOutcome
  isCancel: boolean
}

/** Records the result of a call about an order, with its effect on the payment. */
export async function recordOutcome(
  tx: TxDeps,
  handlers: LegHandlers,
  { open, locked, outcome, isCancel }: Outcome,
): Promise<void> {
  const { payout } = locked
  const { contract } = open
  const now = tx.clock.now()
  // After a crash, a call of an earlier pass may have reached the processor, so the answer to a repeated call proves nothing.
  const isFirstCall = payout.status === 'SENDING' && (payout.nextAt ?? now) > now
  const postpone = async (problem: string, retryAfterSeconds: number | null): Promise<void> => {
    if (!isFirstCall) return stayUnknown(tx, handlers, { contract, locked, problem, isSilent: false })
    const tries = payout.tries + 1
    const nextAt = nextTryAt(now, { retryAfterSeconds, tries })
    const change = { tries, lastProblem: problem, nextAt, accountMark: null, sentOn: null }
    await applyPayoutEvent(tx, handlers, locked, 'postpone', change)
  }
  switch (outcome.kind) {
    case 'reported':
      return applyReport(tx, handlers, {
        ...{ contract, locked, report: outcome.report },
        isCancelAnswered: isCancel && !outcome.isCancelOpen,
      })
    case 'refused':
      if (!isFirstCall) return stayUnknown(tx, handlers, { contract, locked, problem: outcome.problem, isSilent: true })
      await applyPayoutEvent(tx, handlers, locked, 'reject', { returnCode: returnCodeOf(outcome.reasonCode) })
      return
    case 'not_taken':
      return postpone(outcome.problem, outcome.retryAfterSeconds)
    case 'no_funds':
      return postpone(LOW_BALANCE, null)
    case 'unknown':
      return stayUnknown(tx, handlers, { contract, locked, problem: outcome.problem, isSilent: true })
    case 'not_found': {
      const problem = 'The processor knows no order with this reference.'
      // An order without an id at the processor may have been accepted there, or the operator decided that it was paid.
      if (payout.processorId !== null) await recordContradiction(tx, locked, `${problem} It was ${payout.status}.`)
      return stayUnknown(tx, handlers, { contract, locked, problem, isSilent: true, isAnswered: true })
    }
  }
}

/**
 * Keeps an order whose state is unknown or unreadable. The processor is asked about it again, and after the time limit of its connection, a
 * case is opened.
 *
 * @param given.isSilent true: the processor gives no answer about this order. False: it gives no answer about any order, which is a problem
 * of the connection
 * @param given.isAnswered whether the processor has answered the question. The processor is then not asked about an order whose money is
 * back again
 */
async function stayUnknown(
  tx: TxDeps,
  handlers: LegHandlers,
  {
    contract,
    locked,
    problem,
    isSilent,
    isAnswered = false,
  }: {
    contract: ProcessorContract
    locked: LockedPayout
    problem: string
    isSilent: boolean
    isAnswered?: boolean
  },
): Promise<void> {
  const { payout } = locked
  const now = tx.clock.now()
  const tries = payout.tries + 1
  const unknownSince = payout.unknownSince ?? (isSilent ? now : null)
  const isOver = isFinal(payout.status) && (isAnswered || tries >= MAX_ENDED_TRIES)
  const change = {
    tries,
    lastProblem: problem,
    nextAt: isOver ? null : laterAt(locked, now, { ...contract, tries, isAnswered }),
  }
  if (payout.status === 'SENDING') await applyPayoutEvent(tx, handlers, locked, 'lose', change)
  else await reschedulePayout(tx, locked, { ...change, unknownSince })
  if (isSilent && !isFinal(payout.status) && isOverdue(unknownSince, now, contract))
    await recordPayoutCase(tx, locked, {
      kind: 'payout_unknown',
      note: `${unknownWords(payout.status)} ${problem}`,
      event: (unknownSince ?? payout.createdAt).toISOString(),
    })
}

/** The maximum number of questions about an order whose money is back, if the processor does not answer: about one day of them. */
const MAX_ENDED_TRIES = 150

const unknownWords = (status: PayoutStatus): string =>
  status === 'PAID' ? 'It is unknown whether the paid order was returned.' : 'It is unknown whether the order was paid.'

/**
 * Returns the time of the next query about an order. A paid order is queried each day while its money can be returned, and until it is
 * answered.
 */
const laterAt = (
  { payout }: LockedPayout,
  now: Date,
  { returnDays, tries, isAnswered }: { returnDays: number; tries: number; isAnswered: boolean },
): Date | null =>
  payout.paidAt && payout.status === 'PAID'
    ? nextReturnCheckAt(now, { paidAt: payout.paidAt, returnDays, isAnswered })
    : nextTryAt(now, { tries })

/** Applies the state of an order that a processor reported. */
async function applyReport(
  tx: TxDeps,
  handlers: LegHandlers,
  {
    contract,
    locked,
    report,
    isCancelAnswered,
  }: { contract: ProcessorContract; locked: LockedPayout; report: OrderReport; isCancelAnswered: boolean },
): Promise<void> {
  const { payout, leg } = locked
  const now = tx.clock.now()
  if (report.cents !== leg.cents) {
    const problem = `The processor names another amount: ${formatDollars(report.cents)}.`
    await recordContradiction(tx, locked, problem)
    // Of an order whose money is back, only an answer with its amount can bring the last fee.
    const isAnswered = !isFinal(payout.status)
    return stayUnknown(tx, handlers, { contract, locked, problem, isSilent: false, isAnswered })
  }
  const event = eventOfState[report.state]
  const known = {
    processorId: report.processorId,
    feeCents: report.feeCents ?? payout.feeCents,
    cancelAnsweredAt: isCancelAnswered ? now : payout.cancelAnsweredAt,
  }
  await postFee(tx, payout, known)
  const change: PayoutChange = {
    ...known,
    nextAt: nextAfter(event, now, contract),
    ...(BACK.includes(event) && { returnCode: returnCodeOf(report.reasonCode) }),
  }
  await endBankCase(
    tx,
    { kind: 'payout_unknown', subjectId: leg.id },
    `The processor says that the order is ${report.state}.`,
  )
  if (await applyPayoutEvent(tx, handlers, locked, event, change)) return
  const tries = payout.tries + 1
  const nextAt = laterAt(locked, now, { ...contract, tries, isAnswered: true })
  await reschedulePayout(tx, locked, {
    ...known,
    tries,
    lastProblem: null,
    unknownSince: payout.status === 'UNKNOWN' ? payout.unknownSince : null,
    nextAt: isFinal(payout.status) ? null : nextAt,
  })
  if (isContradiction(payout.status, event))
    await recordContradiction(
      tx,
      locked,
      `The processor says that the order is ${report.state}. It was ${payout.status}.`,
    )
}

/** Records what a processor contradicts. The same contradiction is one case, however often the processor repeats it. */
const recordContradiction = (tx: TxDeps, locked: LockedPayout, note: string): Promise<void> =>
  recordPayoutCase(tx, locked, { kind: 'payout_contradicts', note, event: note })

/** Posts the change of the fee that a processor charges for an order. */
async function postFee(
  tx: TxDeps,
  { platformId, feeCents: before }: PayoutRow,
  { feeCents }: Pick<PayoutRow, 'feeCents'>,
): Promise<void> {
  const cents = (feeCents ?? 0) - (before ?? 0)
  const rule = cents > 0 ? 'payout_fee' : 'payout_fee_returned'
  if (cents !== 0) await post(tx, { platformId, paymentId: null }, rule, { cents: Math.abs(cents) })
}

/** The events that refund the money. */
const BACK: readonly PayoutEvent[] = ['reject', 'return', 'cancel']

const isFinal = (status: PayoutStatus): boolean => hasEnded(status) && status !== 'PAID'

/**
 * Returns whether a report that could not be applied contradicts what is known: the leg or the order has another final status. An order
 * that was accepted may be called submitted by a slower part of the processor.
 */
const isContradiction = (status: PayoutStatus, event: PayoutEvent): boolean =>
  allows(event, status) || (hasEnded(status) && STATUS_AFTER[event] !== status)

const STATUS_AFTER: Partial<Record<PayoutEvent, PayoutStatus>> = {
  pay: 'PAID',
  reject: 'REJECTED',
  return: 'RETURNED',
  cancel: 'CANCELED',
}

/** Returns the time at which the processor is asked about an order after an event. Null: never again. */
function nextAfter(event: PayoutEvent, now: Date, { returnDays }: ProcessorContract): Date | null {
  if (event === 'pay') return nextReturnCheckAt(now, { paidAt: now, returnDays, isAnswered: true })
  return BACK.includes(event) ? null : nextTryAt(now, { tries: 0 })
}
