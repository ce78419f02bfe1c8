import { isReturnCode, type ReturnCode } from '../../rail/return-code-rules.ts'
import type { ReportKind, ReportReason } from './report-types.ts'

/**
 * The meaning of a status for an order. `received`: the bank has it. `accepted`: the bank will execute it. `paid`: the money has moved.
 * `pending`: nothing is decided. `rejected`: it will not be executed. `canceled`: the bank canceled it at our request. `kept`: the bank did
 * not cancel it. `held`: a person has to ask the bank. `mixed`: its orders have different statuses.
 */
export type StatusMeaning =
  | 'received'
  | 'accepted'
  | 'paid'
  | 'pending'
  | 'rejected'
  | 'canceled'
  | 'kept'
  | 'held'
  | 'mixed'

type StatusCode = { meaning: StatusMeaning; text: string }

/**
 * The codes of ISO's external lists for payments (ExternalPaymentGroupStatus1Code, ExternalPaymentTransactionStatus1Code), with their
 * meaning for the leg of an order. Codes about requests to pay (PRES) and about checks (ACIS) never answer our orders.
 */
// biome-ignore format: one code, one line
export const paymentStatusCodes = {
  RCVD: { meaning: 'received', text: 'The bank has received the order.' },
  ACTC: { meaning: 'received', text: 'The order is authentic and well-formed.' },
  PATC: { meaning: 'pending', text: 'The order waits for another authorization at the bank.' },
  RVNC: { meaning: 'pending', text: 'The payee’s name is being checked.' },
  RCVC: { meaning: 'received', text: 'The payee’s name was checked and matches.' },
  RVNA: { meaning: 'received', text: 'The payee’s name could not be checked.' },
  RVMC: { meaning: 'held', text: 'The payee’s name almost matches. The bank waits for a decision.' },
  RVNM: { meaning: 'held', text: 'The payee’s name does not match. The bank waits for a decision.' },
  RVCM: { meaning: 'held', text: 'The names of some payees do not match. The bank waits for a decision.' },
  ACFW: { meaning: 'held', text: 'The account covers the order, and the bank waits for a confirmation.' },
  PDNG: { meaning: 'pending', text: 'The bank still checks the order.' },
  ACCP: { meaning: 'accepted', text: 'The bank has accepted the order for its customer.' },
  ACFC: { meaning: 'accepted', text: 'The bank has accepted the order, and the account covers it.' },
  ACSP: { meaning: 'accepted', text: 'The bank executes the order.' },
  ACWC: { meaning: 'accepted', text: 'The bank executes the order with a change, such as another date.' },
  ACPD: { meaning: 'accepted', text: 'The clearing system has accepted the order.' },
  ACWP: { meaning: 'accepted', text: 'The payee’s bank has accepted the order, and has not yet booked it.' },
  BLCK: { meaning: 'held', text: 'The payee’s bank holds the money. It is neither paid nor returned.' },
  ACSC: { meaning: 'paid', text: 'The order is settled: the account was debited.' },
  ACCC: { meaning: 'paid', text: 'The payee’s account was credited.' },
  CPUC: { meaning: 'paid', text: 'The payee has picked up the money.' },
  RJCT: { meaning: 'rejected', text: 'The bank does not execute the order.' },
  CANC: { meaning: 'canceled', text: 'The order was canceled on request.' },
  PART: { meaning: 'mixed', text: 'Some orders are accepted. Each has its own status.' },
} as const satisfies Record<string, StatusCode>

/**
 * The codes of a camt.029: overall results (ExternalInvestigationExecutionConfirmation1Code), and results of groups and orders
 * (GroupCancellationStatus1Code, CancellationIndividualStatus1Code).
 */
// biome-ignore format: one code, one line
export const recallStatusCodes = {
  CNCL: { meaning: 'canceled', text: 'The order was canceled.' },
  ACCR: { meaning: 'canceled', text: 'The request to cancel was accepted.' },
  RJCR: { meaning: 'kept', text: 'The request to cancel was refused. The order stays.' },
  PDCR: { meaning: 'pending', text: 'The request to cancel is not decided.' },
  PDNG: { meaning: 'pending', text: 'The answer to the request is not decided.' },
  CWFW: { meaning: 'pending', text: 'The order will be canceled. The confirmation follows.' },
  IPAY: { meaning: 'pending', text: 'The order was paid, and a payment gives the money back. A line of the statement shows it.' },
  FTNA: { meaning: 'pending', text: 'The request to cancel was sent on to the next bank.' },
  UWFW: { meaning: 'held', text: 'The bank cannot apply the request and asks for details.' },
  PECR: { meaning: 'mixed', text: 'Some orders were canceled. Each has its own status.' },
  PACR: { meaning: 'mixed', text: 'Some requests were accepted. Each order has its own status.' },
} as const satisfies Record<string, StatusCode>

const codesOf: Readonly<Record<ReportKind, Readonly<Record<string, StatusCode>>>> = {
  status: paymentStatusCodes,
  recall: recallStatusCodes,
}

/** Returns the meaning of a code, or null if the tables do not contain it. */
export function meaningOf(kind: ReportKind, code: string): StatusMeaning | null {
  const codes = codesOf[kind]
  return Object.hasOwn(codes, code) ? (codes[code]?.meaning ?? null) : null
}

/**
 * Returns the return code of a rejected or returned order: the code of the first reason that has one, or else the code for a reason in
 * words.
 */
export const returnCodeOf = (reasons: readonly ReportReason[]): ReturnCode =>
  reasons.map(({ code }) => code ?? '').find(isReturnCode) ?? 'NARR'

/** Returns whether a meaning is final: the money has moved, or never will. */
export const isFinal = (meaning: StatusMeaning): boolean =>
  meaning === 'paid' || meaning === 'rejected' || meaning === 'canceled' || meaning === 'kept'
