import type { CheckLayout } from './check-layout.ts'

/** Whether the bank acknowledges files, or a file counts as accepted when its settlement time has passed. */
export const ACKNOWLEDGEMENTS = ['required', 'none'] as const
export type Acknowledgements = (typeof ACKNOWLEDGEMENTS)[number]

/** The rails whose money moves over a connection. */
export const CARRIED_RAILS = ['ACH', 'MAIL', 'PRINT', 'INSTANT', 'INTERAC', 'PAYPAL', 'VENMO'] as const
export type CarriedRail = (typeof CARRIED_RAILS)[number]

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
  statements: StatementContract | null
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
  /** How long the state of an order may be unknown before it is a case. */
  caseAfterMs: number
  /** For how many days after it was paid an order can come back. The processor is asked about it for so long. */
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

/** Names of files of statements if a connection does not give its own. */
export const STATEMENT_NAMES = ['statement*', '*.bai', '*.bai2', '*.c53']
