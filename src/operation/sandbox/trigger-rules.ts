import type { Rail } from '../../money/rail/rail-rules.ts'
import type { PaymentEvent, PaymentStatus } from '../../payments/payment/payment-status.ts'

type Step = readonly [event: PaymentEvent, rail?: Rail]

/**
 * The events of the state table, in order, that lead from one status to another, with the rail for a payment without one
 * (specification.md 5.6). VOID and EXPIRED are not reachable from PAID.
 */
export const paymentTriggers: Partial<Record<PaymentStatus, Partial<Record<PaymentStatus, readonly Step[]>>>> = {
  UNPAID: {
    IN_PROCESS: [['deposit', 'ACH']],
    PAID: [['deposit', 'ACH'], ['pay']],
    FAILED: [['deposit', 'ACH'], ['fail']],
    REFUNDED: [['deposit', 'ACH'], ['fail'], ['refund']],
    PRINTED: [['print', 'PRINT']],
    MAILED: [['send', 'MAIL'], ['mail']],
    VOID: [['void']],
    EXPIRED: [['expire']],
  },
  IN_PROCESS: {
    PAID: [['pay']],
    FAILED: [['fail']],
    REFUNDED: [['fail'], ['refund']],
    MAILED: [['mail', 'MAIL']],
    VOID: [['void']],
  },
  PRINTED: {
    PAID: [['pay']],
    FAILED: [['fail']],
    REFUNDED: [['fail'], ['refund']],
    VOID: [['void']],
    EXPIRED: [['expire']],
  },
  MAILED: {
    PAID: [['pay']],
    FAILED: [['fail']],
    REFUNDED: [['fail'], ['refund']],
    VOID: [['void']],
    EXPIRED: [['expire']],
  },
  PAID: { FAILED: [['fail']], REFUNDED: [['fail'], ['refund']] },
  FAILED: { IN_PROCESS: [['deposit', 'ACH']], PAID: [['deposit', 'ACH'], ['pay']], REFUNDED: [['refund']] },
}
