// Generated from openapi.json by "npm run generate". Do not edit.

import type { Upload } from '../core/operation.ts'

export interface AccountRequest {
  /** an id of 32 lower-case hex digits */
  account: Id
}

export interface AddDebitCardRequest {
  /** 12 to 19 digits */
  card_number: string
  /** a month, as YYYY-MM */
  expiration_date: string
  /** 3 or 4 digits */
  cvv?: string | null
  address?: {
    /** a text that is not only white space */
    line_1: string
    line_2?: string | null
    city?: string | null
    state?: string | null
    zip?: string | null
    country?: string | null
  } | null
  /** a text that is not only white space, or null */
  name?: string | null
}

export interface AddInteracAccountRequest {
  /** a text that is not only white space */
  username: string
}

export interface AddPayPalAccountRequest {
  /** a text that is not only white space */
  username: string
}

export interface AddPayeeBankRequest {
  /** an ABA routing number of 9 digits */
  routing: string
  /** an account number of 4 to 17 digits */
  account: string
  type: 'CHECKING' | 'SAVINGS' | 'BUSINESS'
  /** a text that is not only white space */
  name?: string | null
}

export interface AddPayeeCardRequest {
  /** 12 to 19 digits */
  card_number: string
  /** a month, as YYYY-MM */
  expiration_date: string
  /** a text that is not only white space */
  name?: string | null
}

export interface AddVenmoAccountRequest {
  /** a text that is not only white space */
  username: string
}

export interface AddWireAccountRequest {
  /** an account number or IBAN of letters and digits */
  account: string
  /** an ABA routing number or a BIC */
  routing: string
  type: 'CHECKING' | 'SAVINGS' | 'BUSINESS'
  /** a text that is not only white space, or null */
  name?: string | null
  /** a country of two letters, such as US */
  country?: string | null
  line_1?: string | null
  city?: string | null
  state?: string | null
  zip?: string | null
  /** a country of two letters. Default: the country of the bank */
  holder_country?: string | null
}

export interface Address {
  line_1: string | null
  line_2: string | null
  city: string | null
  state: string | null
  zip: string | null
  country: string | null
}

export interface AddressChanges {
  line_1?: string | null
  line_2?: string | null
  city?: string | null
  state?: string | null
  zip?: string | null
  country?: string | null
}

export interface AdvanceClockRequest {
  /** an ISO 8601 duration, such as P3D or PT12H, or next_banking_day: 8:30 Eastern time, when entries settle */
  advance?: string
  /** a time, as YYYY-MM-DD HH:MM:SS (UTC) */
  now?: string
}

/** Dollars, at least 0.01, with at most two decimals */
export type Amount = number

export interface ApiKey {
  /** The API key */
  id: string
  name: string | null
  expiration_date: string | null
  /** The masked API secret */
  secret: string
}

export interface ApiKeyRequest {
  name?: string | null
  /** a date, as YYYY-MM-DD */
  expiration_date?: string | null
}

export interface Approval {
  id: string
  /** The number of the payment. Before the release, the number that it would get now */
  number: number | string
  /** Dollars */
  amount: number
  date: string
  status: 'UNPAID' | 'APPROVED' | 'VOID'
  name: string
  recipient: string
  description: string | null
  comment: string | null
  image_uri: string | null
  remittance_advice: RemittanceTable
}

export interface ApprovalPeople {
  members: number
  /** Who may release payments */
  approvers: number
  /** The names of the other people who may release payments */
  others: string[]
  /** Whether enough people may release payments to satisfy every rule */
  are_enough: boolean
}

export interface ApprovalPolicy {
  /** Whether every payment needs at least one approval, even if no rule asks for one */
  dual_control: boolean
  rules: ApprovalRule[]
  changed_at: string | null
  /** The name of the person who changed the policy */
  changed_by: string | null
  proposal: ApprovalPolicyProposal | null
  people: ApprovalPeople
}

export interface ApprovalPolicyProposal {
  /** an id of 32 lower-case hex digits */
  id: Id
  /** Whether every payment needs at least one approval, even if no rule asks for one */
  dual_control: boolean
  rules: ApprovalRule[]
  proposed_at: string
  proposed_by: string
  /** Whether you proposed it */
  is_own: boolean
}

export interface ApprovalRule {
  /** The lowest amount that the rule applies to, in dollars */
  min_amount: number
  /** Limits the rule to payees that the owner has never paid or first paid within the last 7 days, and to users that added an account in that time */
  new_payee: boolean
  /** Limits the rule to payments that can use this rail; null for all payments */
  rail: 'ACH' | 'MAIL' | 'PRINT' | 'INSTANT' | 'RTP' | 'WALLET' | 'PAYPAL' | 'VENMO' | 'INTERAC' | 'WIRE' | 'SWIFT' | null
  /** Limits the rule to payments that are made this way; null for all payments */
  source: 'WEB' | 'API' | 'APPLICATION' | 'RECURRING' | 'BATCH' | null
  approvals: number
}

export interface AttachedFile {
  filename?: string | null
  content: string
}

/** a file in base64, or {filename, content} */
export type Attachment = string | AttachedFile | null

export interface AuditEntry {
  id: string
  date: string
  action: 'sign_up' | 'sign_in' | 'sign_in_refused' | 'sign_out' | 'session_ended' | 'sessions_ended' | 'password_changed' | 'password_reset' | 'email_changed' | 'two_factor_on' | 'two_factor_off' | 'recovery_codes_renewed' | 'recovery_codes_removed' | 'recovery_code_used' | 'member_invited' | 'invitation_revoked' | 'member_joined' | 'member_role_changed' | 'member_removed' | 'member_left' | 'platform_entered' | 'platform_set_up' | 'two_factor_rule_on' | 'two_factor_rule_off' | 'api_key_created' | 'api_key_revoked' | 'webhook_uri_changed' | 'webhook_key_rotated' | 'request_bodies_on' | 'request_bodies_off' | 'endpoint_created' | 'endpoint_changed' | 'endpoint_enabled' | 'endpoint_disabled' | 'endpoint_removed' | 'webhooks_replayed' | 'profile_changed' | 'owner_created' | 'operator_added' | 'operator_removed' | 'user_created' | 'user_deleted' | 'user_verified' | 'user_suspended' | 'user_closed' | 'limits_changed' | 'recipient_mail_limited' | 'recipient_mail_refused' | 'user_status_triggered' | 'signature_stored' | 'bank_added' | 'accounts_confirmed' | 'bank_verified' | 'bank_default_changed' | 'bank_billing_changed' | 'bank_removed' | 'bank_corrected' | 'bank_blocked' | 'bank_unblocked' | 'wallet_added' | 'wallet_removed' | 'destination_added' | 'destination_default_changed' | 'destination_removed' | 'directory_entry_added' | 'directory_entry_changed' | 'directory_entry_removed' | 'directory_account_added' | 'directory_account_corrected' | 'directory_account_removed' | 'checkbook_ordered' | 'checkbook_canceled' | 'checkbook_returned' | 'mailbox_opened' | 'dual_control_on' | 'dual_control_off' | 'approval_policy_proposed' | 'approval_policy_changed' | 'approval_policy_proposal_ended' | 'approval_prepared' | 'approval_edited' | 'approval_approved' | 'approval_released' | 'approval_rejected' | 'approval_expired' | 'approval_voided' | 'invoice_sent' | 'invoice_paid' | 'invoice_reminded' | 'invoice_link_created' | 'invoice_voided' | 'subscription_created' | 'subscription_changed' | 'subscription_canceled' | 'autopay_on' | 'autopay_off' | 'payment_endorsed' | 'payment_claimed' | 'payment_deposited' | 'payment_printed' | 'payment_voided' | 'payment_recalled' | 'clock_advanced' | 'debt_settled' | 'exception_opened' | 'exception_closed' | 'exception_applied' | 'statement_line_decided' | 'master_key_rotated' | 'bank_file_late' | 'bank_file_accepted' | 'bank_file_rejected' | 'bank_file_canceled' | 'bank_file_resent' | 'bank_file_sent_again' | 'bank_file_marked_sent' | 'bank_file_read_again' | 'application_created' | 'application_changed' | 'application_deleted' | 'client_secret_rotated' | 'client_secret_shown' | 'grant_created' | 'grant_denied' | 'grant_revoked' | 'grant_replayed'
  /** owner: a signed-in person */
  actor: 'owner' | 'api_key' | 'application' | 'operator' | 'anonymous' | 'service'
  /** The ID of the API key, application or session */
  actor_id: string | null
  /** The user on whose behalf the actor acted */
  user_id: string | null
  /** The ID of the affected object */
  subject: string | null
  /** The IP address of the request */
  address: string | null
  user_agent: string | null
}

export interface Bank {
  id: string
  routing: string
  /** The last four digits */
  account: string
  type: 'CHECKING' | 'SAVINGS' | 'BUSINESS'
  status: 'DEPOSIT_ONLY' | 'PENDING' | 'VERIFIED'
  billing: boolean
  default: boolean
  date: string
  name: string | null
  /** Dollars; null if the bank does not report it */
  balance: number | null
}

export interface BankChanges {
  name?: string | null
  default?: boolean
  billing?: boolean
}

export interface BankList {
  banks: Bank[]
  page?: number
  pages?: number
  total?: number
}

export interface BankRequest {
  /** an ABA routing number of 9 digits */
  routing: string
  /** an account number of 4 to 17 digits */
  account: string
  type: 'CHECKING' | 'SAVINGS' | 'BUSINESS'
  name?: string | null
}

export interface BankWebhook {
  /** The id of the bank */
  id: string
  status: 'DEPOSIT_ONLY' | 'PENDING' | 'VERIFIED'
  type: 'BANK'
  /** Only in full bodies: the id of the event, as in the header webhook-id */
  event?: string
  /** Only in full bodies: when the event happened */
  date?: string
  /** Only in full bodies: the object as its `GET` returns it. Null if the owner of the platform cannot read it, or if it no longer exists */
  object?: Bank | null
}

export interface Batch {
  id: string
  name: string
  status: 'UNPAID' | 'APPROVED' | 'VOID'
  /** The outcome; null while the batch is open */
  outcome: 'RELEASED' | 'VOIDED' | 'REJECTED' | 'EXPIRED' | null
  /** The reason for the rejection; null for other outcomes */
  reason: string | null
  /** The total in dollars */
  amount: number
  /** The number of payments */
  count: number
  /** Changes each time the rows are replaced or an account of a payee changes */
  version: string
  /** The bank or wallet that pays; null for the default bank at the time of the release */
  account: string | null
  mail_type: 'USPS_FIRST_CLASS' | 'OVERNIGHT' | 'TWO_DAY' | 'USPS_CERTIFIED' | null
  prepared_by: string
  edited_by: string[]
  /** The person who released, rejected or voided the batch */
  ended_by: string | null
  date: string
  updated: string
  /** When the batch expires; null once it is no longer open */
  expires: string | null
  approvals: BatchApprovals | null
  /** The number and total of the payments in each status. Empty before the release */
  payments: BatchPayments[]
}

/** The approvals that the batch still needs and already has */
export interface BatchApprovals {
  /** The number of people who must approve the batch */
  needed: number
  reasons: string[]
  approved_by: string[]
  /** The action that you can take now */
  next: 'release' | 'approve' | 'none'
}

export interface BatchPayments {
  status: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED'
  count: number
  amount: number
}

export interface BatchPreviewRow {
  /** The position of the row; in a CSV file, the line number */
  line: number
  errors: {
    field: string
    problem: string
  }[]
  /** Another row, payment, approval or batch that pays the same amount to the same payee */
  duplicate: {
    kind: 'row' | 'payment' | 'approval' | 'batch'
    id: string | null
    /** The line of the other row, for the kind `row` */
    line: number | null
    date: string | null
  } | null
}

export interface BatchRequest {
  /** a text that is not only white space */
  name: string
  /** 1 to 1500 rows, or the text of a CSV file */
  file: BulkPaymentRow[] | string
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  mail_type?: MailType | null
}

export interface BatchRow {
  /** The position of the row, from 1 */
  line: number
  name: string
  amount: number
  recipient: string
  /** The last four digits */
  account: string | null
  description: string | null
  number: number | string | null
  payment: {
    id: string
    status: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED'
  } | null
}

export interface BatchSummary {
  id: string
  name: string
  status: 'UNPAID' | 'APPROVED' | 'VOID'
  /** The outcome; null while the batch is open */
  outcome: 'RELEASED' | 'VOIDED' | 'REJECTED' | 'EXPIRED' | null
  /** The reason for the rejection; null for other outcomes */
  reason: string | null
  /** The total in dollars */
  amount: number
  /** The number of payments */
  count: number
  /** Changes each time the rows are replaced or an account of a payee changes */
  version: string
  /** The bank or wallet that pays; null for the default bank at the time of the release */
  account: string | null
  mail_type: 'USPS_FIRST_CLASS' | 'OVERNIGHT' | 'TWO_DAY' | 'USPS_CERTIFIED' | null
  prepared_by: string
  edited_by: string[]
  /** The person who released, rejected or voided the batch */
  ended_by: string | null
  date: string
  updated: string
  /** When the batch expires; null once it is no longer open */
  expires: string | null
}

/** THIN: `id`, `type`, `status` and little else. FULL: the same fields, then `event`, `date` and `object`: the object as its `GET` returns it to the owner of the platform, when the first attempt is made. */
export type BodyFormat = 'THIN' | 'FULL'

export interface Brand {
  footer: string | null
  /** The URL of the logo; omitted if there is none */
  logo?: string
  reply_to: string | null
  slogan: string | null
}

export interface BulkPaymentRow {
  name: PartyName
  amount: Amount
  /** {type: email, address} or {type: physical, address: {line_1, …}} */
  address: EmailRecipient | PostalRecipient
  /** an account number of 4 to 17 digits */
  account_number?: string | null
  /** an ABA routing number of 9 digits */
  routing_number?: string | null
  description?: string | null
  number?: CheckNumber
}

export interface ChallengeField {
  name: string
  type: 'TEXT' | 'PASSWORD' | 'OPTION'
  description: string
  /** The allowed values, for a field of type OPTION */
  options: string[]
}

export interface ChangedWebhookEndpoint {
  id: string
  url: string
  name: string | null
  event_types: EventType[]
  body_format: BodyFormat
  /** DISABLED: nothing is sent to the endpoint */
  status: 'ENABLED' | 'DISABLED'
  /** OWNER: disabled by the owner. GONE: the endpoint answered 410. FAILING: no success for five days. */
  disabled_reason: 'OWNER' | 'GONE' | 'FAILING' | null
  disabled_date: string | null
  /** The first failed attempt since the last success */
  failing_since: string | null
  date: string
  /** Set when this call enabled the endpoint: the number of deliveries that failed while it was failing or disabled */
  missed: number
  /** The value of `since` for POST /v3/webhook/replay to resend exactly these deliveries */
  missed_since: string | null
}

/** a check number: 1 to 100000000, or a text of 1 to 32 characters */
export type CheckNumber = number | string | null

export interface CheckWebhook {
  /** The id of the payment */
  id: string
  status: 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED'
  /** Omitted until a rail is chosen */
  deposit_option?: 'ACH' | 'MAIL' | 'PRINT' | 'INSTANT' | 'RTP' | 'WALLET' | 'PAYPAL' | 'VENMO' | 'INTERAC' | 'WIRE' | 'SWIFT'
  type: 'CHECK'
  /** Only in full bodies: the id of the event, as in the header webhook-id */
  event?: string
  /** Only in full bodies: when the event happened */
  date?: string
  /** Only in full bodies: the object as its `GET` returns it. Null if the owner of the platform cannot read it, or if it no longer exists */
  object?: Payment | null
}

export interface Checkbook {
  id: string
  date: string
  status: 'PENDING' | 'IN_PROCESS' | 'MAILED' | 'CANCELED' | 'RETURNED'
}

export interface CheckbookWebhook {
  /** The id of the checkbook */
  id: string
  status: 'IN_PROCESS' | 'MAILED' | 'CANCELED' | 'RETURNED'
  type: 'CHECKBOOK'
  /** Only in full bodies: the id of the event, as in the header webhook-id */
  event?: string
  /** Only in full bodies: when the event happened */
  date?: string
  /** Only in full bodies: the object as its `GET` returns it. Null if the owner of the platform cannot read it, or if it no longer exists */
  object?: Checkbook | null
}

export interface Clock {
  /** The time of the platform, UTC */
  now: string
  status: 'ready' | 'advancing'
  /** The time that the clock is advancing to */
  target: string | null
}

export interface ConfirmApprovalPolicyChangeRequest {
  /** an id of 32 lower-case hex digits */
  id: Id
}

export interface ConfirmedAccount {
  /** The account number */
  account: string
  routing: string
  name: string
}

export interface ConfirmedAccountList {
  accounts: ConfirmedAccount[]
}

export interface CreateInvoiceSubscriptionRequest {
  amount: Amount
  name: PartyName
  /** a text that is not only white space */
  recipient: string
  /** a text that is not only white space */
  description: string
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  remittance_advice?: RemittanceAdvice
  interval: 'WEEKLY' | 'MONTHLY'
  /** The number of runs. null: endless */
  duration?: number | null
  /** a date, as YYYY-MM-DD */
  start_date?: string | null
}

export interface CreatePayeeRequest {
  /** a text that is not only white space */
  name: string
  /** an email address */
  email?: string | null
  address?: PostalAddress | UnsetAddress | null
}

export interface CreatePaymentSubscriptionRequest {
  amount: Amount
  name: PartyName
  /** an email address, a phone number or a user_id of the platform, or a postal address for a mailed check */
  recipient: string | PostalAddress
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  description?: string | null
  remittance_advice?: RemittanceAdvice
  interval: 'WEEKLY' | 'MONTHLY'
  /** The number of runs. null: endless */
  duration?: number | null
  /** a date, as YYYY-MM-DD */
  start_date?: string | null
}

export interface CreateUserRequest {
  /** a text that is not only white space */
  user_id: string
  /** a text that is not only white space */
  name: string
}

export interface CreateVirtualCardRequest {
  address?: PostalAddress | null
  /** an email address */
  email?: string | null
  phone?: string | null
}

export interface CreateWalletRequest {
  /** a text that is not only white space */
  name?: string | null
  type?: 'INTERNAL' | 'EXTERNAL' | null
}

export interface CreateWebhookEndpointRequest {
  /** An https URL at a public address. In sandbox and demo also http://localhost, if the operator allows it. */
  url: string
  /** a text that is not only white space */
  name?: string | null
  /** The event types that are sent to the endpoint. The default is CHECK and INVOICE. */
  event_types?: EventType[] | null
  body_format?: BodyFormat | null
}

export interface CreateWebhookListenerRequest {
  /** Default: all types */
  event_types?: EventType[] | null
  body_format?: BodyFormat | null
}

export interface CreatedApiKey {
  /** The API key */
  id: string
  /** The API secret. It is shown only once. */
  secret: string
  name: string | null
  expiration_date: string | null
  /** The key that signs this user’s webhooks */
  webhook_key: string
}

export interface CreatedDebitCard {
  id: string
  card_number: string
  name: string | null
  default: boolean
  date: string
}

export interface CreatedSubscription {
  id: string
  type: 'CHECK' | 'INVOICE'
  /** Dollars */
  amount: number
  name: string
  recipient: string
  description: string | null
  /** null: the default bank at the time of each run */
  account: string | null
  interval: 'WEEKLY' | 'MONTHLY'
  /** The number of runs. null: endless */
  duration: number | null
  /** YYYY-MM-DD */
  start_date: string
  date: string
}

export interface CreatedUser {
  id: string
  user_id: string
  /** The API key of the user */
  key: string
  /** The API secret of the user. It is shown only once. */
  secret: string
}

export interface CreatedWallet {
  id: string
  name: string | null
  numbers: WalletNumbers
  date: string
}

export interface DebitCard {
  id: string
  card_number: string
  expiration_date: string
  name: string | null
  default: boolean
  date: string
}

export interface DeliveredPayment {
  /** The status that this event reports */
  status: string
  /** Dollars */
  amount: number
  /** The payee */
  name: string
}

export type DepositOption = 'PRINT' | 'MAIL' | 'BANK' | 'CARD' | 'VCC' | 'RTP' | 'PAYPAL' | 'WALLET' | 'VENMO' | 'INTERAC' | 'WIRE'

export interface DigitalPaymentRequest {
  amount: Amount
  name: PartyName
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  description?: string | null
  comment?: string | null
  number?: CheckNumber
  attachment?: Attachment | Upload
  deposit_options?: DepositOption[] | null
  pin?: Pin | null
  /** an email address, a phone number, a user_id of the platform, or {id, account} */
  recipient: string | RecipientAccount
  remittance_advice?: RemittanceLines | null
}

export interface EmailRecipient {
  type: 'email'
  /** an email address */
  address: string
}

/** An empty object */
export type Empty = Record<string, never>

export type EmptyRequest = Record<string, never>

export interface EndorsePaymentRequest {
  /** a text that is not only white space */
  name: string
  /** a PNG or JPEG image in base64, or null */
  signature?: string | null | Upload
}

export type EventType = 'CHECK' | 'INVOICE' | 'BANK' | 'USER' | 'PREFUND_ACCOUNT' | 'CHECKBOOK' | 'SUBSCRIPTION' | 'MAIL'

export interface FoundPayment {
  id: string
  /** The number from the request, or the next number of the user’s own counter */
  number: number | string
  /** Dollars */
  amount: number
  date: string
  status: PaymentStatus
  name: string
  recipient: string
  description: string | null
  comment: string | null
  image_uri: string | null
  direction: 'INCOMING' | 'OUTGOING'
  sender: string
  /** null before the deposit, and for payments from another platform */
  rail: 'ACH' | 'MAIL' | 'PRINT' | 'INSTANT' | 'RTP' | 'WALLET' | 'PAYPAL' | 'VENMO' | 'INTERAC' | 'WIRE' | 'SWIFT' | null
  /** Why it failed */
  return_code: string | null
  user: PaymentUser
}

export interface FundWalletRequest {
  amount: Amount
}

export type Id = string

export interface Institution {
  id: string
  name: string
  login_form: LoginField[]
}

export interface InstitutionList {
  institutions: Institution[]
  page?: number
  pages?: number
  total?: number
}

export interface InstitutionLogin {
  accounts: ConfirmedAccount[]
  mfa?: LoginChallenge
}

/** An institution with the fields of its login_form, or an mfa_id with the fields of its form */
export type InstitutionLoginRequest = Record<string, string>

export interface InteracAccount {
  id: string
  name: string | null
  date: string
}

export interface Invoice {
  id: string
  /** Dollars */
  amount: number
  date: string
  name: string
  /** The number from the request, or the next number of the user’s own counter */
  number: string
  recipient: string
  description: string
  status: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'VOID'
  direction: 'INCOMING' | 'OUTGOING'
  /** The payment; null while the invoice is UNPAID or VOID */
  check_id: string | null
  /** The address of the attachment; null if there is none */
  attachment_uri: string | null
}

export interface InvoiceDetails {
  /** YYYY-MM-DD */
  due_date: string | null
  /** Whether the invoice is UNPAID after its due date, in the time zone of the service */
  is_overdue: boolean
  terms: string | null
  /** The lines; empty for an invoice with only a total */
  items: {
    description: string
    quantity: number
    unit_price: number
    /** The tax rate in percent */
    tax_rate: number
    /** The amount before tax */
    amount: number
    tax: number
    total: number
  }[]
  /** The total before tax; null for an invoice without lines */
  subtotal: number | null
  tax: number | null
  /** Whether the caller can copy a link to the page of the invoice. Only the sender can, if the recipient has no account */
  has_link: boolean
  /** The events of the invoice, oldest first. Only the sender sees `mail` and `remind`. */
  entries: {
    event: 'send' | 'mail' | 'remind' | 'begin_payment' | 'pay' | 'fail_payment' | 'void'
    /** The time on the clock of the platform */
    time: string
    /** The ID of the payment, if the caller can read it */
    check_id: string | null
  }[]
}

export interface InvoiceItem {
  /** a text that is not only white space */
  description: string
  /** At least 0.001, with at most three decimals */
  quantity: number
  unit_price: Amount
  /** Percent, with at most three decimals. Default: no tax */
  tax_rate?: number | null
}

export interface InvoicePaymentRequest {
  /** an id of 32 lower-case hex digits */
  id: Id
  amount: Amount
  /** an id of 32 lower-case hex digits */
  account?: Id | null
}

export interface InvoiceWebhook {
  /** The id of the invoice */
  id: string
  status: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'VOID'
  type: 'INVOICE'
  /** Only in full bodies: the id of the event, as in the header webhook-id */
  event?: string
  /** Only in full bodies: when the event happened */
  date?: string
  /** Only in full bodies: the object as its `GET` returns it. Null if the owner of the platform cannot read it, or if it no longer exists */
  object?: Invoice | null
}

export interface Limit {
  /** The limit in dollars; null for no limit */
  maximum: number | null
  /** The limit of the operator, which the owner of a platform can lower, in dollars; null for no limit */
  highest: number | null
  /** The amount that was sent in the period, in dollars */
  used: number
  /** The amount that can still be sent, in dollars; null for no limit */
  left: number | null
}

export interface ListedApproval {
  id: string
  /** The number of the payment. Before the release, the number that it would get now */
  number: number | string
  /** Dollars */
  amount: number
  date: string
  status: 'UNPAID' | 'APPROVED' | 'VOID'
  name: string
  recipient: string
  description: string | null
  comment: string | null
  image_uri: string | null
  direction: 'OUTGOING'
  sender: string
}

export interface ListedPayment {
  id: string
  /** The number from the request, or the next number of the user’s own counter */
  number: number | string
  /** Dollars */
  amount: number
  date: string
  status: PaymentStatus
  name: string
  recipient: string
  description: string | null
  comment: string | null
  image_uri: string | null
  direction: 'INCOMING' | 'OUTGOING'
  sender: string
}

export interface ListedUser {
  id: string
  user_id: string
  name: string
  /** The oldest API key. Empty if all keys are revoked. */
  key: string
  /** The masked API secret */
  secret: string
  date: string
}

export interface ListenerDelivery {
  event: string
  /** The number of the attempt, from 1 */
  attempt: number
  /** The delay before the next attempt if this one fails; null for no retry */
  retry_seconds: number | null
  /** Headers to send unchanged with the body */
  headers: Record<string, string>
  /** The exact bytes of the body */
  body: string
}

export interface ListenerResult {
  /** an id of 32 lower-case hex digits */
  event: Id
  attempt: number
  outcome: 'acknowledged' | 'rejected' | 'timed_out' | 'unreachable'
  status?: number | null
  duration_ms: number
  error?: string | null
  /** The headers that were sent */
  headers?: Record<string, string> | null
  /** The first KiB of the response body, in base64 */
  response_body?: string | null
}

export interface LoggedRequest {
  /** The `x-request-id` of the response */
  id: string
  /** When the request arrived, in real time even if the clock of the sandbox was advanced */
  date: string
  method: string
  /** The path without the query string */
  path: string
  /** The HTTP status */
  status: number
  /** The error code; null for a successful request */
  code: string | null
  duration_ms: number
  /** The ID of the user on whose behalf the request was made */
  user: string
  /** session: the dashboard */
  credential: 'api_key' | 'session' | 'token'
  /** The ID of the API key or application. Null for the dashboard */
  key: string | null
  /** The IP address of the client */
  address: string
  /** The ID of the payment that the request made or named */
  payment: string | null
}

/** Present if the institution asks for more. Call again with `mfa_id` and the fields of `form` */
export interface LoginChallenge {
  id: string
  form: ChallengeField[]
}

export interface LoginField {
  name: string
  type: 'TEXT' | 'PASSWORD' | 'OPTION'
  description: string
}

export interface Mail {
  id: string
  date: string
  status: 'RECEIVED'
  sender: string
  recipient: string
  checks: Reference[]
  tags: string[]
}

export type MailType = 'USPS_FIRST_CLASS' | 'OVERNIGHT' | 'TWO_DAY' | 'USPS_CERTIFIED'

export interface MailWebhook {
  /** The id of the mail */
  id: string
  status: 'RECEIVED'
  /** The id of the mailbox */
  mailbox: string
  type: 'MAIL'
  /** Only in full bodies: the id of the event, as in the header webhook-id */
  event?: string
  /** Only in full bodies: when the event happened */
  date?: string
  /** Only in full bodies: the object as its `GET` returns it. Null if the owner of the platform cannot read it, or if it no longer exists */
  object?: Mail | null
}

export interface Mailbox {
  id: string
  date: string
  status: 'ACTIVE' | 'CLOSED'
  address: MailboxAddress
}

export interface MailboxAddress {
  line_1: string
  line_2?: string
  city: string
  state: string
  zip: string
  country?: string
}

export interface Merchant {
  address: Address
  principal_address: Address
  incorporation_date: string | null
  /** A NAICS code */
  industry: string | null
  legal_firstname: string | null
  legal_lastname: string | null
  principal_citizenship_status: string | null
  principal_occupation: string | null
  /** Masked except for the last four digits */
  tax_id: string | null
  website: string | null
}

export interface MicroDepositAmounts {
  amount_1: number
  amount_2: number
  /** an id of 32 lower-case hex digits */
  account?: Id | null
}

export interface MultiPaymentRecipient {
  name: PartyName
  /** the user_id of a user of the platform, or an email address */
  recipient: string
  pin?: Pin | null
  endorse_only?: boolean | null
}

export interface MultiPaymentRequest {
  amount: Amount
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  description?: string | null
  comment?: string | null
  number?: CheckNumber
  attachment?: Attachment | Upload
  deposit_options?: DepositOption[] | null
  recipients: MultiPaymentRecipient[]
  remittance_advice?: RemittanceLines | null
}

export interface OrderCheckbookRequest {
  /** an id of 32 lower-case hex digits */
  account: Id
  /** the number of the first check, from 1 to 100000000, also as a text of digits */
  number: number | string
  mail_type: 'USPS_FIRST_CLASS' | 'OVERNIGHT' | 'TWO_DAY' | 'USPS_CERTIFIED'
  recipient: {
    /** a text that is not only white space */
    name: string
    line_1: string
    line_2?: string | null
    city: string
    state: string
    zip: string
    country?: string | null
  }
}

/** a text that is not only white space */
export type PartyName = string

export interface PayPalAccount {
  id: string
  name: string | null
  date: string
}

export interface Payee {
  id: string
  name: string
  email: string | null
  address: Address
  accounts: PayeeAccount[]
}

export interface PayeeAccount {
  id: string
  name: string | null
  /** The last four digits */
  number: string
  type: 'CARD' | 'BANK'
}

export interface Payment {
  id: string
  /** The number from the request, or the next number of the user’s own counter */
  number: number | string
  /** Dollars */
  amount: number
  date: string
  status: PaymentStatus
  name: string
  recipient: string
  description: string | null
  comment: string | null
  image_uri: string | null
  remittance_advice: RemittanceTable
}

export interface PaymentDetails {
  id: string
  /** The number from the request, or the next number of the user’s own counter */
  number: number | string
  /** Dollars */
  amount: number
  date: string
  status: PaymentStatus
  name: string
  recipient: string
  description: string | null
  comment: string | null
  image_uri: string | null
  direction: 'INCOMING' | 'OUTGOING'
  sender: string
  /** null before the deposit, and for payments from another platform */
  rail: 'ACH' | 'MAIL' | 'PRINT' | 'INSTANT' | 'RTP' | 'WALLET' | 'PAYPAL' | 'VENMO' | 'INTERAC' | 'WIRE' | 'SWIFT' | null
  /** Why it failed */
  return_code: string | null
  user: PaymentUser
  /** The account that pays; null if the caller is the recipient */
  account: {
    id: string
    kind: 'bank' | 'wallet'
  } | null
  deposit_options: ('PRINT' | 'MAIL' | 'BANK' | 'CARD' | 'VCC' | 'RTP' | 'PAYPAL' | 'WALLET' | 'VENMO' | 'INTERAC' | 'WIRE')[]
  remittance_advice: RemittanceTable
  has_attachment: boolean
  /** The name of the person who prepared the payment */
  prepared_by: string | null
  /** The name of the person who released the payment */
  released_by: string | null
  /** The ID of the batch that the payment was released with */
  batch_id: string | null
  /** YYYY-MM-DD; null before the deposit */
  expected: string | null
  /** YYYY-MM-DD; the last day for the deposit */
  expires: string
}

/** The PAID payments */
export interface PaymentFigure {
  /** The number of payments */
  count: number
  /** The total of the payments in dollars */
  amount: number
}

export type PaymentStatus = 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED'

export interface PaymentSummary {
  start_date: string
  end_date: string
  /** The time zone of the days */
  time_zone: string
  /** The time on the clock of the platform */
  as_of: string
  /** Whether all payments of the period are counted. false while older ones are still being counted */
  is_complete: boolean
  sent: PaymentFigure
  /** The payments that are UNPAID, IN_PROCESS, PRINTED or MAILED */
  waiting: PaymentFigure
  /** The payments that are FAILED, REFUNDED or EXPIRED */
  failed: PaymentFigure
  /** The share of PAID payments among those that are PAID, FAILED, REFUNDED or EXPIRED; from 0 to 1, null if there are none */
  success_rate: number | null
  /** The share of settled debits that were returned; from 0 to 1, null if there are none */
  return_rate: number | null
  days: {
    date: string
    sent: PaymentFigure
    /** The payments that are UNPAID, IN_PROCESS, PRINTED or MAILED */
    waiting: PaymentFigure
    /** The payments that are FAILED, REFUNDED or EXPIRED */
    failed: PaymentFigure
  }[]
  /** The payments that were sent on each rail, largest amount first */
  rails: {
    rail: string
    /** The number of payments */
    count: number
    /** The total of the payments in dollars */
    amount: number
  }[]
}

/** The user of your platform that sends or receives the payment */
export interface PaymentUser {
  id: string
  name: string
}

export interface PhysicalCheckRequest {
  amount: Amount
  name: PartyName
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  description?: string | null
  comment?: string | null
  number?: CheckNumber
  attachment?: Attachment | Upload
  mail_type?: MailType | null
  /** a postal address {line_1, city, state, zip}. POST /v3/check/digital takes an email address, phone number or user_id */
  recipient: PostalAddress
  remittance_advice?: RemittanceAdvice
}

export interface Pin {
  description?: string | null
  value: string
}

export interface PollWebhookListenerRequest {
  results: ListenerResult[]
  /** Events that the listener is still processing. Later events of the same payments wait for them. */
  holding?: Id[] | null
  /** Default: answer immediately */
  wait_seconds?: number | null
}

export interface PostalAddress {
  line_1: string
  line_2?: string | null
  city: string
  state: string
  zip: string
  country?: string | null
}

export interface PostalRecipient {
  type: 'physical'
  address: PostalAddress
}

export interface PrefundAccountWebhook {
  /** The id of the wallet */
  id: string
  /** Available balance in dollars. It excludes money held for payments. */
  balance: number
  type: 'PREFUND_ACCOUNT'
  /** Only in full bodies: the id of the event, as in the header webhook-id */
  event?: string
  /** Only in full bodies: when the event happened */
  date?: string
  /** Only in full bodies: the object as its `GET` returns it. Null if the owner of the platform cannot read it, or if it no longer exists */
  object?: Wallet | null
}

export interface PreviewBatchRequest {
  /** 1 to 1500 rows, or the text of a CSV file */
  file: BulkPaymentRow[] | string
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  mail_type?: MailType | null
  /** an id of 32 lower-case hex digits */
  batch?: Id | null
}

export interface PreviewCheckRequest {
  amount: Amount
  name: PartyName
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  description?: string | null
  comment?: string | null
  number?: CheckNumber
  attachment?: Attachment | Upload
  deposit_options?: DepositOption[] | null
  pin?: Pin | null
  mail_type?: MailType | null
  /** an email address, a phone number, a user_id of the platform, {id, account}, or a postal address */
  recipient?: string | RecipientAccount | PostalAddress | null
  remittance_advice?: RemittanceAdvice
}

export interface ProcessorToken {
  /** a token of Plaid */
  processor_token: string
}

export interface Profile {
  user: User
  merchant: Merchant
  brand: Brand
}

export interface ReceiveMailRequest {
  /** a text that is not only white space */
  sender: string
  /** a text that is not only white space */
  recipient?: string | null
  tags?: string[] | null
  checks?: ScannedCheck[] | null
  /** The scan: a PDF in base64 */
  attachment?: string | null | Upload
}

export interface RecipientAccount {
  id: string
  /** an id of 32 lower-case hex digits */
  account: Id
}

export interface Reference {
  id: string
}

export interface RejectionRequest {
  /** a text that is not only white space */
  reason: string
}

export interface ReleaseApprovalRequest {
  /** an id of 32 lower-case hex digits */
  id: Id
  /** The version that you reviewed. The request is refused if the current version is a different one */
  version?: Id | null
}

/** a text of at most 3990 characters, or 1 to 50 lines {id, date, amount, description} */
export type RemittanceAdvice = string | RemittanceLines | null

export interface RemittanceLine {
  id: string
  /** a date, as YYYY-MM-DD */
  date: string
  amount?: Amount | null
  description?: string | null
}

export type RemittanceLines = RemittanceLine[]

/** One row for each line item: id, date, amount with two decimals, description. A cell without a value is empty. */
export type RemittanceTable = string[][]

export interface RenameWalletRequest {
  /** a text that is not only white space */
  name: string | null
}

export interface ReplayFailedWebhooksRequest {
  /** a time, as YYYY-MM-DD HH:MM:SS (UTC), or a date */
  since: string
  /** an id of 32 lower-case hex digits */
  endpoint?: Id | null
}

export interface RequestDetails {
  /** The `x-request-id` of the response */
  id: string
  /** When the request arrived, in real time even if the clock of the sandbox was advanced */
  date: string
  method: string
  /** The path without the query string */
  path: string
  /** The HTTP status */
  status: number
  /** The error code; null for a successful request */
  code: string | null
  duration_ms: number
  /** The ID of the user on whose behalf the request was made */
  user: string
  /** session: the dashboard */
  credential: 'api_key' | 'session' | 'token'
  /** The ID of the API key or application. Null for the dashboard */
  key: string | null
  /** The IP address of the client */
  address: string
  /** The ID of the payment that the request made or named */
  payment: string | null
  /** The body as JSON. Secrets, account numbers and other long numbers are `****`. Null if it was not kept. Bodies above 16 KiB and invalid JSON are never kept. */
  body: string | null
}

export interface RequestSettings {
  /** Whether the bodies of requests are kept for seven days. Default: false. */
  keeps_bodies: boolean
}

export interface ScannedCheck {
  /** an ABA routing number of 9 digits */
  routing: string
  /** an account number of 4 to 17 digits */
  account: string
  /** a check number of at most 15 digits */
  number: string
  amount: Amount
  /** a text that is not only white space */
  name?: string | null
}

export interface SeenVersion {
  /** The version that you reviewed. The request is refused if the current version is a different one */
  version?: Id | null
}

export interface SendBulkPaymentsRequest {
  /** 1 to 1500 rows, or the text of a CSV file */
  file: BulkPaymentRow[] | string
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  mail_type?: MailType | null
}

export interface SendDirectPaymentRequest {
  amount: Amount
  name: PartyName
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  description?: string | null
  comment?: string | null
  number?: CheckNumber
  attachment?: Attachment | Upload
  /** a text that is not only white space */
  recipient: string
  /** an account number of 4 to 17 digits */
  account_number: string
  /** an ABA routing number of 9 digits */
  routing_number: string
  account_type: 'CHECKING' | 'SAVINGS' | 'BUSINESS'
  /** BANK or RTP */
  deposit_options?: ('BANK' | 'RTP')[] | null
  remittance_advice?: RemittanceLines | null
}

export interface SendInvoiceRequest {
  amount: Amount
  name: PartyName
  /** a text that is not only white space */
  recipient: string
  /** a text that is not only white space */
  description: string
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  number?: string | null
  attachment?: Attachment | Upload
  /** a date, as YYYY-MM-DD */
  due_date?: string | null
  terms?: string | null
  /** 1 to 50 lines. Each line is rounded to cents, half up: first quantity × unit_price, then its tax. `amount` must be their total. */
  items?: InvoiceItem[] | null
}

export interface SentInvoice {
  id: string
  /** Dollars */
  amount: number
  date: string
  name: string
  /** The number from the request, or the next number of the user’s own counter */
  number: string
  recipient: string
  description: string
  status: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'VOID'
}

export interface SetSignatureRequest {
  /** a PNG or JPEG image in base64 */
  signature: string | Upload
}

export interface SetUserLimitRequest {
  /** The limit in dollars; null removes it */
  payment?: number | null
  /** The limit in dollars; null removes it */
  day?: number | null
  /** The limit in dollars; null removes it */
  month?: number | null
}

export interface SettleDebtRequest {
  amount?: Amount | null
}

export interface SkipSubscriptionRunRequest {
  /** The number of the run, from 1 */
  number: number
  skipped: boolean
}

export interface SpendVirtualCardRequest {
  amount: Amount
  description?: string | null
}

export interface Statistics {
  metric: 'volume' | 'success_rate' | 'return_rate'
  group: 'day' | 'week' | 'month' | 'rail' | 'status'
  start_date: string
  end_date: string
  /** The time zone of the days */
  time_zone: string
  /** The time on the clock of the platform */
  as_of: string
  /** Whether all payments of the period are counted. false while older ones are still being counted */
  is_complete: boolean
  points: {
    /** A day, the Monday of a week, a month, a rail (empty before one is chosen), or a status */
    key: string
    /** The number of payments */
    count: number
    /** The total of the payments in dollars */
    amount: number
    /** The rate, from 0 to 1; null for the metric volume, and if there is nothing to divide by */
    rate: number | null
  }[]
  total: {
    /** The number of payments */
    count: number
    /** The total of the payments in dollars */
    amount: number
    /** The rate, from 0 to 1; null for the metric volume, and if there is nothing to divide by */
    rate: number | null
  }
}

export interface Subscription {
  id: string
  type: 'CHECK' | 'INVOICE'
  /** Dollars */
  amount: number
  name: string
  recipient: string
  description: string | null
  /** null: the default bank at the time of each run */
  account: string | null
  interval: 'WEEKLY' | 'MONTHLY'
  /** The number of runs. null: endless */
  duration: number | null
  /** YYYY-MM-DD */
  start_date: string
  date: string
  status: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED' | 'OVERDUE' | 'CANCELED'
  /** The numbers of the runs that were or will be skipped, counted from 1 */
  skipped: number[]
  autopay: boolean
}

export interface SubscriptionWebhook {
  /** The id of the subscription */
  id: string
  status: 'FAILED' | 'OVERDUE' | 'CANCELED'
  type: 'SUBSCRIPTION'
  /** Only in full bodies: the id of the event, as in the header webhook-id */
  event?: string
  /** Only in full bodies: when the event happened */
  date?: string
  /** Only in full bodies: the object as its `GET` returns it. Null if the owner of the platform cannot read it, or if it no longer exists */
  object?: Subscription | null
}

export interface Timeline {
  entries: {
    /** The position of the event, from 1 */
    position: number
    /** payment: the status changed. debit, credit, refund: money moved. mail: the payee got an email. */
    kind: 'payment' | 'debit' | 'credit' | 'refund' | 'mail'
    /** For example create, deposit, send, settle, return, pay */
    event: string
    /** The status of the payment or of the movement after the event */
    status: string | null
    /** The time on the clock of the platform */
    time: string
    /** The time in the real world; null if unknown */
    real_time: string | null
    /** The amount of the movement in dollars; null for other events */
    amount: number | null
    rail: string | null
    return_code: string | null
    actor: {
      /** recipient: the payee, using the link in an email */
      kind: 'api_key' | 'person' | 'application' | 'recipient'
      /** The ID of the API key, person or application */
      id: string | null
      name: string | null
    } | null
    /** The path of the webhook event */
    link: string | null
  }[]
  ledger: {
    id: string
    /** The ledger account that is debited */
    debit: string
    /** The ledger account that is credited */
    credit: string
    /** Dollars */
    amount: number
    status: 'PENDING' | 'POSTED' | 'VOIDED'
    reason: string
    time: string
  }[]
}

export interface Tracking {
  tracking: TrackingStep[]
}

export interface TrackingStep {
  action_ts: string
  location: string
}

export interface TriggerPaymentStatusRequest {
  status: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED'
  options?: {
    return_code?: 'R01' | 'R02' | 'R03' | 'A' | 'B' | 'C' | 'D' | '04' | '05' | '06' | 'R901'
  }
}

export interface TriggerUserStatusRequest {
  status: 'UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'SUSPENDED' | 'CLOSED'
}

export interface UnsetAddress {
  line_1: null
  line_2?: null
  city: null
  state: null
  zip: null
  country?: null
}

export interface UpdateApprovalPolicyRequest {
  /** Whether every payment needs at least one approval, even if no rule asks for one */
  dual_control: boolean
  rules: ApprovalRule[]
}

export interface UpdateApprovalRequest {
  /** an id of 32 lower-case hex digits */
  account?: Id | null
  amount?: Amount
  description?: string | null
  name?: PartyName
  number?: CheckNumber
  /** an email address, a phone number, a user_id of the platform, or {id, account}; of a paper check, a postal address */
  recipient?: string | RecipientAccount | PostalAddress
  /** The version that you reviewed. The request is refused if the current version is a different one */
  version?: Id | null
}

export interface UpdateDebitCardRequest {
  default?: boolean
  /** a text that is not only white space, or null */
  name?: string | null
}

export interface UpdateInteracAccountRequest {
  /** a text that is not only white space, or null */
  name?: string | null
}

export interface UpdatePayPalAccountRequest {
  /** a text that is not only white space, or null */
  name?: string | null
}

export interface UpdatePayeeRequest {
  /** a text that is not only white space */
  name?: string
  /** an email address */
  email?: string | null
  address?: PostalAddress | UnsetAddress | null
}

export interface UpdateProfileRequest {
  user?: {
    first_name?: string
    last_name?: string
    business_name?: string
    /** a date, as YYYY-MM-DD */
    dob?: string
    phone?: string
    /** 4 or 9 digits */
    ssn?: string
    check_number?: number
    invoice_number?: number
  }
  merchant?: {
    address?: AddressChanges
    principal_address?: AddressChanges
    /** a date, as YYYY-MM-DD */
    incorporation_date?: string
    /** A NAICS code */
    industry?: 11 | 21 | 22 | 23 | 33 | 42 | 45 | 49 | 51 | 52 | 53 | 54 | 55 | 56 | 61 | 62 | 71 | 72 | 81 | 92 | 441 | 519 | 524 | 624 | 4541 | 5411 | 5614 | 54112 | 541211 | 541214 | 541614
    legal_firstname?: string
    legal_lastname?: string
    principal_citizenship_status?: 'us_citizen' | 'resident' | 'non_resident'
    principal_occupation?: string
    /** 9 digits */
    tax_id?: string
    website?: string
  }
  bank?: {
    /** an id of 32 lower-case hex digits */
    billing?: Id
    /** an id of 32 lower-case hex digits */
    default?: Id
  }
  brand?: {
    footer?: string | null
    logo?: string
    /** an email address, or an empty text for none */
    reply_to?: string
    slogan?: string | null
  }
  developer?: {
    webhook_uri?: string | null
  }
  payment?: {
    expiration?: number
    /** Whether payments need the release of a second person */
    dual_control?: boolean
  }
}

export interface UpdateSubscriptionRequest {
  autopay?: boolean
  skipped?: number[]
}

export interface UpdateVenmoAccountRequest {
  /** a text that is not only white space, or null */
  name?: string | null
}

export interface UpdateVirtualCardRequest {
  default?: boolean
  /** a text that is not only white space, or null */
  name?: string | null
}

export interface UpdateWebhookEndpointRequest {
  /** An https URL at a public address. In sandbox and demo also http://localhost, if the operator allows it. */
  url?: string
  /** a text that is not only white space */
  name?: string | null
  /** The event types that are sent to the endpoint. The default is CHECK and INVOICE. */
  event_types?: EventType[]
  body_format?: BodyFormat
  status?: 'ENABLED' | 'DISABLED'
}

export interface UpdateWireAccountRequest {
  /** a text that is not only white space, or null */
  name?: string | null
}

export interface User {
  id: string
  first_name: string | null
  last_name: string | null
  business_name: string | null
  dob: string | null
  phone: string | null
  /** Masked except for the last four digits */
  ssn: string | null
  /** The next check number */
  check_number: number
  /** The next invoice number */
  invoice_number: number
  status: 'UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'SUSPENDED' | 'CLOSED'
}

export interface UserWebhook {
  /** The id of the user */
  id: string
  status: 'UNVERIFIED' | 'PENDING' | 'VERIFIED' | 'SUSPENDED' | 'CLOSED'
  type: 'USER'
  /** Only in full bodies: the id of the event, as in the header webhook-id */
  event?: string
  /** Only in full bodies: when the event happened */
  date?: string
  /** Only in full bodies: the object as its `GET` returns it. Null if the owner of the platform cannot read it, or if it no longer exists */
  object?: Profile | null
}

export interface VenmoAccount {
  id: string
  name: string | null
  date: string
}

export interface Verification {
  success: boolean
}

export interface VirtualCard {
  id: string
  /** The last four digits */
  card_number: string
  expiration_date: string
  /** Dollars with two decimals */
  balance: string
  name: string | null
  default: boolean
  date: string
}

export interface VirtualCardTransaction {
  id: string
  type: 'LOAD' | 'RETURN' | 'SPEND'
  /** Dollars. A negative amount left the card. */
  amount: number
  /** The balance of the card afterward, in dollars */
  balance: number
  status: 'POSTED'
  description: string | null
  created_ts: string
}

export interface Wallet {
  id: string
  name: string | null
  numbers: WalletNumbers
  date: string
  /** Available balance in dollars. It excludes money held for payments. */
  balance: number
}

export interface WalletNumber {
  routing: string
  account: string
}

/** Account details for incoming transfers. In production, a transfer to one of them funds the wallet. A rail without a number receives nothing. In sandbox and demo they are fictitious and receive nothing. */
export interface WalletNumbers {
  ACH: WalletNumber | null
  RTP: WalletNumber | null
  WIRE: WalletNumber | null
}

export interface WalletTransaction {
  id: string
  date: string
  /** Dollars. A negative amount left the wallet. */
  amount: number
  /** The type of the transaction, as listed in docs/money.md */
  reason: string
  /** PENDING: held for a payment */
  status: 'PENDING' | 'POSTED' | 'VOIDED'
  check_id: string | null
}

export interface WebhookAttempt {
  number: number
  date: string
  duration_ms: number
  outcome: 'acknowledged' | 'rejected' | 'timed_out' | 'unreachable'
  /** The HTTP status of the response */
  status: number | null
  /** Why there was no response */
  error: string | null
  request_headers: Record<string, string> | null
  /** The first KiB of the response body */
  response_body: string | null
}

export interface WebhookDelivery {
  event: string
  endpoint: string
  url: string
  type: EventType
  /** The id of the payment, bank, user or wallet */
  subject: string
  payment: DeliveredPayment | null
  status: 'PENDING' | 'DELIVERED' | 'FAILED'
  next_attempt: string | null
  /** When the event happened */
  date: string
  /** The number of attempts */
  attempts: number
}

export interface WebhookEndpoint {
  id: string
  url: string
  name: string | null
  event_types: EventType[]
  body_format: BodyFormat
  /** DISABLED: nothing is sent to the endpoint */
  status: 'ENABLED' | 'DISABLED'
  /** OWNER: disabled by the owner. GONE: the endpoint answered 410. FAILING: no success for five days. */
  disabled_reason: 'OWNER' | 'GONE' | 'FAILING' | null
  disabled_date: string | null
  /** The first failed attempt since the last success */
  failing_since: string | null
  date: string
}

export interface WebhookEvent {
  /** The ID of the event, also sent in the header webhook-id */
  id: string
  type: EventType
  /** The id of the payment, bank, user or wallet */
  subject: string
  /** The exact bytes of the thin body */
  body: string
  date: string
}

export interface WireAccount {
  id: string
  account: string
  routing: string
  name: string | null
  date: string
}

/**
 * The codes of errors, with their status and message. A newer service can have more.
 *
 * - `malformed_json`: 400: The body is not valid JSON. Check its syntax.
 * - `invalid_request`: 400: The request is invalid. Check the fields listed in errors.
 * - `invalid_text`: 400: The text contains characters that are not allowed. Send valid Unicode without the NUL character.
 * - `invalid_cursor`: 400: The cursor is invalid for this list and sort order. Use one from the Link header of this list.
 * - `invalid_idempotency_key`: 400: The Idempotency-Key is invalid. Use 1 to 255 visible ASCII characters.
 * - `not_found`: 404: This URL does not exist. Check its path.
 * - `method_not_allowed`: 405: This URL does not support this method. See the Allow header.
 * - `request_timeout`: 408: The request took too long to arrive. Send it again.
 * - `body_too_large`: 413: The request body is too large. Send a smaller one.
 * - `unsupported_media_type`: 415: The body must be JSON. Send it with Content-Type: application/json.
 * - `misdirected_request`: 421: This service does not answer for this host. Use the service’s own address.
 * - `headers_too_large`: 431: The request headers are too large. Send fewer or shorter ones.
 * - `unauthorized`: 401: The API key or its secret is missing or invalid. Send both as Authorization: API_KEY:API_SECRET.
 * - `invalid_token`: 401: The access token is unknown, expired or revoked. Request a new one.
 * - `not_signed_in`: 401: You are not signed in, or your session has ended. Sign in again.
 * - `insufficient_scope`: 403: The access token does not have the scope that this request needs. Ask the account holder to authorize it.
 * - `foreign_origin`: 403: This request came from another website. Use a page of this service instead.
 * - `confirmation_needed`: 403: This action needs confirmation. Enter your password or a code from your authenticator app.
 * - `permission_denied`: 403: Your role or API key does not have the permission that this request needs. Ask an owner of the platform.
 * - `two_factor_required`: 403: Your platform requires two-factor authentication. Set it up on the page Security before you continue.
 * - `shared_by_all`: 403: Everyone shares the demo account, so its password, email, two-factor settings, role and published API key cannot be changed. Sign up for your own account.
 * - `owner_only`: 403: Only the owner of the platform can do this. Use the owner’s credentials.
 * - `not_the_sender`: 403: Only the sender of the payment and the owner of its platform can do this. Use their credentials.
 * - `not_the_recipient`: 403: Only the recipient of the payment can do this. Use the recipient’s credentials.
 * - `not_the_holder`: 403: Only the account holder can change this account. Use the account holder’s credentials.
 * - `wrong_login`: 401: The email or password is incorrect. Try again.
 * - `no_platform`: 403: You are not a member of any platform. Ask an owner or an admin of your platform to invite you again.
 * - `last_owner`: 400: The last owner of a platform cannot leave or get another role. Make another member an owner first.
 * - `member_not_found`: 404: There is no such member. It may have been removed already.
 * - `already_member`: 400: This person is already a member of the platform. Change the role on the page Team instead.
 * - `team_full`: 400: A team has at most 200 members and open invitations. Remove a member or revoke an invitation.
 * - `invitation_not_found`: 404: This invitation was used or revoked, or has expired. Ask the person who invited you for a new one.
 * - `invitation_for_another`: 403: This invitation is for another email address. Sign out, and accept it with the address that was invited.
 * - `platform_not_found`: 404: You are not a member of this platform. Choose one of yours.
 * - `platform_changed`: 409: You switched to another platform in this browser. Reload the page to continue there.
 * - `wrong_password`: 400: The password is incorrect. Try again.
 * - `weak_password`: 400: The password is too easy to guess. Choose a longer one.
 * - `wrong_code`: 400: The code is incorrect or was already used. Enter a new one.
 * - `code_expired`: 400: The code has expired or was entered incorrectly too many times. Request a new one.
 * - `too_many_tries`: 429: Too many attempts. Try again later.
 * - `session_not_found`: 404: There is no such session. It may have ended already.
 * - `two_factor_is_on`: 400: Two-factor authentication is already on. Turn it off before you set it up again.
 * - `two_factor_is_off`: 400: Two-factor authentication is off. Turn it on first.
 * - `email_taken`: 400: Another owner already uses this email address. Use a different one.
 * - `user_id_taken`: 400: Another user of this platform already has this user_id. Use a different one.
 * - `user_not_found`: 404: There is no such user. Check the id.
 * - `user_not_active`: 403: The user or its platform is suspended or closed, so it cannot send, deposit or change anything. Contact the operator.
 * - `user_busy`: 400: The user still has money, debts or open payments. Resolve them first.
 * - `debt_open`: 400: The user owes money because a debit or a credit was returned after its money was used. Settle the debt first.
 * - `no_debt`: 400: The user owes nothing, so there is no debt to settle.
 * - `last_api_key`: 400: This is the last API key of a user with money or payments. Create another key before you revoke it.
 * - `user_is_owner`: 400: The owner of a platform cannot be deleted.
 * - `status_not_reachable`: 400: The current status cannot change to this one. Choose another status.
 * - `api_key_not_found`: 404: There is no such API key. Check it for typos.
 * - `invalid_signature_image`: 400: The signature is invalid. Send a PNG or JPEG image in base64, with at most 512 KiB and 2 million pixels.
 * - `not_configured`: 400: This service is not set up for this call. Ask the operator to configure it.
 * - `institution_not_found`: 404: There is no such institution. Take one from GET /v3/bank/institutions.
 * - `challenge_not_found`: 404: There is no such mfa_id. It was answered already or has expired: sign in again.
 * - `institution_login_refused`: 400: The institution refused the login. Check the fields and try again.
 * - `institution_login_locked`: 400: The institution has locked this login. Contact the institution.
 * - `institution_unavailable`: 400: The institution is not available now. Try again later.
 * - `invalid_processor_token`: 400: The processor token is unknown or has expired. Create a new one.
 * - `bank_exists`: 400: This user already has a bank with this routing and account number. Use that one.
 * - `bank_not_found`: 404: There is no such bank. Check its id.
 * - `bank_not_verified`: 400: This bank account is not verified yet. Release and confirm its two micro-deposits first.
 * - `no_verified_bank`: 400: The user has no verified default bank. Verify one, or name a verified one in account.
 * - `bank_not_deposit_only`: 400: This bank is not DEPOSIT_ONLY, so no micro-deposits can be released. If it is PENDING, confirm the ones already sent.
 * - `bank_not_pending`: 400: This bank is not PENDING, so there are no micro-deposits to confirm. Release them first.
 * - `no_pending_bank`: 400: This user has no PENDING bank. Release the micro-deposits of one first.
 * - `several_pending_banks`: 400: This user has several PENDING banks. Name one of them in account.
 * - `amounts_do_not_match`: 400: The amounts do not match the micro-deposits. Check the bank statement and try again.
 * - `release_limit_reached`: 400: Micro-deposits were already released to this bank 3 times in 30 days. Try again later.
 * - `bank_blocked`: 400: This bank account is blocked because an entry was returned. Use another bank account.
 * - `bank_busy`: 400: A payment from or into this bank is in progress. Wait until it is final.
 * - `payment_not_found`: 404: There is no such payment. Check its id.
 * - `endorse_only`: 403: You can only endorse this payment. Another recipient deposits it.
 * - `endorsements_missing`: 400: All other recipients must endorse the payment first.
 * - `not_endorsable`: 400: The payment cannot be endorsed: it has one recipient, was endorsed already, or has ended.
 * - `invalid_rows`: 400: Nothing was sent, because rows of the file have problems. Correct the rows listed in errors.
 * - `recipient_not_found`: 404: The platform has no such user, and the sender no such saved payee. Check the recipient.
 * - `invalid_recipient`: 400: The recipient is invalid. Use an email address, a phone number, or a user_id of the platform.
 * - `own_recipient`: 400: A user cannot pay itself. Choose another recipient.
 * - `recipient_not_active`: 403: This recipient cannot receive payments. Choose another one.
 * - `invalid_deposit_option`: 400: Invalid deposit option. Choose one that this payment offers.
 * - `invalid_attachment`: 400: The attachment is invalid. Send a PDF, PNG or JPEG file in base64.
 * - `attachment_not_found`: 404: There is no attachment.
 * - `insufficient_funds`: 400: The wallet balance is too low. Add funds or send a smaller amount.
 * - `user_not_verified`: 403: Only VERIFIED users can send payments. Ask the operator to verify this user.
 * - `payment_limit_reached`: 400: The amount exceeds the limit for one payment. Send a smaller amount.
 * - `day_limit_reached`: 400: The amount exceeds what is left of the daily limit. Send less, or wait until tomorrow.
 * - `month_limit_reached`: 400: The amount exceeds what is left of the monthly limit. Send less, or wait until next month.
 * - `signature_needed`: 400: A payment of this amount needs a signature on file. Store one with POST /v3/user/signature.
 * - `approval_required`: 403: This payment needs an approval. Prepare it with /v3/approval instead, so that another person can release it.
 * - `approval_not_found`: 404: There is no such approval. Check its id.
 * - `approval_changed`: 409: This payment or the account of its payee was changed after you looked at it. Look at it again before you approve it.
 * - `batch_not_found`: 404: There is no such batch. Check its id.
 * - `batch_changed`: 400: This batch or the account of a payee was changed after you looked at it. Look at it again before you approve it.
 * - `policy_change_not_found`: 404: There is no such change of the approval policy. Another one may have replaced it.
 * - `approval_not_open`: 400: This approval was released or voided already.
 * - `subscription_not_found`: 404: There is no such subscription. Check its id.
 * - `subscription_not_active`: 400: This subscription has ended or was canceled already.
 * - `invoice_not_found`: 404: There is no such invoice. Check its id.
 * - `invoice_not_payable`: 400: This invoice was voided, or its payment is on its way or has arrived.
 * - `invoice_without_link`: 400: Only an invoice to a recipient without an account has a link. Other recipients sign in to pay.
 * - `second_person_needed`: 403: Another person must approve this first. Nobody who prepared or edited a payment can approve it, and an API key counts as the person who created it.
 * - `approval_payee_changed`: 400: The recipient of this payment is another user now than when it was prepared. Edit the recipient, so that it is checked again.
 * - `wallet_not_found`: 404: There is no such wallet. Check its id.
 * - `wallet_busy`: 400: The wallet holds money, or a payment from it is in progress. Empty it and wait until its payments are final.
 * - `destination_not_found`: 404: There is no such account. Check its id.
 * - `directory_entry_not_found`: 404: There is no such saved payee. Check its id.
 * - `directory_account_not_found`: 404: This saved payee has no such account. Check its id.
 * - `directory_account_limit_reached`: 400: This saved payee already has 50 accounts, the maximum. Remove one first.
 * - `card_not_empty`: 400: There is money on this card. Spend it before you delete the card.
 * - `card_overdrawn`: 400: This card is below zero because a payout came back after it was spent. Pay into the card first.
 * - `card_transaction_not_found`: 404: This card has no such transaction. Check its id.
 * - `destination_busy`: 400: A payment into this account is in progress. Wait until it is final.
 * - `not_voidable`: 400: This payment cannot be voided in its current status.
 * - `not_claimable`: 400: This payment can no longer be added to an account. It was deposited, voided, or added to another one.
 * - `not_depositable`: 400: This payment cannot be deposited in its current status.
 * - `not_printable`: 400: This payment cannot be printed in its current status.
 * - `unprintable_text`: 400: Part of the text cannot be printed on a check. Use Latin, Greek or Cyrillic letters.
 * - `check_not_ready`: 400: The check cannot be printed yet: the sender’s money has not arrived, or a user is suspended. Try again later.
 * - `checkbook_not_found`: 404: There is no such checkbook. Check its id.
 * - `checkbook_not_cancelable`: 400: This checkbook is not PENDING, so it can no longer be canceled.
 * - `mailbox_not_found`: 404: There is no such mailbox. Check its id.
 * - `subscription_limit_reached`: 400: You already have 1,000 active subscriptions, the maximum. Cancel one first.
 * - `approval_limit_reached`: 400: You already have 1,000 open approvals, the maximum. Release or void one first.
 * - `batch_limit_reached`: 400: You already have 20 open batches, the maximum. Release or delete one first.
 * - `mailbox_limit_reached`: 400: You already have 10 mailboxes, the maximum.
 * - `check_scanned_twice`: 400: A check of this mail was scanned before. A check can be deposited only once.
 * - `mail_not_found`: 404: This mailbox has no such mail. Check its id.
 * - `check_number_reserved`: 400: This number belongs to one of your checkbooks. Use another one.
 * - `check_numbers_taken`: 400: Another checkbook of this account has some of these numbers. Use higher ones.
 * - `paper_unavailable`: 400: Paper checks are not available. The operator must first set up a bank account for them.
 * - `return_code_not_found`: 404: There is no such return code. See docs/return-codes.md for all of them.
 * - `link_not_found`: 404: This payment link is invalid or was replaced. Look for a newer one in your email.
 * - `wrong_pin`: 400: The PIN is incorrect. Try again.
 * - `payment_expired`: 400: This payment has expired. Ask the sender for a new one.
 * - `not_notifiable`: 400: The recipient cannot be notified: there is no email address, or the payment is no longer open.
 * - `notify_limit_reached`: 400: The recipient already got 4 emails about this in 24 hours. Try again later.
 * - `line_not_decided`: 400: The line of the bank statement cannot be decided this way. Look at it again.
 * - `month_not_found`: 404: There is no such closed month. Load the page again.
 * - `view_not_found`: 404: There is no such view. It may have been deleted.
 * - `view_exists`: 400: A view with this name already exists. Use another name.
 * - `view_limit_reached`: 400: You already have 50 saved views, the maximum. Delete one first.
 * - `request_not_found`: 404: There is no such request in the log. Requests are kept for seven days.
 * - `endpoint_not_found`: 404: There is no such endpoint. Check its id.
 * - `endpoint_exists`: 400: An endpoint with this URL already exists. Use that one, or another URL.
 * - `endpoint_limit_reached`: 400: You already have 50 endpoints, the maximum. Remove one first.
 * - `endpoint_disabled`: 400: The endpoint is disabled. Enable it first.
 * - `endpoint_removed`: 400: The endpoint was removed. Send the event to another one.
 * - `event_not_found`: 404: There is no such event. Events are kept for 30 days.
 * - `delivery_not_found`: 404: There is no such delivery. Deliveries are kept for 30 days.
 * - `delivery_pending`: 400: This delivery is already in progress. Wait for its result.
 * - `no_webhook_url`: 400: There is no webhook URL yet. Save one first.
 * - `listener_not_found`: 404: There is no such listener. It is removed when it does not poll for an hour. Create a new one.
 * - `listener_limit_reached`: 400: You already have 50 listeners, the maximum. Stop one first.
 * - `secret_not_kept`: 400: This client secret cannot be shown because only its hash is stored. Rotate it to get a new one.
 * - `application_not_found`: 404: There is no such application. Check its id.
 * - `grant_not_found`: 404: There is no such grant. It may have ended already.
 * - `authorization_expired`: 400: This authorization request has expired or was already answered. Go back to the application and start again.
 * - `owner_changed`: 400: Someone else has signed in since you opened this page. Reload it.
 * - `idempotency_key_in_use`: 409: Another request with this Idempotency-Key is still running. Try again shortly.
 * - `idempotency_key_reused`: 422: This Idempotency-Key was used for a different request. Use a new key.
 * - `rate_limited`: 429: Too many requests. Slow down.
 * - `internal_error`: 500: Something went wrong on our side. Try again later.
 * - `export_running`: 429: Your previous export is still running. Wait until it has ended, or cancel it.
 * - `overloaded`: 503: The service is overloaded. Try again shortly.
 * - `too_many_streams`: 503: Too many dashboard pages are open at once. Reload this page to see changes.
 * - `database_unavailable`: 503: The database is unavailable. Try again shortly.
 * - `outcome_unknown`: 503: The connection to the database was lost while your request was being saved. Check whether it took effect, or repeat it with the same Idempotency-Key.
 */
export type ErrorCode =
  | 'malformed_json'
  | 'invalid_request'
  | 'invalid_text'
  | 'invalid_cursor'
  | 'invalid_idempotency_key'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'misdirected_request'
  | 'headers_too_large'
  | 'unauthorized'
  | 'invalid_token'
  | 'not_signed_in'
  | 'insufficient_scope'
  | 'foreign_origin'
  | 'confirmation_needed'
  | 'permission_denied'
  | 'two_factor_required'
  | 'shared_by_all'
  | 'owner_only'
  | 'not_the_sender'
  | 'not_the_recipient'
  | 'not_the_holder'
  | 'wrong_login'
  | 'no_platform'
  | 'last_owner'
  | 'member_not_found'
  | 'already_member'
  | 'team_full'
  | 'invitation_not_found'
  | 'invitation_for_another'
  | 'platform_not_found'
  | 'platform_changed'
  | 'wrong_password'
  | 'weak_password'
  | 'wrong_code'
  | 'code_expired'
  | 'too_many_tries'
  | 'session_not_found'
  | 'two_factor_is_on'
  | 'two_factor_is_off'
  | 'email_taken'
  | 'user_id_taken'
  | 'user_not_found'
  | 'user_not_active'
  | 'user_busy'
  | 'debt_open'
  | 'no_debt'
  | 'last_api_key'
  | 'user_is_owner'
  | 'status_not_reachable'
  | 'api_key_not_found'
  | 'invalid_signature_image'
  | 'not_configured'
  | 'institution_not_found'
  | 'challenge_not_found'
  | 'institution_login_refused'
  | 'institution_login_locked'
  | 'institution_unavailable'
  | 'invalid_processor_token'
  | 'bank_exists'
  | 'bank_not_found'
  | 'bank_not_verified'
  | 'no_verified_bank'
  | 'bank_not_deposit_only'
  | 'bank_not_pending'
  | 'no_pending_bank'
  | 'several_pending_banks'
  | 'amounts_do_not_match'
  | 'release_limit_reached'
  | 'bank_blocked'
  | 'bank_busy'
  | 'payment_not_found'
  | 'endorse_only'
  | 'endorsements_missing'
  | 'not_endorsable'
  | 'invalid_rows'
  | 'recipient_not_found'
  | 'invalid_recipient'
  | 'own_recipient'
  | 'recipient_not_active'
  | 'invalid_deposit_option'
  | 'invalid_attachment'
  | 'attachment_not_found'
  | 'insufficient_funds'
  | 'user_not_verified'
  | 'payment_limit_reached'
  | 'day_limit_reached'
  | 'month_limit_reached'
  | 'signature_needed'
  | 'approval_required'
  | 'approval_not_found'
  | 'approval_changed'
  | 'batch_not_found'
  | 'batch_changed'
  | 'policy_change_not_found'
  | 'approval_not_open'
  | 'subscription_not_found'
  | 'subscription_not_active'
  | 'invoice_not_found'
  | 'invoice_not_payable'
  | 'invoice_without_link'
  | 'second_person_needed'
  | 'approval_payee_changed'
  | 'wallet_not_found'
  | 'wallet_busy'
  | 'destination_not_found'
  | 'directory_entry_not_found'
  | 'directory_account_not_found'
  | 'directory_account_limit_reached'
  | 'card_not_empty'
  | 'card_overdrawn'
  | 'card_transaction_not_found'
  | 'destination_busy'
  | 'not_voidable'
  | 'not_claimable'
  | 'not_depositable'
  | 'not_printable'
  | 'unprintable_text'
  | 'check_not_ready'
  | 'checkbook_not_found'
  | 'checkbook_not_cancelable'
  | 'mailbox_not_found'
  | 'subscription_limit_reached'
  | 'approval_limit_reached'
  | 'batch_limit_reached'
  | 'mailbox_limit_reached'
  | 'check_scanned_twice'
  | 'mail_not_found'
  | 'check_number_reserved'
  | 'check_numbers_taken'
  | 'paper_unavailable'
  | 'return_code_not_found'
  | 'link_not_found'
  | 'wrong_pin'
  | 'payment_expired'
  | 'not_notifiable'
  | 'notify_limit_reached'
  | 'line_not_decided'
  | 'month_not_found'
  | 'view_not_found'
  | 'view_exists'
  | 'view_limit_reached'
  | 'request_not_found'
  | 'endpoint_not_found'
  | 'endpoint_exists'
  | 'endpoint_limit_reached'
  | 'endpoint_disabled'
  | 'endpoint_removed'
  | 'event_not_found'
  | 'delivery_not_found'
  | 'delivery_pending'
  | 'no_webhook_url'
  | 'listener_not_found'
  | 'listener_limit_reached'
  | 'secret_not_kept'
  | 'application_not_found'
  | 'grant_not_found'
  | 'authorization_expired'
  | 'owner_changed'
  | 'idempotency_key_in_use'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'internal_error'
  | 'export_running'
  | 'overloaded'
  | 'too_many_streams'
  | 'database_unavailable'
  | 'outcome_unknown'
  | (string & {})

/** The body of a webhook. `type` says which one it is. */
export type WebhookBody =
  | CheckWebhook
  | InvoiceWebhook
  | BankWebhook
  | UserWebhook
  | CheckbookWebhook
  | SubscriptionWebhook
  | MailWebhook
  | PrefundAccountWebhook
