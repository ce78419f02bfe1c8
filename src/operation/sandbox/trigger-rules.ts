import type { Rail } from '../../money/rail/rail-rules.ts'
import type { PaymentEvent, PaymentStatus } from '../../payments/payment/payment-status.ts'

type Step = readonly [event: PaymentEvent, rail?: Rail]

type Triggers = Partial<Record<PaymentStatus, readonly Step[]>>

const fromPaper: Triggers = {
  PAID: [['pay']],
  FAILED: [['fail']],
  REFUNDED: [['fail'], ['refund']],
  VOID: [['void']],
  EXPIRED: [['expire']],
}

/**
 * The events of the state table that lead from one status to another, in order. If the payment has no rail, they name one (specification.md
 * 5.6). VOID and EXPIRED are not reachable from PAID.
 */
export const paymentTriggers: Partial<Record<PaymentStatus, Triggers>> = {
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
  PRINTED: fromPaper,
  MAILED: fromPaper,
  PAID: { FAILED: [['fail']], REFUNDED: [['fail'], ['refund']] },
  FAILED: { IN_PROCESS: [['deposit', 'ACH']], PAID: [['deposit', 'ACH'], ['pay']], REFUNDED: [['refund']] },
}
