import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  lazyRouteComponent as lazy,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { Member } from './answers.ts'
import { readBack } from './back.ts'
import { NoPage, PageFailure } from './pages/failure-pages.tsx'
import { readScope } from './pages/home/scope.ts'
import { readInvoiceFilters } from './pages/invoices/invoice-filters.ts'
import { readOAuthError } from './pages/oauth-error.ts'
import { OAuthErrorPage } from './pages/oauth-error-page.tsx'
import { readPaymentFilters } from './pages/payments/payment-filters.ts'
import { readRecurringFilters } from './pages/recurring/recurring-filters.ts'
import { readRequestFilters } from './pages/requests/request-filters.ts'
import { readStatementSearch } from './pages/statements/statement-search.ts'
import { readUserFilters } from './pages/users/user-filters.ts'
import { readDeliveryFilters } from './pages/webhooks/delivery-filters.ts'
import { readEventFilters } from './pages/webhooks/event-filters.ts'
import { contextQuery } from './service-context.ts'
import { firstSettingsPage, homePage } from './settings-pages.ts'

const oauthError = readOAuthError(document)

type RouterContext = { queryClient: QueryClient }

const root = createRootRouteWithContext<RouterContext>()({
  beforeLoad: async ({ context }) => ({ owner: (await context.queryClient.ensureQueryData(contextQuery)).owner }),
  component: oauthError === null ? Outlet : () => <OAuthErrorPage error={oauthError} />,
  notFoundComponent: NoPage,
  errorComponent: PageFailure,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: readBack,
  beforeLoad: leaveWhenSignedIn,
  component: lazy(() => import('./pages/sign-in-page.tsx'), 'SignInPage'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  validateSearch: readBack,
  beforeLoad: leaveWhenSignedIn,
  component: lazy(() => import('./pages/sign-up-page.tsx'), 'SignUpPage'),
})

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  validateSearch: readBack,
  component: lazy(() => import('./pages/forgot-password-page.tsx'), 'ForgotPasswordPage'),
})

const consent = createRoute({
  getParentRoute: () => root,
  path: '/oauth/consent/$uid',
  component: lazy(() => import('./pages/consent/consent-page.tsx'), 'ConsentPage'),
})

const recipient = createRoute({
  getParentRoute: () => root,
  path: '/pay/$token',
  component: lazy(() => import('./pages/recipient/recipient-page.tsx'), 'RecipientPage'),
})

const payer = createRoute({
  getParentRoute: () => root,
  path: '/invoice/$token',
  component: lazy(() => import('./pages/payer/payer-page.tsx'), 'PayerPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation/$token',
  component: lazy(() => import('./pages/invitation/invitation-page.tsx'), 'InvitationPage'),
})

const mail = createRoute({
  getParentRoute: () => root,
  path: '/mail',
  component: lazy(() => import('./pages/mail-page.tsx'), 'MailPage'),
})

/** The pages of a signed-in person outside the settings. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: requireSignedIn,
  component: lazy(() => import('./layout/settings-layout.tsx'), 'SettingsLayout'),
})

/** Returns a value of a query if it is an id. */
const idOf = (text: unknown) => (typeof text === 'string' && /^[0-9a-f]{32}$/.test(text) ? text : undefined)

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: readScope,
  component: lazy(() => import('./pages/home/home-page.tsx'), 'HomePage'),
})

const payments = createRoute({
  getParentRoute: () => signedIn,
  path: '/payments',
  validateSearch: readPaymentFilters,
  component: lazy(() => import('./pages/payments/payments-page.tsx'), 'PaymentsPage'),
})

const payment = createRoute({
  getParentRoute: () => signedIn,
  path: '/payments/$id',
  component: lazy(() => import('./pages/payments/payment-page.tsx'), 'PaymentPage'),
})

const send = createRoute({
  getParentRoute: () => signedIn,
  path: '/send',
  validateSearch: ({
    payee,
    account,
  }: Record<string, unknown>): { payee?: string | undefined; account?: string | undefined } => ({
    payee: idOf(payee),
    account: idOf(account),
  }),
  component: lazy(() => import('./pages/send/send-page.tsx'), 'SendPage'),
})

const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/users',
  validateSearch: readUserFilters,
  component: lazy(() => import('./pages/users/users-page.tsx'), 'UsersPage'),
})

const user = createRoute({
  getParentRoute: () => signedIn,
  path: '/users/$id',
  component: lazy(() => import('./pages/users/user-page.tsx'), 'UserPage'),
})

const accounts = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts',
  component: lazy(() => import('./pages/accounts/accounts-page.tsx'), 'AccountsPage'),
})

const wallet = createRoute({
  getParentRoute: () => signedIn,
  path: '/accounts/wallets/$id',
  component: lazy(() => import('./pages/accounts/wallet-page.tsx'), 'WalletPage'),
})

const approvals = createRoute({
  getParentRoute: () => signedIn,
  path: '/approvals',
  component: lazy(() => import('./pages/approvals/approvals-page.tsx'), 'ApprovalsPage'),
})

const endedApprovals = createRoute({
  getParentRoute: () => signedIn,
  path: '/approvals/ended',
  component: lazy(() => import('./pages/approvals/ended-approvals-page.tsx'), 'EndedApprovalsPage'),
})

const invoices = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices',
  validateSearch: readInvoiceFilters,
  component: lazy(() => import('./pages/invoices/invoices-page.tsx'), 'InvoicesPage'),
})

const newInvoice = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices/new',
  component: lazy(() => import('./pages/invoices/new-invoice-page.tsx'), 'NewInvoicePage'),
})

const invoice = createRoute({
  getParentRoute: () => signedIn,
  path: '/invoices/$id',
  component: lazy(() => import('./pages/invoices/invoice-page.tsx'), 'InvoicePage'),
})

const recurring = createRoute({
  getParentRoute: () => signedIn,
  path: '/recurring',
  validateSearch: readRecurringFilters,
  component: lazy(() => import('./pages/recurring/recurring-page.tsx'), 'RecurringPage'),
})

const subscription = createRoute({
  getParentRoute: () => signedIn,
  path: '/recurring/$id',
  component: lazy(() => import('./pages/recurring/subscription-page.tsx'), 'SubscriptionPage'),
})

const batches = createRoute({
  getParentRoute: () => signedIn,
  path: '/batches',
  component: lazy(() => import('./pages/batches/batches-page.tsx'), 'BatchesPage'),
})

const newBatch = createRoute({
  getParentRoute: () => signedIn,
  path: '/batches/new',
  validateSearch: ({ replace }: Record<string, unknown>): { replace?: string | undefined } => ({
    replace: idOf(replace),
  }),
  component: lazy(() => import('./pages/batches/new-batch-page.tsx'), 'NewBatchPage'),
})

const batch = createRoute({
  getParentRoute: () => signedIn,
  path: '/batches/$id',
  component: lazy(() => import('./pages/batches/batch-page.tsx'), 'BatchPage'),
})

const payees = createRoute({
  getParentRoute: () => signedIn,
  path: '/payees',
  validateSearch: readTextFilter,
  component: lazy(() => import('./pages/payees/payees-page.tsx'), 'PayeesPage'),
})

const payee = createRoute({
  getParentRoute: () => signedIn,
  path: '/payees/$id',
  component: lazy(() => import('./pages/payees/payee-page.tsx'), 'PayeePage'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  beforeLoad: requireSignedIn,
  component: lazy(() => import('./layout/settings-layout.tsx'), 'SettingsLayout'),
})

const firstSettings = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ context }) => {
    throw redirect({ to: firstSettingsPage(context.owner), replace: true })
  },
})

const developer = createRoute({
  getParentRoute: () => settings,
  path: '/developer',
  component: lazy(() => import('./pages/developer/developer-page.tsx'), 'DeveloperPage'),
})

const webhooks = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks',
  component: lazy(() => import('./pages/webhooks/endpoints-page.tsx'), 'EndpointsPage'),
})

const deliveries = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/deliveries',
  validateSearch: readDeliveryFilters,
  component: lazy(() => import('./pages/webhooks/deliveries-page.tsx'), 'DeliveriesPage'),
})

const delivery = createRoute({
  getParentRoute: () => settings,
  path: '/webhooks/deliveries/$event/$endpoint',
  validateSearch: readDeliveryFilters, // the filters of the list, for the link back
  component: lazy(() => import('./pages/webhooks/delivery-page.tsx'), 'DeliveryPage'),
})

const events = createRoute({
  getParentRoute: () => settings,
  path: '/events',
  validateSearch: readEventFilters,
  component: lazy(() => import('./pages/webhooks/events-page.tsx'), 'EventsPage'),
})

const event = createRoute({
  getParentRoute: () => settings,
  path: '/events/$id',
  component: lazy(() => import('./pages/webhooks/event-page.tsx'), 'EventPage'),
})

const requests = createRoute({
  getParentRoute: () => settings,
  path: '/requests',
  validateSearch: readRequestFilters,
  component: lazy(() => import('./pages/requests/requests-page.tsx'), 'RequestsPage'),
})

const request = createRoute({
  getParentRoute: () => settings,
  path: '/requests/$id',
  component: lazy(() => import('./pages/requests/request-page.tsx'), 'RequestPage'),
})

const applications = createRoute({
  getParentRoute: () => settings,
  path: '/applications',
  component: lazy(() => import('./pages/applications/applications-page.tsx'), 'ApplicationsPage'),
})

const connected = createRoute({
  getParentRoute: () => settings,
  path: '/connected',
  component: lazy(() => import('./pages/connected-page.tsx'), 'ConnectedPage'),
})

const team = createRoute({
  getParentRoute: () => settings,
  path: '/team',
  component: lazy(() => import('./pages/team/team-page.tsx'), 'TeamPage'),
})

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profile',
  component: lazy(() => import('./pages/profile/profile-page.tsx'), 'ProfilePage'),
})

const security = createRoute({
  getParentRoute: () => settings,
  path: '/security',
  component: lazy(() => import('./pages/security/security-page.tsx'), 'SecurityPage'),
})

const banks = createRoute({
  getParentRoute: () => settings,
  path: '/banks',
  component: lazy(() => import('./pages/banks/banks-page.tsx'), 'BanksPage'),
})

const statements = createRoute({
  getParentRoute: () => settings,
  path: '/statements',
  validateSearch: readStatementSearch,
  component: lazy(() => import('./pages/statements/statements-page.tsx'), 'StatementsPage'),
})

const approvalPolicy = createRoute({
  getParentRoute: () => settings,
  path: '/approval',
  component: lazy(() => import('./pages/approvals/policy-page.tsx'), 'PolicyPage'),
})

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  component: lazy(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})

/** Every address of the app. The service returns the same index.html for all of them. */
export const routeTree = root.addChildren([
  signIn,
  signUp,
  forgotPassword,
  consent,
  recipient,
  payer,
  invitation,
  mail,
  signedIn.addChildren([
    home,
    payments,
    payment,
    send,
    approvals,
    endedApprovals,
    payees,
    payee,
    batches,
    newBatch,
    batch,
    invoices,
    newInvoice,
    invoice,
    recurring,
    subscription,
    accounts,
    wallet,
    users,
    user,
  ]),
  settings.addChildren([
    firstSettings,
    developer,
    webhooks,
    deliveries,
    delivery,
    events,
    event,
    requests,
    request,
    applications,
    connected,
    team,
    banks,
    statements,
    approvalPolicy,
    profile,
    security,
    audit,
  ]),
])

function readTextFilter(search: Record<string, unknown>): { q?: string | undefined } {
  const isText = ['string', 'number'].includes(typeof search.q) && search.q !== '' // the router reads digits
  return { q: isText ? String(search.q).slice(0, 180) : undefined }
}

type Arrival = { context: { owner: Member | null }; search: { back?: string | undefined } }

function leaveWhenSignedIn({ context, search }: Arrival) {
  if (context.owner) throw redirect({ href: search.back ?? homePage(context.owner) })
}

function requireSignedIn({ context, location }: { context: { owner: Member | null }; location: { href: string } }) {
  if (context.owner) return
  throw redirect({ to: '/sign-in', search: { back: location.href === '/' ? undefined : location.href } })
}
