// Statements as banks send them, independent of their format. Amounts are integers of the smallest unit of the currency (cents), and credits are
// positive.

export type StatementFormat = 'bai2' | 'camt' | 'csv'

/** `statement`: what the bank booked on a day. `interim`: a day that is not over. `notification`: details, without balances. */
export type StatementKind = 'statement' | 'interim' | 'notification'

/** What a statement does with an earlier one of the same day. `test` and `deletion` are never booked. */
export type StatementAction = 'new' | 'correction' | 'deletion' | 'test'

/** The beginning of a statement: one account on one day. */
export type StatementHead = {
  /** Its place in the file, such as `line 3`. */
  place: string
  kind: StatementKind
  action: StatementAction
  /** The bank marked it as a copy or a duplicate. */
  isCopy: boolean
  /** The account number or IBAN, as the bank writes it. Null: the bank does not name one. */
  account: string | null
  currency: string | null
  /** YYYY-MM-DD. Null if the file does not say it. */
  day: string | null
  id: string | null
  /** Counts up by one for each statement of an account, if the bank numbers them. */
  sequence: number | null
  /** Page of a statement that the bank sends in several parts. */
  page: { number: number; isLast: boolean } | null
}

export type BalanceKind = 'opening' | 'closing' | 'interim' | 'available' | 'other'

/** `code`: the code of the format, such as `015` or `CLBD`. */
export type StatementBalance = { kind: BalanceKind; code: string; cents: number; on: string | null }

export type LineKind =
  | 'ach'
  | 'check'
  | 'wire'
  | 'realtime'
  | 'card'
  | 'deposit'
  | 'transfer'
  | 'fee'
  | 'interest'
  | 'return'
  | 'information'
  | 'other'
  /** A code without a published meaning. The line counts, and a person decides what it is. */
  | 'unknown'

/** Whose reference it is: `file`, `batch`, `instruction`, `end_to_end` and `check` are ours, the others come from banks and clearing houses. */
export type ReferenceKind =
  | 'file'
  | 'batch'
  | 'instruction'
  | 'end_to_end'
  | 'check'
  | 'trace'
  | 'transaction'
  | 'uetr'
  | 'bank'
  | 'customer'

export type References = Partial<Record<ReferenceKind, string>>

/** One payment inside a line that books several. `cents` is null if the bank gives no amount. */
export type LineDetail = {
  cents: number | null
  references: References
  name: string | null
  /** The numbers of accounts that can be ours: the creditor's of a credit, the debtor's of a debit. */
  accounts: string[]
  text: string
  /** Why it came back, such as `R01` or `AC04`. */
  returnReason: string | null
}

/** A charge that the bank names for a line. `isIncluded`: the amount of the line contains it. */
export type LineCharge = { cents: number; isIncluded: boolean; type: string | null }

/** One movement on the account. Only `booked` lines change its balance. */
export type StatementLine = {
  place: string
  status: 'booked' | 'pending' | 'information'
  bookedOn: string | null
  valueOn: string | null
  cents: number
  /** The currency of the amount. */
  currency: string | null
  code: string
  kind: LineKind
  references: References
  name: string | null
  text: string
  /** It takes back an earlier line. The sign is already the one of this movement. */
  isReversal: boolean
  /** What the bank says about the batch that the line books. */
  batch: { count: number | null; cents: number | null } | null
  details: LineDetail[]
  charges: LineCharge[]
  returnReason: string | null
}

/** The end of a statement. `differenceCents`: closing balance less opening balance and booked lines. Null: one of them is unknown. */
export type StatementTotals = {
  balances: StatementBalance[]
  openingCents: number | null
  closingCents: number | null
  lineCount: number
  creditCents: number
  debitCents: number
  differenceCents: number | null
  /** The bank's own end of the statement was read. */
  isComplete: boolean
}

/**
 * How much a problem concerns. `file`: parts of the file may be missing. `statement`: its balances, totals or day are in doubt. `line`: this line
 * could not be read. `field`: the line was read without this field.
 */
export type ProblemScope = 'file' | 'statement' | 'line' | 'field'

/** `message` never contains values of the file, because they can be account numbers. */
export type StatementProblem = { scope: ProblemScope; place: string; message: string }

/** Files are read as a stream of these: each statement is a `statement`, its lines, and an `end`. */
export type StatementEvent =
  | { type: 'statement'; statement: StatementHead }
  | { type: 'line'; line: StatementLine }
  | { type: 'end'; totals: StatementTotals }
  | { type: 'problem'; problem: StatementProblem }

export type Emit = (event: StatementEvent) => void

/** Reads the text of a file in pieces of any size. */
export type StatementReader = { write(text: string): void; end(): void }

/** `today`: YYYY-MM-DD. Statements and lines of later days are problems. */
export type ReadOptions = { today: string }

/** A statement with everything in it, for files that fit into memory. */
export type WholeStatement = StatementHead & { lines: StatementLine[]; totals: StatementTotals }
