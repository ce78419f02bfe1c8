// The content of bank statements, independent of their format. Amounts are integers of the smallest unit of the currency (cents), and
// credits are positive.

export type StatementFormat = 'bai2' | 'camt' | 'csv'

/**
 * The kind of a statement. `statement`: the bookings of a day. `interim`: a day that has not ended. `notification`: details without
 * balances.
 */
export type StatementKind = 'statement' | 'interim' | 'notification'

/** The relation of a statement to an earlier one of the same day. `test` and `deletion` are never booked. */
export type StatementAction = 'new' | 'correction' | 'deletion' | 'test'

/** The beginning of a statement: one account on one day. */
export type StatementHead = {
  /** The place in the file, such as `line 3`. */
  place: string
  kind: StatementKind
  action: StatementAction
  /** Whether the bank marked the statement as a copy or a duplicate. */
  isCopy: boolean
  /** The account number or IBAN as the bank writes it. Null: the bank does not name an account. */
  account: string | null
  currency: string | null
  /** The day as YYYY-MM-DD, or null if the file does not contain it. */
  day: string | null
  /** Why `day` is null although the file has a day, such as `its day, 2027-03-04, is in the future`. Null: there is no such reason. */
  dayProblem: string | null
  id: string | null
  /** The number of the statement, if the bank numbers the statements of an account in sequence. */
  sequence: number | null
  /** The page number, if the bank sends a statement in several parts. */
  page: { number: number; isLast: boolean } | null
}

export type BalanceKind = 'opening' | 'closing' | 'interim' | 'available' | 'other'

/** A balance. `code`: the code in the format of the file, such as `015` or `CLBD`. */
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
  /** A code without a published meaning. The line is used, and the operator decides about it. */
  | 'unknown'

/**
 * The kind of a reference. `file`, `batch`, `instruction`, `end_to_end` and `check` are our references. The others come from banks and
 * clearing houses.
 */
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

/** One payment inside a line that books several payments. `cents` is null if the bank gives no amount. */
export type LineDetail = {
  cents: number | null
  references: References
  name: string | null
  /** The numbers of accounts that can be ours: the creditor's of a credit, the debtor's of a debit. */
  accounts: string[]
  text: string
  /** The reason of a return, such as `R01` or `AC04`. */
  returnReason: string | null
}

/** A charge that the bank lists for a line. `isIncluded`: whether the amount of the line contains it. */
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
  /** Whether the line reverses an earlier line. The sign is already that of the reversal. */
  isReversal: boolean
  /** The count and sum that the bank gives for the batch that the line books. */
  batch: { count: number | null; cents: number | null } | null
  details: LineDetail[]
  charges: LineCharge[]
  returnReason: string | null
}

/** The end of a statement. `differenceCents`: closing balance minus opening balance and booked lines. Null: one of them is unknown. */
export type StatementTotals = {
  balances: StatementBalance[]
  openingCents: number | null
  closingCents: number | null
  lineCount: number
  creditCents: number
  debitCents: number
  differenceCents: number | null
  /** Whether the end of the statement was read. */
  isComplete: boolean
}

/**
 * The scope of a problem. `file`: parts of the file may be missing. `statement`: its balances, totals or day are in doubt. `line`: this
 * line could not be read. `field`: the line was read without this field.
 */
export type ProblemScope = 'file' | 'statement' | 'line' | 'field'

/** A problem of a statement. `message` never contains values of the file, because they can be account numbers. */
export type StatementProblem = { scope: ProblemScope; place: string; message: string }

/** The events of reading a file. Each statement is a `statement`, its lines, and an `end`. */
export type StatementEvent =
  | { type: 'statement'; statement: StatementHead }
  | { type: 'line'; line: StatementLine }
  | { type: 'end'; totals: StatementTotals }
  | { type: 'problem'; problem: StatementProblem }

export type Emit = (event: StatementEvent) => void

/** Reads the text of a file in pieces of any size. */
export type StatementReader = { write(text: string): void; end(): void }

/** The options of a reader. `today`: YYYY-MM-DD. Statements and lines of later days are problems. */
export type ReadOptions = { today: string }

/** A complete statement with its lines, for files that fit into memory. */
export type WholeStatement = StatementHead & { lines: StatementLine[]; totals: StatementTotals }
