import type { Provider } from 'oidc-provider'
import { voidApprovalsOf, voidApprovalsOfUser } from '../approval/approval-actions.ts'
import { approvalInboxRoutes } from '../approval/approval-inbox-routes.ts'
import { dropProposal, requireMayEndDualControl } from '../approval/approval-policy-actions.ts'
import { approvalPolicyRoutes } from '../approval/approval-policy-routes.ts'
import { approvalRoutes } from '../approval/approval-routes.ts'
import { batchRoutes } from '../approval/batch/batch-routes.ts'
import { auditRoutes } from '../audit/audit-routes.ts'
import { loginRoutes } from '../auth/login/login-routes.ts'
import { signInRoutes } from '../auth/login/sign-in-routes.ts'
import { contextRoutes, type ServiceContext } from '../auth/owner/context-routes.ts'
import { findCaller, getSignedIn } from '../auth/session/session-actions.ts'
import { sessionRoutes } from '../auth/session/session-routes.ts'
import { signUpRoutes } from '../auth/sign-up/sign-up-routes.ts'
import { invitationRoutes } from '../auth/team/invitation-routes.ts'
import { teamRoutes } from '../auth/team/team-routes.ts'
import { twoFactorRoutes } from '../auth/two-factor/two-factor-routes.ts'
import { deleteBanksOfUser } from '../bank/bank-actions.ts'
import { chooseBanks } from '../bank/bank-choice-actions.ts'
import { bankRoutes } from '../bank/bank-routes.ts'
import { paperRoutes } from '../check/paper/paper-routes.ts'
import { receiptRoutes } from '../check/receipt/receipt-routes.ts'
import { cancelCheckbooksOfUser } from '../checkbook/checkbook-actions.ts'
import { checkbookRoutes } from '../checkbook/checkbook-routes.ts'
import { deleteDestinationsOfUser } from '../destination/destination-actions.ts'
import { destinationRoutes } from '../destination/destination-routes.ts'
import { deleteDirectoryOfUser } from '../directory/directory-actions.ts'
import { directoryAccountRoutes, directoryRoutes } from '../directory/directory-routes.ts'
import type { OneAtATime } from '../http/idempotency/idempotency.ts'
import type { Route } from '../http/route.ts'
import { forgetConfirmations } from '../iav/iav-actions.ts'
import { iavRoutes } from '../iav/iav-routes.ts'
import { voidInvoicesOfUser } from '../invoice/invoice-actions.ts'
import { invoicePayments, prepareInvoicePayment } from '../invoice/invoice-approval-actions.ts'
import { invoiceDetailsRoutes } from '../invoice/invoice-details-routes.ts'
import { invoiceRoutes } from '../invoice/invoice-routes.ts'
import type { Wakeups } from '../lib/concurrency/wakeups.ts'
import { mailRoutes } from '../mail/mail-routes.ts'
import { closeMailboxesOfUser } from '../mailbox/mailbox-actions.ts'
import { mailboxRoutes, simulatedMailRoutes } from '../mailbox/mailbox-routes.ts'
import { applicationRoutes } from '../oauth/application-routes.ts'
import { consentRoutes } from '../oauth/consent-routes.ts'
import { endGrantsOf } from '../oauth/grant-actions.ts'
import { grantRoutes } from '../oauth/grant-routes.ts'
import { overviewRoutes } from '../overview/overview-routes.ts'
import { searchRoutes } from '../overview/search-routes.ts'
import { payerRoutes } from '../payer/payer-routes.ts'
import type { AcceptDeps } from '../payment/accept/accept-actions.ts'
import { acceptRoutes } from '../payment/accept/accept-routes.ts'
import { bulkRoutes } from '../payment/bulk/bulk-routes.ts'
import { draftingRoutes } from '../payment/drafting/drafting-routes.ts'
import { timelineRoutes } from '../payment/history/timeline-routes.ts'
import { multiRoutes } from '../payment/multi/multi-routes.ts'
import { paymentActionRoutes, paymentRoutes } from '../payment/payment-routes.ts'
import { hasPaymentInProcess } from '../payment/payment-store.ts'
import { paymentSearchRoutes } from '../payment/search/payment-search-routes.ts'
import type { PaymentStreams } from '../payment/stream/stream-actions.ts'
import { streamRoutes } from '../payment/stream/stream-routes.ts'
import { totalsRoutes } from '../payment/totals/totals-routes.ts'
import { findBusyReason } from '../payment/user-busy-actions.ts'
import { isFundingOpenPayment } from '../payment/user-busy-store.ts'
import { viewRoutes } from '../payment/view/view-routes.ts'
import { returnCodeRoutes } from '../rail/return-code-routes.ts'
import { recipientRoutes } from '../recipient/recipient-routes.ts'
import { requestLogRoutes } from '../request-log/request-log-routes.ts'
import { sandboxRoutes } from '../sandbox/sandbox-routes.ts'
import { clockRoutes } from '../scheduler/clock-routes.ts'
import { cancelSubscriptionsOfUser } from '../subscription/subscription-actions.ts'
import { subscriptionRoutes } from '../subscription/subscription-routes.ts'
import type { ApiKeyAuthenticator } from '../user/api-key/api-key-actions.ts'
import { apiKeyRoutes } from '../user/api-key/api-key-routes.ts'
import { developerRoutes } from '../user/api-key/developer-routes.ts'
import { webhookKeyRoutes } from '../user/api-key/webhook-key-routes.ts'
import { debtRoutes } from '../user/debt-routes.ts'
import { limitRoutes } from '../user/limit/limit-routes.ts'
import { profileRoutes } from '../user/profile-routes.ts'
import { followStatus } from '../user/user-actions.ts'
import { userPageRoutes } from '../user/user-page-routes.ts'
import { userRoutes } from '../user/user-routes.ts'
import { requireEmptyCards } from '../virtual-card/virtual-card-actions.ts'
import { virtualCardRoutes, virtualCardSpendingRoutes } from '../virtual-card/virtual-card-routes.ts'
import { deleteWalletsOfUser, type WalletDependents } from '../wallet/wallet-actions.ts'
import { walletDeletionRoutes, walletFundingRoutes, walletRoutes } from '../wallet/wallet-routes.ts'
import type { Lines } from '../webhook/delivery/webhook-post-actions.ts'
import { endpointRoutes, endpointTestRoutes } from '../webhook/endpoint/endpoint-routes.ts'
import { changeWebhookUri, getWebhookUri, setWebhookUri } from '../webhook/endpoint/webhook-actions.ts'
import { sendTestEvent } from '../webhook/endpoint/webhook-test-actions.ts'
import { historyRoutes } from '../webhook/history/history-routes.ts'
import { listenerRoutes } from '../webhook/listener/listener-routes.ts'

/** Routes that the dashboard needs, and that depend on nothing else. */
const dashboardRoutes: Route[] = [...limitRoutes, ...userPageRoutes, ...searchRoutes, ...viewRoutes, ...draftingRoutes]

const approvingRoutes = [
  ...approvalRoutes({ prepareInvoicePayment, invoices: invoicePayments }),
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
