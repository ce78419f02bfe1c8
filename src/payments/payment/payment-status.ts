import type { Transitions } from '../../foundation/lib/transitions.ts'

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
  deposit: { from: ['UNPAID', 'FAILED'], to: 'IN_PROCESS' }, //        the recipient chooses where the money goes
  receive: { from: ['UNPAID'], to: 'PAID' }, //                        from a wallet into a wallet: at once
  print: { from: ['UNPAID'], to: 'PRINTED' }, //                       the recipient takes the printable check
  send: { from: ['UNPAID'], to: 'IN_PROCESS' }, //                     a paper check goes to the printer
  mail: { from: ['IN_PROCESS'], to: 'MAILED' }, //                     handed to the postal service
  pay: { from: ['IN_PROCESS', 'PRINTED', 'MAILED'], to: 'PAID' }, //   sent on its rail, or the paper was cashed
  fail: { from: ['IN_PROCESS', 'PRINTED', 'MAILED', 'PAID'], to: 'FAILED' }, //        returned, with its return code
  reinstate: { from: ['FAILED'], to: 'PAID' }, //                      the bank has executed an order that it had rejected
  void: { from: ['UNPAID', 'PRINTED', 'MAILED', 'IN_PROCESS', 'FAILED'], to: 'VOID' }, // voided, or the paper stopped
  expire: { from: ['UNPAID', 'PRINTED', 'MAILED'], to: 'EXPIRED' }, // after 10 to 180 days, as set by the sender
  refund: { from: ['IN_PROCESS', 'FAILED'], to: 'REFUNDED' }, //       the sender has the money back
  refund_return: { from: ['REFUNDED'], to: 'FAILED' }, //              the refund was returned; only an operator can send it again
} as const satisfies Transitions<PaymentStatus>

export type PaymentEvent = keyof typeof paymentTransitions

/** The statuses of payments that have not ended. Their sender and recipient cannot be deleted. */
export const UNFINISHED_STATUSES = ['UNPAID', 'IN_PROCESS', 'PRINTED', 'MAILED'] as const satisfies PaymentStatus[]
