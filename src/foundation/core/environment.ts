export const ENVIRONMENT_NAMES = ['sandbox', 'demo', 'production'] as const
export type EnvironmentName = (typeof ENVIRONMENT_NAMES)[number]

/** `url` is smtp:// or smtps:// with user and password; `from` is an address or `Name <address>`. */
export type MailServer = {
  url: string
  from: string
  /** Whether mail is sent unencrypted when the server does not offer STARTTLS. */
  allowsPlaintext: boolean
}

/** The operator's bank account, on which paper checks are drawn. */
export type OperatorBank = {
  companyName: string
  bankName: string
  routingNumber: string
  accountNumber: string
  /** The fractional routing number as the bank prints it ("55-2/212"). Null: printed without its prefix. */
  fractionalRouting: string | null
  /** The first check number of the account. Numbering continues from here when this is higher than the last number used. */
  firstCheckNumber: number
}

/** A fictitious account, printed on checks that are not real. */
export type SpecimenBank = { name: string; routingNumber: string; accountNumber: string }

/** The URL of an environment. */
export type EnvironmentLink = { name: EnvironmentName; url: string }

/** How money leaves: over simulated rails, or in files for a bank. */
export type RailNetwork = 'simulated' | 'file'

export type AccountKind = 'checking' | 'savings'
export type NachaAccount = { routingNumber: string; accountNumber: string; kind: AccountKind }

/** Whom a return code blocks from using a bank account: every user of the platform, or only the user who added the bank. */
export type BlockScope = 'platform' | 'user'

/** How the institutions of bank customers are reached. */
export type InstitutionNetworkName = 'simulated'

/** Who issues virtual cards. */
export type CardIssuerName = 'simulated'

/** A company and its bank, as named in their agreement. */
export type NachaOrigin = {
  /** The routing number of the bank or processor that receives the file. */
  immediateDestination: string
  immediateDestinationName: string
  /** Ten characters that the bank assigns, usually `1` and the tax number, or a nine-digit routing number. */
  immediateOrigin: string
  immediateOriginName: string
  companyName: string
  companyId: string
  /** The nine-digit routing number of the originating bank (ODFI). */
  odfiRoutingNumber: string
  /** The account for the offsetting entry of balanced batches; null when the bank books it itself. */
  settlementAccount: NachaAccount | null
}

/** Whether a file is accepted only when the bank says so, or also when its settlement time arrives. */
export const ACKNOWLEDGEMENTS = ['required', 'none'] as const
export type Acknowledgements = (typeof ACKNOWLEDGEMENTS)[number]

/** The columns of a list of paid checks. `status` says what happened to a check. */
export const PAID_COLUMNS = ['number', 'amount', 'account', 'date', 'status'] as const
export type PaidColumn = (typeof PAID_COLUMNS)[number]

/** What the operator's bank calls a column, beside the names that Remit knows. */
export type PaidColumnName = { column: PaidColumn; name: string }

/** A bank connection. `folder` contains `outbound/` and `inbound/`, see docs/money.md. */
export type AchFiles = {
  origin: NachaOrigin
  folder: string
  /** For ACH files, and for check issue and stop files. */
  acknowledgements: { ach: Acknowledgements; paper: Acknowledgements }
  paidColumns: readonly PaidColumnName[]
}

/** The differences between environments: values, never branches (specification.md 1.1). */
export type EnvironmentSettings = {
  name: EnvironmentName
  /** The public URL of the service without a trailing slash; null: the host of each request. */
  baseUrl: string | null
  /** Whether requests may use any host. Otherwise only the host of `baseUrl` is allowed, and others get 421. */
  answersAnyHost: boolean
  /** The cents of the two micro-deposits, or null for random amounts. */
  microDepositCents: readonly [number, number] | null
  /** Whether tests can trigger outcomes with the `webhook` calls of specification.md 3.2 and 5.6. */
  canTriggerOutcomes: boolean
  /** Whether `npm start` creates an owner when the database has none for this data directory, and where its key goes. */
  firstOwner: 'in_data_directory' | 'published' | 'none'
  /** The time zone of the business (IANA name), for dates on checks and in check files. */
  timeZone: string
  /** Whether all data is deleted at midnight UTC. */
  isResetDaily: boolean
  /** Banking days until a settled debit is trusted (specification.md 8.2). */
  trustBankingDays: number
  /** The same for scanned checks, whose drawers have no user: the funds availability. */
  checkHoldBankingDays: number
  railNetwork: RailNetwork
  blockScope: BlockScope
  /** Null: accounts cannot be confirmed by signing in at an institution. */
  institutionNetwork: InstitutionNetworkName | null
  /** Where the provider of mailboxes receives mail. Null: there are no mailboxes. */
  mailboxAddress: PostalAddress | null
  /** Null: there are no virtual cards. */
  cardIssuer: CardIssuerName | null
  /** The bank connection of the file network; null for simulated rails. */
  achFiles: AchFiles | null
  /** Whether a platform can advance its clock. */
  hasMovableClock: boolean
  /** Banks that accept real-time payments. Micro-deposits arrive there immediately. */
  rtpRoutingNumbers: readonly string[]
  /** Default sending limits in cents; null: no limits (specification.md 1.1). */
  limits: { paymentCents: number; dayCents: number; monthCents: number } | null
  /** Whether a sender must be VERIFIED. */
  mustBeVerified: boolean
  /** Payments above this amount require the sender's signature; null: never. */
  signatureAboveCents: number | null
  /** The account on checks that a bank pays. Checks that a wallet pays are drawn on the operator's account (specification.md 8.2). */
  paperDrawnOn: 'sender' | 'operator'
  /** Null: no checks are drawn on an operator account. */
  operatorBank: OperatorBank | null
  /** The account printed instead of the real one, with SPECIMEN across the check; null: checks are real. */
  specimenBank: SpecimenBank | null
  /** The routing number of the fictitious account numbers of wallets; null: wallets have none. */
  walletRoutingNumber: string | null
  /** The token bucket of one API key, session or grant. */
  requestsPerSecond: number
  requestBurst: number
  /** The token bucket of one network address, for calls without credentials and for failed credentials. */
  addressRequestsPerSecond: number
  addressRequestBurst: number
  /** The fixed code in mails for a sign-up or a new email, or null for random codes. */
  fixedCode: string | null
  /** Whether mail is shown at /mail when no mail server is configured. */
  showsMail: boolean
  /** How many new recipients a platform can mail per day (UTC) until the operator verifies its owner. */
  newRecipientsADay: number
  /** Null: mail is kept and not sent. */
  mailServer: MailServer | null
  /** The lifetime of an access token. */
  accessTokenSeconds: number
  /** Whether requests are kept for seven days, for `GET /v3/request`. */
  keepsRequestLog: boolean
  /** How many browsers one process tells about changes of payments at the same time. */
  maxStreams: number
  /** Whether `X-Forwarded-For` contains the client address, set by the operator's proxy. */
  trustsProxy: boolean
  /** Source addresses of webhooks, used in rotation (specification.md 7.2). Empty: the system chooses. */
  webhookSourceAddresses: readonly string[]
  /** Whether webhooks may be sent to `http://localhost`. */
  allowsLocalWebhooks: boolean
  /** Non-public networks that webhooks may be sent to, as ADDRESS/PREFIX. */
  webhookAllowedNetworks: readonly string[]
  /** Name servers for webhook hosts, as ADDRESS or ADDRESS:PORT. Empty: those of the system. */
  webhookNameServers: readonly string[]
}

const ACCESS_TOKEN_SECONDS = 3_600
const TRUST_BANKING_DAYS = 2
const NEW_RECIPIENTS_A_DAY = 50

/** Longer than the two banking days in which a bank returns a check without funds. */
const CHECK_HOLD_BANKING_DAYS = 5
const MAX_STREAMS = 1_000

/** A bank with real-time payments, in sandbox and demo. */
export const SANDBOX_RTP_ROUTING_NUMBER = '021200339'

/** The first check number that banks usually print. */
export const FIRST_CHECK_NUMBER = 1001

/** This routing number is not assigned to any bank. */
const SANDBOX_OPERATOR_BANK: OperatorBank = {
  companyName: 'Remit Sandbox',
  bankName: 'Sandbox Bank',
  routingNumber: '110000000',
  accountNumber: '000123456789',
  fractionalRouting: null,
  firstCheckNumber: FIRST_CHECK_NUMBER,
}

/** The Federal Reserve has no district 98, and the check digit is wrong. */
const SPECIMEN_BANK: SpecimenBank = {
  name: 'Specimen Bank',
  routingNumber: '987654321',
  accountNumber: '0000000000',
}

/** An address in the United States. */
export type PostalAddress = { line_1: string; city: string; state: string; zip: string; country: 'US' }

const SANDBOX_MAILBOX_ADDRESS: PostalAddress = {
  line_1: '500 Market St',
  city: 'San Francisco',
  state: 'CA',
  zip: '94105',
  country: 'US',
}

/** The time zone of the ACH windows. */
const TIME_ZONE = 'America/Los_Angeles'

const testSettings = {
  baseUrl: null,
  answersAnyHost: true,
  microDepositCents: [7, 15], // specification.md 4.2
  canTriggerOutcomes: true,
  isResetDaily: false,
  timeZone: TIME_ZONE,
  trustBankingDays: TRUST_BANKING_DAYS,
  checkHoldBankingDays: TRUST_BANKING_DAYS,
  railNetwork: 'simulated',
  institutionNetwork: 'simulated',
  mailboxAddress: SANDBOX_MAILBOX_ADDRESS,
  cardIssuer: 'simulated',
  blockScope: 'user', // so that any number of users can use a magic account number
  achFiles: null,
  hasMovableClock: false,
  rtpRoutingNumbers: [SANDBOX_RTP_ROUTING_NUMBER],
  limits: null,
  mustBeVerified: false,
  signatureAboveCents: null,
  paperDrawnOn: 'sender',
  operatorBank: SANDBOX_OPERATOR_BANK,
  specimenBank: SPECIMEN_BANK,
  walletRoutingNumber: SANDBOX_OPERATOR_BANK.routingNumber,
  fixedCode: '123123',
  showsMail: true,
  newRecipientsADay: NEW_RECIPIENTS_A_DAY,
  mailServer: null,
  accessTokenSeconds: ACCESS_TOKEN_SECONDS,
  keepsRequestLog: true,
  maxStreams: MAX_STREAMS,
  trustsProxy: false,
  webhookSourceAddresses: [],
  requestsPerSecond: 1_000,
  requestBurst: 2_000,
  addressRequestsPerSecond: 200,
  addressRequestBurst: 400,
  allowsLocalWebhooks: false,
  webhookAllowedNetworks: [],
  webhookNameServers: [],
} as const

export const environmentDefaults: Record<EnvironmentName, EnvironmentSettings> = {
  sandbox: { ...testSettings, name: 'sandbox', firstOwner: 'in_data_directory', hasMovableClock: true },
  demo: { ...testSettings, name: 'demo', firstOwner: 'published', isResetDaily: true },
  production: {
    name: 'production',
    baseUrl: null,
    answersAnyHost: false,
    microDepositCents: null,
    canTriggerOutcomes: false,
    firstOwner: 'none',
    isResetDaily: false,
    timeZone: TIME_ZONE,
    trustBankingDays: TRUST_BANKING_DAYS,
    checkHoldBankingDays: CHECK_HOLD_BANKING_DAYS,
    railNetwork: 'file',
    blockScope: 'platform',
    institutionNetwork: null,
    mailboxAddress: null,
    cardIssuer: null,
    achFiles: null, // from the configuration
    hasMovableClock: false,
    rtpRoutingNumbers: [],
    limits: { paymentCents: 200_000, dayCents: 200_000, monthCents: 1_500_000 },
    mustBeVerified: true,
    signatureAboveCents: 200_000,
    paperDrawnOn: 'operator',
    operatorBank: null,
    specimenBank: null,
    walletRoutingNumber: null,
    fixedCode: null,
    showsMail: false,
    newRecipientsADay: NEW_RECIPIENTS_A_DAY,
    mailServer: null,
    accessTokenSeconds: ACCESS_TOKEN_SECONDS,
    keepsRequestLog: true,
    maxStreams: MAX_STREAMS,
    trustsProxy: false,
    webhookSourceAddresses: [],
    requestsPerSecond: 100,
    requestBurst: 200,
    addressRequestsPerSecond: 50,
    addressRequestBurst: 200,
    allowsLocalWebhooks: false,
    webhookAllowedNetworks: [],
    webhookNameServers: [],
  },
}
