import type { ReportKind } from './report-types.ts'

/** The places of the values in a message that Remit reads: names of elements, or paths below them. */
export type ReportLayout = {
  kind: ReportKind
  id: string
  caseId: string | null
  conclusion: string | null
  /** The element that contains the groups. Null: the message itself. */
  scope: string | null
  status: { group: string; payment: string; transaction: string }
  reasons: string
  counts: string
  uetr: readonly string[]
  /** The paths of the ordered amount. */
  amounts: readonly string[]
}

export const GROUP = 'OrgnlGrpInfAndSts'
export const PAYMENT = 'OrgnlPmtInfAndSts'
export const TRANSACTION = 'TxInfAndSts'

/** The known messages, by their element below Document. */
export const reportLayouts: Readonly<Record<string, ReportLayout>> = {
  // pain.002: the status of orders
  CstmrPmtStsRpt: {
    kind: 'status',
    id: 'GrpHdr/MsgId',
    caseId: null,
    conclusion: null,
    scope: null,
    status: { group: 'GrpSts', payment: 'PmtInfSts', transaction: 'TxSts' },
    reasons: 'StsRsnInf',
    counts: 'NbOfTxsPerSts',
    uetr: ['OrgnlUETR'],
    amounts: ['OrgnlTxRef/Amt/InstdAmt'],
  },
  // camt.029: the answer to a request to cancel
  RsltnOfInvstgtn: {
    kind: 'recall',
    id: 'Assgnmt/Id',
    caseId: 'RslvdCase/Id',
    conclusion: 'Sts/Conf',
    scope: 'CxlDtls',
    status: { group: 'GrpCxlSts', payment: 'PmtInfCxlSts', transaction: 'TxCxlSts' },
    reasons: 'CxlStsRsnInf',
    counts: 'NbOfTxsPerCxlSts',
    uetr: ['UETR', 'OrgnlUETR'],
    amounts: ['OrgnlInstdAmt', 'OrgnlTxRef/Amt/InstdAmt'],
  },
}

/** The known versions. Other versions are also read, with a remark. */
export const REPORT_VERSIONS = { from: 3, to: 15 }

/** Matches the namespace of a known message, and captures its version. */
export const REPORT_NAMESPACE = /(?:pain\.002|camt\.029)\.\d{3}\.(\d\d)$/
