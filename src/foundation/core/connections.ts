import type { CheckLayout } from './check-layout.ts'

/** Whether the bank acknowledges files, or a file counts as accepted when its settlement time has passed. */
export const ACKNOWLEDGEMENTS = ['required', 'none'] as const
export type Acknowledgements = (typeof ACKNOWLEDGEMENTS)[number]

/** The rails that a connection carries in production. */
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
  /** The id of the connection of each rail. */
  rails: Readonly<Partial<Record<CarriedRail, string>>>
  /** For how many days the bytes of an exchange are kept after it has ended. */
  keepBytesDays: number
}

/** The connections of a running service. A reload replaces all of them at once. */
export type CurrentConnections = { current(): Connections }

/** For how many days bytes are kept if the file does not say it. */
export const KEEP_BYTES_DAYS = 400

const none: Connections = { all: [], rails: {}, keepBytesDays: KEEP_BYTES_DAYS }

/** Of an environment whose rails are simulated. */
export const NO_CONNECTIONS: CurrentConnections = { current: () => none }

/**
 * One contract with a bank or payment provider, as `connections.json` describes it. Keys, passphrases and passwords are paths of files,
 * which are read when they are used.
 */
export type Connection = {
  /** Lower-case letters, digits and hyphens. It names the connection in commands, cases, metrics and files. */
  id: string
  transport: FileTransport | HttpsTransport
  /** The bank's time zone (IANA name), for its cut-offs and for `expected`. */
  timeZone: string
  /** Dates on which this bank is closed, beside the holidays of the Federal Reserve: YYYY-MM-DD. */
  holidays: readonly string[]
  /** When something must have been heard from the bank. Null: it may be silent. */
  expected: Expected | null
  accounts: readonly OperatorAccount[]
  ach: AchContract | null
  checks: CheckContract | null
  iso20022: IsoContract | null
  statements: StatementContract | null
  /** Account numbers for incoming money, one for each wallet. Null: this bank gives none. */
  virtualAccounts: VirtualAccounts | null
  /** A processor that gets one order for each leg over HTTPS. A connection with the transport `https` has one, and no other has. */
  processor: ProcessorContract | null
}

/** How files travel. */
export type FileTransport = FolderTransport | SftpTransport

/** Whether a connection exchanges files. A processor gets orders over HTTPS instead, and never holds what its bank said. */
export const hasFiles = ({ transport }: Connection): boolean => transport.type !== 'https'

/** `path` is absolute. */
export type FolderTransport = { type: 'folder'; path: string }

/**
 * How a file gets its final name. `rename`: it is written under a temporary name first. `direct`: for servers that forbid renaming.
 * `vanishes`: as `rename`, for servers that take a file away at once.
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
  /** `SHA256:…` or lines of known_hosts. Several during a rotation. */
  hostKeys: readonly string[]
  /** The folders on the server: the one that we upload to, and the one that we download from. */
  out: string
  in: string
  upload: Upload
  /** Whether a file is removed from the server after its content is committed here. */
  removesRead: boolean
  /** Bytes in one packet. */
  packetBytes: number
  bounds: { connectMs: number; answerMs: number; sessionMs: number }
  pgp: PgpContract | null
}

/** Calls of a processor. `url`: the base of all addresses, without a slash at the end. `answerMs`: for one whole call. */
export type HttpsTransport = { type: 'https'; url: string; answerMs: number }

/** What a processor does, and how it is called. `…File`: absolute paths of files with secrets. */
export type ProcessorContract = ProcessorTerms & (AdapterContract | PaypalContract)

type ProcessorTerms = {
  /** The highest amount of one order. A leg above it fails. Null: no limit. */
  centsPerOrder: number | null
  /** The most that all orders of a day may be, in the zone of the connection. Other orders wait for the next day. Null: no limit. */
  centsPerDay: number | null
  /** How long the state of an order may be unknown, or its answers unreadable, before it is a case. */
  caseAfterMs: number
  /** Days after its payment in which an order can come back. The processor is asked about it until then. */
  returnDays: number
}

/** A processor that speaks the adapter protocol (schemas/adapter.openapi.json). */
export type AdapterContract = {
  type: 'adapter'
  /** The key that calls carry. */
  keyFile: string
  /** The key that signs the events of the adapter. */
  eventKeyFile: string
}

/** PayPal Payouts. `webhookId`: of the webhook at PayPal, or null if PayPal sends none. */
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

/** Each banking day by a time (HH:MM in the zone of the connection), or every few hours. */
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

/** How ACH files are made for this bank. */
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
  /** The time zone of the connection. */
  timeZone: string
  acknowledgements: Acknowledgements
  /** The id of the account of the balancing entry of each batch. Null: the bank books the other side. */
  balancingAccount: string | null
  /** What one file, and all files of a banking day, may contain. Null: no limit of the bank. */
  limits: { entriesPerFile: number | null; centsPerFile: number | null; centsPerDay: number | null }
}

/** The account that checks are drawn on, and the lists about them. */
export type CheckContract = {
  /** The id of the account. */
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

/** The rails whose orders are messages of ISO 20022. */
export const ISO_RAILS = ['RTP', 'WIRE', 'SWIFT'] as const satisfies CarriedRail[]
export type IsoRail = (typeof ISO_RAILS)[number]

/** The versions of the order and of the request to cancel it. They differ in a few elements. */
export const CREDIT_TRANSFERS = ['pain.001.001.09', 'pain.001.001.03'] as const
export const RECALLS = ['camt.055.001.08', 'camt.055.001.05'] as const
export type CreditTransferName = (typeof CREDIT_TRANSFERS)[number]
export type RecallName = (typeof RECALLS)[number]

/**
 * The letters that a bank can read. `swift`: set X of SWIFT, which every scheme accepts. `ascii`: space to tilde, as in Fedwire and CBPR+.
 * `unicode`: everything.
 */
export const CHARACTER_SETS = ['swift', 'ascii', 'unicode'] as const
export type CharacterSet = (typeof CHARACTER_SETS)[number]

/** Who pays for the transfer: the parties share it, the debtor, the creditor, or as the service level says. */
export const CHARGE_BEARERS = ['SHAR', 'DEBT', 'CRED', 'SLEV'] as const
export type ChargeBearer = (typeof CHARGE_BEARERS)[number]

/** A code of ISO's external lists, or one that the bank agreed with its customer. */
export type CodeOrProprietary = { code: string } | { proprietary: string }

/** What an agreement with a bank says about the orders of one rail. Null leaves the element out. */
export type RailTerms = {
  serviceLevel: CodeOrProprietary | null
  localInstrument: CodeOrProprietary | null
  categoryPurpose: CodeOrProprietary | null
  chargeBearer: ChargeBearer | null
  /** Code of the clearing system whose numbers banks without a BIC have, such as USABA. */
  clearingSystem: string
  /** The bank wants a UETR. Only pain.001.001.09 has one. */
  hasUetr: boolean
  /** The payee’s address is required: town and country at least. */
  needsAddress: boolean
  /** The bank requires a regulatory text. */
  needsRegulatoryText: boolean
  /** The most letters of a name that the rail carries. ISO allows 140. */
  nameLength: number
  /** Code of ISO’s list of purposes, such as SUPP, that each order has. */
  purpose: string | null
  /** Orders name the sender of the payment as the ultimate debtor: the operator pays for it. */
  namesSender: boolean
  /** The bank through which orders go to the payee’s bank. */
  intermediaryBank: { bic: string; name: string | null } | null
  /** The highest amount of one order. A payment above it is refused. Null: no limit. */
  centsPerOrder: number | null
  /** The most that all orders of one execution date may be. Others wait for the next day. Null: no limit. */
  centsPerDay: number | null
}

/** What an agreement with a bank says about all messages. */
export type MessageTerms = {
  creditTransfer: CreditTransferName
  recall: RecallName
  characters: CharacterSet
  /** The company that sends the messages. `scheme` is a code of ISO for the kind of id, such as CUST or BANK. */
  initiatingParty: { name: string; id: string | null; scheme: string | null }
  rails: Readonly<Partial<Record<IsoRail, RailTerms>>>
}

/** An address in parts. Banks refuse addresses without parts since November 2026. `country`: two letters. */
export type StructuredAddress = {
  street: string | null
  building: string | null
  postalCode: string | null
  town: string
  region: string | null
  country: string
}

/** How orders for wires and real-time payments are sent to this bank. */
export type IsoContract = {
  terms: MessageTerms
  /** The id of the account that is debited, with its holder as the bank knows it. */
  account: string
  holder: { name: string; address: StructuredAddress | null }
  /** The BIC of the bank, or null. Its routing number is that of the account. */
  bic: string | null
  /** The time (HH:MM in the zone of the connection) after which an order is executed on the next banking day. Null: at any time. */
  cutOffs: Readonly<Partial<Record<IsoRail, string | null>>>
  /** Absolute path of a folder with XML schemas. Each message is validated with them. Null: it is not validated. */
  schemaFolder: string | null
  /** Names of files with answers, with `*` for any characters. */
  reportNames: readonly string[]
  /** Hours after which an order without a final answer is a case. */
  answerHours: number
}

/** Names of files with answers to orders if a connection does not give its own. */
export const REPORT_NAMES = ['*pain.002*', '*pain002*', '*camt.029*', '*camt029*']

/** The statements of the operator's accounts that the bank sends. */
export type StatementContract = {
  /** Null: found out for each file. */
  format: 'bai2' | 'camt' | 'csv' | null
  /** Names of files of statements, with `*` for any characters. */
  names: readonly string[]
  /** The columns of CSV, as docs/statements.md describes them. Null: the bank sends no CSV. */
  csv: Readonly<Record<string, unknown>> | null
  rules: readonly StatementRule[]
}

/** Lines that are no payments, such as fees. Each part that is given must fit. `text`: a part of the text, in any case. */
export type StatementRule = {
  text: string | null
  /** The bank's code of the movement. */
  code: string | null
  sign: 'credit' | 'debit' | null
  /** The name of the ledger account after `operator:`. */
  account: string
}

export const VIRTUAL_ACCOUNT_RAILS = ['ACH', 'RTP', 'WIRE'] as const
export type VirtualAccountRail = (typeof VIRTUAL_ACCOUNT_RAILS)[number]

export const CHECK_DIGITS = ['luhn', 'none'] as const

/** Numbers that Remit forms: the prefix, random digits, and a check digit. `length`: of the whole number. */
export type NumberForm = { prefix: string; length: number; checkDigit: (typeof CHECK_DIGITS)[number] }

/** Account numbers for incoming money. The bank books their credits on one account of the operator, and the line names the number. */
export type VirtualAccounts = {
  /** The id of that account. */
  account: string
  /** The rails over which the bank receives money for the numbers. */
  rails: readonly VirtualAccountRail[]
  /** A form that the bank assigned, or a list of numbers that it gave. They appear in no output in clear. */
  numbers: NumberForm | readonly string[]
}

/** The shortest number. Shorter ones could be dates or amounts in the text of a line. */
export const MIN_VIRTUAL_DIGITS = 9

/** Names of files of statements if a connection does not give its own. */
export const STATEMENT_NAMES = ['statement*', '*.bai', '*.bai2', '*.c53']
