import { auditStep } from '../../foundation/audit/audit-worker.ts'
import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import { statisticsStep } from '../../foundation/db/schema/table-statistics.ts'
import { type Mailer, mailStep } from '../../foundation/mail/mail-worker.ts'
import { requestLogStep } from '../../foundation/request-log/request-log-worker.ts'
import type { AchHooks } from '../../money/ach/file/ach-file-actions.ts'
import { readAchStep, writeAchStep } from '../../money/ach/file/ach-file-worker.ts'
import type { OrderHooks } from '../../money/iso20022/order/order-file-actions.ts'
import { readAnswersStep, writeOrdersStep } from '../../money/iso20022/order/order-worker.ts'
import type { PayoutHooks } from '../../money/payout/payout-actions.ts'
import { payoutStep } from '../../money/payout/payout-worker.ts'
import type { LegHandlers } from '../../money/rail/leg-actions.ts'
import { matchStatementsStep, readStatementsStep } from '../../money/reconciliation/statement-worker.ts'
import { createNumberStep } from '../../money/wallet/wallet-number-worker.ts'
import { invoiceMailStep } from '../../orders/payer/payer-worker.ts'
import { readStatementChecksStep } from '../../payments/check/paid/statement-check-worker.ts'
import { readPaidChecksStep } from '../../payments/check/printing/print-worker.ts'
import { readMailStep } from '../../payments/mailbox/mailbox-worker.ts'
import { totalsStep } from '../../payments/payment/totals/totals-worker.ts'
import { matchStep } from '../../payments/recipient/recipient-match-worker.ts'
import { invitationStep } from '../../payments/recipient/recipient-worker.ts'
import { type Courier, deliveryStep } from '../../webhook/delivery/webhook-worker.ts'
import { closedEndpointStep } from '../../webhook/endpoint/webhook-health-worker.ts'
import { createEventSweep } from '../../webhook/history/history-worker.ts'
import { listenerStep } from '../../webhook/listener/listener-worker.ts'
import { searchStep } from '../overview/search-worker.ts'
import { demoResetStep } from '../sandbox/demo-worker.ts'
import { exchangeStep, followFilesStep, writeChecksStep } from '../scheduler/bank-file-work.ts'
import { clockStep, dueWorkStep } from '../scheduler/due-work.ts'
import { outboxStep } from '../scheduler/outbox-work.ts'
import { sweepSteps } from '../scheduler/sweep-table.ts'
import { userStatusStep } from '../scheduler/user-status-work.ts'

/** The dependencies of background steps in addition to `Deps`. */
export type Tools = {
  courier: Courier
  mailer: Mailer | null
  baseUrl: () => string
  legHandlers: LegHandlers
  achHooks: AchHooks
  orderHooks: OrderHooks
  payoutHooks: PayoutHooks
}

/** Returns the background steps, most urgent first. */
export const backgroundSteps = (): BackgroundStep<Tools>[] => [
  deliveryStep,
  outboxStep,
  mailStep,
  invitationStep,
  invoiceMailStep,
  matchStep,
  dueWorkStep,
  auditStep,
  clockStep,
  writeAchStep,
  readAchStep,
  writeOrdersStep,
  readAnswersStep,
  exchangeStep,
  followFilesStep,
  payoutStep,
  userStatusStep,
  writeChecksStep,
  readPaidChecksStep,
  createNumberStep(),
  readStatementsStep,
  matchStatementsStep,
  readStatementChecksStep,
  readMailStep,
  totalsStep,
  searchStep,
  closedEndpointStep,
  createEventSweep(),
  ...sweepSteps,
  listenerStep,
  requestLogStep,
  statisticsStep,
  demoResetStep,
]
