import type { OrderState } from '../../connections/processor/processor-types.ts'
import type { Transitions } from '../../foundation/lib/transitions.ts'
import type { LegEvent, LegStatus } from '../rail/leg-status.ts'

export const PAYOUT_STATUSES = [
  'READY',
  'SENDING',
  'UNKNOWN',
  'SUBMITTED',
  'ACCEPTED',
  'PAID',
  'REJECTED',
  'RETURNED',
  'CANCELED',
] as const
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

/**
 * The statuses of a leg's order at a processor. Only READY orders are sent. In all other statuses, the processor is asked about the order
 * by its reference.
 */
export const payoutTransitions = {
  // event    may leave                                                    leads to
  send: { from: ['READY'], to: 'SENDING' }, // committed before the first byte is sent
  postpone: { from: ['SENDING'], to: 'READY' }, // the processor has certainly not taken the order
  lose: { from: ['SENDING'], to: 'UNKNOWN' }, // the processor may have taken the order
  submit: { from: ['SENDING', 'UNKNOWN'], to: 'SUBMITTED' }, // the processor has the order
  accept: { from: ['SENDING', 'UNKNOWN', 'SUBMITTED'], to: 'ACCEPTED' }, // the processor will pay
  pay: { from: ['SENDING', 'UNKNOWN', 'SUBMITTED', 'ACCEPTED'], to: 'PAID' },
  reject: { from: ['READY', 'SENDING', 'UNKNOWN', 'SUBMITTED', 'ACCEPTED'], to: 'REJECTED' },
  return: { from: ['SENDING', 'UNKNOWN', 'SUBMITTED', 'ACCEPTED', 'PAID'], to: 'RETURNED' },
  cancel: { from: ['READY', 'SENDING', 'UNKNOWN', 'SUBMITTED', 'ACCEPTED'], to: 'CANCELED' },
} as const satisfies Transitions<PayoutStatus>

export type PayoutEvent = keyof typeof payoutTransitions

/** The event for each state that a processor reports. */
export const eventOfState: Record<OrderState, PayoutEvent> = {
  submitted: 'submit',
  accepted: 'accept',
  paid: 'pay',
  rejected: 'reject',
  returned: 'return',
  canceled: 'cancel',
}

const legEvents: Partial<Record<PayoutEvent, LegEvent>> = {
  accept: 'accept',
  pay: 'settle',
  reject: 'return',
  return: 'return',
  cancel: 'return',
}

/** The leg events while a payment is being voided. If the money did not leave, or was returned, the payment is VOID. */
const legEventsWhenStopping: typeof legEvents = { pay: 'settle', reject: 'cancel', return: 'cancel', cancel: 'cancel' }

/** Returns the leg event that an event of an order causes, or undefined. */
export const legEventOf = (event: PayoutEvent, { status }: { status: LegStatus }): LegEvent | undefined =>
  (status === 'STOPPING' ? legEventsWhenStopping : legEvents)[event]

/** The statuses of an order whose money has moved, or will not move. */
const ENDED: readonly PayoutStatus[] = ['PAID', 'REJECTED', 'RETURNED', 'CANCELED']

export const hasEnded = (status: PayoutStatus): boolean => ENDED.includes(status)

export const allows = (event: PayoutEvent, status: PayoutStatus): boolean =>
  (payoutTransitions[event].from as readonly PayoutStatus[]).includes(status)
