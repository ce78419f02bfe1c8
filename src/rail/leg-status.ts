import type { Transitions } from '../lib/transitions.ts'

export const LEG_STATUSES = ['WAITING', 'SENT', 'SETTLED', 'TRUSTED', 'RETURNED', 'CANCELLED'] as const
export type LegStatus = (typeof LEG_STATUSES)[number]

export const legTransitions = {
  // event     may leave                                          leads to
  send: { from: ['WAITING'], to: 'SENT' }, //                     handed to its rail
  settle: { from: ['SENT'], to: 'SETTLED' }, //                   the money has moved; of paper: it was cashed
  trust: { from: ['SETTLED'], to: 'TRUSTED' }, //                 a pull that will hardly come back
  return: { from: ['WAITING', 'SENT', 'SETTLED', 'TRUSTED'], to: 'RETURNED' }, // it came back, or was not taken at all
  cancel: { from: ['WAITING', 'SENT'], to: 'CANCELLED' }, //      it never left; of paper: it was stopped
} as const satisfies Transitions<LegStatus>

export type LegEvent = keyof typeof legTransitions

/** What a rail does by itself; the other events are somebody's doing. */
export const RAIL_EVENTS = ['send', 'settle', 'trust', 'return'] as const satisfies LegEvent[]
export type RailEvent = (typeof RAIL_EVENTS)[number]
