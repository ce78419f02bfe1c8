import type { AchHooks } from '../../money/ach/file/ach-file-actions.ts'
import { microDepositLegs } from '../../money/bank/micro-deposit-actions.ts'
import type { OrderHooks } from '../../money/iso20022/order/order-file-actions.ts'
import type { PayoutHooks } from '../../money/payout/payout-actions.ts'
import type { LegHandlers } from '../../money/rail/leg-actions.ts'
import type { ReconcileHooks } from '../../money/reconciliation/decision/reconcile-actions.ts'
import { payMatchedChecks } from '../../payments/check/paid/matched-check-actions.ts'
import { correctBankOfLeg, receiversOf } from '../../payments/payment/leg/ach-receiver-actions.ts'
import { orderDetailsOf } from '../../payments/payment/leg/order-details-actions.ts'
import { paymentLegs } from '../../payments/payment/leg/payment-leg-actions.ts'
import { payeeHooks } from '../../payments/payment/leg/payout-payee-actions.ts'

/** The handlers of legs, by purpose. */
export const legHandlers: LegHandlers = {
  payment_pull: paymentLegs,
  payment_push: paymentLegs,
  payment_refund: paymentLegs,
  micro_deposit: microDepositLegs,
}

/** The functions of higher folders that payouts over processors call. */
export const payoutHooks: PayoutHooks = { handlers: legHandlers, ...payeeHooks }

/** The functions of higher folders that ACH file processing calls. */
export const achHooks: AchHooks = { handlers: legHandlers, receiversOf, correct: correctBankOfLeg }

/** The functions of higher folders that ISO 20022 orders call. */
export const orderHooks: OrderHooks = { handlers: legHandlers, detailsOf: orderDetailsOf }

/** The functions of higher folders that decisions about statement lines call. */
export const reconcileHooks: ReconcileHooks = { handlers: legHandlers, payChecks: payMatchedChecks }
