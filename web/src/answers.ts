import type { Answer } from './operation.ts'

// Names for what the service answers. The types come from the schemas of its routes (paths.ts). Dates are
// `YYYY-MM-DD HH:MM:SS` in UTC.

export type ServiceContext = Answer<'get', '/web/v1/context'>
export type Environment = ServiceContext['environment']
export type Mail = Answer<'get', '/web/v1/mail'>['mails'][number]

export type ConsentDetails = Answer<'get', '/oauth/consent/{uid}/details'>
export type Scope = ConsentDetails['scope']
export type Owner = NonNullable<ConsentDetails['owner']>
export type Redirection = Answer<'post', '/oauth/consent/{uid}/authorize'>

/** The signed-in person and the platform of the session. */
export type Member = NonNullable<ServiceContext['owner']>
export type Role = Member['role']
export type Permission = Member['permissions'][number]
export type Platform = Answer<'get', '/web/v1/platforms'>['platforms'][number]
export type Team = Answer<'get', '/web/v1/team'>
export type TeamMember = Team['members'][number]
export type Invitation = Answer<'get', '/web/v1/invitation'>['invitations'][number]
export type ShownInvitation = Answer<'post', '/web/v1/invitation/read'>
/** The API keys of a member who was removed. */
export type LeftKeys = { name: string; keys: Answer<'delete', '/web/v1/team/{id}'>['api_keys'] }

/** A connection of the installation with a bank, as operators see it. */
export type BankConnection = Answer<'get', '/web/v1/operator/connections'>['connections'][number]
export type BankFile = BankConnection['files'][number]

/** An account of the operator with bank statements. */
export type StatementAccount = Answer<'get', '/web/v1/operator/statements'>['accounts'][number]
export type StatementDay = StatementAccount['last']
/** A line of a bank statement that waits for a decision, and one that was decided. */
export type WaitingLine = Answer<'get', '/web/v1/operator/statements/lines'>['lines'][number]
export type LineProposal = WaitingLine['proposals'][number]
export type DecidedLine = Answer<'get', '/web/v1/operator/statements/decisions'>['lines'][number]
export type ClosedMonth = Answer<'get', '/web/v1/operator/statements/months'>['months'][number]

export type Session = Answer<'get', '/web/v1/sessions'>['sessions'][number]
export type TwoFactorStart = Answer<'post', '/web/v1/two-factor'>
export type Grant = Answer<'get', '/web/v1/grants'>['grants'][number]

export type ApiKey = Answer<'get', '/web/v1/api-keys'>['api_keys'][number]
export type NewApiKey = Answer<'post', '/v3/user/api_key'>
export type Developer = Answer<'get', '/web/v1/developer'>
export type WebhookTest = Answer<'post', '/web/v1/webhook-test'>

export type Endpoint = Answer<'get', '/v3/webhook/endpoint'>['endpoints'][number]
export type EventType = Endpoint['event_types'][number]
export type EndpointTest = Answer<'post', '/v3/webhook/endpoint/{id}/test'>
export type Outcome = EndpointTest['outcome']
export type Delivery = Answer<'get', '/v3/webhook/delivery'>['deliveries'][number]
export type DeliveryStatus = Delivery['status']
export type DeliveryDetails = Answer<'get', '/v3/webhook/delivery/{event}/{endpoint}'>
export type Attempt = DeliveryDetails['attempts'][number]
export type RotatedWebhookKey = Answer<'post', '/v3/webhook/key'>

export type WebhookEvent = Answer<'get', '/web/v1/events'>['events'][number]
export type EventDetails = Answer<'get', '/v3/webhook/event/{id}'>
export type RequestDetails = Answer<'get', '/v3/request/{id}'>
export type LoggedRequest = Answer<'get', '/v3/request'>['requests'][number]

export type Application = Answer<'get', '/web/v1/applications'>['applications'][number]
export type NewApplication = Answer<'post', '/web/v1/applications'>
export type RotatedSecret = Answer<'post', '/web/v1/applications/{id}/secret'>

export type Batch = Answer<'get', '/v3/batch/{id}'>
export type ListedBatch = Answer<'get', '/v3/batch'>['batches'][number]
export type BatchRow = Answer<'get', '/v3/batch/{id}/row'>['rows'][number]
export type BatchPreview = Answer<'post', '/v3/batch/preview'>
export type PreviewedRow = BatchPreview['rows'][number]

export type FoundPayment = Answer<'get', '/v3/payment'>['payments'][number]
export type SavedView = Answer<'get', '/web/v1/views'>['views'][number]
export type PaymentDetails = Answer<'get', '/v3/payment/{id}'>
export type PaymentProgress = Answer<'get', '/web/v1/payments/{id}'>
export type PaymentStatus = FoundPayment['status']
export type Rail = NonNullable<FoundPayment['rail']>
export type Timeline = Answer<'get', '/v3/payment/{id}/timeline'>
export type TimelineEntry = Timeline['entries'][number]
export type LedgerEntry = Timeline['ledger'][number]
export type Attention = Answer<'get', '/v3/attention'>['attention'][number]
export type Summary = Answer<'get', '/v3/stats/summary'>
export type PlatformUser = Answer<'get', '/v3/user/list'>['users'][number]

export type UserDetails = Answer<'get', '/web/v1/users/{id}'>
export type UserStatus = UserDetails['status']
export type ListedUser = Answer<'get', '/web/v1/users'>['users'][number]
export type NewUser = Answer<'post', '/v3/user'>
export type Limits = Answer<'get', '/v3/limit'>

export type Profile = Answer<'get', '/v3/user'>
export type AuditEntry = Answer<'get', '/v3/audit'>['audit'][number]

export type Bank = Answer<'get', '/web/v1/banks'>['banks'][number]
/** A bank as the response to its creation has it: without a nickname. */
export type AddedBank = Answer<'post', '/v3/bank'>
export type Wallet = Answer<'get', '/v3/account/wallet'>['wallets'][number]
export type WalletTransaction = Answer<'get', '/v3/account/wallet/{id}/transaction'>['transactions'][number]
/** The payout accounts other than banks and wallets, by their kind. */
export type OtherAccounts = {
  card: Answer<'get', '/v3/account/card'>['cards']
  wire: Answer<'get', '/v3/account/wire'>['accounts']
  paypal: Answer<'get', '/v3/account/paypal'>['accounts']
  venmo: Answer<'get', '/v3/account/venmo'>['accounts']
  interac: Answer<'get', '/v3/account/interac'>['accounts']
  /** Null where no issuer of virtual cards is set up. */
  vcc: Answer<'get', '/v3/account/vcc'>['vccs'] | null
}

export type NewVirtualCard = Answer<'post', '/v3/account/vcc'>

export type SandboxClock = Answer<'get', '/v3/sandbox/clock'>
export type SentPayment = Answer<'post', '/v3/check/digital'>

export type Subscription = Answer<'get', '/v3/subscription'>['subscriptions'][number]
export type SubscriptionRuns = Answer<'get', '/v3/subscription/{id}/run'>
export type SubscriptionRun = SubscriptionRuns['runs'][number]
export type NewSubscription = Answer<'post', '/v3/subscription/check'>

export type Payee = Answer<'get', '/v3/directory'>['entries'][number]
export type PayeeDetails = Answer<'get', '/v3/directory/{id}'>
export type PayeeAccount = PayeeDetails['accounts'][number]

export type LinkedPayment = Answer<'post', '/web/v1/pay/read'>
export type Invoice = Answer<'get', '/v3/invoice'>['invoices'][number]
export type ListedInvoice = Answer<'get', '/web/v1/invoices'>['invoices'][number]
export type InvoiceDetails = Answer<'get', '/v3/invoice/{id}/details'>
export type InvoiceEntry = InvoiceDetails['entries'][number]

/** The invoice behind a link. */
export type LinkedInvoice = Answer<'post', '/web/v1/invoice/read'>
export type PayerInstitution = Answer<'post', '/web/v1/invoice/institutions'>['institutions'][number]
export type SignInResult = Answer<'post', '/web/v1/invoice/sign-in'>
export type DepositOption = LinkedPayment['options'][number]

export type Approval = Answer<'get', '/web/v1/approvals'>['approvals'][number]
export type EndedApproval = Answer<'get', '/web/v1/approvals/ended'>['approvals'][number]
export type ApprovalPolicy = Answer<'get', '/v3/approval/policy'>
export type PolicyRule = ApprovalPolicy['rules'][number]
export type PreparedPayment = Answer<'post', '/v3/approval/digital'>
export type FormerPayee = Answer<'get', '/web/v1/former-payees'>['payees'][number]
export type PaymentDays = Answer<'get', '/web/v1/payment-days'>['from'][number]
