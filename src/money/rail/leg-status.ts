import type { Transitions } from '../../foundation/lib/transitions.ts'

export const LEG_STATUSES = [
  'WAITING',
  'SENT',
  'ACCEPTED',
  'SETTLED',
  'TRUSTED',
  'STOPPING',
  'RETURNED',
  'CANCELLED',
] as const
export type LegStatus = (typeof LEG_STATUSES)[number]

/** The statuses of a leg in flight: sent, but neither settled nor ended. */
export const IN_FLIGHT_STATUSES = ['SENT', 'ACCEPTED', 'STOPPING'] as const satisfies LegStatus[]

/** The statuses of a leg that is neither settled nor ended. */
export const OPEN_STATUSES = ['WAITING', ...IN_FLIGHT_STATUSES] as const satisfies LegStatus[]

export const isInFlight = (status: LegStatus): boolean => (IN_FLIGHT_STATUSES as readonly LegStatus[]).includes(status)

export const legTransitions = {
  // event     may leave                                leads to
  send: { from: ['WAITING'], to: 'SENT' }, //           handed to its rail, or put into a file
  accept: { from: ['SENT'], to: 'ACCEPTED' }, //        file rails: the bank or printer has accepted its file
  recall: { from: ['SENT', 'ACCEPTED'], to: 'WAITING' }, // file rails: its file, batch or entry was rejected or canceled
  settle: { from: ['SENT', 'ACCEPTED', 'STOPPING'], to: 'SETTLED' }, // the money has moved, or the paper check was cashed
  trust: { from: ['SETTLED'], to: 'TRUSTED' }, //       a pull that is unlikely to be returned
  stop: { from: ['WAITING', 'SENT', 'ACCEPTED'], to: 'STOPPING' }, // in production: the bank is asked not to pay a check or an order
  keep: { from: ['STOPPING'], to: 'ACCEPTED' }, // the bank refuses to cancel the order
  return: { from: ['WAITING', 'SENT', 'ACCEPTED', 'SETTLED', 'TRUSTED'], to: 'RETURNED' }, // it was returned, or not accepted
  reinstate: { from: ['RETURNED'], to: 'SENT' }, //     the bank has executed an order that it had rejected, as the operator found out
  cancel: { from: ['WAITING', 'SENT', 'STOPPING'], to: 'CANCELLED' }, // never sent, or the check or order was stopped
} as const satisfies Transitions<LegStatus>

export type LegEvent = keyof typeof legTransitions

/** The events that become due. A rail causes them itself, except `cancel`, which the bank has accepted for a leg that is held. */
export const RAIL_EVENTS = ['send', 'settle', 'trust', 'return', 'cancel'] as const satisfies LegEvent[]
export type RailEvent = (typeof RAIL_EVENTS)[number]
