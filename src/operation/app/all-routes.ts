import type { Provider } from 'oidc-provider'
import { auditRoutes } from '../../foundation/audit/audit-routes.ts'
import type { OneAtATime } from '../../foundation/http/idempotency/idempotency.ts'
import type { Route } from '../../foundation/http/route.ts'
import type { Wakeups } from '../../foundation/lib/concurrency/wakeups.ts'
import { mailRoutes } from '../../foundation/mail/mail-routes.ts'
import { requestLogRoutes } from '../../foundation/request-log/request-log-routes.ts'
import { deleteBanksOfUser } from '../../money/bank/bank-actions.ts'
import { chooseBanks } from '../../money/bank/bank-choice-actions.ts'
import { bankRoutes } from '../../money/bank/bank-routes.ts'
import { debtRoutes } from '../../money/debt/debt-routes.ts'
import { deleteDestinationsOfUser } from '../../money/destination/destination-actions.ts'
import { destinationRoutes } from '../../money/destination/destination-routes.ts'
import { deleteDirectoryOfUser } from '../../money/directory/directory-actions.ts'
import { directoryAccountRoutes, directoryRoutes } from '../../money/directory/directory-routes.ts'
import { forgetConfirmations } from '../../money/iav/iav-actions.ts'
import { iavRoutes } from '../../money/iav/iav-routes.ts'
import { returnCodeRoutes } from '../../money/rail/return-code-routes.ts'
import { requireEmptyCards } from '../../money/virtual-card/virtual-card-actions.ts'
import { virtualCardRoutes, virtualCardSpendingRoutes } from '../../money/virtual-card/virtual-card-routes.ts'
import { deleteWalletsOfUser, type WalletDependents } from '../../money/wallet/wallet-actions.ts'
import { walletDeletionRoutes, walletFundingRoutes, walletRoutes } from '../../money/wallet/wallet-routes.ts'
import { voidApprovalsOf, voidApprovalsOfUser } from '../../orders/approval/approval-actions.ts'
import { approvalInboxRoutes } from '../../orders/approval/approval-inbox-routes.ts'
import { dropProposal, requireMayEndDualControl } from '../../orders/approval/approval-policy-actions.ts'
import { approvalPolicyRoutes } from '../../orders/approval/approval-policy-routes.ts'
import { approvalRoutes } from '../../orders/approval/approval-routes.ts'
import { batchRoutes } from '../../orders/approval/batch/batch-routes.ts'
import { voidInvoicesOfUser } from '../../orders/invoice/invoice-actions.ts'
import {
  invoicePayments,
  moveFoundInvoice,
  prepareInvoicePayment,
} from '../../orders/invoice/invoice-approval-actions.ts'
import { invoiceDetailsRoutes } from '../../orders/invoice/invoice-details-routes.ts'
import { invoiceRoutes } from '../../orders/invoice/invoice-routes.ts'
import { payerRoutes } from '../../orders/payer/payer-routes.ts'
import { cancelSubscriptionsOfUser } from '../../orders/subscription/subscription-actions.ts'
import { subscriptionRoutes } from '../../orders/subscription/subscription-routes.ts'
import { paperRoutes } from '../../payments/check/paper/paper-routes.ts'
import { receiptRoutes } from '../../payments/check/receipt/receipt-routes.ts'
import { cancelCheckbooksOfUser } from '../../payments/checkbook/checkbook-actions.ts'
import { checkbookRoutes } from '../../payments/checkbook/checkbook-routes.ts'
import { closeMailboxesOfUser } from '../../payments/mailbox/mailbox-actions.ts'
import { mailboxRoutes, simulatedMailRoutes } from '../../payments/mailbox/mailbox-routes.ts'
import type { AcceptDeps } from '../../payments/payment/accept/accept-actions.ts'
import { acceptRoutes } from '../../payments/payment/accept/accept-routes.ts'
import { bulkRoutes } from '../../payments/payment/bulk/bulk-routes.ts'
import { draftingRoutes } from '../../payments/payment/drafting/drafting-routes.ts'
import { timelineRoutes } from '../../payments/payment/history/timeline-routes.ts'
import { multiRoutes } from '../../payments/payment/multi/multi-routes.ts'
import { paymentActionRoutes, paymentRoutes } from '../../payments/payment/payment-routes.ts'
import { hasPaymentInProcess } from '../../payments/payment/payment-store.ts'
import { paymentSearchRoutes } from '../../payments/payment/search/payment-search-routes.ts'
import type { PaymentStreams } from '../../payments/payment/stream/stream-actions.ts'
import { streamRoutes } from '../../payments/payment/stream/stream-routes.ts'
import { totalsRoutes } from '../../payments/payment/totals/totals-routes.ts'
import { findBusyReason } from '../../payments/payment/user-busy-actions.ts'
import { isFundingOpenPayment } from '../../payments/payment/user-busy-store.ts'
import { viewRoutes } from '../../payments/payment/view/view-routes.ts'
import { recipientRoutes } from '../../payments/recipient/recipient-routes.ts'
import { loginRoutes } from '../../people/auth/login/login-routes.ts'
import { signInRoutes } from '../../people/auth/login/sign-in-routes.ts'
import { contextRoutes, type ServiceContext } from '../../people/auth/owner/context-routes.ts'
import { findCaller, getSignedIn } from '../../people/auth/session/session-actions.ts'
import { sessionRoutes } from '../../people/auth/session/session-routes.ts'
import { signUpRoutes } from '../../people/auth/sign-up/sign-up-routes.ts'
import { invitationRoutes } from '../../people/auth/team/invitation-routes.ts'
import { teamRoutes } from '../../people/auth/team/team-routes.ts'
import { twoFactorRoutes } from '../../people/auth/two-factor/two-factor-routes.ts'
import { applicationRoutes } from '../../people/oauth/application-routes.ts'
import { consentRoutes } from '../../people/oauth/consent-routes.ts'
import { endGrantsOf } from '../../people/oauth/grant-actions.ts'
import { grantRoutes } from '../../people/oauth/grant-routes.ts'
import type { ApiKeyAuthenticator } from '../../people/user/api-key/api-key-actions.ts'
import { apiKeyRoutes } from '../../people/user/api-key/api-key-routes.ts'
import { developerRoutes } from '../../people/user/api-key/developer-routes.ts'
import { webhookKeyRoutes } from '../../people/user/api-key/webhook-key-routes.ts'
import { limitRoutes } from '../../people/user/limit/limit-routes.ts'
import { profileRoutes } from '../../people/user/profile-routes.ts'
import { followStatus } from '../../people/user/user-actions.ts'
import { userPageRoutes } from '../../people/user/user-page-routes.ts'
import { userRoutes } from '../../people/user/user-routes.ts'
import type { Lines } from '../../webhook/delivery/webhook-post-actions.ts'
import { endpointRoutes, endpointTestRoutes } from '../../webhook/endpoint/endpoint-routes.ts'
import { changeWebhookUri, getWebhookUri, setWebhookUri } from '../../webhook/endpoint/webhook-actions.ts'
import { sendTestEvent } from '../../webhook/endpoint/webhook-test-actions.ts'
import { historyRoutes } from '../../webhook/history/history-routes.ts'
import { listenerRoutes } from '../../webhook/listener/listener-routes.ts'
import { overviewRoutes } from '../overview/overview-routes.ts'
import { searchRoutes } from '../overview/search-routes.ts'
import { sandboxRoutes } from '../sandbox/sandbox-routes.ts'
import { clockRoutes } from '../scheduler/clock-routes.ts'

/** Routes that the dashboard needs, and that depend on nothing else. */
const dashboardRoutes: Route[] = [...limitRoutes, ...userPageRoutes, ...searchRoutes, ...viewRoutes, ...draftingRoutes]

const approvingRoutes = [
  ...approvalRoutes({ moveFoundInvoice, prepareInvoicePayment, invoices: invoicePayments }),
  ...approvalPolicyRoutes,
  ...approvalInboxRoutes,
  ...batchRoutes,
]

/** All routes, and the functions that lower folders need from higher ones. */
export function allRoutes(
  deps: AcceptDeps,
  own: {
    apiKeys: Pick<ApiKeyAuthenticator, 'forget'>
    oneAtATime: OneAtATime
    provider: () => Promise<Provider>
    lines: Lines
    wakeups: Wakeups
    context: ServiceContext
    baseUrl: () => string
    streams: PaymentStreams
  },
): Route[] {
  const { apiKeys, oneAtATime, provider } = own
  return [
    ...userRoutes({
      dependents: {
        findBusyReason,
        remove: removeUser,
      },
      forgetApiKeys: apiKeys.forget,
    }),
    ...dashboardRoutes,
    ...profileRoutes({ chooseBanks, changeWebhookUri, requireMayEndDualControl, dropProposal }),
    ...apiKeyRoutes({ forget: apiKeys.forget, findBusyReason }),
    ...developerRoutes({
      getWebhookUri,
      changeWebhookUri,
      sendTestEvent: (given, user) => sendTestEvent(given, own.lines, user),
    }),
    ...endpointRoutes,
    ...endpointTestRoutes(own.lines),
    ...historyRoutes,
    ...webhookKeyRoutes,
    ...bankRoutes({ hasLegsOnTheirWay: (tx, bank) => hasPaymentInProcess(tx.sql, { ...bank, bankId: bank.id }) }),
    ...iavRoutes,
    ...checkbookRoutes,
    ...mailboxRoutes,
    ...approvingRoutes,
    ...invoiceRoutes({ baseUrl: own.baseUrl }),
    ...invoiceDetailsRoutes,
    ...subscriptionRoutes,
    ...sendingRoutes(deps, oneAtATime),
    ...paperRoutes,
    ...receiptRoutes,
    ...paymentRoutes(),
    ...paymentActionRoutes,
    ...paymentSearchRoutes(),
    ...timelineRoutes,
    ...streamRoutes(own.streams),
    ...totalsRoutes,
    ...overviewRoutes,
    ...recipientRoutes({ baseUrl: own.baseUrl }),
    ...payerRoutes({ baseUrl: own.baseUrl }),
    ...returnCodeRoutes,
    ...walletRoutes,
    ...walletDeletionRoutes(walletDependents),
    ...destinationRoutes,
    ...virtualCardRoutes,
    ...directoryRoutes,
    ...directoryAccountRoutes,
    ...auditRoutes,
    ...requestLogRoutes,
    ...contextRoutes(own.context),
    ...signUpRoutes,
    ...signInRoutes,
    ...sessionRoutes,
    ...loginRoutes,
    ...twoFactorRoutes,
    ...teamRoutes({ endGrantsOf, voidApprovalsOf }),
    ...invitationRoutes({ baseUrl: own.baseUrl }),
    ...mailRoutes,
    ...applicationRoutes,
    ...grantRoutes,
    ...consentRoutes({ provider, findSession: (request) => findCaller(deps, request), getSignedIn }),
    ...(deps.settings.canTriggerOutcomes ? simulationRoutes(own) : []),
    ...(deps.settings.hasMovableClock ? clockRoutes : []),
  ]
}

/** Routes that cause outcomes. */
const simulationRoutes = ({ wakeups }: { wakeups: Wakeups }): Route[] => [
  ...sandboxRoutes,
  ...debtRoutes,
  ...walletFundingRoutes,
  ...virtualCardSpendingRoutes,
  ...simulatedMailRoutes,
  ...listenerRoutes(wakeups),
]

const walletDependents: WalletDependents = {
  isFundingOpenPayment: (tx, wallet) => isFundingOpenPayment(tx.sql, wallet),
}

/** Payments, which are accepted in groups or alone. */
function sendingRoutes(deps: AcceptDeps, oneAtATime: OneAtATime): Route[] {
  const isOverloaded = () => deps.acceptTogether.isFull?.() ?? false
  return [
    ...acceptRoutes({ acceptDeps: deps, oneAtATime }),
    ...bulkRoutes({ isOverloaded }),
    ...multiRoutes({ oneAtATime, isOverloaded }),
  ]
}

const removeUser: Parameters<typeof userRoutes>[0]['dependents']['remove'] = async (tx, user) => {
  await deleteBanksOfUser(tx, user)
  await forgetConfirmations(tx, user)
  await cancelCheckbooksOfUser(tx, user)
  await cancelSubscriptionsOfUser(tx, user)
  await closeMailboxesOfUser(tx, user)
  await voidApprovalsOfUser(tx, user)
  if (!(await voidInvoicesOfUser(tx, user)).isDone) await followStatus(tx, user)
  await deleteWalletsOfUser(tx, user, walletDependents)
  await requireEmptyCards(tx, user)
  await deleteDestinationsOfUser(tx, user)
  await deleteDirectoryOfUser(tx, user)
  await setWebhookUri(tx, user, null)
}
