// Generated from openapi.json by "npm run generate". Do not edit.

import type { ApiPromise } from '../core/api-promise.ts'
import type { Client } from '../core/client.ts'
import type { List } from '../core/list.ts'
import type { CallOptions } from '../core/operation.ts'
import { Resource } from '../core/resource.ts'
import type {
  AccountRequest,
  AddDebitCardRequest,
  AddInteracAccountRequest,
  AddPayPalAccountRequest,
  AddPayeeBankRequest,
  AddPayeeCardRequest,
  AddVenmoAccountRequest,
  AddWireAccountRequest,
  Address,
  AdvanceClockRequest,
  ApiKey,
  ApiKeyRequest,
  Approval,
  ApprovalPolicy,
  AuditEntry,
  Bank,
  BankChanges,
  BankList,
  BankRequest,
  Batch,
  BatchPreviewRow,
  BatchRequest,
  BatchRow,
  BatchSummary,
  ChangedWebhookEndpoint,
  Checkbook,
  Clock,
  ConfirmApprovalPolicyChangeRequest,
  ConfirmedAccountList,
  CreateInvoiceSubscriptionRequest,
  CreatePayeeRequest,
  CreatePaymentSubscriptionRequest,
  CreateUserRequest,
  CreateVirtualCardRequest,
  CreateWalletRequest,
  CreateWebhookEndpointRequest,
  CreateWebhookListenerRequest,
  CreatedApiKey,
  CreatedDebitCard,
  CreatedSubscription,
  CreatedUser,
  CreatedWallet,
  DebitCard,
  DeliveredPayment,
  DigitalPaymentRequest,
  Empty,
  EmptyRequest,
  EndorsePaymentRequest,
  EventType,
  FoundPayment,
  FundWalletRequest,
  Id,
  Institution,
  InstitutionList,
  InstitutionLogin,
  InstitutionLoginRequest,
  InteracAccount,
  Invoice,
  InvoiceDetails,
  InvoicePaymentRequest,
  Limit,
  ListedApproval,
  ListedPayment,
  ListedUser,
  ListenerDelivery,
  LoggedRequest,
  Mail,
  Mailbox,
  MicroDepositAmounts,
  MultiPaymentRequest,
  OrderCheckbookRequest,
  PayPalAccount,
  Payee,
  PayeeAccount,
  Payment,
  PaymentDetails,
  PaymentSummary,
  PhysicalCheckRequest,
  PollWebhookListenerRequest,
  PreviewBatchRequest,
  PreviewCheckRequest,
  ProcessorToken,
  Profile,
  ReceiveMailRequest,
  Reference,
  RejectionRequest,
  ReleaseApprovalRequest,
  RenameWalletRequest,
  ReplayFailedWebhooksRequest,
  RequestDetails,
  RequestSettings,
  SeenVersion,
  SendBulkPaymentsRequest,
  SendDirectPaymentRequest,
  SendInvoiceRequest,
  SentInvoice,
  SetSignatureRequest,
  SetUserLimitRequest,
  SettleDebtRequest,
  SkipSubscriptionRunRequest,
  SpendVirtualCardRequest,
  Statistics,
  Subscription,
  Timeline,
  Tracking,
  TriggerPaymentStatusRequest,
  TriggerUserStatusRequest,
  UpdateApprovalPolicyRequest,
  UpdateApprovalRequest,
  UpdateDebitCardRequest,
  UpdateInteracAccountRequest,
  UpdatePayPalAccountRequest,
  UpdatePayeeRequest,
  UpdateProfileRequest,
  UpdateSubscriptionRequest,
  UpdateVenmoAccountRequest,
  UpdateVirtualCardRequest,
  UpdateWebhookEndpointRequest,
  UpdateWireAccountRequest,
  VenmoAccount,
  Verification,
  VirtualCard,
  VirtualCardTransaction,
  Wallet,
  WalletTransaction,
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEvent,
  WireAccount,
} from './types.ts'

export interface ListUsersAnswer {
  users: ListedUser[]
  page?: number
  pages?: number
  total?: number
}

export interface ListUsersQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+DATE' | '-DATE' | '+USER_ID' | '-USER_ID'
  cursor?: string
}

export interface GetLimitsQuery {
  /** an id of 32 lower-case hex digits */
  user?: Id
}

export interface GetLimitsAnswer {
  /** The time on the clock of the platform */
  as_of: string
  /** The time zone in which days and months begin */
  time_zone: string
  /** The largest payment that you can send now; null for no limit */
  left: number | null
  payment: Limit
  day: Limit
  month: Limit
}

export interface ListApiKeysAnswer {
  api_keys: ApiKey[]
  page?: number
  pages?: number
  total?: number
}

export interface ListApiKeysQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
}

export interface ListBanksQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
  /** an id of 32 lower-case hex digits */
  user?: Id
}

export interface ListBankInstitutionsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
}

export interface ListAccountBanksQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
  /** an id of 32 lower-case hex digits */
  user?: Id
}

export interface ListAccountBankInstitutionsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
}

export interface SendBulkPaymentsAnswer {
  checks: Payment[]
}

export interface PreviewCheckAnswer {
  /** A PNG in base64. It shows only the last four digits of the account number. */
  image: string
}

export interface ListPaymentsAnswer {
  checks: ListedPayment[]
  page?: number
  pages?: number
  total?: number
}

export interface ListPaymentsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+NUMBER' | '-NUMBER' | '+TYPE' | '-TYPE' | '+AMOUNT' | '-AMOUNT' | '+STATUS' | '-STATUS' | '+DATE' | '-DATE' | '+UPDATE' | '-UPDATE' | '+DESCRIPTION' | '-DESCRIPTION'
  cursor?: string
  direction?: 'INCOMING' | 'OUTGOING'
  status?: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED'
  /** a date, as YYYY-MM-DD */
  start_date?: string
  /** a date, as YYYY-MM-DD */
  end_date?: string
  /** The time zone of `start_date` and `end_date`: UTC by default. PLATFORM is that of `/v3/stats` */
  time_zone?: 'UTC' | 'PLATFORM'
}

export interface SearchPaymentsAnswer {
  payments: FoundPayment[]
  /** Set if the search stopped before the page was full. All payments created since this time were searched. Follow the `Link` header to continue. */
  searched_to: string | null
}

export interface SearchPaymentsQuery {
  per_page?: 10 | 25 | 50 | 100 | 250
  cursor?: string
  /** a date, as YYYY-MM-DD */
  start_date?: string
  /** a date, as YYYY-MM-DD */
  end_date?: string
  /** The time zone of `start_date` and `end_date`: UTC by default. PLATFORM is that of `/v3/stats` */
  time_zone?: 'UTC' | 'PLATFORM'
  /** an id of 32 lower-case hex digits */
  user?: Id
  /** an id of 32 lower-case hex digits */
  batch?: Id
  direction?: 'INCOMING' | 'OUTGOING'
  status?: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED'
  rail?: 'ACH' | 'MAIL' | 'PRINT' | 'INSTANT' | 'RTP' | 'WALLET' | 'PAYPAL' | 'VENMO' | 'INTERAC' | 'WIRE' | 'SWIFT'
  /** Dollars */
  min_amount?: number
  /** Dollars */
  max_amount?: number
  q?: string
}

export interface ExportPaymentsQuery {
  type?: 'payment'
  /** a date, as YYYY-MM-DD */
  start_date?: string
  /** a date, as YYYY-MM-DD */
  end_date?: string
  /** The time zone of `start_date` and `end_date`: UTC by default. PLATFORM is that of `/v3/stats` */
  time_zone?: 'UTC' | 'PLATFORM'
  /** an id of 32 lower-case hex digits */
  user?: Id
  /** an id of 32 lower-case hex digits */
  batch?: Id
  direction?: 'INCOMING' | 'OUTGOING'
  status?: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED'
  rail?: 'ACH' | 'MAIL' | 'PRINT' | 'INSTANT' | 'RTP' | 'WALLET' | 'PAYPAL' | 'VENMO' | 'INTERAC' | 'WIRE' | 'SWIFT'
  /** Dollars */
  min_amount?: number
  /** Dollars */
  max_amount?: number
  q?: string
}

export interface GetDepositAnswer {
  /** null before the deposit */
  check_type: 'ACH' | 'MAIL' | 'PRINT' | 'INSTANT' | 'RTP' | 'WALLET' | 'PAYPAL' | 'VENMO' | 'INTERAC' | 'WIRE' | 'SWIFT' | null
  /** YYYY-MM-DD; null before the deposit */
  eta: string | null
}

export interface GetPaymentFailureAnswer {
  /** null unless the payment is FAILED */
  code: 'R01' | 'R02' | 'R03' | 'R04' | 'R05' | 'R06' | 'R07' | 'R08' | 'R09' | 'R10' | 'R11' | 'R12' | 'R13' | 'R14' | 'R15' | 'R16' | 'R17' | 'R18' | 'R19' | 'R20' | 'R21' | 'R22' | 'R23' | 'R24' | 'R25' | 'R26' | 'R27' | 'R28' | 'R29' | 'R30' | 'R31' | 'R32' | 'R33' | 'R34' | 'R35' | 'R36' | 'R37' | 'R38' | 'R39' | 'R40' | 'R41' | 'R42' | 'R43' | 'R44' | 'R45' | 'R46' | 'R47' | 'R50' | 'R51' | 'R52' | 'R53' | 'R61' | 'R62' | 'R67' | 'R68' | 'R69' | 'R70' | 'R71' | 'R72' | 'R73' | 'R74' | 'R75' | 'R76' | 'R77' | 'R80' | 'R81' | 'R82' | 'R83' | 'R84' | 'R85' | 'A' | 'B' | 'C' | 'D' | '04' | '05' | '06' | 'R901' | 'AB01' | 'AB02' | 'AB03' | 'AB04' | 'AB05' | 'AB06' | 'AB07' | 'AB08' | 'AB09' | 'AB10' | 'AC01' | 'AC02' | 'AC03' | 'AC04' | 'AC05' | 'AC06' | 'AC07' | 'AC08' | 'AC09' | 'AC11' | 'AC12' | 'AC13' | 'AC14' | 'AC15' | 'AC17' | 'AG01' | 'AG02' | 'AG03' | 'AG07' | 'AG08' | 'AG09' | 'AG10' | 'AG11' | 'AGNT' | 'AM01' | 'AM02' | 'AM03' | 'AM04' | 'AM05' | 'AM06' | 'AM07' | 'AM09' | 'AM10' | 'AM11' | 'AM12' | 'AM13' | 'AM14' | 'AM15' | 'AM21' | 'AM23' | 'BE01' | 'BE04' | 'BE05' | 'BE06' | 'BE07' | 'BE08' | 'BE09' | 'BE11' | 'BE15' | 'BE16' | 'BE17' | 'BE19' | 'BE20' | 'BE21' | 'BE22' | 'CH03' | 'CH04' | 'DT01' | 'DT02' | 'DT03' | 'DT04' | 'DT05' | 'DT06' | 'TM01' | 'DU01' | 'DU02' | 'DU03' | 'DU04' | 'DU05' | 'DUPL' | 'CURR' | 'ED01' | 'ED05' | 'ED06' | 'FF01' | 'FF02' | 'FF03' | 'FF04' | 'FF05' | 'FF06' | 'FF07' | 'FF08' | 'FF10' | 'RF01' | 'CUST' | 'DS02' | 'DS04' | 'FOCR' | 'FR01' | 'FRAD' | 'MD06' | 'MD07' | 'MS02' | 'MS03' | 'NARR' | 'NOAS' | 'RUTA' | 'UPAY' | 'CNOR' | 'DNOR' | 'RC01' | 'RC02' | 'RC03' | 'RC04' | 'RC05' | 'RC07' | 'RC08' | 'RC10' | 'RC11' | 'RR01' | 'RR02' | 'RR03' | 'RR04' | 'RR05' | 'RR06' | 'RR07' | 'RR10' | 'RR12' | null
}

export interface GetReturnCodeAnswer {
  code: 'R01' | 'R02' | 'R03' | 'R04' | 'R05' | 'R06' | 'R07' | 'R08' | 'R09' | 'R10' | 'R11' | 'R12' | 'R13' | 'R14' | 'R15' | 'R16' | 'R17' | 'R18' | 'R19' | 'R20' | 'R21' | 'R22' | 'R23' | 'R24' | 'R25' | 'R26' | 'R27' | 'R28' | 'R29' | 'R30' | 'R31' | 'R32' | 'R33' | 'R34' | 'R35' | 'R36' | 'R37' | 'R38' | 'R39' | 'R40' | 'R41' | 'R42' | 'R43' | 'R44' | 'R45' | 'R46' | 'R47' | 'R50' | 'R51' | 'R52' | 'R53' | 'R61' | 'R62' | 'R67' | 'R68' | 'R69' | 'R70' | 'R71' | 'R72' | 'R73' | 'R74' | 'R75' | 'R76' | 'R77' | 'R80' | 'R81' | 'R82' | 'R83' | 'R84' | 'R85' | 'A' | 'B' | 'C' | 'D' | '04' | '05' | '06' | 'R901' | 'AB01' | 'AB02' | 'AB03' | 'AB04' | 'AB05' | 'AB06' | 'AB07' | 'AB08' | 'AB09' | 'AB10' | 'AC01' | 'AC02' | 'AC03' | 'AC04' | 'AC05' | 'AC06' | 'AC07' | 'AC08' | 'AC09' | 'AC11' | 'AC12' | 'AC13' | 'AC14' | 'AC15' | 'AC17' | 'AG01' | 'AG02' | 'AG03' | 'AG07' | 'AG08' | 'AG09' | 'AG10' | 'AG11' | 'AGNT' | 'AM01' | 'AM02' | 'AM03' | 'AM04' | 'AM05' | 'AM06' | 'AM07' | 'AM09' | 'AM10' | 'AM11' | 'AM12' | 'AM13' | 'AM14' | 'AM15' | 'AM21' | 'AM23' | 'BE01' | 'BE04' | 'BE05' | 'BE06' | 'BE07' | 'BE08' | 'BE09' | 'BE11' | 'BE15' | 'BE16' | 'BE17' | 'BE19' | 'BE20' | 'BE21' | 'BE22' | 'CH03' | 'CH04' | 'DT01' | 'DT02' | 'DT03' | 'DT04' | 'DT05' | 'DT06' | 'TM01' | 'DU01' | 'DU02' | 'DU03' | 'DU04' | 'DU05' | 'DUPL' | 'CURR' | 'ED01' | 'ED05' | 'ED06' | 'FF01' | 'FF02' | 'FF03' | 'FF04' | 'FF05' | 'FF06' | 'FF07' | 'FF08' | 'FF10' | 'RF01' | 'CUST' | 'DS02' | 'DS04' | 'FOCR' | 'FR01' | 'FRAD' | 'MD06' | 'MD07' | 'MS02' | 'MS03' | 'NARR' | 'NOAS' | 'RUTA' | 'UPAY' | 'CNOR' | 'DNOR' | 'RC01' | 'RC02' | 'RC03' | 'RC04' | 'RC05' | 'RC07' | 'RC08' | 'RC10' | 'RC11' | 'RR01' | 'RR02' | 'RR03' | 'RR04' | 'RR05' | 'RR06' | 'RR07' | 'RR10' | 'RR12'
  reason: string
  action: string
}

export interface ListWalletsAnswer {
  wallets: Wallet[]
  page?: number
  pages?: number
  total?: number
}

export interface ListWalletsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
}

export interface ListWalletTransactionsAnswer {
  transactions: WalletTransaction[]
  page?: number
  pages?: number
  total?: number
}

export interface ListWalletTransactionsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+DATE' | '-DATE'
  cursor?: string
}

export interface ListDebitCardsAnswer {
  cards: DebitCard[]
}

export interface ListDebitCardsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
}

export interface ListPayPalAccountsAnswer {
  accounts: PayPalAccount[]
}

export interface ListPayPalAccountsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
}

export interface ListVenmoAccountsAnswer {
  accounts: VenmoAccount[]
}

export interface ListVenmoAccountsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
}

export interface ListInteracAccountsAnswer {
  accounts: InteracAccount[]
  page?: number
  pages?: number
  total?: number
}

export interface ListInteracAccountsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
}

export interface ListWireAccountsAnswer {
  accounts: WireAccount[]
  page?: number
  pages?: number
  total?: number
}

export interface ListWireAccountsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
}

export interface CreateVirtualCardAnswer {
  id: string
  card_number: string
  cvv: string
  expiration_date: string
}

export interface ListVirtualCardsAnswer {
  vccs: VirtualCard[]
}

export interface ListVirtualCardsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
}

export interface ListVirtualCardTransactionsAnswer {
  transactions: VirtualCardTransaction[]
  page?: number
  pages?: number
  total?: number
}

export interface ListVirtualCardTransactionsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+DATE' | '-DATE'
  cursor?: string
}

export interface ListPayeesAnswer {
  entries: Payee[]
  page?: number
  pages?: number
  total?: number
}

export interface ListPayeesQuery {
  page?: number
  per_page?: 10 | 25 | 50
  q?: string
  sort?: '+NAME' | '-NAME' | '+DATE' | '-DATE'
  cursor?: string
}

export interface GetPayeeAnswer {
  id: string
  name: string
  email: string | null
  address: Address
  accounts: {
    id: string
    name: string | null
    /** The last four digits */
    number: string
    type: 'CARD' | 'BANK'
    date: string
  }[]
  date: string
  /** When the payee or one of its accounts last changed */
  changed: string
  recently_changed: boolean
}

export interface ListInvoicesAnswer {
  invoices: Invoice[]
  page?: number
  pages?: number
  total?: number
}

export interface ListInvoicesQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+NUMBER' | '-NUMBER' | '+TYPE' | '-TYPE' | '+AMOUNT' | '-AMOUNT' | '+STATUS' | '-STATUS' | '+DATE' | '-DATE' | '+UPDATE' | '-UPDATE' | '+DESCRIPTION' | '-DESCRIPTION'
  cursor?: string
  direction?: 'INCOMING' | 'OUTGOING'
  status?: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'VOID'
  /** a date, as YYYY-MM-DD */
  start_date?: string
  /** a date, as YYYY-MM-DD */
  end_date?: string
  /** The time zone of `start_date` and `end_date`: UTC by default. PLATFORM is that of `/v3/stats` */
  time_zone?: 'UTC' | 'PLATFORM'
}

export interface PayInvoiceAnswer {
  /** The payment */
  id: string
  /** Dollars */
  amount: number
  date: string
  name: string
  status: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED'
}

export interface ListSubscriptionsAnswer {
  subscriptions: Subscription[]
  page?: number
  pages?: number
  total?: number
}

export interface ListSubscriptionsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+TYPE' | '-TYPE' | '+AMOUNT' | '-AMOUNT' | '+DATE' | '-DATE' | '+DESCRIPTION' | '-DESCRIPTION'
  cursor?: string
  direction?: 'INCOMING' | 'OUTGOING'
  status?: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED' | 'OVERDUE' | 'CANCELED'
  /** a date, as YYYY-MM-DD */
  start_date?: string
  /** a date, as YYYY-MM-DD */
  end_date?: string
  /** The time zone of `start_date` and `end_date`: UTC by default. PLATFORM is that of `/v3/stats` */
  time_zone?: 'UTC' | 'PLATFORM'
}

export interface ListSubscriptionRunsAnswer {
  state: 'ACTIVE' | 'ENDED' | 'CANCELED'
  /** INCOMING: the subscription sends invoices to you */
  direction: 'INCOMING' | 'OUTGOING'
  /** The name of the sender */
  sender: string
  /** The text that `autopay` agrees to; null unless `direction` is INCOMING */
  autopay_text: string | null
  runs: {
    /** The number of the run, from 1 */
    number: number
    date: string
    /** PREPARED: the run prepared a payment, which waits for its release */
    outcome: 'SKIPPED' | 'PAID' | 'PREPARED' | 'INVOICED' | 'FAILED'
    /** The ID of the payment */
    payment: string | null
    /** The ID of the prepared payment */
    approval: string | null
    /** The ID of the invoice */
    invoice: string | null
    /** The code of the error that refused the run */
    code: string | null
    /** The message of that error */
    message: string | null
  }[]
  next: {
    number: number
    date: string
    skipped: boolean
  }[]
}

export interface ListApprovalsAnswer {
  checks: ListedApproval[]
  page?: number
  pages?: number
  total?: number
}

export interface ListApprovalsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+NUMBER' | '-NUMBER' | '+TYPE' | '-TYPE' | '+AMOUNT' | '-AMOUNT' | '+STATUS' | '-STATUS' | '+DATE' | '-DATE' | '+UPDATE' | '-UPDATE' | '+DESCRIPTION' | '-DESCRIPTION'
  cursor?: string
  direction?: 'INCOMING' | 'OUTGOING'
  status?: 'UNPAID' | 'APPROVED' | 'VOID'
  /** a date, as YYYY-MM-DD */
  start_date?: string
  /** a date, as YYYY-MM-DD */
  end_date?: string
  /** The time zone of `start_date` and `end_date`: UTC by default. PLATFORM is that of `/v3/stats` */
  time_zone?: 'UTC' | 'PLATFORM'
}

export interface PreviewBatchAnswer {
  rows: BatchPreviewRow[]
  /** The total of the rows without problems */
  amount: number
}

export interface ListBatchesAnswer {
  batches: BatchSummary[]
  page?: number
  pages?: number
  total?: number
}

export interface ListBatchesQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+DATE' | '-DATE'
  cursor?: string
  status?: 'UNPAID' | 'APPROVED' | 'VOID'
}

export interface ListBatchRowsAnswer {
  rows: BatchRow[]
}

export interface ListCheckbooksAnswer {
  checkbooks: Checkbook[]
  page?: number
  pages?: number
  total?: number
}

export interface ListCheckbooksQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+DATE' | '-DATE'
  cursor?: string
}

export interface ListMailboxesAnswer {
  mailboxes: Mailbox[]
  page?: number
  pages?: number
  total?: number
}

export interface ListMailboxesQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+DATE' | '-DATE'
  cursor?: string
}

export interface ListMailAnswer {
  mail: Mail[]
  page?: number
  pages?: number
  total?: number
}

export interface ListMailQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+DATE' | '-DATE'
  cursor?: string
}

export interface ListWebhookEndpointsAnswer {
  endpoints: WebhookEndpoint[]
  page?: number
  pages?: number
  total?: number
}

export interface ListWebhookEndpointsQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  /** a field with + or - before it */
  sort?: string
  cursor?: string
}

export interface TestWebhookEndpointAnswer {
  outcome: 'acknowledged' | 'rejected' | 'timed_out' | 'unreachable'
  /** The HTTP status of the response */
  status: number | null
  duration_ms: number
  /** Why there was no response */
  error: string | null
  /** The test event that was sent */
  body: string
  /** The first KiB of the response body */
  response_body: string | null
}

export interface RotateWebhookKeyAnswer {
  /** The new key */
  webhook_key: string
  /** When the previous key stops signing */
  previous_key_expires: string
}

export interface ListWebhookSourcesAnswer {
  addresses: string[]
}

export interface ListWebhookEventsAnswer {
  events: WebhookEvent[]
}

export interface ListWebhookEventsQuery {
  per_page?: 10 | 25 | 50 | 100 | 250
  cursor?: string
  /** a date, as YYYY-MM-DD */
  start_date?: string
  /** a date, as YYYY-MM-DD */
  end_date?: string
  /** The time zone of `start_date` and `end_date`: UTC by default. PLATFORM is that of `/v3/stats` */
  time_zone?: 'UTC' | 'PLATFORM'
  type?: EventType
}

export interface GetWebhookEventAnswer {
  /** The ID of the event, also sent in the header webhook-id */
  id: string
  type: EventType
  /** The id of the payment, bank, user or wallet */
  subject: string
  /** The exact bytes of the thin body */
  body: string
  date: string
  deliveries: WebhookDelivery[]
}

export interface ListWebhookDeliveriesAnswer {
  deliveries: WebhookDelivery[]
}

export interface ListWebhookDeliveriesQuery {
  per_page?: 10 | 25 | 50 | 100 | 250
  cursor?: string
  /** a date, as YYYY-MM-DD */
  start_date?: string
  /** a date, as YYYY-MM-DD */
  end_date?: string
  /** The time zone of `start_date` and `end_date`: UTC by default. PLATFORM is that of `/v3/stats` */
  time_zone?: 'UTC' | 'PLATFORM'
  status?: 'PENDING' | 'DELIVERED' | 'FAILED'
  /** an id of 32 lower-case hex digits */
  endpoint?: Id
  type?: EventType
}

export interface GetWebhookDeliveryAnswer {
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
  /** The exact bytes of the body that each attempt sends. Null before the first attempt with a full body, and for a full body if your key does not have the permission `read`. */
  body: string | null
  attempts: WebhookAttempt[]
}

export interface ReplayFailedWebhooksAnswer {
  /** The number of deliveries */
  replayed: number
}

export interface PollWebhookListenerAnswer {
  deliveries: ListenerDelivery[]
}

export interface SearchQuery {
  q: string
}

export interface SearchAnswer {
  payments: {
    id: string
    name: string
    number: string
    /** Dollars */
    amount: number
    status: 'UNPAID' | 'IN_PROCESS' | 'PAID' | 'FAILED' | 'PRINTED' | 'VOID' | 'EXPIRED' | 'MAILED' | 'REFUNDED'
    date: string
  }[]
  users: {
    id: string
    user_id: string | null
    name: string
  }[]
  is_complete: boolean
}

export interface ListAttentionItemsAnswer {
  attention: {
    kind: 'payments_failed' | 'payments_expiring' | 'banks_to_verify' | 'users_in_debt' | 'webhooks_failing'
    /** The number of items, at most 99 */
    count: number
    /** Whether there are more than 99 items */
    has_more: boolean
    /** The path that lists the items; null if there is none */
    link: string | null
  }[]
}

export interface GetBalanceQuery {
  /** an id of 32 lower-case hex digits */
  user?: Id
}

export interface GetBalanceAnswer {
  /** The time on the clock of the platform */
  as_of: string
  /** The number of wallets */
  wallets: number
  /** The balance of the wallets, in dollars */
  balance: number
  /** The balance of the wallets minus the amount held for payments, in dollars */
  available: number
  /** The amount held for payments, in dollars */
  held: number
  /** The amount that users owe because debits were returned after the money had been paid out, in dollars */
  debt: number
}

export interface GetStatisticsQuery {
  metric: 'volume' | 'success_rate' | 'return_rate'
  group?: 'day' | 'week' | 'month' | 'rail' | 'status'
  /** a date, as YYYY-MM-DD */
  start_date?: string
  /** a date, as YYYY-MM-DD */
  end_date?: string
  /** an id of 32 lower-case hex digits */
  user?: Id
}

export interface GetPaymentSummaryQuery {
  /** an id of 32 lower-case hex digits */
  user?: Id
}

export interface ListAuditEntriesAnswer {
  audit: AuditEntry[]
  /** Display names by ID, for the people, users, API keys, applications, accounts and payments in the entries. A session has the name of its person. */
  names: Record<string, string>
  page?: number
  pages?: number
  total?: number
}

export interface ListAuditEntriesQuery {
  page?: number
  per_page?: 10 | 25 | 50 | 100 | 250
  q?: string
  sort?: '+DATE' | '-DATE'
  cursor?: string
}

export interface ListRequestsAnswer {
  requests: LoggedRequest[]
  searched_to: string | null
}

export interface ListRequestsQuery {
  per_page?: 10 | 25 | 50 | 100 | 250
  cursor?: string
  /** a date, as YYYY-MM-DD */
  start_date?: string
  /** a date, as YYYY-MM-DD */
  end_date?: string
  /** The time zone of `start_date` and `end_date`: UTC by default. PLATFORM is that of `/v3/stats` */
  time_zone?: 'UTC' | 'PLATFORM'
  /** an id of 32 lower-case hex digits */
  id?: Id
  /** An HTTP status, or a class of statuses: 2xx,3xx,4xx,5xx */
  status?: string
  path?: string
  /** an id of 32 lower-case hex digits */
  key?: Id
}

export interface SettleDebtAnswer {
  /** Dollars that were paid */
  settled: number
  /** Dollars that the user still owes */
  debt: number
}

/** Owners, and the users that they create for their customers. */
export class UsersResource extends Resource {
  /**
   * Create a user.
   *
   * Creates a user for one of your customers. The answer contains the user’s API key and secret. The secret is shown only once. The user starts UNVERIFIED and becomes PENDING once its profile is complete enough.
   *
   * Errors: `user_id_taken`, `owner_only`.
   *
   * POST /v3/user
   */
  create(body: CreateUserRequest, options?: CallOptions): ApiPromise<CreatedUser> {
    return this.client.call({ id: 'createUser', method: 'POST', path: '/v3/user', idempotency: 'key' }, { body }, options)
  }

  /**
   * List the users of your platform.
   *
   * Lists the users that you created, newest first. `q` searches names and user_ids.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/user/list
   */
  list(query?: ListUsersQuery, options?: CallOptions): List<ListedUser, ListUsersAnswer> {
    return this.client.list({ id: 'listUsers', method: 'GET', path: '/v3/user/list', idempotency: 'read' }, { query: { ...query }, field: 'users' }, options)
  }

  /**
   * Retrieve the profile of a user.
   *
   * Returns the profile of any user of your platform. A user’s own key can retrieve only its own profile.
   *
   * Errors: `user_not_found`.
   *
   * GET /v3/user/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<Profile> {
    return this.client.call({ id: 'getUser', method: 'GET', path: '/v3/user/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Delete a user.
   *
   * Deletes a user with its banks, wallets and API keys. You cannot delete a user that has money, debts or payments in progress. The message says which.
   *
   * Errors: `user_is_owner`, `user_busy`, `owner_only`, `user_not_found`.
   *
   * DELETE /v3/user/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteUser', method: 'DELETE', path: '/v3/user/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * Retrieve sending limits.
   *
   * Returns your limits for one payment, a day and a month in `time_zone`, what you sent in the day and the month, and what is left. `left` at the top is the largest payment that you can send now. With `user`, an owner gets the limits of a user of its platform.
   *
   * Errors: `user_not_found`.
   *
   * GET /v3/limit
   */
  getLimits(query?: GetLimitsQuery, options?: CallOptions): ApiPromise<GetLimitsAnswer> {
    return this.client.call({ id: 'getLimits', method: 'GET', path: '/v3/limit', idempotency: 'read' }, { query: { ...query } }, options)
  }

  /**
   * Lower the sending limits of a user.
   *
   * Sets limits for a user of your platform, in dollars, for one payment, a day and a month. They cannot be above those of the operator. `null` removes your limit. Omitted limits are unchanged.
   *
   * Errors: `owner_only`, `user_not_found`.
   *
   * PUT /v3/user/{id}/limit
   */
  setLimit(id: string, body: SetUserLimitRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'setUserLimit', method: 'PUT', path: '/v3/user/{id}/limit', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }
}

/** The profile of the user whose credential this is. */
export class ProfileResource extends Resource {
  /**
   * Retrieve your profile.
   *
   * Returns the profile of the user whose API key you send. Unset fields are null. The SSN and tax ID are masked.
   *
   * Errors: `user_not_found`.
   *
   * GET /v3/user
   */
  get(options?: CallOptions): ApiPromise<Profile> {
    return this.client.call({ id: 'getProfile', method: 'GET', path: '/v3/user', idempotency: 'read' }, {  }, options)
  }

  /**
   * Update your profile.
   *
   * Changes the fields that you send and leaves the others unchanged. You can change single fields of an address. `developer.webhook_uri` sets the URL for this user’s webhooks. An UNVERIFIED user becomes PENDING once the profile is complete enough. With `payment.dual_control`, payments are prepared with `/v3/approval` and released by a second person.
   *
   * Errors: `second_person_needed`, `user_not_found`, `bank_not_found`.
   *
   * PUT /v3/user
   */
  update(body: UpdateProfileRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updateProfile', method: 'PUT', path: '/v3/user', idempotency: 'repeatable' }, { body }, options)
  }

  /**
   * Store a signature.
   *
   * Stores the signature that is drawn on checks. It replaces the previous one. In production, payments above $2,000 require a stored signature.
   *
   * Errors: `invalid_signature_image`.
   *
   * POST /v3/user/signature
   */
  setSignature(body: SetSignatureRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'setSignature', method: 'POST', path: '/v3/user/signature', idempotency: 'none' }, { body }, options)
  }
}

/** API keys. Each acts for one user. */
export class ApiKeysResource extends Resource {
  /**
   * Create an API key.
   *
   * Creates another API key for the user. The secret is shown only once. The answer also contains the key that signs this user’s webhooks.
   *
   * POST /v3/user/api_key
   */
  create(body?: ApiKeyRequest, options?: CallOptions): ApiPromise<CreatedApiKey> {
    return this.client.call({ id: 'createApiKey', method: 'POST', path: '/v3/user/api_key', idempotency: 'key' }, { body: body ?? {} }, options)
  }

  /**
   * List your API keys.
   *
   * Lists the user’s API keys. Secrets are masked.
   *
   * GET /v3/user/api_key
   */
  list(query?: ListApiKeysQuery, options?: CallOptions): List<ApiKey, ListApiKeysAnswer> {
    return this.client.list({ id: 'listApiKeys', method: 'GET', path: '/v3/user/api_key', idempotency: 'read' }, { query: { ...query }, field: 'api_keys' }, options)
  }

  /**
   * Revoke an API key.
   *
   * Revokes an API key immediately. You cannot revoke the last key of a user that has money or payments.
   *
   * Errors: `last_api_key`, `shared_by_all`, `api_key_not_found`.
   *
   * DELETE /v3/user/api_key/{id}
   */
  revoke(id: string, options?: CallOptions): ApiPromise<void> {
    return this.client.call({ id: 'revokeApiKey', method: 'DELETE', path: '/v3/user/api_key/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * Create an API key for a user.
   *
   * Creates an API key for a user of your platform, for example when the user has lost its key.
   *
   * Errors: `owner_only`, `user_not_found`.
   *
   * POST /v3/user/{id}/api_key
   */
  createForUser(id: string, body?: ApiKeyRequest, options?: CallOptions): ApiPromise<CreatedApiKey> {
    return this.client.call({ id: 'createUserApiKey', method: 'POST', path: '/v3/user/{id}/api_key', idempotency: 'key' }, { params: { id }, body: body ?? {} }, options)
  }

  /**
   * Revoke an API key of a user.
   *
   * Revokes an API key of a user of your platform immediately, also the last one. Create another one for the user if it has none.
   *
   * Errors: `shared_by_all`, `owner_only`, `user_not_found`, `api_key_not_found`.
   *
   * DELETE /v3/user/{id}/api_key/{key}
   */
  revokeForUser(id: string, key: string, options?: CallOptions): ApiPromise<void> {
    return this.client.call({ id: 'revokeUserApiKey', method: 'DELETE', path: '/v3/user/{id}/api_key/{key}', idempotency: 'none' }, { params: { id, key } }, options)
  }
}

/** Bank accounts that send and receive money. Two micro-deposits verify a bank. */
export class BanksResource extends Resource {
  /**
   * Add a bank.
   *
   * Adds a bank account. It starts as DEPOSIT_ONLY: it can receive money, and can send money once it is VERIFIED. An account that `POST /v3/bank/iav` confirmed within the last hour is VERIFIED at once. A user’s first bank is the default and billing bank.
   *
   * Errors: `bank_exists`.
   *
   * POST /v3/bank
   */
  add(body: BankRequest, options?: CallOptions): ApiPromise<Bank> {
    return this.client.call({ id: 'addBank', method: 'POST', path: '/v3/bank', idempotency: 'key' }, { body }, options)
  }

  /**
   * List your banks.
   *
   * Lists the user’s bank accounts. With `user`, an owner lists those of a user of its platform. Account numbers show only their last four digits.
   *
   * Errors: `user_not_found`.
   *
   * GET /v3/bank
   */
  list(query?: ListBanksQuery, options?: CallOptions): List<Bank, BankList> {
    return this.client.list({ id: 'listBanks', method: 'GET', path: '/v3/bank', idempotency: 'read' }, { query: { ...query }, field: 'banks' }, options)
  }

  /**
   * Retrieve a bank.
   *
   * Returns one of the user’s bank accounts. An owner’s key can retrieve every bank of its platform.
   *
   * Errors: `bank_not_found`.
   *
   * GET /v3/bank/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<Bank> {
    return this.client.call({ id: 'getBank', method: 'GET', path: '/v3/bank/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Update a bank.
   *
   * Renames a bank, or makes it the default or billing bank. To remove either role from a bank, assign it to another bank.
   *
   * Errors: `not_the_holder`, `bank_not_found`.
   *
   * PUT /v3/bank/{id}
   */
  update(id: string, body: BankChanges, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updateBank', method: 'PUT', path: '/v3/bank/{id}', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }

  /**
   * Delete a bank.
   *
   * Deletes a bank. You cannot delete a bank while a payment to or from it is in progress. The oldest remaining bank becomes the default and billing bank.
   *
   * Errors: `bank_busy`, `not_the_holder`, `bank_not_found`.
   *
   * DELETE /v3/bank/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteBank', method: 'DELETE', path: '/v3/bank/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * Release micro-deposits.
   *
   * Sends two micro-deposits to the bank account and makes the bank PENDING. They arrive on the next banking day. In the sandbox the amounts are always 0.07 and 0.15, and you can verify them immediately. Each bank allows at most 3 releases in 30 days.
   *
   * Errors: `bank_blocked`, `bank_not_deposit_only`, `release_limit_reached`, `not_the_holder`, `bank_not_found`.
   *
   * POST /v3/bank/release
   */
  release(account: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'releaseBank', method: 'POST', path: '/v3/bank/release', idempotency: 'key' }, { body: { account } }, options)
  }

  /**
   * Verify a bank.
   *
   * Verifies a bank with the amounts of its two micro-deposits, in either order. After the third wrong pair the bank is DEPOSIT_ONLY again. If you omit `account`, the only PENDING bank is verified.
   *
   * Errors: `bank_blocked`, `bank_not_pending`, `no_pending_bank`, `several_pending_banks`, `amounts_do_not_match`, `not_the_holder`, `bank_not_found`.
   *
   * POST /v3/bank/verify
   */
  verify(body: MicroDepositAmounts, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'verifyBank', method: 'POST', path: '/v3/bank/verify', idempotency: 'key' }, { body }, options)
  }

  /**
   * List institutions.
   *
   * Lists the institutions at which a user can confirm its accounts, with the fields of their login forms.
   *
   * Errors: `not_configured`, `invalid_cursor`.
   *
   * GET /v3/bank/institutions
   */
  listInstitutions(query?: ListBankInstitutionsQuery, options?: CallOptions): List<Institution, InstitutionList> {
    return this.client.list({ id: 'listBankInstitutions', method: 'GET', path: '/v3/bank/institutions', idempotency: 'read' }, { query: { ...query }, field: 'institutions' }, options)
  }

  /**
   * Sign in at an institution.
   *
   * Confirms the user’s accounts at an institution: send `institution_id` with the fields of its `login_form`. If the answer has `mfa`, send its id as `mfa_id` with the fields of its `form`, at most three times within ten minutes. A bank added from one of the accounts within an hour is VERIFIED at once. The credentials are passed on and not stored. A user can call this 20 times at once, then twice a minute.
   *
   * Errors: `not_configured`, `institution_login_refused`, `institution_login_locked`, `institution_unavailable`, `institution_not_found`, `challenge_not_found`.
   *
   * POST /v3/bank/iav
   */
  signInAtInstitution(body?: InstitutionLoginRequest, options?: CallOptions): ApiPromise<InstitutionLogin> {
    return this.client.call({ id: 'signInAtBankInstitution', method: 'POST', path: '/v3/bank/iav', idempotency: 'none' }, { body: body ?? {} }, options)
  }

  /**
   * Use a Plaid processor token.
   *
   * Reads the account of a processor token that Plaid made. A bank added from it within an hour is VERIFIED at once.
   *
   * Errors: `not_configured`, `invalid_processor_token`, `institution_login_locked`, `institution_unavailable`.
   *
   * POST /v3/bank/iav/plaid
   */
  readPlaid(body: ProcessorToken, options?: CallOptions): ApiPromise<ConfirmedAccountList> {
    return this.client.call({ id: 'readPlaidBank', method: 'POST', path: '/v3/bank/iav/plaid', idempotency: 'none' }, { body }, options)
  }
}

/** The bank routes at their other path, /v3/account/bank. Prefer `banks`. */
export class AccountBanksResource extends Resource {
  /**
   * Add a bank.
   *
   * Adds a bank account. It starts as DEPOSIT_ONLY: it can receive money, and can send money once it is VERIFIED. An account that `POST /v3/bank/iav` confirmed within the last hour is VERIFIED at once. A user’s first bank is the default and billing bank.
   *
   * Errors: `bank_exists`.
   *
   * POST /v3/account/bank
   */
  add(body: BankRequest, options?: CallOptions): ApiPromise<Bank> {
    return this.client.call({ id: 'addAccountBank', method: 'POST', path: '/v3/account/bank', idempotency: 'key' }, { body }, options)
  }

  /**
   * List your banks.
   *
   * Lists the user’s bank accounts. With `user`, an owner lists those of a user of its platform. Account numbers show only their last four digits.
   *
   * Errors: `user_not_found`.
   *
   * GET /v3/account/bank
   */
  list(query?: ListAccountBanksQuery, options?: CallOptions): List<Bank, BankList> {
    return this.client.list({ id: 'listAccountBanks', method: 'GET', path: '/v3/account/bank', idempotency: 'read' }, { query: { ...query }, field: 'banks' }, options)
  }

  /**
   * Retrieve a bank.
   *
   * Returns one of the user’s bank accounts. An owner’s key can retrieve every bank of its platform.
   *
   * Errors: `bank_not_found`.
   *
   * GET /v3/account/bank/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<Bank> {
    return this.client.call({ id: 'getAccountBank', method: 'GET', path: '/v3/account/bank/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Update a bank.
   *
   * Renames a bank, or makes it the default or billing bank. To remove either role from a bank, assign it to another bank.
   *
   * Errors: `not_the_holder`, `bank_not_found`.
   *
   * PUT /v3/account/bank/{id}
   */
  update(id: string, body: BankChanges, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updateAccountBank', method: 'PUT', path: '/v3/account/bank/{id}', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }

  /**
   * Delete a bank.
   *
   * Deletes a bank. You cannot delete a bank while a payment to or from it is in progress. The oldest remaining bank becomes the default and billing bank.
   *
   * Errors: `bank_busy`, `not_the_holder`, `bank_not_found`.
   *
   * DELETE /v3/account/bank/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteAccountBank', method: 'DELETE', path: '/v3/account/bank/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * Release micro-deposits.
   *
   * Sends two micro-deposits to the bank account and makes the bank PENDING. They arrive on the next banking day. In the sandbox the amounts are always 0.07 and 0.15, and you can verify them immediately. Each bank allows at most 3 releases in 30 days.
   *
   * Errors: `bank_blocked`, `bank_not_deposit_only`, `release_limit_reached`, `not_the_holder`, `bank_not_found`.
   *
   * POST /v3/account/bank/release
   */
  release(account: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'releaseAccountBank', method: 'POST', path: '/v3/account/bank/release', idempotency: 'key' }, { body: { account } }, options)
  }

  /**
   * Verify a bank.
   *
   * Verifies a bank with the amounts of its two micro-deposits, in either order. After the third wrong pair the bank is DEPOSIT_ONLY again. If you omit `account`, the only PENDING bank is verified.
   *
   * Errors: `bank_blocked`, `bank_not_pending`, `no_pending_bank`, `several_pending_banks`, `amounts_do_not_match`, `not_the_holder`, `bank_not_found`.
   *
   * POST /v3/account/bank/verify
   */
  verify(body: MicroDepositAmounts, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'verifyAccountBank', method: 'POST', path: '/v3/account/bank/verify', idempotency: 'key' }, { body }, options)
  }

  /**
   * List institutions.
   *
   * Lists the institutions at which a user can confirm its accounts, with the fields of their login forms.
   *
   * Errors: `not_configured`, `invalid_cursor`.
   *
   * GET /v3/account/bank/institutions
   */
  listInstitutions(query?: ListAccountBankInstitutionsQuery, options?: CallOptions): List<Institution, InstitutionList> {
    return this.client.list({ id: 'listAccountBankInstitutions', method: 'GET', path: '/v3/account/bank/institutions', idempotency: 'read' }, { query: { ...query }, field: 'institutions' }, options)
  }

  /**
   * Sign in at an institution.
   *
   * Confirms the user’s accounts at an institution: send `institution_id` with the fields of its `login_form`. If the answer has `mfa`, send its id as `mfa_id` with the fields of its `form`, at most three times within ten minutes. A bank added from one of the accounts within an hour is VERIFIED at once. The credentials are passed on and not stored. A user can call this 20 times at once, then twice a minute.
   *
   * Errors: `not_configured`, `institution_login_refused`, `institution_login_locked`, `institution_unavailable`, `institution_not_found`, `challenge_not_found`.
   *
   * POST /v3/account/bank/iav
   */
  signInAtInstitution(body?: InstitutionLoginRequest, options?: CallOptions): ApiPromise<InstitutionLogin> {
    return this.client.call({ id: 'signInAtAccountBankInstitution', method: 'POST', path: '/v3/account/bank/iav', idempotency: 'none' }, { body: body ?? {} }, options)
  }

  /**
   * Use a Plaid processor token.
   *
   * Reads the account of a processor token that Plaid made. A bank added from it within an hour is VERIFIED at once.
   *
   * Errors: `not_configured`, `invalid_processor_token`, `institution_login_locked`, `institution_unavailable`.
   *
   * POST /v3/account/bank/iav/plaid
   */
  readPlaid(body: ProcessorToken, options?: CallOptions): ApiPromise<ConfirmedAccountList> {
    return this.client.call({ id: 'readPlaidAccountBank', method: 'POST', path: '/v3/account/bank/iav/plaid', idempotency: 'none' }, { body }, options)
  }
}

/** Checks and other payments. */
export class PaymentsResource extends Resource {
  /**
   * Send a digital payment.
   *
   * Sends a payment to an email address, a phone number, or a user of your platform. It stays UNPAID until the recipient chooses where to deposit it. If the recipient is `{id, account}`, it is deposited immediately. If you omit `account`, the payment is drawn on the default bank, which must be VERIFIED.
   *
   * Errors: `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `invalid_recipient`, `own_recipient`, `invalid_deposit_option`, `paper_unavailable`, `user_not_verified`, `approval_required`, `recipient_not_active`, `bank_not_found`, `recipient_not_found`.
   *
   * POST /v3/check/digital
   */
  sendDigital(body: DigitalPaymentRequest, options?: CallOptions): ApiPromise<Payment> {
    return this.client.call({ id: 'sendDigitalPayment', method: 'POST', path: '/v3/check/digital', idempotency: 'key' }, { body }, options)
  }

  /**
   * Mail a paper check.
   *
   * Sends a paper check to a postal address. The amount is first debited from the bank or wallet. The check is then MAILED, and becomes PAID when it is cashed.
   *
   * Errors: `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `paper_unavailable`, `unprintable_text`, `user_not_verified`, `approval_required`, `bank_not_found`.
   *
   * POST /v3/check/physical
   */
  sendPhysical(body: PhysicalCheckRequest, options?: CallOptions): ApiPromise<Payment> {
    return this.client.call({ id: 'sendPhysicalCheck', method: 'POST', path: '/v3/check/physical', idempotency: 'key' }, { body }, options)
  }

  /**
   * Send a payment directly to a bank account.
   *
   * Sends a payment to a bank account that you know. It is deposited immediately: by ACH, or by RTP if a wallet funds the payment and `deposit_options` names only RTP. `recipient` is only shown; the recipient gets no email.
   *
   * Errors: `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `invalid_deposit_option`, `invalid_recipient`, `own_recipient`, `user_not_verified`, `approval_required`, `bank_not_found`.
   *
   * POST /v3/check/direct
   */
  sendDirect(body: SendDirectPaymentRequest, options?: CallOptions): ApiPromise<Payment> {
    return this.client.call({ id: 'sendDirectPayment', method: 'POST', path: '/v3/check/direct', idempotency: 'key' }, { body }, options)
  }

  /**
   * Send a payment to several recipients.
   *
   * Sends a payment to two to five recipients: users of your platform, owners of other platforms by their email address, and people without an account, who get an email with a link. Each of them sees it. One of them deposits it after all others have endorsed it. A recipient with `endorse_only` can endorse it and not deposit it.
   *
   * Errors: `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `invalid_recipient`, `own_recipient`, `invalid_deposit_option`, `paper_unavailable`, `user_not_verified`, `approval_required`, `recipient_not_active`, `bank_not_found`.
   *
   * POST /v3/check/multi
   */
  sendMulti(body: MultiPaymentRequest, options?: CallOptions): ApiPromise<Payment> {
    return this.client.call({ id: 'sendMultiPayment', method: 'POST', path: '/v3/check/multi', idempotency: 'key' }, { body }, options)
  }

  /**
   * Send the payments of a file.
   *
   * Sends up to 1,500 payments, all of them or none. `file` has the rows as JSON, or is the text of a CSV file with a header line. A row with `account_number` and `routing_number` is deposited into that checking account at once. Other rows are sent by email or, with a physical address, mailed as `mail_type`. The CSV of `GET /v3/export` can be corrected and sent too: its `recipient` is the email, and its other columns are ignored. If any row has a problem, nothing is sent, and `errors` names every bad row with its line.
   *
   * Errors: `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `invalid_rows`, `paper_unavailable`, `user_not_verified`, `approval_required`, `bank_not_found`.
   *
   * POST /v3/check/csv
   */
  sendBulk(body: SendBulkPaymentsRequest, options?: CallOptions): ApiPromise<SendBulkPaymentsAnswer> {
    return this.client.call({ id: 'sendBulkPayments', method: 'POST', path: '/v3/check/csv', idempotency: 'key' }, { body }, options)
  }

  /**
   * Preview a check.
   *
   * Returns an image of the check that the same request would create. Nothing is created or reserved. The recipient is optional.
   *
   * Errors: `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `invalid_recipient`, `own_recipient`, `invalid_deposit_option`, `paper_unavailable`, `unprintable_text`, `user_not_verified`, `approval_required`, `recipient_not_active`, `bank_not_found`, `recipient_not_found`.
   *
   * POST /v3/check/preview
   */
  preview(body: PreviewCheckRequest, options?: CallOptions): ApiPromise<PreviewCheckAnswer> {
    return this.client.call({ id: 'previewCheck', method: 'POST', path: '/v3/check/preview', idempotency: 'none' }, { body }, options)
  }

  /**
   * List payments.
   *
   * Lists the payments that the user sent and received, newest first. `q` searches names, descriptions and numbers. An access token lists only the payments that its grant created.
   *
   * GET /v3/check
   */
  list(query?: ListPaymentsQuery, options?: CallOptions): List<ListedPayment, ListPaymentsAnswer> {
    return this.client.list({ id: 'listPayments', method: 'GET', path: '/v3/check', idempotency: 'read' }, { query: { ...query }, field: 'checks' }, options)
  }

  /**
   * Search payments.
   *
   * Lists the payments of your whole platform, newest first, with filters. `batch` lists the payments of one batch. A payment between two of your users appears once, as OUTGOING. With `user`, and with a user’s own API key, lists what this user sent and received. Each page searches at most 20,000 payments. There is no total.
   *
   * Errors: `user_not_found`.
   *
   * GET /v3/payment
   */
  search(query?: SearchPaymentsQuery, options?: CallOptions): List<FoundPayment, SearchPaymentsAnswer> {
    return this.client.list({ id: 'searchPayments', method: 'GET', path: '/v3/payment', idempotency: 'read' }, { query: { ...query }, field: 'payments' }, options)
  }

  /**
   * Export payments.
   *
   * Returns the payments of a search as CSV, newest first, at most one million rows. One export at a time for each API key or session. Fields never start a formula in a spreadsheet: an apostrophe is added to a field that would, and to one that begins with an apostrophe. `/v3/check/csv` removes it.
   *
   * Errors: `foreign_origin`, `user_not_found`, `export_running`, `rate_limited`.
   *
   * GET /v3/export
   */
  export(query?: ExportPaymentsQuery, options?: CallOptions): ApiPromise<Blob> {
    return this.client.call({ id: 'exportPayments', method: 'GET', path: '/v3/export', idempotency: 'read', answersFile: true }, { query: { ...query } }, options)
  }

  /**
   * Retrieve a payment.
   *
   * Returns a payment to its sender, its recipient, and the owner of their platform.
   *
   * Errors: `payment_not_found`.
   *
   * GET /v3/check/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<Payment> {
    return this.client.call({ id: 'getPayment', method: 'GET', path: '/v3/check/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Retrieve a payment with its details.
   *
   * Returns a payment with its direction, rail, account and dates to its sender, its recipient, and the owner of their platform.
   *
   * Errors: `payment_not_found`.
   *
   * GET /v3/payment/{id}
   */
  getDetails(id: string, options?: CallOptions): ApiPromise<PaymentDetails> {
    return this.client.call({ id: 'getPaymentDetails', method: 'GET', path: '/v3/payment/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Retrieve the timeline of a payment.
   *
   * Returns everything that happened to a payment, in order: changes of its status, movements of its money, and mails, each with its actor. `actor` is null for the service itself. The sender and the owner of its platform also see the ledger entries. Only the owner sees names and webhook events. A recipient sees only the changes of the status.
   *
   * Errors: `payment_not_found`.
   *
   * GET /v3/payment/{id}/timeline
   */
  getTimeline(id: string, options?: CallOptions): ApiPromise<Timeline> {
    return this.client.call({ id: 'getPaymentTimeline', method: 'GET', path: '/v3/payment/{id}/timeline', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Retrieve the deposit of a payment.
   *
   * Returns the rail that pays the payment and the expected day. Both are null before the deposit.
   *
   * Errors: `payment_not_found`.
   *
   * GET /v3/check/{id}/deposit
   */
  getDeposit(id: string, options?: CallOptions): ApiPromise<GetDepositAnswer> {
    return this.client.call({ id: 'getDeposit', method: 'GET', path: '/v3/check/{id}/deposit', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Retrieve the reason of a failed payment.
   *
   * Returns the return code of a FAILED payment, otherwise null. `GET /v3/return_code/{code}` explains it.
   *
   * Errors: `payment_not_found`.
   *
   * GET /v3/check/{id}/fail
   */
  getFailure(id: string, options?: CallOptions): ApiPromise<GetPaymentFailureAnswer> {
    return this.client.call({ id: 'getPaymentFailure', method: 'GET', path: '/v3/check/{id}/fail', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Track a paper check.
   *
   * Lists the tracking steps of a paper check, oldest first. The list is empty for other payments.
   *
   * Errors: `payment_not_found`.
   *
   * GET /v3/check/{id}/tracking
   */
  track(id: string, options?: CallOptions): ApiPromise<Tracking> {
    return this.client.call({ id: 'trackCheck', method: 'GET', path: '/v3/check/{id}/tracking', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Deposit a payment.
   *
   * Deposits a received payment into one of your accounts. Use the recipient’s API key. A deposit into a wallet of this service is PAID immediately; any other deposit is IN_PROCESS first. You can deposit a FAILED payment again.
   *
   * Errors: `endorsements_missing`, `bank_blocked`, `invalid_deposit_option`, `not_depositable`, `payment_limit_reached`, `day_limit_reached`, `month_limit_reached`, `not_the_recipient`, `endorse_only`, `user_not_verified`, `payment_not_found`, `bank_not_found`.
   *
   * POST /v3/check/deposit/{id}
   */
  deposit(id: string, body: AccountRequest, options?: CallOptions): ApiPromise<Payment> {
    return this.client.call({ id: 'depositPayment', method: 'POST', path: '/v3/check/deposit/{id}', idempotency: 'key' }, { params: { id }, body }, options)
  }

  /**
   * Endorse a payment.
   *
   * Endorses a payment to several recipients, so that another one of them can deposit it. The name and the signature are shown on the back of the check.
   *
   * Errors: `not_endorsable`, `invalid_signature_image`, `not_the_recipient`, `payment_not_found`.
   *
   * POST /v3/check/endorse/{id}
   */
  endorse(id: string, body: EndorsePaymentRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'endorsePayment', method: 'POST', path: '/v3/check/endorse/{id}', idempotency: 'key' }, { params: { id }, body }, options)
  }

  /**
   * Print a check.
   *
   * Returns the printable check as a PDF, for a payment that offers PRINT. The first call makes the payment PRINTED. Later calls return the same check until it is cashed or voided.
   *
   * Errors: `endorsements_missing`, `not_printable`, `invalid_deposit_option`, `paper_unavailable`, `unprintable_text`, `check_not_ready`, `not_the_recipient`, `endorse_only`, `payment_not_found`.
   *
   * POST /v3/check/print/{id}
   */
  print(id: string, body?: EmptyRequest, options?: CallOptions): ApiPromise<Blob> {
    return this.client.call({ id: 'printCheck', method: 'POST', path: '/v3/check/print/{id}', idempotency: 'none', answersFile: true }, { params: { id }, body: body ?? {} }, options)
  }

  /**
   * Void a payment.
   *
   * Cancels a payment before its money has moved, or stops a paper check that has not been cashed. In production, the bank is asked to call back an order that has left over RTP or by wire, and a processor to cancel one over INSTANT, INTERAC, PAYPAL or VENMO. PayPal Payouts cancels only payments that nobody has claimed. The payment stays IN_PROCESS until the answer, then it is VOID or goes on. The cancellation is requested only once. Only the sender and the owner of its platform can void a payment.
   *
   * Errors: `not_voidable`, `not_the_sender`, `payment_not_found`.
   *
   * DELETE /v3/check/{id}
   */
  void(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'voidPayment', method: 'DELETE', path: '/v3/check/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * Email the recipient again.
   *
   * Emails the link to the recipient again, for the sender or the owner of its platform. The new link replaces the previous one. Each payment allows at most 4 emails in 24 hours. A recipient with an account in this service finds the payment there and gets no email; the answer is the same.
   *
   * Errors: `not_notifiable`, `notify_limit_reached`, `not_the_sender`, `payment_not_found`.
   *
   * POST /v3/check/notify/{id}
   */
  notify(id: string, body?: EmptyRequest, options?: CallOptions): ApiPromise<void> {
    return this.client.call({ id: 'notifyRecipient', method: 'POST', path: '/v3/check/notify/{id}', idempotency: 'key' }, { params: { id }, body: body ?? {} }, options)
  }

  /**
   * Email the code of the invitation again.
   *
   * Emails the link of the invitation to the recipient again, like `/v3/check/notify/{id}`. `success` says whether it was requested: false if the recipient has no email or nothing to choose anymore, or after 4 emails in 24 hours. GET and POST do the same.
   *
   * Errors: `not_the_sender`, `payment_not_found`.
   *
   * GET /v3/check/{id}/verification
   */
  getVerification(id: string, options?: CallOptions): ApiPromise<Verification> {
    return this.client.call({ id: 'getVerification', method: 'GET', path: '/v3/check/{id}/verification', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Email the code of the invitation again.
   *
   * Emails the link of the invitation to the recipient again, like `/v3/check/notify/{id}`. `success` says whether it was requested: false if the recipient has no email or nothing to choose anymore, or after 4 emails in 24 hours. GET and POST do the same.
   *
   * Errors: `not_the_sender`, `payment_not_found`.
   *
   * POST /v3/check/{id}/verification
   */
  resendVerification(id: string, body?: EmptyRequest, options?: CallOptions): ApiPromise<Verification> {
    return this.client.call({ id: 'resendVerification', method: 'POST', path: '/v3/check/{id}/verification', idempotency: 'key' }, { params: { id }, body: body ?? {} }, options)
  }

  /**
   * Retrieve a picture of the check.
   *
   * Returns the face of the check as a PNG that is marked NOT NEGOTIABLE.
   *
   * Errors: `paper_unavailable`, `unprintable_text`, `payment_not_found`.
   *
   * GET /v3/payment/{id}/image
   */
  getImage(id: string, options?: CallOptions): ApiPromise<Blob> {
    return this.client.call({ id: 'getCheckImage', method: 'GET', path: '/v3/payment/{id}/image', idempotency: 'read', answersFile: true }, { params: { id } }, options)
  }

  /**
   * Download a copy of the check.
   *
   * Returns the check of a payment as a PDF that is marked NOT NEGOTIABLE. It shows only the last four digits of the account number, and changes nothing.
   *
   * Errors: `paper_unavailable`, `unprintable_text`, `payment_not_found`.
   *
   * GET /v3/payment/{id}/copy.pdf
   */
  downloadCopy(id: string, options?: CallOptions): ApiPromise<Blob> {
    return this.client.call({ id: 'downloadCheckCopy', method: 'GET', path: '/v3/payment/{id}/copy.pdf', idempotency: 'read', answersFile: true }, { params: { id } }, options)
  }

  /**
   * Download a receipt.
   *
   * Returns a receipt of a payment as a PDF: who pays whom, the amount, the dates, the method, and the numbers by which banks find it. It says whether the payment is final. Each side sees its own account, masked. It changes nothing.
   *
   * Errors: `payment_not_found`.
   *
   * GET /v3/payment/{id}/receipt.pdf
   */
  downloadReceipt(id: string, options?: CallOptions): ApiPromise<Blob> {
    return this.client.call({ id: 'downloadReceipt', method: 'GET', path: '/v3/payment/{id}/receipt.pdf', idempotency: 'read', answersFile: true }, { params: { id } }, options)
  }

  /**
   * Download the attachment.
   *
   * Returns the file that the sender attached, as a PDF.
   *
   * Errors: `payment_not_found`, `attachment_not_found`.
   *
   * GET /v3/check/{id}/attachment
   */
  downloadAttachment(id: string, options?: CallOptions): ApiPromise<Blob> {
    return this.client.call({ id: 'downloadAttachment', method: 'GET', path: '/v3/check/{id}/attachment', idempotency: 'read', answersFile: true }, { params: { id } }, options)
  }
}

/** The codes that explain why a payment was returned. */
export class ReturnCodesResource extends Resource {
  /**
   * Retrieve a return code.
   *
   * Explains a return code and what to do about it.
   *
   * Errors: `return_code_not_found`.
   *
   * GET /v3/return_code/{code}
   */
  get(code: string, options?: CallOptions): ApiPromise<GetReturnCodeAnswer> {
    return this.client.call({ id: 'getReturnCode', method: 'GET', path: '/v3/return_code/{code}', idempotency: 'read' }, { params: { code } }, options)
  }
}

/** Balances in the service, for instant payments. */
export class WalletsResource extends Resource {
  /**
   * Create a wallet.
   *
   * Creates an empty wallet. A wallet holds money, so payments from it are instant.
   *
   * POST /v3/account/wallet
   */
  create(body?: CreateWalletRequest, options?: CallOptions): ApiPromise<CreatedWallet> {
    return this.client.call({ id: 'createWallet', method: 'POST', path: '/v3/account/wallet', idempotency: 'key' }, { body: body ?? {} }, options)
  }

  /**
   * List your wallets.
   *
   * Lists the user’s wallets with their balances.
   *
   * GET /v3/account/wallet
   */
  list(query?: ListWalletsQuery, options?: CallOptions): List<Wallet, ListWalletsAnswer> {
    return this.client.list({ id: 'listWallets', method: 'GET', path: '/v3/account/wallet', idempotency: 'read' }, { query: { ...query }, field: 'wallets' }, options)
  }

  /**
   * Retrieve a wallet.
   *
   * Returns a wallet and its available balance. An owner’s key can retrieve every wallet of its platform.
   *
   * Errors: `wallet_not_found`.
   *
   * GET /v3/account/wallet/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<Wallet> {
    return this.client.call({ id: 'getWallet', method: 'GET', path: '/v3/account/wallet/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Rename a wallet.
   *
   * Changes the name of a wallet. null removes it.
   *
   * Errors: `not_the_holder`, `wallet_not_found`.
   *
   * PUT /v3/account/wallet/{id}
   */
  rename(id: string, body: RenameWalletRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'renameWallet', method: 'PUT', path: '/v3/account/wallet/{id}', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }

  /**
   * Delete a wallet.
   *
   * Deletes an empty wallet that has no payments in progress. It is restored if money is returned later.
   *
   * Errors: `wallet_busy`, `not_the_holder`, `wallet_not_found`.
   *
   * DELETE /v3/account/wallet/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteWallet', method: 'DELETE', path: '/v3/account/wallet/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * List the transactions of a wallet.
   *
   * Lists the transactions of a wallet, newest first. A PENDING transaction is held for a payment.
   *
   * Errors: `wallet_not_found`.
   *
   * GET /v3/account/wallet/{id}/transaction
   */
  listTransactions(id: string, query?: ListWalletTransactionsQuery, options?: CallOptions): List<WalletTransaction, ListWalletTransactionsAnswer> {
    return this.client.list({ id: 'listWalletTransactions', method: 'GET', path: '/v3/account/wallet/{id}/transaction', idempotency: 'read' }, { params: { id }, query: { ...query }, field: 'transactions' }, options)
  }
}

/** Debit cards that receive payments. */
export class DebitCardsResource extends Resource {
  /**
   * Add a debit card.
   *
   * Adds a debit card that can receive the user’s payments. The first one is the default. `cvv` and `address` are checked and not stored. In production, the number is stored encrypted if payments to cards are offered. Otherwise, only its last four digits are.
   *
   * POST /v3/account/card
   */
  add(body: AddDebitCardRequest, options?: CallOptions): ApiPromise<CreatedDebitCard> {
    return this.client.call({ id: 'addDebitCard', method: 'POST', path: '/v3/account/card', idempotency: 'key' }, { body }, options)
  }

  /**
   * List your debit cards.
   *
   * Lists the user’s debit cards. Payments from a wallet can be deposited into them.
   *
   * GET /v3/account/card
   */
  list(query?: ListDebitCardsQuery, options?: CallOptions): List<DebitCard, ListDebitCardsAnswer> {
    return this.client.list({ id: 'listDebitCards', method: 'GET', path: '/v3/account/card', idempotency: 'read' }, { query: { ...query }, field: 'cards' }, options)
  }

  /**
   * Retrieve a debit card.
   *
   * Returns one of the user’s debit cards. An owner’s key can retrieve those of its whole platform.
   *
   * Errors: `destination_not_found`.
   *
   * GET /v3/account/card/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<DebitCard> {
    return this.client.call({ id: 'getDebitCard', method: 'GET', path: '/v3/account/card/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Update a debit card.
   *
   * Renames a debit card, or makes it the default. To remove the default, assign it to another one.
   *
   * Errors: `not_the_holder`, `destination_not_found`.
   *
   * PUT /v3/account/card/{id}
   */
  update(id: string, body: UpdateDebitCardRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updateDebitCard', method: 'PUT', path: '/v3/account/card/{id}', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }

  /**
   * Delete a debit card.
   *
   * Deletes a debit card. You cannot delete it while a payment to it is in progress.
   *
   * Errors: `destination_busy`, `not_the_holder`, `destination_not_found`.
   *
   * DELETE /v3/account/card/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteDebitCard', method: 'DELETE', path: '/v3/account/card/{id}', idempotency: 'none' }, { params: { id } }, options)
  }
}

/** PayPal accounts that receive payments. */
export class PayPalAccountsResource extends Resource {
  /**
   * Add a PayPal account.
   *
   * Adds a PayPal account that can receive the user’s payments. `username` is the name under which the account is known there.
   *
   * POST /v3/account/paypal
   */
  add(body: AddPayPalAccountRequest, options?: CallOptions): ApiPromise<PayPalAccount> {
    return this.client.call({ id: 'addPayPalAccount', method: 'POST', path: '/v3/account/paypal', idempotency: 'key' }, { body }, options)
  }

  /**
   * List your PayPal accounts.
   *
   * Lists the user’s PayPal accounts. Payments from a wallet can be deposited into them.
   *
   * GET /v3/account/paypal
   */
  list(query?: ListPayPalAccountsQuery, options?: CallOptions): List<PayPalAccount, ListPayPalAccountsAnswer> {
    return this.client.list({ id: 'listPayPalAccounts', method: 'GET', path: '/v3/account/paypal', idempotency: 'read' }, { query: { ...query }, field: 'accounts' }, options)
  }

  /**
   * Retrieve a PayPal account.
   *
   * Returns one of the user’s PayPal accounts. An owner’s key can retrieve those of its whole platform.
   *
   * Errors: `destination_not_found`.
   *
   * GET /v3/account/paypal/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<PayPalAccount> {
    return this.client.call({ id: 'getPayPalAccount', method: 'GET', path: '/v3/account/paypal/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Update a PayPal account.
   *
   * Renames a PayPal account. Its account details cannot change. Add another one instead.
   *
   * Errors: `not_the_holder`, `destination_not_found`.
   *
   * PUT /v3/account/paypal/{id}
   */
  update(id: string, body: UpdatePayPalAccountRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updatePayPalAccount', method: 'PUT', path: '/v3/account/paypal/{id}', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }

  /**
   * Delete a PayPal account.
   *
   * Deletes a PayPal account. You cannot delete it while a payment to it is in progress.
   *
   * Errors: `destination_busy`, `not_the_holder`, `destination_not_found`.
   *
   * DELETE /v3/account/paypal/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deletePayPalAccount', method: 'DELETE', path: '/v3/account/paypal/{id}', idempotency: 'none' }, { params: { id } }, options)
  }
}

/** Venmo accounts that receive payments. */
export class VenmoAccountsResource extends Resource {
  /**
   * Add a Venmo account.
   *
   * Adds a Venmo account that can receive the user’s payments. `username` is the name under which the account is known there.
   *
   * POST /v3/account/venmo
   */
  add(body: AddVenmoAccountRequest, options?: CallOptions): ApiPromise<VenmoAccount> {
    return this.client.call({ id: 'addVenmoAccount', method: 'POST', path: '/v3/account/venmo', idempotency: 'key' }, { body }, options)
  }

  /**
   * List your Venmo accounts.
   *
   * Lists the user’s Venmo accounts. Payments from a wallet can be deposited into them.
   *
   * GET /v3/account/venmo
   */
  list(query?: ListVenmoAccountsQuery, options?: CallOptions): List<VenmoAccount, ListVenmoAccountsAnswer> {
    return this.client.list({ id: 'listVenmoAccounts', method: 'GET', path: '/v3/account/venmo', idempotency: 'read' }, { query: { ...query }, field: 'accounts' }, options)
  }

  /**
   * Retrieve a Venmo account.
   *
   * Returns one of the user’s Venmo accounts. An owner’s key can retrieve those of its whole platform.
   *
   * Errors: `destination_not_found`.
   *
   * GET /v3/account/venmo/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<VenmoAccount> {
    return this.client.call({ id: 'getVenmoAccount', method: 'GET', path: '/v3/account/venmo/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Update a Venmo account.
   *
   * Renames a Venmo account. Its account details cannot change. Add another one instead.
   *
   * Errors: `not_the_holder`, `destination_not_found`.
   *
   * PUT /v3/account/venmo/{id}
   */
  update(id: string, body: UpdateVenmoAccountRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updateVenmoAccount', method: 'PUT', path: '/v3/account/venmo/{id}', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }

  /**
   * Delete a Venmo account.
   *
   * Deletes a Venmo account. You cannot delete it while a payment to it is in progress.
   *
   * Errors: `destination_busy`, `not_the_holder`, `destination_not_found`.
   *
   * DELETE /v3/account/venmo/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteVenmoAccount', method: 'DELETE', path: '/v3/account/venmo/{id}', idempotency: 'none' }, { params: { id } }, options)
  }
}

/** Interac accounts that receive payments. */
export class InteracAccountsResource extends Resource {
  /**
   * Add an Interac account.
   *
   * Adds an Interac account that can receive the user’s payments. `username` is the name under which the account is known there.
   *
   * POST /v3/account/interac
   */
  add(body: AddInteracAccountRequest, options?: CallOptions): ApiPromise<InteracAccount> {
    return this.client.call({ id: 'addInteracAccount', method: 'POST', path: '/v3/account/interac', idempotency: 'key' }, { body }, options)
  }

  /**
   * List your Interac accounts.
   *
   * Lists the user’s Interac accounts. Payments from a wallet can be deposited into them.
   *
   * GET /v3/account/interac
   */
  list(query?: ListInteracAccountsQuery, options?: CallOptions): List<InteracAccount, ListInteracAccountsAnswer> {
    return this.client.list({ id: 'listInteracAccounts', method: 'GET', path: '/v3/account/interac', idempotency: 'read' }, { query: { ...query }, field: 'accounts' }, options)
  }

  /**
   * Retrieve an Interac account.
   *
   * Returns one of the user’s Interac accounts. An owner’s key can retrieve those of its whole platform.
   *
   * Errors: `destination_not_found`.
   *
   * GET /v3/account/interac/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<InteracAccount> {
    return this.client.call({ id: 'getInteracAccount', method: 'GET', path: '/v3/account/interac/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Update an Interac account.
   *
   * Renames an Interac account. Its account details cannot change. Add another one instead.
   *
   * Errors: `not_the_holder`, `destination_not_found`.
   *
   * PUT /v3/account/interac/{id}
   */
  update(id: string, body: UpdateInteracAccountRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updateInteracAccount', method: 'PUT', path: '/v3/account/interac/{id}', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }

  /**
   * Delete an Interac account.
   *
   * Deletes an Interac account. You cannot delete it while a payment to it is in progress.
   *
   * Errors: `destination_busy`, `not_the_holder`, `destination_not_found`.
   *
   * DELETE /v3/account/interac/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteInteracAccount', method: 'DELETE', path: '/v3/account/interac/{id}', idempotency: 'none' }, { params: { id } }, options)
  }
}

/** Accounts that receive wires, at home and abroad. */
export class WireAccountsResource extends Resource {
  /**
   * Add a wire account.
   *
   * Adds a wire account that can receive the user’s payments. `routing` is an ABA routing number, or the BIC of a bank abroad; `account` may be an IBAN. Banks want the address of the holder: `city` at least, and `holder_country` if it is not the country of the bank. In production, a payment to an account without it can be refused.
   *
   * POST /v3/account/wire
   */
  add(body: AddWireAccountRequest, options?: CallOptions): ApiPromise<WireAccount> {
    return this.client.call({ id: 'addWireAccount', method: 'POST', path: '/v3/account/wire', idempotency: 'key' }, { body }, options)
  }

  /**
   * List your wire accounts.
   *
   * Lists the user’s wire accounts. Payments from a wallet can be deposited into them.
   *
   * GET /v3/account/wire
   */
  list(query?: ListWireAccountsQuery, options?: CallOptions): List<WireAccount, ListWireAccountsAnswer> {
    return this.client.list({ id: 'listWireAccounts', method: 'GET', path: '/v3/account/wire', idempotency: 'read' }, { query: { ...query }, field: 'accounts' }, options)
  }

  /**
   * Retrieve a wire account.
   *
   * Returns one of the user’s wire accounts. An owner’s key can retrieve those of its whole platform.
   *
   * Errors: `destination_not_found`.
   *
   * GET /v3/account/wire/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<WireAccount> {
    return this.client.call({ id: 'getWireAccount', method: 'GET', path: '/v3/account/wire/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Update a wire account.
   *
   * Renames a wire account. Its account details cannot change. Add another one instead.
   *
   * Errors: `not_the_holder`, `destination_not_found`.
   *
   * PUT /v3/account/wire/{id}
   */
  update(id: string, body: UpdateWireAccountRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updateWireAccount', method: 'PUT', path: '/v3/account/wire/{id}', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }

  /**
   * Delete a wire account.
   *
   * Deletes a wire account. You cannot delete it while a payment to it is in progress.
   *
   * Errors: `destination_busy`, `not_the_holder`, `destination_not_found`.
   *
   * DELETE /v3/account/wire/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteWireAccount', method: 'DELETE', path: '/v3/account/wire/{id}', idempotency: 'none' }, { params: { id } }, options)
  }
}

/** Cards that are issued here, receive payments and can be spent. */
export class VirtualCardsResource extends Resource {
  /**
   * Create a virtual card.
   *
   * Issues a virtual card that can receive payments. The full number and the security code are shown only now. The first card is the default. `address`, `email` and `phone` are for the issuer and are not stored.
   *
   * Errors: `not_configured`.
   *
   * POST /v3/account/vcc
   */
  create(body?: CreateVirtualCardRequest, options?: CallOptions): ApiPromise<CreateVirtualCardAnswer> {
    return this.client.call({ id: 'createVirtualCard', method: 'POST', path: '/v3/account/vcc', idempotency: 'key' }, { body: body ?? {} }, options)
  }

  /**
   * List your virtual cards.
   *
   * Lists the user’s virtual cards with their balances.
   *
   * Errors: `not_configured`, `invalid_cursor`.
   *
   * GET /v3/account/vcc
   */
  list(query?: ListVirtualCardsQuery, options?: CallOptions): List<VirtualCard, ListVirtualCardsAnswer> {
    return this.client.list({ id: 'listVirtualCards', method: 'GET', path: '/v3/account/vcc', idempotency: 'read' }, { query: { ...query }, field: 'vccs' }, options)
  }

  /**
   * Update a virtual card.
   *
   * Renames a virtual card, or makes it the default. To remove the default, assign it to another one.
   *
   * Errors: `not_configured`, `not_the_holder`, `destination_not_found`.
   *
   * PUT /v3/account/vcc/{id}
   */
  update(id: string, body: UpdateVirtualCardRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updateVirtualCard', method: 'PUT', path: '/v3/account/vcc/{id}', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }

  /**
   * Delete a virtual card.
   *
   * Deletes an empty virtual card. You cannot delete it while a payment to it is in progress.
   *
   * Errors: `not_configured`, `destination_busy`, `card_not_empty`, `card_overdrawn`, `not_the_holder`, `destination_not_found`.
   *
   * DELETE /v3/account/vcc/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteVirtualCard', method: 'DELETE', path: '/v3/account/vcc/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * List the transactions of a virtual card.
   *
   * Lists what was paid to a virtual card and spent with it, newest first.
   *
   * Errors: `not_configured`, `invalid_cursor`, `not_the_holder`, `destination_not_found`.
   *
   * GET /v3/account/vcc/{id}/transaction
   */
  listTransactions(id: string, query?: ListVirtualCardTransactionsQuery, options?: CallOptions): List<VirtualCardTransaction, ListVirtualCardTransactionsAnswer> {
    return this.client.list({ id: 'listVirtualCardTransactions', method: 'GET', path: '/v3/account/vcc/{id}/transaction', idempotency: 'read' }, { params: { id }, query: { ...query }, field: 'transactions' }, options)
  }

  /**
   * Retrieve a transaction of a virtual card.
   *
   * Returns one transaction of a virtual card.
   *
   * Errors: `not_configured`, `not_the_holder`, `destination_not_found`, `card_transaction_not_found`.
   *
   * GET /v3/account/vcc/{id}/transaction/{transaction}
   */
  getTransaction(id: string, transaction: string, options?: CallOptions): ApiPromise<VirtualCardTransaction> {
    return this.client.call({ id: 'getVirtualCardTransaction', method: 'GET', path: '/v3/account/vcc/{id}/transaction/{transaction}', idempotency: 'read' }, { params: { id, transaction } }, options)
  }
}

/** Saved payees with their bank accounts and cards. */
export class PayeesResource extends Resource {
  /**
   * Save a payee.
   *
   * Saves a payee. Add its bank accounts and cards afterward.
   *
   * POST /v3/directory
   */
  create(body: CreatePayeeRequest, options?: CallOptions): ApiPromise<Payee> {
    return this.client.call({ id: 'createPayee', method: 'POST', path: '/v3/directory', idempotency: 'key' }, { body }, options)
  }

  /**
   * List your saved payees.
   *
   * Lists the user’s saved payees with their accounts, by name. `q` searches names and emails.
   *
   * GET /v3/directory
   */
  list(query?: ListPayeesQuery, options?: CallOptions): List<Payee, ListPayeesAnswer> {
    return this.client.list({ id: 'listPayees', method: 'GET', path: '/v3/directory', idempotency: 'read' }, { query: { ...query }, field: 'entries' }, options)
  }

  /**
   * Retrieve a saved payee.
   *
   * Returns a saved payee with its accounts and when they were added. `recently_changed` is true for seven days after the payee or one of its accounts was added, changed or removed: verify it before you pay.
   *
   * Errors: `directory_entry_not_found`.
   *
   * GET /v3/directory/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<GetPayeeAnswer> {
    return this.client.call({ id: 'getPayee', method: 'GET', path: '/v3/directory/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Update a saved payee.
   *
   * Changes the name, the email or the address of a saved payee. Omitted fields stay as they are, and null removes an email or an address.
   *
   * Errors: `directory_entry_not_found`.
   *
   * PUT /v3/directory/{id}
   */
  update(id: string, body: UpdatePayeeRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updatePayee', method: 'PUT', path: '/v3/directory/{id}', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }

  /**
   * Delete a saved payee.
   *
   * Deletes a saved payee with its accounts. Payments to it are not affected.
   *
   * Errors: `directory_entry_not_found`.
   *
   * DELETE /v3/directory/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deletePayee', method: 'DELETE', path: '/v3/directory/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * Add a bank account to a saved payee.
   *
   * Adds a bank account to a saved payee. A payee has at most 50 accounts.
   *
   * Errors: `directory_account_limit_reached`, `directory_entry_not_found`.
   *
   * POST /v3/directory/{id}/account/bank
   */
  addBank(id: string, body: AddPayeeBankRequest, options?: CallOptions): ApiPromise<PayeeAccount> {
    return this.client.call({ id: 'addPayeeBank', method: 'POST', path: '/v3/directory/{id}/account/bank', idempotency: 'key' }, { params: { id }, body }, options)
  }

  /**
   * Add a card to a saved payee.
   *
   * Adds a debit card to a saved payee. A payee has at most 50 accounts.
   *
   * Errors: `directory_account_limit_reached`, `directory_entry_not_found`.
   *
   * POST /v3/directory/{id}/account/card
   */
  addCard(id: string, body: AddPayeeCardRequest, options?: CallOptions): ApiPromise<PayeeAccount> {
    return this.client.call({ id: 'addPayeeCard', method: 'POST', path: '/v3/directory/{id}/account/card', idempotency: 'key' }, { params: { id }, body }, options)
  }

  /**
   * Remove an account of a saved payee.
   *
   * Removes a bank account or a card from a saved payee. Payments to it are not affected.
   *
   * Errors: `directory_entry_not_found`, `directory_account_not_found`.
   *
   * DELETE /v3/directory/{id}/account/{account}
   */
  removeAccount(id: string, account: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'removePayeeAccount', method: 'DELETE', path: '/v3/directory/{id}/account/{account}', idempotency: 'none' }, { params: { id, account } }, options)
  }
}

/** Requests for a payment, which their recipient pays. */
export class InvoicesResource extends Resource {
  /**
   * Send an invoice.
   *
   * Asks a user of your platform, or anyone with an email, for a payment. It is paid into `account`, which is a bank or wallet of yours, or into your default bank. A recipient outside gets a mail with a link, reminders while the invoice is unpaid, and pays from a bank account. `due_date` is the last day to pay, today or later in the time zone of the service. `terms` is a text for the payer. With `items`, `amount` must be their total.
   *
   * Errors: `invalid_recipient`, `own_recipient`, `invalid_attachment`, `recipient_not_active`, `bank_not_found`.
   *
   * POST /v3/invoice
   */
  send(body: SendInvoiceRequest, options?: CallOptions): ApiPromise<SentInvoice> {
    return this.client.call({ id: 'sendInvoice', method: 'POST', path: '/v3/invoice', idempotency: 'key' }, { body }, options)
  }

  /**
   * List invoices.
   *
   * Lists the invoices that the user sent and received, newest first. `q` searches names, recipients, descriptions and numbers.
   *
   * GET /v3/invoice
   */
  list(query?: ListInvoicesQuery, options?: CallOptions): List<Invoice, ListInvoicesAnswer> {
    return this.client.list({ id: 'listInvoices', method: 'GET', path: '/v3/invoice', idempotency: 'read' }, { query: { ...query }, field: 'invoices' }, options)
  }

  /**
   * Retrieve an invoice.
   *
   * Returns an invoice to its sender and its recipient.
   *
   * Errors: `invoice_not_found`.
   *
   * GET /v3/invoice/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<Invoice> {
    return this.client.call({ id: 'getInvoice', method: 'GET', path: '/v3/invoice/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Retrieve the terms and the timeline of an invoice.
   *
   * Returns the due date, the terms and the lines of an invoice, with the total of each line, and what happened to the invoice: sent, emailed, payment begun, paid, payment failed, voided. Its sender and its recipient can call it.
   *
   * Errors: `invoice_not_found`.
   *
   * GET /v3/invoice/{id}/details
   */
  getDetails(id: string, options?: CallOptions): ApiPromise<InvoiceDetails> {
    return this.client.call({ id: 'getInvoiceDetails', method: 'GET', path: '/v3/invoice/{id}/details', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Pay an invoice.
   *
   * Pays a received invoice from `account`, or from the default bank, which must be VERIFIED. The payment is deposited immediately: IN_PROCESS, or PAID from wallet to wallet. If it later fails, is voided or is refunded, the invoice is UNPAID again.
   *
   * Errors: `invoice_not_payable`, `invalid_deposit_option`, `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `user_not_verified`, `approval_required`, `invoice_not_found`, `bank_not_found`.
   *
   * POST /v3/invoice/payment
   */
  pay(body: InvoicePaymentRequest, options?: CallOptions): ApiPromise<PayInvoiceAnswer> {
    return this.client.call({ id: 'payInvoice', method: 'POST', path: '/v3/invoice/payment', idempotency: 'key' }, { body }, options)
  }

  /**
   * Void an invoice.
   *
   * Voids an UNPAID invoice. Only its sender can void it.
   *
   * Errors: `invoice_not_payable`, `not_the_sender`, `invoice_not_found`.
   *
   * DELETE /v3/invoice/{id}
   */
  void(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'voidInvoice', method: 'DELETE', path: '/v3/invoice/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * Email the recipient of an invoice again.
   *
   * Emails a new link to a recipient outside who has not paid yet. Earlier links still work. A sender can ask for three such emails in 24 hours for each invoice.
   *
   * Errors: `not_notifiable`, `notify_limit_reached`, `not_the_sender`, `invoice_not_found`.
   *
   * POST /v3/invoice/notify/{id}
   */
  notify(id: string, body?: EmptyRequest, options?: CallOptions): ApiPromise<void> {
    return this.client.call({ id: 'notifyInvoiceRecipient', method: 'POST', path: '/v3/invoice/notify/{id}', idempotency: 'key' }, { params: { id }, body: body ?? {} }, options)
  }

  /**
   * Download an invoice.
   *
   * Returns the file that the sender attached, as a PDF, or a PDF of the invoice.
   *
   * Errors: `invoice_not_found`.
   *
   * GET /v3/invoice/{id}/attachment
   */
  download(id: string, options?: CallOptions): ApiPromise<Blob> {
    return this.client.call({ id: 'downloadInvoice', method: 'GET', path: '/v3/invoice/{id}/attachment', idempotency: 'read', answersFile: true }, { params: { id } }, options)
  }
}

/** Payments and invoices that repeat each week or month. */
export class SubscriptionsResource extends Resource {
  /**
   * Repeat a payment.
   *
   * Sends a payment or mails a check each week or month, at 16:00 UTC, beginning on `start_date` (today if omitted). If it is created later on its first day, the first run is skipped and counts. In a month without the day of the start, the run is on its last day. Under dual control, each run prepares a payment for release.
   *
   * Errors: `own_recipient`, `invalid_recipient`, `paper_unavailable`, `unprintable_text`, `subscription_limit_reached`, `bank_not_found`.
   *
   * POST /v3/subscription/check
   */
  createPayment(body: CreatePaymentSubscriptionRequest, options?: CallOptions): ApiPromise<CreatedSubscription> {
    return this.client.call({ id: 'createPaymentSubscription', method: 'POST', path: '/v3/subscription/check', idempotency: 'key' }, { body }, options)
  }

  /**
   * Repeat an invoice.
   *
   * Invoices a user of your platform, the owner of another one, or anyone with an email each week or month, at 16:00 UTC, beginning on `start_date` (today if omitted). The subscription is OVERDUE while an invoice of it is unpaid although the next run came. A recipient with an account, on your platform or another one, can turn on `autopay`. `remittance_advice` is accepted and has no effect, because invoices have none.
   *
   * Errors: `invalid_recipient`, `own_recipient`, `subscription_limit_reached`, `recipient_not_active`, `bank_not_found`.
   *
   * POST /v3/subscription/invoice
   */
  createInvoice(body: CreateInvoiceSubscriptionRequest, options?: CallOptions): ApiPromise<CreatedSubscription> {
    return this.client.call({ id: 'createInvoiceSubscription', method: 'POST', path: '/v3/subscription/invoice', idempotency: 'key' }, { body }, options)
  }

  /**
   * List subscriptions.
   *
   * Lists the user’s subscriptions and those that invoice the user, newest first. `q` searches names, recipients and descriptions.
   *
   * GET /v3/subscription
   */
  list(query?: ListSubscriptionsQuery, options?: CallOptions): List<Subscription, ListSubscriptionsAnswer> {
    return this.client.list({ id: 'listSubscriptions', method: 'GET', path: '/v3/subscription', idempotency: 'read' }, { query: { ...query }, field: 'subscriptions' }, options)
  }

  /**
   * Retrieve a subscription.
   *
   * Returns one of the user’s subscriptions. Its status is UNPAID before the first run, then that of the latest run. A run that was refused is FAILED, and the next one continues.
   *
   * Errors: `subscription_not_found`.
   *
   * GET /v3/subscription/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<Subscription> {
    return this.client.call({ id: 'getSubscription', method: 'GET', path: '/v3/subscription/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Change a subscription.
   *
   * Replaces the runs that are skipped, counted from 1. Skipped runs count toward the duration. Runs that have happened cannot be changed. The recipient of invoices sets `autopay`, which allows them to be paid from its default bank without asking, or prepared if its payments need approval: the text, the time and the address of the authorization are kept, and a copy is mailed.
   *
   * Errors: `subscription_not_active`, `not_the_sender`, `not_the_recipient`, `subscription_not_found`.
   *
   * PUT /v3/subscription/{id}
   */
  update(id: string, body: UpdateSubscriptionRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updateSubscription', method: 'PUT', path: '/v3/subscription/{id}', idempotency: 'none' }, { params: { id }, body }, options)
  }

  /**
   * Cancel a subscription.
   *
   * Cancels a subscription. Payments that it made are not affected.
   *
   * Errors: `subscription_not_active`, `not_the_sender`, `subscription_not_found`.
   *
   * DELETE /v3/subscription/{id}
   */
  cancel(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'cancelSubscription', method: 'DELETE', path: '/v3/subscription/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * List the runs of a subscription.
   *
   * Returns the latest 100 runs of a subscription, newest first, with the payment or invoice of each run or the error that refused it, and the next 12 runs. The recipient of the invoices also gets the text that `autopay` agrees to.
   *
   * Errors: `subscription_not_found`.
   *
   * GET /v3/subscription/{id}/run
   */
  listRuns(id: string, options?: CallOptions): ApiPromise<ListSubscriptionRunsAnswer> {
    return this.client.call({ id: 'listSubscriptionRuns', method: 'GET', path: '/v3/subscription/{id}/run', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Skip a run of a subscription.
   *
   * Skips one of the next runs, or sends a skipped one after all. Unlike `skipped` of the subscription, it leaves the other runs as they are. A run that has happened cannot be changed.
   *
   * Errors: `subscription_not_active`, `not_the_sender`, `subscription_not_found`.
   *
   * PUT /v3/subscription/{id}/run
   */
  skipRun(id: string, body: SkipSubscriptionRunRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'skipSubscriptionRun', method: 'PUT', path: '/v3/subscription/{id}/run', idempotency: 'repeatable' }, { params: { id }, body }, options)
  }
}

/** Payments that are prepared, and released later by a second person. */
export class ApprovalsResource extends Resource {
  /**
   * Prepare a digital payment.
   *
   * Prepares a payment that somebody releases later. Nothing is reserved: funds, limits and the recipient are checked at the release.
   *
   * Errors: `invalid_deposit_option`, `invalid_attachment`, `paper_unavailable`, `approval_limit_reached`.
   *
   * POST /v3/approval/digital
   */
  prepareDigital(body: DigitalPaymentRequest, options?: CallOptions): ApiPromise<Approval> {
    return this.client.call({ id: 'prepareDigitalPayment', method: 'POST', path: '/v3/approval/digital', idempotency: 'key' }, { body }, options)
  }

  /**
   * Prepare a paper check.
   *
   * Prepares a mailed check that somebody releases later. Nothing is reserved: funds and limits are checked at the release.
   *
   * Errors: `invalid_attachment`, `paper_unavailable`, `unprintable_text`, `approval_limit_reached`.
   *
   * POST /v3/approval/physical
   */
  preparePhysical(body: PhysicalCheckRequest, options?: CallOptions): ApiPromise<Approval> {
    return this.client.call({ id: 'preparePhysicalCheck', method: 'POST', path: '/v3/approval/physical', idempotency: 'key' }, { body }, options)
  }

  /**
   * Prepare a payment to several recipients.
   *
   * Prepares a payment to two to five users of your platform that somebody releases later. Nothing is reserved: funds, limits and the recipients are checked at the release.
   *
   * Errors: `invalid_deposit_option`, `invalid_attachment`, `paper_unavailable`, `approval_limit_reached`.
   *
   * POST /v3/approval/multi
   */
  prepareMulti(body: MultiPaymentRequest, options?: CallOptions): ApiPromise<Approval> {
    return this.client.call({ id: 'prepareMultiPayment', method: 'POST', path: '/v3/approval/multi', idempotency: 'key' }, { body }, options)
  }

  /**
   * Prepare the payment of an invoice.
   *
   * Prepares the payment of a received invoice that somebody releases later. Nothing is reserved: funds, limits and the invoice are checked at the release, which fails if the invoice was paid or voided, or is paid into another account by then. An invoice that was sent to your email address from another platform can only be paid from your accounts here afterwards, and no longer with the link in its email.
   *
   * Errors: `invoice_not_payable`, `invalid_deposit_option`, `approval_limit_reached`, `invoice_not_found`.
   *
   * POST /v3/approval/invoice
   */
  prepareInvoice(body: InvoicePaymentRequest, options?: CallOptions): ApiPromise<Approval> {
    return this.client.call({ id: 'prepareInvoicePayment', method: 'POST', path: '/v3/approval/invoice', idempotency: 'key' }, { body }, options)
  }

  /**
   * List prepared payments.
   *
   * Lists the payments that were prepared for release, newest first. `q` searches names, recipients, descriptions and numbers.
   *
   * GET /v3/approval
   */
  list(query?: ListApprovalsQuery, options?: CallOptions): List<ListedApproval, ListApprovalsAnswer> {
    return this.client.list({ id: 'listApprovals', method: 'GET', path: '/v3/approval', idempotency: 'read' }, { query: { ...query }, field: 'checks' }, options)
  }

  /**
   * Retrieve a prepared payment.
   *
   * Returns one of the user’s prepared payments. The ETag header has its version, which changes with each edit and with the accounts of its payee.
   *
   * Errors: `approval_not_found`.
   *
   * GET /v3/approval/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<Approval> {
    return this.client.call({ id: 'getApproval', method: 'GET', path: '/v3/approval/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Edit a prepared payment.
   *
   * Changes a prepared payment before its release. Omitted fields stay as they are. The edit removes all approvals, and the editor can neither approve nor release the payment. The name and the recipients of a payment to several cannot be changed.
   *
   * Errors: `approval_not_open`, `invalid_deposit_option`, `paper_unavailable`, `unprintable_text`, `approval_not_found`, `approval_changed`.
   *
   * PUT /v3/approval/{id}
   */
  update(id: string, body: UpdateApprovalRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'updateApproval', method: 'PUT', path: '/v3/approval/{id}', idempotency: 'none' }, { params: { id }, body }, options)
  }

  /**
   * Approve a prepared payment.
   *
   * Records your approval of a payment that needs two people. Another person releases it. Nobody who prepared or edited the payment can approve it, and an edit takes all approvals back, as does a change of the payee’s accounts.
   *
   * Errors: `approval_not_open`, `second_person_needed`, `approval_not_found`, `approval_changed`, `idempotency_key_in_use`.
   *
   * POST /v3/approval/{id}/approve
   */
  approve(id: string, body?: SeenVersion, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'approveApproval', method: 'POST', path: '/v3/approval/{id}/approve', idempotency: 'key' }, { params: { id }, body: body ?? {} }, options)
  }

  /**
   * Reject a prepared payment.
   *
   * Ends a prepared payment for good. The person who prepared it gets the reason by mail.
   *
   * Errors: `approval_not_open`, `approval_not_found`.
   *
   * POST /v3/approval/{id}/reject
   */
  reject(id: string, body: RejectionRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'rejectApproval', method: 'POST', path: '/v3/approval/{id}/reject', idempotency: 'key' }, { params: { id }, body }, options)
  }

  /**
   * Release a prepared payment.
   *
   * Makes the payment, with all checks of a payment, and returns it. If the approval policy or dual control asks for approvals, the release counts as one, and nobody who prepared or edited the payment can give it. An API key counts as the person who created it.
   *
   * Errors: `approval_not_open`, `approval_payee_changed`, `invoice_not_payable`, `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `invalid_recipient`, `own_recipient`, `invalid_deposit_option`, `paper_unavailable`, `unprintable_text`, `second_person_needed`, `user_not_verified`, `approval_required`, `recipient_not_active`, `approval_not_found`, `bank_not_found`, `recipient_not_found`, `approval_changed`, `idempotency_key_in_use`.
   *
   * POST /v3/approval/release
   */
  release(body: ReleaseApprovalRequest, options?: CallOptions): ApiPromise<Payment> {
    return this.client.call({ id: 'releaseApproval', method: 'POST', path: '/v3/approval/release', idempotency: 'key' }, { body }, options)
  }

  /**
   * Void a prepared payment.
   *
   * Voids a prepared payment before its release.
   *
   * Errors: `approval_not_open`, `approval_not_found`.
   *
   * DELETE /v3/approval/{id}
   */
  void(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'voidApproval', method: 'DELETE', path: '/v3/approval/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * Download the attachment of a prepared payment.
   *
   * Returns the attached file as a PDF.
   *
   * Errors: `approval_not_found`, `attachment_not_found`.
   *
   * GET /v3/approval/{id}/attachment
   */
  downloadAttachment(id: string, options?: CallOptions): ApiPromise<Blob> {
    return this.client.call({ id: 'downloadApprovalAttachment', method: 'GET', path: '/v3/approval/{id}/attachment', idempotency: 'read', answersFile: true }, { params: { id } }, options)
  }
}

/** The rules that say which payments need an approval. */
export class ApprovalPolicyResource extends Resource {
  /**
   * Retrieve the approval policy.
   *
   * Returns which payments of the owner need approvals. Of several rules that match, the one with the most approvals wins. Payments that no person sends (with an API key, by an application or a subscription) need one approval unless a rule with 0 approvals matches.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/approval/policy
   */
  get(options?: CallOptions): ApiPromise<ApprovalPolicy> {
    return this.client.call({ id: 'getApprovalPolicy', method: 'GET', path: '/v3/approval/policy', idempotency: 'read' }, {  }, options)
  }

  /**
   * Change the approval policy.
   *
   * Replaces the rules, at most 20. Under dual control the change waits as `proposal` for up to 30 days until a second person confirms it. No rule can need more people than the platform has.
   *
   * Errors: `owner_only`.
   *
   * PUT /v3/approval/policy
   */
  update(body: UpdateApprovalPolicyRequest, options?: CallOptions): ApiPromise<ApprovalPolicy> {
    return this.client.call({ id: 'updateApprovalPolicy', method: 'PUT', path: '/v3/approval/policy', idempotency: 'none' }, { body }, options)
  }

  /**
   * Confirm a change of the approval policy.
   *
   * Applies the change that another person proposed under dual control.
   *
   * Errors: `second_person_needed`, `owner_only`, `policy_change_not_found`.
   *
   * POST /v3/approval/policy/confirm
   */
  confirmChange(body: ConfirmApprovalPolicyChangeRequest, options?: CallOptions): ApiPromise<ApprovalPolicy> {
    return this.client.call({ id: 'confirmApprovalPolicyChange', method: 'POST', path: '/v3/approval/policy/confirm', idempotency: 'key' }, { body }, options)
  }

  /**
   * Withdraw or reject a change of the approval policy.
   *
   * Ends a change that waits for a second person. The policy stays as it is.
   *
   * Errors: `owner_only`, `policy_change_not_found`.
   *
   * DELETE /v3/approval/policy/proposal/{id}
   */
  withdrawChange(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'withdrawApprovalPolicyChange', method: 'DELETE', path: '/v3/approval/policy/proposal/{id}', idempotency: 'none' }, { params: { id } }, options)
  }
}

/** The payments of a file, which are released together. */
export class BatchesResource extends Resource {
  /**
   * Preview a batch.
   *
   * Checks the rows of a file and creates nothing. Returns the problems of each row, and a likely duplicate: an earlier row, an open approval or batch, or a payment of the last 6 days that pays the same amount to the same payee. Limits and funds are checked at the release. `batch`: the open batch that the file would replace.
   *
   * Errors: `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `invalid_rows`, `paper_unavailable`, `user_not_verified`, `approval_required`, `bank_not_found`.
   *
   * POST /v3/batch/preview
   */
  preview(body: PreviewBatchRequest, options?: CallOptions): ApiPromise<PreviewBatchAnswer> {
    return this.client.call({ id: 'previewBatch', method: 'POST', path: '/v3/batch/preview', idempotency: 'none' }, { body }, options)
  }

  /**
   * Download a template for a batch.
   *
   * Returns a CSV file with the columns of a batch and an example for each way to pay.
   *
   * GET /v3/batch/template
   */
  downloadTemplate(options?: CallOptions): ApiPromise<Blob> {
    return this.client.call({ id: 'downloadBatchTemplate', method: 'GET', path: '/v3/batch/template', idempotency: 'read', answersFile: true }, {  }, options)
  }

  /**
   * Create a batch.
   *
   * Saves up to 1,500 payments that somebody releases together later. `file` has the rows as `POST /v3/check/csv` takes them. If any row has a problem, nothing is saved, and `errors` names every bad row. Nothing is reserved: limits and funds are checked at the release.
   *
   * Errors: `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `invalid_rows`, `paper_unavailable`, `batch_limit_reached`, `approval_limit_reached`, `user_not_verified`, `approval_required`, `bank_not_found`.
   *
   * POST /v3/batch
   */
  create(body: BatchRequest, options?: CallOptions): ApiPromise<Batch> {
    return this.client.call({ id: 'createBatch', method: 'POST', path: '/v3/batch', idempotency: 'key' }, { body }, options)
  }

  /**
   * List batches.
   *
   * Lists the user’s batches, newest first.
   *
   * GET /v3/batch
   */
  list(query?: ListBatchesQuery, options?: CallOptions): List<BatchSummary, ListBatchesAnswer> {
    return this.client.list({ id: 'listBatches', method: 'GET', path: '/v3/batch', idempotency: 'read' }, { query: { ...query }, field: 'batches' }, options)
  }

  /**
   * Retrieve a batch.
   *
   * Returns one of the user’s batches with the approvals that it needs and the totals of its payments.
   *
   * Errors: `batch_not_found`.
   *
   * GET /v3/batch/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<Batch> {
    return this.client.call({ id: 'getBatch', method: 'GET', path: '/v3/batch/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Replace a batch.
   *
   * Replaces all rows of an open batch. This removes all approvals, and the person who replaces them can neither approve nor release the batch.
   *
   * Errors: `approval_not_open`, `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `invalid_rows`, `paper_unavailable`, `user_not_verified`, `approval_required`, `batch_not_found`, `bank_not_found`.
   *
   * PUT /v3/batch/{id}
   */
  replace(id: string, body: BatchRequest, options?: CallOptions): ApiPromise<Batch> {
    return this.client.call({ id: 'replaceBatch', method: 'PUT', path: '/v3/batch/{id}', idempotency: 'none' }, { params: { id }, body }, options)
  }

  /**
   * Delete a batch.
   *
   * Voids an open batch. None of its payments is sent.
   *
   * Errors: `approval_not_open`, `batch_not_found`.
   *
   * DELETE /v3/batch/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteBatch', method: 'DELETE', path: '/v3/batch/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * List the rows of a batch.
   *
   * Returns all rows of a batch, in the order of its file, with their payments after the release.
   *
   * Errors: `batch_not_found`.
   *
   * GET /v3/batch/{id}/row
   */
  listRows(id: string, options?: CallOptions): ApiPromise<ListBatchRowsAnswer> {
    return this.client.call({ id: 'listBatchRows', method: 'GET', path: '/v3/batch/{id}/row', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Approve a batch.
   *
   * Records your approval of a batch that needs two people. Another person releases it. Nobody who prepared or replaced the batch can approve it.
   *
   * Errors: `approval_not_open`, `batch_changed`, `second_person_needed`, `batch_not_found`.
   *
   * POST /v3/batch/{id}/approve
   */
  approve(id: string, body?: SeenVersion, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'approveBatch', method: 'POST', path: '/v3/batch/{id}/approve', idempotency: 'key' }, { params: { id }, body: body ?? {} }, options)
  }

  /**
   * Reject a batch.
   *
   * Ends a batch for good. The person who prepared it gets the reason by mail.
   *
   * Errors: `approval_not_open`, `batch_not_found`.
   *
   * POST /v3/batch/{id}/reject
   */
  reject(id: string, body: RejectionRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'rejectBatch', method: 'POST', path: '/v3/batch/{id}/reject', idempotency: 'key' }, { params: { id }, body }, options)
  }

  /**
   * Release a batch.
   *
   * Sends all payments of a batch, with all checks of a payment, or none of them. The approval policy applies to each payment and to their total: if it asks for approvals, the release counts as one, and nobody who prepared or replaced the batch can give it. An API key counts as the person who created it.
   *
   * Errors: `approval_not_open`, `batch_changed`, `approval_payee_changed`, `bank_not_verified`, `no_verified_bank`, `bank_blocked`, `insufficient_funds`, `debt_open`, `signature_needed`, `payment_limit_reached`, `check_number_reserved`, `day_limit_reached`, `month_limit_reached`, `invalid_attachment`, `invalid_rows`, `paper_unavailable`, `second_person_needed`, `user_not_verified`, `approval_required`, `batch_not_found`, `bank_not_found`.
   *
   * POST /v3/batch/{id}/release
   */
  release(id: string, body?: SeenVersion, options?: CallOptions): ApiPromise<Batch> {
    return this.client.call({ id: 'releaseBatch', method: 'POST', path: '/v3/batch/{id}/release', idempotency: 'key' }, { params: { id }, body: body ?? {} }, options)
  }
}

/** Books of blank checks, printed and mailed. */
export class CheckbooksResource extends Resource {
  /**
   * Order a checkbook.
   *
   * Orders a book of 30 blank checks with consecutive numbers from `number` on, drawn on a VERIFIED bank. Your payments skip these numbers and cannot use them, and no other checkbook of the account can contain them. The order goes to the printer after an hour.
   *
   * Errors: `bank_not_verified`, `bank_blocked`, `check_numbers_taken`, `paper_unavailable`, `bank_not_found`.
   *
   * POST /v3/checkbook
   */
  order(body: OrderCheckbookRequest, options?: CallOptions): ApiPromise<Checkbook> {
    return this.client.call({ id: 'orderCheckbook', method: 'POST', path: '/v3/checkbook', idempotency: 'key' }, { body }, options)
  }

  /**
   * List your checkbooks.
   *
   * Lists the user’s checkbooks, newest first. `q` searches the names of the recipients.
   *
   * GET /v3/checkbook
   */
  list(query?: ListCheckbooksQuery, options?: CallOptions): List<Checkbook, ListCheckbooksAnswer> {
    return this.client.list({ id: 'listCheckbooks', method: 'GET', path: '/v3/checkbook', idempotency: 'read' }, { query: { ...query }, field: 'checkbooks' }, options)
  }

  /**
   * Retrieve a checkbook.
   *
   * Returns one of the user’s checkbooks.
   *
   * Errors: `checkbook_not_found`.
   *
   * GET /v3/checkbook/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<Checkbook> {
    return this.client.call({ id: 'getCheckbook', method: 'GET', path: '/v3/checkbook/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Cancel a checkbook.
   *
   * Cancels a checkbook while it is PENDING. Its numbers can be used again.
   *
   * Errors: `checkbook_not_cancelable`, `checkbook_not_found`.
   *
   * DELETE /v3/checkbook/{id}
   */
  cancel(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'cancelCheckbook', method: 'DELETE', path: '/v3/checkbook/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * Track a checkbook.
   *
   * Returns the tracking steps of a checkbook. It is empty until the order goes to the printer.
   *
   * Errors: `checkbook_not_found`.
   *
   * GET /v3/checkbook/{id}/tracking
   */
  track(id: string, options?: CallOptions): ApiPromise<Tracking> {
    return this.client.call({ id: 'trackCheckbook', method: 'GET', path: '/v3/checkbook/{id}/tracking', idempotency: 'read' }, { params: { id } }, options)
  }
}

/** Postal addresses whose mail arrives as scans. */
export class MailboxesResource extends Resource {
  /**
   * Open a mailbox.
   *
   * Opens a mailbox with a postal address of its own. Its mail arrives as scans. A user can have 10.
   *
   * Errors: `not_configured`, `mailbox_limit_reached`.
   *
   * POST /v3/mailbox
   */
  create(body?: EmptyRequest, options?: CallOptions): ApiPromise<Mailbox> {
    return this.client.call({ id: 'createMailbox', method: 'POST', path: '/v3/mailbox', idempotency: 'key' }, { body: body ?? {} }, options)
  }

  /**
   * List your mailboxes.
   *
   * Lists the user’s mailboxes, newest first. `q` searches the numbers in their addresses.
   *
   * GET /v3/mailbox
   */
  list(query?: ListMailboxesQuery, options?: CallOptions): List<Mailbox, ListMailboxesAnswer> {
    return this.client.list({ id: 'listMailboxes', method: 'GET', path: '/v3/mailbox', idempotency: 'read' }, { query: { ...query }, field: 'mailboxes' }, options)
  }

  /**
   * Retrieve a mailbox.
   *
   * Returns one of the user’s mailboxes.
   *
   * Errors: `mailbox_not_found`.
   *
   * GET /v3/mailbox/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<Mailbox> {
    return this.client.call({ id: 'getMailbox', method: 'GET', path: '/v3/mailbox/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * List the mail of a mailbox.
   *
   * Lists the mail of a mailbox, newest first. `q` searches the senders.
   *
   * Errors: `mailbox_not_found`.
   *
   * GET /v3/mailbox/{id}/mail
   */
  listMail(id: string, query?: ListMailQuery, options?: CallOptions): List<Mail, ListMailAnswer> {
    return this.client.list({ id: 'listMail', method: 'GET', path: '/v3/mailbox/{id}/mail', idempotency: 'read' }, { params: { id }, query: { ...query }, field: 'mail' }, options)
  }

  /**
   * Retrieve a piece of mail.
   *
   * Returns one piece of mail. Each of its `checks` is a payment to the user, which `POST /v3/check/deposit/{id}` deposits.
   *
   * Errors: `mailbox_not_found`, `mail_not_found`.
   *
   * GET /v3/mailbox/{id}/mail/{item}
   */
  getMail(id: string, item: string, options?: CallOptions): ApiPromise<Mail> {
    return this.client.call({ id: 'getMail', method: 'GET', path: '/v3/mailbox/{id}/mail/{item}', idempotency: 'read' }, { params: { id, item } }, options)
  }

  /**
   * Download the scan of a piece of mail.
   *
   * Returns the scan as a PDF.
   *
   * Errors: `mailbox_not_found`, `mail_not_found`.
   *
   * GET /v3/mailbox/{id}/mail/{item}/attachment
   */
  downloadMail(id: string, item: string, options?: CallOptions): ApiPromise<Blob> {
    return this.client.call({ id: 'downloadMailAttachment', method: 'GET', path: '/v3/mailbox/{id}/mail/{item}/attachment', idempotency: 'read', answersFile: true }, { params: { id, item } }, options)
  }
}

/** URLs that receive the events of the platform, and the key that signs them. */
export class WebhookEndpointsResource extends Resource {
  /**
   * Create an endpoint.
   *
   * Adds a URL that receives the events of your platform as POST requests, signed with the owner’s webhook key. A platform has at most 50 endpoints.
   *
   * Errors: `endpoint_exists`, `endpoint_limit_reached`, `owner_only`.
   *
   * POST /v3/webhook/endpoint
   */
  create(body: CreateWebhookEndpointRequest, options?: CallOptions): ApiPromise<WebhookEndpoint> {
    return this.client.call({ id: 'createWebhookEndpoint', method: 'POST', path: '/v3/webhook/endpoint', idempotency: 'key' }, { body }, options)
  }

  /**
   * List endpoints.
   *
   * Lists the endpoints of your platform. URLs that users set as `developer.webhook_uri` are not included.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/webhook/endpoint
   */
  list(query?: ListWebhookEndpointsQuery, options?: CallOptions): List<WebhookEndpoint, ListWebhookEndpointsAnswer> {
    return this.client.list({ id: 'listWebhookEndpoints', method: 'GET', path: '/v3/webhook/endpoint', idempotency: 'read' }, { query: { ...query }, field: 'endpoints' }, options)
  }

  /**
   * Retrieve an endpoint.
   *
   * Returns an endpoint, whether it is enabled, and since when its deliveries have failed.
   *
   * Errors: `owner_only`, `endpoint_not_found`.
   *
   * GET /v3/webhook/endpoint/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<WebhookEndpoint> {
    return this.client.call({ id: 'getWebhookEndpoint', method: 'GET', path: '/v3/webhook/endpoint/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Update an endpoint.
   *
   * Updates, enables or disables an endpoint. When you enable it again, the answer says how many deliveries it missed and since when. `POST /v3/webhook/replay` resends them.
   *
   * Errors: `endpoint_exists`, `owner_only`, `endpoint_not_found`.
   *
   * PUT /v3/webhook/endpoint/{id}
   */
  update(id: string, body: UpdateWebhookEndpointRequest, options?: CallOptions): ApiPromise<ChangedWebhookEndpoint> {
    return this.client.call({ id: 'updateWebhookEndpoint', method: 'PUT', path: '/v3/webhook/endpoint/{id}', idempotency: 'none' }, { params: { id }, body }, options)
  }

  /**
   * Remove an endpoint.
   *
   * Removes an endpoint. Its pending deliveries become FAILED.
   *
   * Errors: `owner_only`, `endpoint_not_found`.
   *
   * DELETE /v3/webhook/endpoint/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteWebhookEndpoint', method: 'DELETE', path: '/v3/webhook/endpoint/{id}', idempotency: 'none' }, { params: { id } }, options)
  }

  /**
   * Send a test event.
   *
   * Sends one signed event of type TEST to the endpoint, without retries, and returns the response. This also works for a disabled endpoint.
   *
   * Errors: `owner_only`, `endpoint_not_found`.
   *
   * POST /v3/webhook/endpoint/{id}/test
   */
  test(id: string, body?: EmptyRequest, options?: CallOptions): ApiPromise<TestWebhookEndpointAnswer> {
    return this.client.call({ id: 'testWebhookEndpoint', method: 'POST', path: '/v3/webhook/endpoint/{id}/test', idempotency: 'none' }, { params: { id }, body: body ?? {} }, options)
  }

  /**
   * Rotate the webhook key.
   *
   * Replaces the key that signs the user’s webhooks. For 24 hours the previous key still signs the header `signature`, and `webhook-signature` contains one signature for each key.
   *
   * POST /v3/webhook/key
   */
  rotateKey(body?: EmptyRequest, options?: CallOptions): ApiPromise<RotateWebhookKeyAnswer> {
    return this.client.call({ id: 'rotateWebhookKey', method: 'POST', path: '/v3/webhook/key', idempotency: 'key' }, { body: body ?? {} }, options)
  }

  /**
   * List the source addresses.
   *
   * Lists the fixed IP addresses that webhooks come from, for your firewall. The list is empty if the operator has set none.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/webhook/source
   */
  listSources(options?: CallOptions): ApiPromise<ListWebhookSourcesAnswer> {
    return this.client.call({ id: 'listWebhookSources', method: 'GET', path: '/v3/webhook/source', idempotency: 'read' }, {  }, options)
  }
}

/** The events of the last 30 days. */
export class WebhookEventsResource extends Resource {
  /**
   * List events.
   *
   * Lists the events of the last 30 days, newest first. Events are kept even if no endpoint receives them.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/webhook/event
   */
  list(query?: ListWebhookEventsQuery, options?: CallOptions): List<WebhookEvent, ListWebhookEventsAnswer> {
    return this.client.list({ id: 'listWebhookEvents', method: 'GET', path: '/v3/webhook/event', idempotency: 'read' }, { query: { ...query }, field: 'events' }, options)
  }

  /**
   * Retrieve an event.
   *
   * Returns an event with the exact bytes of its body and its delivery to each endpoint.
   *
   * Errors: `owner_only`, `event_not_found`.
   *
   * GET /v3/webhook/event/{id}
   */
  get(id: string, options?: CallOptions): ApiPromise<GetWebhookEventAnswer> {
    return this.client.call({ id: 'getWebhookEvent', method: 'GET', path: '/v3/webhook/event/{id}', idempotency: 'read' }, { params: { id } }, options)
  }
}

/** The deliveries of events to endpoints, with their attempts. */
export class WebhookDeliveriesResource extends Resource {
  /**
   * List deliveries.
   *
   * Lists the deliveries of the last 30 days, ordered by event, newest first. A delivery is one event for one endpoint.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/webhook/delivery
   */
  list(query?: ListWebhookDeliveriesQuery, options?: CallOptions): List<WebhookDelivery, ListWebhookDeliveriesAnswer> {
    return this.client.list({ id: 'listWebhookDeliveries', method: 'GET', path: '/v3/webhook/delivery', idempotency: 'read' }, { query: { ...query }, field: 'deliveries' }, options)
  }

  /**
   * Retrieve a delivery.
   *
   * Returns a delivery with its last 100 attempts, including each request, response and duration.
   *
   * Errors: `owner_only`, `delivery_not_found`.
   *
   * GET /v3/webhook/delivery/{event}/{endpoint}
   */
  get(event: string, endpoint: string, options?: CallOptions): ApiPromise<GetWebhookDeliveryAnswer> {
    return this.client.call({ id: 'getWebhookDelivery', method: 'GET', path: '/v3/webhook/delivery/{event}/{endpoint}', idempotency: 'read' }, { params: { event, endpoint } }, options)
  }

  /**
   * Replay a delivery.
   *
   * Sends an event to an endpoint again, now. If that fails, the retry schedule starts over. If the delivery is waiting for its next attempt, that attempt is made now.
   *
   * Errors: `delivery_pending`, `endpoint_disabled`, `endpoint_removed`, `owner_only`, `delivery_not_found`.
   *
   * POST /v3/webhook/delivery/{event}/{endpoint}/replay
   */
  replay(event: string, endpoint: string, body?: EmptyRequest, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'replayWebhookDelivery', method: 'POST', path: '/v3/webhook/delivery/{event}/{endpoint}/replay', idempotency: 'key' }, { params: { event, endpoint }, body: body ?? {} }, options)
  }

  /**
   * Replay failed deliveries.
   *
   * Resends every failed delivery of events since a given time, to one endpoint or to all enabled endpoints.
   *
   * Errors: `endpoint_disabled`, `owner_only`, `endpoint_not_found`.
   *
   * POST /v3/webhook/replay
   */
  replayFailed(body: ReplayFailedWebhooksRequest, options?: CallOptions): ApiPromise<ReplayFailedWebhooksAnswer> {
    return this.client.call({ id: 'replayFailedWebhooks', method: 'POST', path: '/v3/webhook/replay', idempotency: 'none' }, { body }, options)
  }
}

/** Endpoints without a URL, whose events are polled. */
export class WebhookListenersResource extends Resource {
  /**
   * Create a listener.
   *
   * Creates an endpoint that fetches its events instead of receiving them at a URL. `remit listen` uses it. It gets events from now on, and is removed if it does not poll for an hour.
   *
   * Errors: `listener_limit_reached`, `owner_only`.
   *
   * POST /v3/webhook/listener
   */
  create(body?: CreateWebhookListenerRequest, options?: CallOptions): ApiPromise<Reference> {
    return this.client.call({ id: 'createWebhookListener', method: 'POST', path: '/v3/webhook/listener', idempotency: 'key' }, { body: body ?? {} }, options)
  }

  /**
   * Poll a listener.
   *
   * Reports the results of completed deliveries, and waits up to `wait_seconds` for the next ones.
   *
   * Errors: `owner_only`, `listener_not_found`.
   *
   * POST /v3/webhook/listener/{id}
   */
  poll(id: string, body: PollWebhookListenerRequest, options?: CallOptions): ApiPromise<PollWebhookListenerAnswer> {
    return this.client.call({ id: 'pollWebhookListener', method: 'POST', path: '/v3/webhook/listener/{id}', idempotency: 'none' }, { params: { id }, body }, options)
  }

  /**
   * Remove a listener.
   *
   * Removes a listener. Its pending deliveries become FAILED.
   *
   * Errors: `owner_only`, `listener_not_found`.
   *
   * DELETE /v3/webhook/listener/{id}
   */
  delete(id: string, options?: CallOptions): ApiPromise<Empty> {
    return this.client.call({ id: 'deleteWebhookListener', method: 'DELETE', path: '/v3/webhook/listener/{id}', idempotency: 'none' }, { params: { id } }, options)
  }
}

/** The state of the platform: balances, statistics, and what needs attention. */
export class OverviewResource extends Resource {
  /**
   * Find payments and users.
   *
   * Finds at most eight payments that your platform sent, and at most eight of its users. Payments match by amount, or by the beginning of a word of the payee’s name, an email address, a number or an ID (8 digits or more). Users match by name and user_id. `is_complete` is false while payments are still being read. Search again then.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/search
   */
  search(query: SearchQuery, options?: CallOptions): ApiPromise<SearchAnswer> {
    return this.client.call({ id: 'search', method: 'GET', path: '/v3/search', idempotency: 'read' }, { query: { ...query } }, options)
  }

  /**
   * List items that need attention.
   *
   * Counts the items that you may have to act on: payments that failed in the last 30 days, undeposited payments that expire within 7 days, banks that wait for their micro-deposits to be verified, users in debt, and webhook endpoints that fail or were disabled. Kinds with a count of zero are omitted.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/attention
   */
  listAttentionItems(options?: CallOptions): ApiPromise<ListAttentionItemsAnswer> {
    return this.client.call({ id: 'listAttentionItems', method: 'GET', path: '/v3/attention', idempotency: 'read' }, {  }, options)
  }

  /**
   * Retrieve the balance.
   *
   * Returns the total of the wallets and debts of your platform. With `user`, or with a user’s own API key, it covers only this user.
   *
   * Errors: `user_not_found`.
   *
   * GET /v3/balance
   */
  getBalance(query?: GetBalanceQuery, options?: CallOptions): ApiPromise<GetBalanceAnswer> {
    return this.client.call({ id: 'getBalance', method: 'GET', path: '/v3/balance', idempotency: 'read' }, { query: { ...query } }, options)
  }

  /**
   * Retrieve statistics.
   *
   * Counts the payments that your platform sent, by the day of their creation, for the last 30 days by default. `success_rate`: the part that is PAID, of those that are PAID, FAILED, REFUNDED or EXPIRED. `return_rate`: the part of their settled debits that was returned. A user’s own API key gets the statistics of this user.
   *
   * Errors: `user_not_found`.
   *
   * GET /v3/stats
   */
  getStatistics(query: GetStatisticsQuery, options?: CallOptions): ApiPromise<Statistics> {
    return this.client.call({ id: 'getStatistics', method: 'GET', path: '/v3/stats', idempotency: 'read' }, { query: { ...query } }, options)
  }

  /**
   * Summarize payments.
   *
   * Adds up the payments that your platform created in the last 30 days: what was sent, what waits and what failed, in total and for each day, and what was sent on each rail. All figures are of one moment, `as_of`. VOID payments are not counted. With `user`, and with a user’s own API key, those of this user.
   *
   * Errors: `user_not_found`.
   *
   * GET /v3/stats/summary
   */
  getPaymentSummary(query?: GetPaymentSummaryQuery, options?: CallOptions): ApiPromise<PaymentSummary> {
    return this.client.call({ id: 'getPaymentSummary', method: 'GET', path: '/v3/stats/summary', idempotency: 'read' }, { query: { ...query } }, options)
  }

  /**
   * List the audit trail.
   *
   * Lists the actions on your platform, newest first: sign-ins, and changes to keys, secrets, grants and settings.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/audit
   */
  listAuditEntries(query?: ListAuditEntriesQuery, options?: CallOptions): List<AuditEntry, ListAuditEntriesAnswer> {
    return this.client.list({ id: 'listAuditEntries', method: 'GET', path: '/v3/audit', idempotency: 'read' }, { query: { ...query }, field: 'audit' }, options)
  }

  /**
   * List requests.
   *
   * Lists the requests of your platform in the last seven days, newest first, by the programs of all its users, and the changes made in the dashboard. A request appears within five seconds of its response. Queries are not kept, and bodies are kept only if your platform turned this on (`PUT /v3/request/settings`). Requests that failed authentication belong to no platform. Under heavy load some requests may be missing. One page searches at most 20,000 requests; if it stops there, it says so in `searched_to` and has a next page.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/request
   */
  listRequests(query?: ListRequestsQuery, options?: CallOptions): List<LoggedRequest, ListRequestsAnswer> {
    return this.client.list({ id: 'listRequests', method: 'GET', path: '/v3/request', idempotency: 'read' }, { query: { ...query }, field: 'requests' }, options)
  }

  /**
   * Retrieve a request.
   *
   * Returns a request of the last seven days with its body, if your platform keeps bodies.
   *
   * Errors: `owner_only`, `request_not_found`.
   *
   * GET /v3/request/{id}
   */
  getRequest(id: string, options?: CallOptions): ApiPromise<RequestDetails> {
    return this.client.call({ id: 'getRequest', method: 'GET', path: '/v3/request/{id}', idempotency: 'read' }, { params: { id } }, options)
  }

  /**
   * Retrieve the settings of the request log.
   *
   * Returns whether the request bodies of your platform are kept.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/request/settings
   */
  getRequestSettings(options?: CallOptions): ApiPromise<RequestSettings> {
    return this.client.call({ id: 'getRequestSettings', method: 'GET', path: '/v3/request/settings', idempotency: 'read' }, {  }, options)
  }

  /**
   * Update the settings of the request log.
   *
   * Sets whether request bodies are kept, for all programs and users of your platform. Values that may be secrets or account numbers are replaced by `****`, and the bodies are encrypted. Turning it off deletes the bodies that were kept.
   *
   * Errors: `owner_only`.
   *
   * PUT /v3/request/settings
   */
  updateRequestSettings(body: RequestSettings, options?: CallOptions): ApiPromise<RequestSettings> {
    return this.client.call({ id: 'updateRequestSettings', method: 'PUT', path: '/v3/request/settings', idempotency: 'repeatable' }, { body }, options)
  }
}

/** Outcomes on request, in sandbox and demo only. */
export class SandboxResource extends Resource {
  /**
   * Trigger a payment status.
   *
   * Moves a payment to a status immediately, with all its transfers and webhooks. FAILED takes the return code from `options`. The default is R01.
   *
   * Errors: `status_not_reachable`, `not_the_sender`, `payment_not_found`.
   *
   * PUT /v3/check/webhook/{id}
   */
  setPaymentStatus(id: string, body: TriggerPaymentStatusRequest, options?: CallOptions): ApiPromise<void> {
    return this.client.call({ id: 'triggerPaymentStatus', method: 'PUT', path: '/v3/check/webhook/{id}', idempotency: 'none' }, { params: { id }, body }, options)
  }

  /**
   * Trigger a user status.
   *
   * Moves the user to any status, so that you can test your integration.
   *
   * Errors: `status_not_reachable`, `user_not_found`.
   *
   * PUT /v3/user/webhook
   */
  setUserStatus(body: TriggerUserStatusRequest, options?: CallOptions): ApiPromise<void> {
    return this.client.call({ id: 'triggerUserStatus', method: 'PUT', path: '/v3/user/webhook', idempotency: 'none' }, { body }, options)
  }

  /**
   * Settle a debt.
   *
   * Records that the user paid its debt: all of it, or `amount`. A debt arises when a debit is returned after the money was paid out. The user cannot send payments until it is settled.
   *
   * Errors: `no_debt`.
   *
   * POST /v3/sandbox/receivable/settle
   */
  settleDebt(body?: SettleDebtRequest, options?: CallOptions): ApiPromise<SettleDebtAnswer> {
    return this.client.call({ id: 'settleDebt', method: 'POST', path: '/v3/sandbox/receivable/settle', idempotency: 'key' }, { body: body ?? {} }, options)
  }

  /**
   * Fund a wallet.
   *
   * Adds test money to a wallet, so that you can try payments from it.
   *
   * Errors: `not_the_holder`, `wallet_not_found`.
   *
   * POST /v3/sandbox/wallet/{id}/fund
   */
  fundWallet(id: string, body: FundWalletRequest, options?: CallOptions): ApiPromise<Wallet> {
    return this.client.call({ id: 'fundWallet', method: 'POST', path: '/v3/sandbox/wallet/{id}/fund', idempotency: 'key' }, { params: { id }, body }, options)
  }

  /**
   * Spend money of a virtual card.
   *
   * Simulates a purchase with a virtual card.
   *
   * Errors: `not_configured`, `insufficient_funds`, `not_the_holder`, `destination_not_found`.
   *
   * POST /v3/sandbox/vcc/{id}/spend
   */
  spendVirtualCard(id: string, body: SpendVirtualCardRequest, options?: CallOptions): ApiPromise<VirtualCardTransaction> {
    return this.client.call({ id: 'spendVirtualCard', method: 'POST', path: '/v3/sandbox/vcc/{id}/spend', idempotency: 'key' }, { params: { id }, body }, options)
  }

  /**
   * Make mail arrive.
   *
   * Makes a letter arrive in a mailbox. Without an `attachment`, Remit draws its scan. Each of its `checks` becomes a payment to the user, UNPAID until the user deposits it with `POST /v3/check/deposit/{id}`. Magic account numbers and amounts decide what happens to the deposit.
   *
   * Errors: `invalid_attachment`, `check_scanned_twice`, `mailbox_not_found`.
   *
   * POST /v3/sandbox/mailbox/{id}/mail
   */
  receiveMail(id: string, body: ReceiveMailRequest, options?: CallOptions): ApiPromise<Mail> {
    return this.client.call({ id: 'receiveMail', method: 'POST', path: '/v3/sandbox/mailbox/{id}/mail', idempotency: 'key' }, { params: { id }, body }, options)
  }

  /**
   * Retrieve the clock.
   *
   * Returns the time of your platform, which can be ahead of real time.
   *
   * Errors: `owner_only`.
   *
   * GET /v3/sandbox/clock
   */
  getClock(options?: CallOptions): ApiPromise<Clock> {
    return this.client.call({ id: 'getClock', method: 'GET', path: '/v3/sandbox/clock', idempotency: 'read' }, {  }, options)
  }

  /**
   * Advance the clock.
   *
   * Advances the clock of your platform by a duration or to a time, at most ten years. Everything that becomes due in between happens in order, each at its own time. Poll until `status` is `ready`.
   *
   * Errors: `owner_only`.
   *
   * PUT /v3/sandbox/clock
   */
  advanceClock(body: AdvanceClockRequest, options?: CallOptions): ApiPromise<Clock> {
    return this.client.call({ id: 'advanceClock', method: 'PUT', path: '/v3/sandbox/clock', idempotency: 'none' }, { body }, options)
  }
}

/** All resources of the API. */
export class Resources extends Resource {
  readonly users: UsersResource
  readonly profile: ProfileResource
  readonly apiKeys: ApiKeysResource
  readonly banks: BanksResource
  readonly accountBanks: AccountBanksResource
  readonly payments: PaymentsResource
  readonly returnCodes: ReturnCodesResource
  readonly wallets: WalletsResource
  readonly debitCards: DebitCardsResource
  readonly payPalAccounts: PayPalAccountsResource
  readonly venmoAccounts: VenmoAccountsResource
  readonly interacAccounts: InteracAccountsResource
  readonly wireAccounts: WireAccountsResource
  readonly virtualCards: VirtualCardsResource
  readonly payees: PayeesResource
  readonly invoices: InvoicesResource
  readonly subscriptions: SubscriptionsResource
  readonly approvals: ApprovalsResource
  readonly approvalPolicy: ApprovalPolicyResource
  readonly batches: BatchesResource
  readonly checkbooks: CheckbooksResource
  readonly mailboxes: MailboxesResource
  readonly webhookEndpoints: WebhookEndpointsResource
  readonly webhookEvents: WebhookEventsResource
  readonly webhookDeliveries: WebhookDeliveriesResource
  readonly webhookListeners: WebhookListenersResource
  readonly overview: OverviewResource
  readonly sandbox: SandboxResource

  constructor(client: Client) {
    super(client)
    this.users = new UsersResource(client)
    this.profile = new ProfileResource(client)
    this.apiKeys = new ApiKeysResource(client)
    this.banks = new BanksResource(client)
    this.accountBanks = new AccountBanksResource(client)
    this.payments = new PaymentsResource(client)
    this.returnCodes = new ReturnCodesResource(client)
    this.wallets = new WalletsResource(client)
    this.debitCards = new DebitCardsResource(client)
    this.payPalAccounts = new PayPalAccountsResource(client)
    this.venmoAccounts = new VenmoAccountsResource(client)
    this.interacAccounts = new InteracAccountsResource(client)
    this.wireAccounts = new WireAccountsResource(client)
    this.virtualCards = new VirtualCardsResource(client)
    this.payees = new PayeesResource(client)
    this.invoices = new InvoicesResource(client)
    this.subscriptions = new SubscriptionsResource(client)
    this.approvals = new ApprovalsResource(client)
    this.approvalPolicy = new ApprovalPolicyResource(client)
    this.batches = new BatchesResource(client)
    this.checkbooks = new CheckbooksResource(client)
    this.mailboxes = new MailboxesResource(client)
    this.webhookEndpoints = new WebhookEndpointsResource(client)
    this.webhookEvents = new WebhookEventsResource(client)
    this.webhookDeliveries = new WebhookDeliveriesResource(client)
    this.webhookListeners = new WebhookListenersResource(client)
    this.overview = new OverviewResource(client)
    this.sandbox = new SandboxResource(client)
  }
}
