export const ENVIRONMENT_NAMES = ['sandbox', 'demo', 'production'] as const
export type EnvironmentName = (typeof ENVIRONMENT_NAMES)[number]

/** `url` is smtp:// or smtps://, with user and password in it; `from` an address, or `Name <address>`. */
export type MailServer = {
  url: string
  from: string
  /** Whether mail is sent unencrypted when the server does not offer STARTTLS. */
  allowsPlaintext: boolean
}

/** The account of the operator at its bank, on which paper checks are drawn. */
export type OperatorBank = {
  companyName: string
  bankName: string
  routingNumber: string
  accountNumber: string
  /** The routing number as a fraction with its prefix, as the bank prints it ("55-2/212"); null: printed without prefix. */
  fractionalRouting: string | null
  /** Where its checks are numbered by the account: with which number that begins, or goes on when it is higher. */
  firstCheckNumber: number
}

/** An account that cannot exist: what paper shows where it is not real. */
export type SpecimenBank = { name: string; routingNumber: string; accountNumber: string }

/** Where an environment is. */
export type EnvironmentLink = { name: EnvironmentName; url: string }

/** How money leaves: over rails that are simulated, or in files for a bank. */
export type RailNetwork = 'simulated' | 'file'

export type AccountKind = 'checking' | 'savings'
export type NachaAccount = { routingNumber: string; accountNumber: string; kind: AccountKind }

/** For whom a return code blocks a bank account: every user of the platform, or the one who holds the bank. */
export type BlockScope = 'platform' | 'user'

/** A company and its bank, as the bank's agreement names them. */
export type NachaOrigin = {
  /** Routing number of the bank or processor that the file goes to. */
  immediateDestination: string
  immediateDestinationName: string
  /** Ten characters that the bank gives, most often `1` and the tax number, or a routing number of nine. */
  immediateOrigin: string
  immediateOriginName: string
  companyName: string
  companyId: string
  /** Routing number of the originating bank (ODFI), nine digits. */
  odfiRoutingNumber: string
  /** Where the other side of balanced batches is booked; null when the bank books it by itself. */
  settlementAccount: NachaAccount | null
}

/** Whether a file counts as accepted only when the bank says so, or also when its settlement time comes. */
export const ACKNOWLEDGEMENTS = ['required', 'none'] as const
export type Acknowledgements = (typeof ACKNOWLEDGEMENTS)[number]

/** A bank connection. `folder` has `outbound/` and `inbound/`, see docs/money.md. */
export type AchFiles = {
  origin: NachaOrigin
  folder: string
  /** For ACH files, and for lists of issued and stopped checks. */
  acknowledgements: { ach: Acknowledgements; paper: Acknowledgements }
}

/** In what the environments differ: values, never branches (specification.md 1.1). */
export type EnvironmentSettings = {
  name: EnvironmentName
  /** The address under which clients reach the service, without a slash at its end; null: the one they asked. */
  baseUrl: string | null
  /** Whether requests may name any host; otherwise only that of `baseUrl`, and others get 421. */
  answersAnyHost: boolean
  /** Cents of the two micro-deposits, or null where they are random. */
  microDepositCents: readonly [number, number] | null
  /** Whether outcomes can be provoked: the `webhook` triggers of specification.md 3.2 and 5.6. */
  canTriggerOutcomes: boolean
  /** What `npm start` makes for its user when the database has no owner of this data directory. */
  firstOwner: 'in_data_directory' | 'published' | 'none'
  /** Where the business is (IANA name): decides which day it is on paper and in files about paper. */
  timeZone: string
  /** Whether all data goes at midnight UTC. */
  isResetDaily: boolean
  /** Banking days after which a settled pull can be trusted (specification.md 8.2). */
  trustBankingDays: number
  railNetwork: RailNetwork
  blockScope: BlockScope
  /** Of the network of files; null where there is none. */
  achFiles: AchFiles | null
  /** Whether the time of a platform can be moved: the sandbox's clock. */
  hasMovableClock: boolean
  /** Banks that take real-time payments: micro-deposits arrive there at once. */
  rtpRoutingNumbers: readonly string[]
  /** What a sender without limits of its own may send, in cents; null: no limits (specification.md 1.1). */
  limits: { paymentCents: number; dayCents: number; monthCents: number } | null
  /** Whether a sender must be VERIFIED. */
  mustBeVerified: boolean
  /** Above this a sender's signature is needed; null: never. */
  signatureAboveCents: number | null
  /** Whose account paper is drawn on where a bank pays; what a wallet pays is drawn on the operator's (specification.md 8.2). */
  paperDrawnOn: 'sender' | 'operator'
  /** Null: what would be drawn on the operator's account is not put on paper. */
  operatorBank: OperatorBank | null
  /** What paper shows instead of the account it is drawn on, with SPECIMEN across it; null: paper is real. */
  specimenBank: SpecimenBank | null
  /** Of the account numbers that wallets show, which are made up; null: they have none. */
  walletRoutingNumber: string | null
  /** Token bucket of one API key, session or grant. */
  requestsPerSecond: number
  requestBurst: number
  /** Token bucket of one network address, for what anybody may ask for, and for credentials that fail. */
  addressRequestsPerSecond: number
  addressRequestBurst: number
  /** The code in every mail for a sign-up or a new email, or null where each has its own. */
  fixedCode: string | null
  /** Whether mail is shown at /mail where no mail server is named. */
  showsMail: boolean
  /** Recipients that a platform can mail for the first time in a day (UTC), until its owner is verified by the operator. */
  newRecipientsADay: number
  /** Null: mail is kept. */
  mailServer: MailServer | null
  /** Lifetime of an access token. */
  accessTokenSeconds: number
  /** Whether `X-Forwarded-For` tells who calls: a proxy of the operator sets it. */
  trustsProxy: boolean
  /** The addresses from which webhooks leave, in turn (specification.md 7.2); none: whichever the machine takes. */
  webhookSourceAddresses: readonly string[]
  /** Whether a webhook may go to `http://localhost`. */
  allowsLocalWebhooks: boolean
  /** Networks to which webhooks may go although they are not public, as ADDRESS/PREFIX. */
  webhookAllowedNetworks: readonly string[]
  /** Whom to ask where the host of a webhook is, as ADDRESS or ADDRESS:PORT; none: the name servers of the machine. */
  webhookNameServers: readonly string[]
}

const ACCESS_TOKEN_SECONDS = 3_600
const TRUST_BANKING_DAYS = 2
const NEW_RECIPIENTS_A_DAY = 50

/** A bank that takes real-time payments, in sandbox and demo. */
export const SANDBOX_RTP_ROUTING_NUMBER = '021200339'

/** As banks have it on the first check of an account. */
export const FIRST_CHECK_NUMBER = 1001

/** No bank has this routing number. */
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

/** Where the ACH windows are. */
const TIME_ZONE = 'America/Los_Angeles'

const testSettings = {
  baseUrl: null,
  answersAnyHost: true,
  microDepositCents: [7, 15], // specification.md 4.2
  canTriggerOutcomes: true,
  isResetDaily: false,
  timeZone: TIME_ZONE,
  trustBankingDays: TRUST_BANKING_DAYS,
  railNetwork: 'simulated',
  blockScope: 'user', // a magic account number is for any number of users
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
    railNetwork: 'file',
    blockScope: 'platform',
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
