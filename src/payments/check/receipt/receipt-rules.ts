import { businessDate } from '../../../foundation/lib/clock.ts'
import { isInFlight } from '../../../money/rail/leg-status.ts'
import type { LegPurpose, LegRow } from '../../../money/rail/leg-store.ts'
import { type Calendar, expectedDay } from '../../payment/expected-day-rules.ts'
import type { PaymentStatus } from '../../payment/payment-status.ts'
import type { PaymentRow } from '../../payment/payment-types.ts'

/** The movements of a payment's money that people see. */
export const MOVEMENTS = ['debit', 'credit', 'refund'] as const
export type Movement = (typeof MOVEMENTS)[number]

const movements: Partial<Record<LegPurpose, Movement>> = {
  payment_pull: 'debit',
  payment_push: 'credit',
  payment_refund: 'refund',
}

export const movementOfLeg = ({ purpose }: Pick<LegRow, 'purpose'>): Movement | null => movements[purpose] ?? null

/** Finds the leg that pays the payee, unless that leg was returned. */
export const findPayout = (legs: readonly LegRow[]): LegRow | null =>
  legs.findLast(
    ({ purpose, status }) => purpose === 'payment_push' && status !== 'CANCELLED' && status !== 'RETURNED',
  ) ?? null

/** The day on which the payee should have the money, and the time when the money arrived, as far as they are known. */
export type Arrival = { expectedOn: string | null; arrivedAt: Date | null }

const ON_ITS_WAY: readonly PaymentStatus[] = ['IN_PROCESS', 'MAILED', 'PRINTED', 'PAID']

type Moved = Pick<PaymentRow, 'status' | 'rail' | 'fundingKind' | 'depositedAt'>

/**
 * Returns the day on which the payee should have the money. After the payout is sent, the day follows from its rail. The payee can also have
 * the money of a payment that failed or was voided.
 */
export function arrivalOf(payment: Moved, payout: LegRow | null, calendar: Calendar): Arrival {
  const { status, rail, depositedAt } = payment
  if (payout?.status === 'SETTLED') return { expectedOn: null, arrivedAt: payout.settledAt }
  if (!ON_ITS_WAY.includes(status)) return { expectedOn: null, arrivedAt: null }
  if (rail === 'WALLET' && status === 'PAID') return { expectedOn: null, arrivedAt: depositedAt }
  const isSent = payout?.nextEvent === 'settle' && payout.nextAt
  const expectedOn = isSent ? businessDate(isSent, calendar.timeZone) : expectedDay(payment, calendar)
  return { expectedOn, arrivedAt: null }
}

export const statusWords: Record<PaymentStatus, string> = {
  UNPAID: 'Unpaid',
  IN_PROCESS: 'In process',
  PAID: 'Paid',
  FAILED: 'Failed',
  PRINTED: 'Check printed',
  VOID: 'Voided',
  EXPIRED: 'Expired',
  MAILED: 'Check mailed',
  REFUNDED: 'Refunded',
}

/** The outcome of a payment on its receipt. */
export type Outcome = { isFinal: boolean; text: string }

const NOT_FINAL = 'This payment is not final.'

/** The state of the payout of a payment. `stopping`: the bank is asked not to pay the check. `none`: the payee cannot get the money by it. */
export type PayoutState = 'none' | 'moving' | 'stopping' | 'arrived'

export function payoutStateOf(
  payout: Pick<LegRow, 'status'> | null,
  { arrivedAt }: Pick<Arrival, 'arrivedAt'>,
): PayoutState {
  if (arrivedAt !== null) return 'arrived'
  if (payout?.status === 'STOPPING') return 'stopping'
  return payout && isInFlight(payout.status) ? 'moving' : 'none'
}

/**
 * Describes the outcome of a payment. A payment is final when the payee has the money, or can no longer get it. The payout decides, not the
 * status: the payee keeps the money if the debit is returned late, and the bank can pay a check that is being stopped.
 */
export function describeOutcome({ status, payout }: { status: PaymentStatus; payout: PayoutState }): Outcome {
  if (status === 'PAID' && payout !== 'arrived')
    return { isFinal: false, text: `${NOT_FINAL} The money was sent and has not arrived yet.` }
  const ending = endings[status]
  if (ending === undefined || payout === 'none') return outcomes[status]
  if (payout === 'arrived') return { isFinal: true, text: `${ending}, but the payee was paid.` }
  const possibility =
    payout === 'stopping' ? 'the bank can still pay the check' : 'the money is on its way to the payee'
  return { isFinal: false, text: `${NOT_FINAL} ${ending}, but ${possibility}.` }
}

/** How payments end without their payee, in words. */
const endings: Partial<Record<PaymentStatus, string>> = {
  FAILED: 'This payment failed',
  VOID: 'The sender voided this payment',
  EXPIRED: 'This payment expired',
  REFUNDED: 'The money went back to the sender',
}

const outcomes: Record<PaymentStatus, Outcome> = {
  UNPAID: { isFinal: false, text: `${NOT_FINAL} The payee has not been paid.` },
  IN_PROCESS: { isFinal: false, text: `${NOT_FINAL} The money is on its way and has not arrived yet.` },
  PRINTED: { isFinal: false, text: `${NOT_FINAL} The check is not cashed yet.` },
  MAILED: { isFinal: false, text: `${NOT_FINAL} The check is in the mail and is not cashed yet.` },
  FAILED: { isFinal: false, text: `${NOT_FINAL} The money did not arrive, and the payee was not paid.` },
  PAID: { isFinal: true, text: 'The payee was paid.' },
  VOID: { isFinal: true, text: 'The sender voided this payment. The payee was not paid.' },
  EXPIRED: { isFinal: true, text: 'This payment expired. The payee was not paid.' },
  REFUNDED: { isFinal: true, text: 'The money went back to the sender. The payee was not paid.' },
}
