import type { CheckLayout } from './check-layout.ts'

/**
 * The proof that a file is accepted: the bank acknowledges it (`required`), or its settlement time has passed (`none`).
 */
export const ACKNOWLEDGEMENTS = ['required', 'none'] as const
export type Acknowledgements = (typeof ACKNOWLEDGEMENTS)[number]

/** The rails for which production needs a connection. */
export const CARRIED_RAILS = [
  'ACH',
  'MAIL',
  'PRINT',
  'RTP',
  'WIRE',
  'SWIFT',
  'INSTANT',
  'INTERAC',
  'PAYPAL',
  'VENMO',
] as const
export type CarriedRail = (typeof CARRIED_RAILS)[number]

/** The rails whose orders go to a processor over HTTPS. */
export const PROCESSOR_RAILS = ['INSTANT', 'INTERAC', 'PAYPAL', 'VENMO'] as const satisfies readonly CarriedRail[]
export type ProcessorRail = (typeof PROCESSOR_RAILS)[number]

/** All connections, and the connection that carries each rail. A rail that is missing is not offered. */
export type Connections = {
  all: readonly Connection[]
  /** The id of the connection that carries each rail. */
  rails: Readonly<Partial<Record<CarriedRail, string>>>
  /** The days for which the bytes of an exchange are kept after it has ended. */
  keepBytesDays: number
}

/** Gives access to the connections of a running service. A reload replaces all of them at once. */
export type CurrentConnections = { current(): Connections }

/** The days for which bytes are kept if `connections.json` does not set them. */
export const KEEP_BYTES_DAYS = 400

const none: Connections = { all: [], rails: {}, keepBytesDays: KEEP_BYTES_DAYS }

/** The connections of an environment whose rails are simulated: none. */
export const NO_CONNECTIONS: CurrentConnections = { current: () => none }

/**
 * One contract with a bank or payment provider, as `connections.json` describes it. Keys, passphrases and passwords are given as paths of
 * files, which are read when needed.
 */
export type Connection = {
  /** Lower-case letters, digits and hyphens. It names the connection in commands, cases, metrics and files. */
  id: string
  transport: FileTransport | HttpsTransport
  /** The bank's time zone (IANA name), for its cut-offs and for `expected`. */
  timeZone: string
  /** Dates (YYYY-MM-DD) on which this bank is closed in addition to the holidays of the Federal Reserve. */
  holidays: readonly string[]
  /** The schedule on which the bank must send a file. Null: the bank may be silent for any time. */
  expected: Expected | null
  accounts: readonly OperatorAccount[]
  ach: AchContract | null
  checks: CheckContract | null
  iso20022: IsoContract | null
  statements: StatementContract | null
  /** Account numbers for incoming money, one for each wallet. Null: this bank gives none. */
  virtualAccounts: VirtualAccounts | null
  /** The terms of a processor, which gets one order for each leg over HTTPS. Set if, and only if, the transport is `https`. */
  processor: ProcessorContract | null
}

/** The transport by which files reach the bank. */
export type FileTransport = FolderTransport | SftpTransport

/** Returns whether a connection exchanges files with a bank. A processor gets orders over HTTPS instead. */
export const hasFiles = ({ transport }: Connection): boolean => transport.type !== 'https'

/** `path` is absolute. */
export type FolderTransport = { type: 'folder'; path: string }

/**
 * The way in which an uploaded file gets its final name. `rename`: it is uploaded under a temporary name and then
 * renamed. `direct`: it is uploaded under its final name, for servers that forbid renaming. `vanishes`: like `rename`,
 * for servers that take a file away as soon as it is complete.
 */
export const UPLOADS = ['rename', 'direct', 'vanishes'] as const
export type Upload = (typeof UPLOADS)[number]

export type SftpTransport = {
  type: 'sftp'
  host: string
  port: number
  user: string
  /** Absolute paths. */
  credential: { keyFile: string; passphraseFile: string | null } | { passwordFile: string }
  /** A fingerprint (`SHA256:…`) or lines of known_hosts. While the bank changes its key, the list has both. */
  hostKeys: readonly string[]
  /** The folders on the server: `out` is for uploads, `in` for downloads. */
  out: string
  in: string
  upload: Upload
  /** Whether a file is removed from the server after its content is committed here. */
  removesRead: boolean
  /** The number of bytes in one SFTP packet. */
  packetBytes: number
  bounds: { connectMs: number; answerMs: number; sessionMs: number }
  pgp: PgpContract | null
}

/**
 * The HTTPS interface of a processor. `url`: the start of all addresses, without a slash at the end. `answerMs`: the time limit of one call
 * in milliseconds.
 */
export type HttpsTransport = { type: 'https'; url: string; answerMs: number }

/**
 * The terms of a processor, and the protocol by which it is called. Fields that end with `File` are absolute paths of files with secrets.
 */
export type ProcessorContract = ProcessorTerms & (AdapterContract | PaypalContract)

type ProcessorTerms = {
  /** The highest amount of one order, in cents. A leg above it fails. Null: no limit. */
  centsPerOrder: number | null
  /** The maximum total of all orders of a day, in the time zone of the connection. Other orders wait for the next day. Null: no limit. */
  centsPerDay: number | null
  /** The milliseconds for which the state of an order may be unknown, or its answers unreadable, before a case is opened. */
  caseAfterMs: number
  /**
   * The number of days after its payment during which an order can be returned. During these days, the service asks the processor about it.
   */
  returnDays: number
}

/** A processor that speaks the adapter protocol (schemas/adapter.openapi.json). */
export type AdapterContract = {
  type: 'adapter'
  /** The path of the file with the key that authenticates calls. */
  keyFile: string
  /** The key that signs the events of the adapter. */
  eventKeyFile: string
}

/** PayPal Payouts. `webhookId`: the id of the webhook at PayPal, or null if PayPal sends none. */
export type PaypalContract = {
  type: 'paypal'
  clientIdFile: string
  clientSecretFile: string
  webhookId: string | null
}

/** Absolute paths of key files. */
export type PgpContract = {
  encryptToFiles: readonly string[]
  signWithFile: string | null
  decryptWithFile: string | null
  passphraseFile: string | null
  requireSignatureOfFiles: readonly string[]
  isArmored: boolean
}

/**
 * The schedule of a file: on each banking day by a time (HH:MM in the time zone of the connection), or every few hours.
 */
export type Expected = { by: string } | { everyHours: number }

/** An account of the operator at the bank. */
export type OperatorAccount = {
  id: string
  routingNumber: string
  /** 4 to 17 digits. It is read from a file and appears in no output in clear. */
  accountNumber: string
  type: 'checking' | 'savings'
  currency: 'USD'
}

/** The format of ACH files for this bank. */
export type AchContract = {
  destination: string
  destinationName: string
  origin: string
  originName: string
  companyName: string
  companyId: string
  odfiRoutingNumber: string
  /** Cut-off times, in order: HH:MM in `timeZone`. */
  windows: readonly string[]
  /** The time zone of the bank (IANA name). */
  timeZone: string
  acknowledgements: Acknowledgements
  /**
   * The id of the account that the balancing entry of each batch names. Null: batches have no balancing entry, because the bank books the
   * other side itself.
   */
  balancingAccount: string | null
  /** The bank's limits for one file and for all files of a banking day, in entries and cents. Null: no limit. */
  limits: { entriesPerFile: number | null; centsPerFile: number | null; centsPerDay: number | null }
}

/** The account that checks are drawn on, and the form of the lists of checks. */
export type CheckContract = {
  /** The id of the operator's account that checks are drawn on. */
  account: string
  companyName: string
  bankName: string
  /** The fractional routing number as the bank prints it ("55-2/212"). Null: it is derived from the routing number, without its prefix. */
  fractionalRouting: string | null
  /** The first check number of the account. It applies if it is higher than the last number used. */
  firstCheckNumber: number
  acknowledgements: Acknowledgements
  /** The form of the lists of issued, stopped and paid checks. */
  layout: CheckLayout
}

/** The rails whose orders are ISO 20022 messages. */
export const ISO_RAILS = ['RTP', 'WIRE', 'SWIFT'] as const satisfies CarriedRail[]
export type IsoRail = (typeof ISO_RAILS)[number]

/** The supported versions of the credit transfer message. They differ in a few elements. */
export const CREDIT_TRANSFERS = ['pain.001.001.09', 'pain.001.001.03'] as const
export const RECALLS = ['camt.055.001.08', 'camt.055.001.05'] as const
export type CreditTransferName = (typeof CREDIT_TRANSFERS)[number]
export type RecallName = (typeof RECALLS)[number]

/**
 * The characters that a bank can read. `swift`: set X of SWIFT, which every scheme accepts. `ascii`: space to tilde, as in Fedwire and
 * CBPR+. `unicode`: all.
 */
export const CHARACTER_SETS = ['swift', 'ascii', 'unicode'] as const
export type CharacterSet = (typeof CHARACTER_SETS)[number]

/**
 * The party that pays the charges of the transfer: both (`SHAR`), the debtor, the creditor, or according to the service
 * level (`SLEV`).
 */
export const CHARGE_BEARERS = ['SHAR', 'DEBT', 'CRED', 'SLEV'] as const
export type ChargeBearer = (typeof CHARGE_BEARERS)[number]

/** A code of ISO's external code lists, or a code that the bank agreed with its customer. */
export type CodeOrProprietary = { code: string } | { proprietary: string }

/** The terms of an agreement with a bank for the orders of one rail. If a code is null, its element is left out of the message. */
export type RailTerms = {
  serviceLevel: CodeOrProprietary | null
  localInstrument: CodeOrProprietary | null
  categoryPurpose: CodeOrProprietary | null
  chargeBearer: ChargeBearer | null
  /** The ISO code of the clearing system that identifies banks without a BIC, such as USABA. */
  clearingSystem: string
  /** Whether the bank wants a UETR (unique end-to-end transaction reference). Only pain.001.001.09 has one. */
  hasUetr: boolean
  /** Whether the payee's address is required, at least with town and country. */
  needsAddress: boolean
  /** Whether a regulatory reporting text is required. */
  needsRegulatoryText: boolean
  /** The maximum length of a name on this rail, in characters. ISO allows 140. */
  nameLength: number
  /** Code of ISO’s list of purposes, such as SUPP, that each order has. */
  purpose: string | null
  /** Orders name the sender of the payment as the ultimate debtor: the operator pays for it. */
  namesSender: boolean
  /** The bank through which orders go to the payee’s bank. */
  intermediaryBank: { bic: string; name: string | null } | null
  /** The highest amount of one order. A payment above it is refused. Null: no limit. */
  centsPerOrder: number | null
  /** The maximum total of all orders with one execution date. Others wait for the next day. Null: no limit. */
  centsPerDay: number | null
}

/** The terms of an agreement with a bank that apply to all messages. */
export type MessageTerms = {
  creditTransfer: CreditTransferName
  recall: RecallName
  characters: CharacterSet
  /** The company that sends the messages. `scheme` is the ISO code for the kind of id, such as CUST or BANK. */
  initiatingParty: { name: string; id: string | null; scheme: string | null }
  rails: Readonly<Partial<Record<IsoRail, RailTerms>>>
}

/** An address in separate fields. Banks have refused addresses in free text since November 2026. `country` has two letters. */
export type StructuredAddress = {
  street: string | null
  building: string | null
  postalCode: string | null
  town: string
  region: string | null
  country: string
}

/** The format of orders for wires and real-time payments to this bank. */
export type IsoContract = {
  terms: MessageTerms
  /** The id of the account that is debited, and its holder's name as the bank knows it. */
  account: string
  holder: { name: string; address: StructuredAddress | null }
  /** The BIC of the bank, or null. The bank's routing number is taken from the account. */
  bic: string | null
  /**
   * The cut-off time of each rail (HH:MM in the time zone of the connection). Later orders are executed on the next banking day. Null: no
   * cut-off.
   */
  cutOffs: Readonly<Partial<Record<IsoRail, string | null>>>
  /** The absolute path of a folder with XML schemas, which validate each message. Null: messages are not validated. */
  schemaFolder: string | null
  /** Name patterns of files with answers. `*` matches any characters. */
  reportNames: readonly string[]
  /** The hours after which an order without a final answer opens a case for the operator. */
  answerHours: number
}

/** The default name patterns of files with answers to orders. */
export const REPORT_NAMES = ['*pain.002*', '*pain002*', '*camt.029*', '*camt029*']

/** The statements of the operator's accounts that the bank sends. */
export type StatementContract = {
  /** The format of the files. Null: it is detected for each file. */
  format: 'bai2' | 'camt' | 'csv' | null
  /** Name patterns of statement files. `*` matches any characters. */
  names: readonly string[]
  /** The columns of CSV, as docs/statements.md describes them. Null: the bank sends no CSV. */
  csv: Readonly<Record<string, unknown>> | null
  rules: readonly StatementRule[]
}

/**
 * A rule for statement lines that are no payments, such as fees. A line must match all properties that are set. `text`: a part of the
 * line's text, in upper or lower case.
 */
export type StatementRule = {
  text: string | null
  /** The bank's code for the kind of movement. */
  code: string | null
  sign: 'credit' | 'debit' | null
  /** The part of the ledger account's name after `operator:`. */
  account: string
}

export const VIRTUAL_ACCOUNT_RAILS = ['ACH', 'RTP', 'WIRE'] as const
export type VirtualAccountRail = (typeof VIRTUAL_ACCOUNT_RAILS)[number]

export const CHECK_DIGITS = ['luhn', 'none'] as const

/**
 * A form of numbers that Remit generates: a prefix, random digits, and a check digit. `length`: the number of digits of the whole number.
 */
export type NumberForm = { prefix: string; length: number; checkDigit: (typeof CHECK_DIGITS)[number] }

/**
 * Account numbers for incoming money. The bank books credits to these numbers on one account of the operator, and the statement line names
 * the number.
 */
export type VirtualAccounts = {
  /** The id of the operator's account on which the bank books the credits. */
  account: string
  /** The rails over which the bank receives money for the numbers. */
  rails: readonly VirtualAccountRail[]
  /** The form for numbers that Remit generates, or a list of numbers from the bank. They appear in no output in clear. */
  numbers: NumberForm | readonly string[]
}

/** The minimum length of an account number for incoming money. Shorter numbers could be dates or amounts in the text of a line. */
export const MIN_VIRTUAL_DIGITS = 9

/** The default name patterns of statement files. */
export const STATEMENT_NAMES = ['statement*', '*.bai', '*.bai2', '*.c53']
