/** Whether the bank acknowledges files, or a file counts as accepted when its settlement time has passed. */
export type Acknowledgements = 'required' | 'none'

/** One contract with a bank or payment provider, as `connections.json` describes it. Secrets are paths of files, which are read when they are used. */
export type Connection = {
  /** Lower-case letters, digits and hyphens. It names the connection in commands, cases, metrics and files. */
  id: string
  transport: FolderTransport | SftpTransport
  /** Dates on which this bank is closed, beside the holidays of the Federal Reserve: YYYY-MM-DD. */
  holidays: readonly string[]
  /** When something must have been heard from the bank. Null: it may be silent. */
  expected: Expected | null
  accounts: readonly OperatorAccount[]
  ach: AchContract | null
  checks: CheckContract | null
}

export type FolderTransport = { type: 'folder'; path: string }

/**
 * How a file gets its final name. `rename`: it is written under a temporary name first. `direct`: for servers that forbid renaming.
 * `vanishes`: as `rename`, for servers that take a file away at once.
 */
export type Upload = 'rename' | 'direct' | 'vanishes'

export type SftpTransport = {
  type: 'sftp'
  host: string
  port: number
  user: string
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

export type PgpContract = {
  encryptToFiles: readonly string[]
  signWithFile: string | null
  decryptWithFile: string | null
  passphraseFile: string | null
  requireSignatureOfFiles: readonly string[]
  isArmored: boolean
}

/** `each banking day by HH:MM`, or `every N hours`. */
export type Expected = { by: string } | { everyHours: number }

/** An account of the operator at the bank. The number is in a file. */
export type OperatorAccount = {
  id: string
  routingNumber: string
  numberFile: string
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
  timeZone: string
  acknowledgements: Acknowledgements
  /** The account of the balancing entry of each batch. Null: the bank books the other side. */
  balancingAccount: string | null
  /** What one file, and all files of a banking day, may contain. Null: no limit of the bank. */
  limits: { entriesPerFile: number | null; centsPerFile: number | null; centsPerDay: number | null }
}

/** The account that checks are drawn on, and the lists about them. */
export type CheckContract = {
  account: string
  companyName: string
  bankName: string
  fractionalRouting: string | null
  firstCheckNumber: number
  acknowledgements: Acknowledgements
  /** Names of columns in lists of paid checks that the bank uses beside the usual ones. */
  paidColumns: readonly { column: string; name: string }[]
}

/** All connections, and the connection that carries each rail. A rail that is missing is not offered. */
export type Connections = {
  all: readonly Connection[]
  rails: Readonly<Record<string, string>>
}
