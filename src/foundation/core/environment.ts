export const ENVIRONMENT_NAMES = ['sandbox', 'demo', 'production'] as const
export type EnvironmentName = (typeof ENVIRONMENT_NAMES)[number]

/** A mail server. `url` is smtp:// or smtps:// with user and password. `from` is an address or `Name <address>`. */
export type MailServer = {
  url: string
  from: string
  /** Whether mail is sent unencrypted if the server does not offer STARTTLS. */
  allowsPlaintext: boolean
}

/** The operator's bank account for paper checks. */
export type OperatorBank = {
  companyName: string
  bankName: string
  routingNumber: string
  accountNumber: string
  /** The fractional routing number as the bank prints it ("55-2/212"). If it is null, the number is printed without its prefix. */
  fractionalRouting: string | null
  /** The first check number of the account. It applies if it is higher than the last number used. */
  firstCheckNumber: number
}

/** A fictitious account for checks that are not real. */
export type SpecimenBank = { name: string; routingNumber: string; accountNumber: string }

/** The URL of an environment. */
export type EnvironmentLink = { name: EnvironmentName; url: string }

/** The rails on which money moves: simulated ones, or rails with files for a bank. */
export type RailNetwork = 'simulated' | 'file'

export type AccountKind = 'checking' | 'savings'
export type NachaAccount = { routingNumber: string; accountNumber: string; kind: AccountKind }

/** The users that a return code blocks from a bank account: every user of the platform, or only the user who added the bank. */
export type BlockScope = 'platform' | 'user'

/** The network through which the service connects to the institutions of bank customers. */
export type InstitutionNetworkName = 'simulated'

/** The issuer of virtual cards. */
export type CardIssuerName = 'simulated'

/** The settings in which environments differ (specification.md 1.1). Code uses these values instead of the name. */
export type EnvironmentSettings = {
  name: EnvironmentName
  /** The public URL of the service, without a trailing slash. If it is null, URLs use the host of each request. */
  baseUrl: string | null
  /** Whether requests may name any host. Otherwise, only the host of `baseUrl` is allowed, and other requests get 421. */
  answersAnyHost: boolean
  /** The cents of the two micro-deposits, or null for random amounts. */
  microDepositCents: readonly [number, number] | null
  /** Whether tests can cause outcomes with the `webhook` calls of specification.md 3.2 and 5.6. */
  canTriggerOutcomes: boolean
  /** Whether `npm start` creates an owner if the database has none for this data directory, and where it stores the key. */
  firstOwner: 'in_data_directory' | 'published' | 'none'
  /** The time zone of the business (IANA name), for dates on checks and in files of checks. */
  timeZone: string
  /** Whether all data is deleted at midnight UTC. */
  isResetDaily: boolean
  /** The number of banking days until a settled debit is trusted (specification.md 8.2). */
  trustBankingDays: number
  /** The number of banking days until the funds of a scanned check are available. Its drawer is not a user. */
  checkHoldBankingDays: number
  railNetwork: RailNetwork
  blockScope: BlockScope
  /** The network through which a sign-in at an institution confirms accounts. Null: accounts cannot be confirmed in this way. */
  institutionNetwork: InstitutionNetworkName | null
  /** The address at which the mailbox provider receives mail. If it is null, there are no mailboxes. */
  mailboxAddress: PostalAddress | null
  /** The issuer of virtual cards. If it is null, there are no virtual cards. */
  cardIssuer: CardIssuerName | null
  /**
   * The folder with a state file for each SFTP connection. The files show whether the database was restored to an older state. Null: no
   * connections.
   */
  stateFolder: string | null
  /** Whether a platform can advance its clock. */
  hasMovableClock: boolean
  /** Banks that accept real-time payments. Micro-deposits reach them at once. */
  rtpRoutingNumbers: readonly string[]
  /** The default sending limits in cents, or null for none (specification.md 1.1). */
  limits: { paymentCents: number; dayCents: number; monthCents: number } | null
  /** Whether a sender must be VERIFIED. */
  mustBeVerified: boolean
  /** Payments above this amount require the sender's signature. If it is null, none do. */
  signatureAboveCents: number | null
  /**
   * The account on checks that are paid from a bank. Checks that are paid from a wallet are drawn on the operator's account
   * (specification.md 8.2).
   */
  paperDrawnOn: 'sender' | 'operator'
  /** The operator's account for checks on simulated rails. If it is null, no checks are drawn on it. File rails use their connections. */
  operatorBank: OperatorBank | null
  /** The account to print instead of the real one, with SPECIMEN across the check. If it is null, checks are real. */
  specimenBank: SpecimenBank | null
  /** The routing number of the fictitious account numbers of wallets. If it is null, wallets have no account numbers. */
  walletRoutingNumber: string | null
  /** The rate limit of one API key, session or grant. */
  requestsPerSecond: number
  requestBurst: number
  /** The rate limit of one network address, for calls without credentials and for failed credentials. */
  addressRequestsPerSecond: number
  addressRequestBurst: number
  /** The fixed code in mails for a sign-up or a new email, or null for random codes. */
  fixedCode: string | null
  /** Whether mail is shown at /mail when no mail server is configured. */
  showsMail: boolean
  /** The number of new recipients that a platform can mail per day (UTC) until the operator verifies its owner. */
  newRecipientsADay: number
  /** The server that sends mail. If it is null, mail is kept and not sent. */
  mailServer: MailServer | null
  /** The lifetime of an access token. */
  accessTokenSeconds: number
  /** Whether requests are kept for seven days, for `GET /v3/request`. */
  keepsRequestLog: boolean
  /** The maximum number of browsers that one process notifies about changes of payments. */
  maxStreams: number
  /** Whether `X-Forwarded-For` contains the client address, set by the operator's proxy. */
  trustsProxy: boolean
  /** The source addresses of webhooks, used in turn (specification.md 7.2). If the list is empty, the system chooses. */
  webhookSourceAddresses: readonly string[]
  /** Whether webhooks may be sent to `http://localhost`. */
  allowsLocalWebhooks: boolean
  /** Non-public networks that webhooks may be sent to, as ADDRESS/PREFIX. */
  webhookAllowedNetworks: readonly string[]
  /** The name servers for webhook hosts, as ADDRESS or ADDRESS:PORT. If the list is empty, those of the system are used. */
  webhookNameServers: readonly string[]
}

const ACCESS_TOKEN_SECONDS = 3_600
const TRUST_BANKING_DAYS = 2
const NEW_RECIPIENTS_A_DAY = 50

/** The number of banking days for which scanned checks are held. A bank has two banking days to return a check without funds. */
const CHECK_HOLD_BANKING_DAYS = 5
const MAX_STREAMS = 1_000

/** A bank with real-time payments, in sandbox and demo. */
export const SANDBOX_RTP_ROUTING_NUMBER = '021200339'

/** The number of the first check that banks usually print. */
export const FIRST_CHECK_NUMBER = 1001

/** The operator's account in the sandbox. Its routing number is not assigned to any bank. */
const SANDBOX_OPERATOR_BANK: OperatorBank = {
  companyName: 'Remit Sandbox',
  bankName: 'Sandbox Bank',
  routingNumber: '110000000',
  accountNumber: '000123456789',
  fractionalRouting: null,
  firstCheckNumber: FIRST_CHECK_NUMBER,
}

/** The account on specimen checks. Its routing number is invalid: there is no Federal Reserve district 98, and the check digit is wrong. */
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

/** The time zone of the business and of the ACH windows. */
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
  blockScope: 'user', // limited to the user, so that many users can use a magic account number
  stateFolder: null,
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
    stateFolder: null, // from the configuration
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
