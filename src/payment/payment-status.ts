import type { Transitions } from '../lib/transitions.ts'

export const PAYMENT_STATUSES = [
  'UNPAID',
  'IN_PROCESS',
  'PAID',
  'FAILED',
  'PRINTED',
  'VOID',
  'EXPIRED',
  'MAILED',
  'REFUNDED',
] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

export const paymentTransitions = {
  // event     may leave                                              leads to            specification.md 5.2
  deposit: { from: ['UNPAID', 'FAILED'], to: 'IN_PROCESS' }, //        the recipient says where the money goes
  receive: { from: ['UNPAID'], to: 'PAID' }, //                        from a wallet into a wallet: at once
  print: { from: ['UNPAID'], to: 'PRINTED' }, //                       the recipient takes the printable check
  send: { from: ['UNPAID'], to: 'IN_PROCESS' }, //                     a paper check goes to the printer
  mail: { from: ['IN_PROCESS'], to: 'MAILED' }, //                     handed to the post
  pay: { from: ['IN_PROCESS', 'PRINTED', 'MAILED'], to: 'PAID' }, //   handed to its rail, or the paper was cashed
  fail: { from: ['IN_PROCESS', 'PRINTED', 'MAILED', 'PAID'], to: 'FAILED' }, //        returned, with its code
  void: { from: ['UNPAID', 'PRINTED', 'MAILED', 'IN_PROCESS'], to: 'VOID' }, //        cancelled, or the paper stopped
  expire: { from: ['UNPAID', 'PRINTED', 'MAILED'], to: 'EXPIRED' }, //                 10 to 180 days, as the sender set it
  refund: { from: ['IN_PROCESS', 'FAILED'], to: 'REFUNDED' }, //       the money is back at the sender
  refund_return: { from: ['REFUNDED'], to: 'FAILED' }, //              the refund came back; only an operator sends it again
} as const satisfies Transitions<PaymentStatus>

export type PaymentEvent = keyof typeof paymentTransitions

/** Payments that are still to end: their sender and recipient cannot be deleted. */
export const UNFINISHED_STATUSES = ['UNPAID', 'IN_PROCESS', 'PRINTED', 'MAILED'] as const satisfies PaymentStatus[]
