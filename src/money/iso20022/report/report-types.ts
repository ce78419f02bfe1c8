// Answers of banks to orders (pain.002) and to requests to cancel them (camt.029), independent of their versions.

export type ReportKind = 'status' | 'recall'

/** What a status is about: a whole message of ours, one payment (PmtInf) in it, or one order. */
export type ReportLevel = 'group' | 'payment' | 'transaction'

/** Why the bank gives a status. `code` is one of ISO’s or of the bank’s own. */
export type ReportReason = { code: string | null; text: string }

/** How many orders have a status, as the bank counts them. */
export type StatusCount = { code: string; count: number }

/** One status. Ids are those of our message. Null: the bank does not say it. */
export type ReportedStatus = {
  /** Its place in the file, such as `line 12: Document/CstmrPmtStsRpt/OrgnlGrpInfAndSts`. */
  place: string
  level: ReportLevel
  messageId: string | null
  paymentId: string | null
  instructionId: string | null
  endToEndId: string | null
  uetr: string | null
  code: string | null
  reasons: ReportReason[]
  amount: { cents: number; currency: string } | null
  /** The bank’s own reference of the order. */
  bankReference: string | null
  /** Of a group or payment: all orders in it, and how many have each status. */
  orderCount: number | null
  counts: StatusCount[]
}

/** The beginning of a report. `caseId` and `conclusion`: the request that a camt.029 answers, and its result as a whole. */
export type ReportHead = {
  place: string
  kind: ReportKind
  id: string | null
  caseId: string | null
  conclusion: string | null
}

/** `file`: the rest was not read. `status`: one status could not be used. `field`: it was read without this field. */
export type ReportProblemScope = 'file' | 'status' | 'field'

/** `message` never contains values of the file, because they can be account numbers. */
export type ReportProblem = { scope: ReportProblemScope; place: string; message: string }

/** Files are read as a stream of these: each report is a `report`, its statuses, and an `end`. */
export type ReportEvent =
  | { type: 'report'; report: ReportHead }
  | { type: 'status'; status: ReportedStatus }
  | { type: 'end' }
  | { type: 'problem'; problem: ReportProblem }

/** A report with everything in it. `isComplete`: its end was read. */
export type WholeReport = ReportHead & { statuses: ReportedStatus[]; isComplete: boolean }
