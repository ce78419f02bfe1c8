import type { TxDeps } from '../../foundation/db/deps.ts'
import { applyLegEvent, legsOf } from '../../money/rail/leg-actions.ts'
import type { LegEvent } from '../../money/rail/leg-status.ts'
import type { LegRow } from '../../money/rail/leg-store.ts'
import type { Rail } from '../../money/rail/rail-rules.ts'
import type { ReturnCode } from '../../money/rail/return-code-rules.ts'
import { findStoppedUser } from '../../people/user/user-lock-actions.ts'
import { depositRefusal } from './deposit/deposit-actions.ts'
import { endPayment, paymentLegs, refundPayment, startMoneyMovement, stopOfLeg } from './leg/payment-leg-actions.ts'
import { keyOf, subjectOf } from './leg/payment-money-actions.ts'
import { applyPaymentEvent } from './payment-change-actions.ts'
import type { PaymentEvent, PaymentStatus } from './payment-status.ts'
import { findPayment, updatePaymentRail } from './payment-store.ts'
import type { PaymentRow } from './payment-types.ts'

/** A simulated event and its details. */
export type SimulatedEvent = { event: PaymentEvent; rail?: Rail; returnCode?: ReturnCode; isPullReturned?: boolean }

/** The maximum number of leg events of one payment. A leg has three events before it ends, and a payment has two legs. */
const MAX_LEG_EVENTS = 8

/**
 * Simulates one event of a payment now, with the ledger postings, legs and webhooks that its rails would cause over time.
 *
 * @returns the updated payment, or null if the event is impossible
 */
export async function simulateEvent(
  deps: TxDeps,
  payment: PaymentRow,
  simulated: SimulatedEvent,
): Promise<PaymentRow | null> {
  const isDone = await simulations[simulated.event](deps, payment, simulated)
  return isDone ? findPayment(deps.sql, keyOf(payment)) : null
}

type Simulate = (deps: TxDeps, payment: PaymentRow, simulated: SimulatedEvent) => Promise<boolean>

const begin: Simulate = async (deps, payment, { event, rail }) => {
  if (await depositRefusal(deps, payment)) return false
  const begun = await applyPaymentEvent(deps, payment, event, rail ? { rail } : {})
  if (begun) await startMoneyMovement(deps, begun)
  return begun !== null
}

const simulations: Record<PaymentEvent, Simulate> = {
  deposit: begin,
  print: begin,
  send: begin,
  receive: async () => false, // needs a destination wallet
  mail: async (deps, payment, { rail }) => {
    if (rail && payment.rail !== rail) await changeRail(deps, payment, rail)
    return advanceTo(deps, payment, 'MAILED')
  },
  pay: (deps, payment) => advanceTo(deps, payment, 'PAID'),
  fail: async (deps, payment, { returnCode, isPullReturned = false }) => {
    const leg = await legToReturn(deps, payment, { isPullReturned })
    if (!leg) return false
    await applyLegEvent(deps, paymentLegs, leg, 'return', returnCode ? { returnCode } : {})
    return (await statusOf(deps, payment)) === 'FAILED'
  },
  reinstate: async () => false, // decided by the operator
  refund: (deps, payment) => refundPayment(deps, payment),
  refund_return: async () => false, // caused by the return of its refund
  void: (deps, payment) => endPayment(deps, payment, 'void'),
  expire: (deps, payment) => endPayment(deps, payment, 'expire'),
}

/** Advances the legs of a payment until the payment has the wanted status. */
async function advanceTo(deps: TxDeps, payment: PaymentRow, wanted: PaymentStatus): Promise<boolean> {
  for (let count = 0; count < MAX_LEG_EVENTS; count++) {
    if ((await statusOf(deps, payment)) === wanted) return true
    if (!(await advanceLeg(deps, payment))) return false
  }
  return false
}

/** Applies the next event of the first leg that has not ended. @returns false if there is none */
async function advanceLeg(deps: TxDeps, payment: PaymentRow): Promise<boolean> {
  const leg = (await legsOf(deps, subjectOf(payment))).find((one) => eventAfter(one) !== null)
  if (!leg) return false
  const event = eventAfter(leg) as LegEvent
  if (event === 'send' && (await stopOfLeg(payment, leg, (users) => findStoppedUser(deps, users)))) return false
  return (await applyLegEvent(deps, paymentLegs, leg, event, { isSimulated: true })) !== null
}

function eventAfter({ status, direction }: LegRow): LegEvent | null {
  if (status === 'WAITING') return 'send'
  if (status === 'SENT') return 'settle'
  return status === 'SETTLED' && direction === 'debit' ? 'trust' : null
}

/** Finds the leg to return: the pull from the sender's bank, or the push to the recipient. */
async function legToReturn(
  deps: TxDeps,
  payment: PaymentRow,
  { isPullReturned }: { isPullReturned: boolean },
): Promise<LegRow | null> {
  const ofKind = async (purpose: LegRow['purpose']) =>
    (await legsOf(deps, subjectOf(payment))).findLast(
      (leg) => leg.purpose === purpose && leg.status !== 'RETURNED' && leg.status !== 'CANCELLED',
    ) ?? null
  if (isPullReturned && payment.fundingKind === 'bank') return ofKind('payment_pull')
  for (let count = 0; count < MAX_LEG_EVENTS; count++) {
    const push = await ofKind('payment_push')
    if (push) return push
    if (!(await advanceLeg(deps, payment))) return null
  }
  return null
}

/** Replaces a waiting push into a bank by a push for another rail, such as a mailed check. */
async function changeRail(deps: TxDeps, payment: PaymentRow, rail: Rail): Promise<void> {
  await updatePaymentRail(deps.sql, keyOf(payment), rail)
  const legs = await legsOf(deps, subjectOf(payment))
  const waiting = legs.filter(({ purpose, status }) => purpose === 'payment_push' && status === 'WAITING')
  for (const leg of waiting) await applyLegEvent(deps, paymentLegs, leg, 'cancel')
  const changed = await findPayment(deps.sql, keyOf(payment))
  if (changed && waiting.length > 0) await startMoneyMovement(deps, changed)
}

const statusOf = async (deps: TxDeps, payment: PaymentRow): Promise<PaymentStatus | undefined> =>
  (await findPayment(deps.sql, keyOf(payment)))?.status
