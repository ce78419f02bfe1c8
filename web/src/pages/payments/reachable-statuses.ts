import type { PaymentStatus } from '../../answers.ts'

/**
 * The statuses to which the sandbox moves a payment, as `paymentTriggers` of the service lists them
 * (`test/payment-pages.test.ts`).
 */
export const reachableStatuses: Partial<Record<PaymentStatus, PaymentStatus[]>> = {
  UNPAID: ['IN_PROCESS', 'PAID', 'FAILED', 'REFUNDED', 'PRINTED', 'MAILED', 'VOID', 'EXPIRED'],
  IN_PROCESS: ['PAID', 'FAILED', 'REFUNDED', 'MAILED', 'VOID'],
  PRINTED: ['PAID', 'FAILED', 'REFUNDED', 'VOID', 'EXPIRED'],
  MAILED: ['PAID', 'FAILED', 'REFUNDED', 'VOID', 'EXPIRED'],
  PAID: ['FAILED', 'REFUNDED'],
  FAILED: ['IN_PROCESS', 'PAID', 'REFUNDED'],
}
