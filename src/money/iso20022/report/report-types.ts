// Answers of banks to orders (pain.002) and to requests to cancel them (camt.029), independent of their versions.

export type ReportKind = 'status' | 'recall'

/** The level of a status: a whole message of ours, one payment (PmtInf) in it, or one order. */
export type ReportLevel = 'group' | 'payment' | 'transaction'

/** The bank's reason for a status. `code` is an ISO code or one of the bank's own codes. */
export type ReportReason = { code: string | null; text: string }

/** The number of orders with a status, as the bank counts them. */
export type StatusCount = { code: string; count: number }

/** One status. Ids are those of our message. Null: the bank does not give the value. */
export type ReportedStatus = {
  /** The place in the file, such as `line 12: Document/CstmrPmtStsRpt/OrgnlGrpInfAndSts`. */
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
  /** The bank's own reference of the order. */
  bankReference: string | null
  /** The number of all orders in a group or payment. `counts`: the number for each status. */
  orderCount: number | null
  counts: StatusCount[]
}

/** The beginning of a report. `caseId` and `conclusion`: the request that a camt.029 answers, and its overall result. */
export type ReportHead = {
  place: string
  kind: ReportKind
  id: string | null
  caseId: string | null
  conclusion: string | null
}

/**
 * The scope of a problem. `file`: the rest of the file was not read. `status`: one status could not be used. `field`: the status was read
 * without this field.
 */
export type ReportProblemScope = 'file' | 'status' | 'field'

/** A problem of a report. `message` never contains values of the file, because they can be account numbers. */
export type ReportProblem = { scope: ReportProblemScope; place: string; message: string }

/** The events of reading a file. Each report is a `report`, its statuses, and an `end`. */
export type ReportEvent =
  | { type: 'report'; report: ReportHead }
  | { type: 'status'; status: ReportedStatus }
  | { type: 'end' }
  | { type: 'problem'; problem: ReportProblem }

/** A complete report with its statuses. `isComplete`: whether its end was read. */
export type WholeReport = ReportHead & { statuses: ReportedStatus[]; isComplete: boolean }
