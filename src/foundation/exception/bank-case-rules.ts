/** The kinds of cases about files from the bank, with the decision that the operator has to make. */
export const bankCaseKinds = {
  file_unread:
    'A file from the bank could not be used. Apply the part that can be read, or ask the bank for the right file.',
  entry_unread:
    'An entry from the bank could not be used. Find out which payment it is about, then apply it with the right values.',
  correction_unread:
    'A notification of change cannot be read. Ask the bank for the right account, then apply it with these values.',
  correction_impossible:
    'A notification of change cannot be applied. Correct the bank account by hand, or ask its holder.',
  payment_missing:
    'After a restore of the database, an entry or order at the bank, or a check at the printer, belongs to no payment here. No client has repeated its payment. Find out whose it was, and settle it with them. The case closes when the payment is repeated.',
  return_contested: 'The bank disputes a return. Find out who has the money before anything else of the payment moves.',
  check_amount_differs:
    'The bank paid a check with another amount. Apply it to record the check as paid, and claim the difference.',
  connection_failing:
    'The bank cannot be reached, its server is not the one that is pinned, or its exchange folder cannot be used. Correct connections.json or the folder, or ask the bank. The case closes when the connection works.',
  connection_silent:
    'Nothing came from the bank in the time that connections.json expects. Ask the bank. The case closes when a file arrives.',
  file_not_sent:
    'A file was not delivered to the bank, or its delivery is uncertain. Ask the bank. Then send it, or record that the bank has it.',
  file_not_received:
    'A file on the server of the bank cannot be fetched. Ask the bank to send it again under another name.',
  orders_invalid:
    'Orders cannot be written for the bank, or a schema of the bank refuses them. Nothing was sent. Correct connections.json or the schemas. The case closes when orders are sent.',
  order_unanswered:
    'The bank has not given a final answer to an order. Remit never sends it again automatically. Ask the bank, then apply its answer. The case closes when the answer comes.',
  order_contradicts:
    'An answer of the bank to an order contradicts an earlier answer, or the bank holds the order. Ask the bank, then apply its answer.',
  statement_unread:
    'A bank statement could not be used. Ask the bank for the right one, or add the account to connections.json and read the file again.',
  statement_line_unread: 'A line of a bank statement could not be read. Ask the bank what it is.',
  statement_gap:
    'A bank statement does not begin where the one before ended. Ask the bank for the missing one. The case closes when it is read.',
  statement_difference:
    'The lines of a bank statement do not explain its closing balance. The difference is in suspense. Ask the bank.',
  payout_unknown:
    'A processor does not report the outcome of an order, or its answers cannot be read. Ask it by the reference, then apply the case with PAID or with the code of a return.',
  payout_contradicts:
    'A processor’s report about an order contradicts an earlier report or the order itself. Ask it by the reference.',
  balance_too_low:
    'The balance at a processor is too low for some orders, which wait. Add money there. The case closes when the processor has taken them.',
  month_closed:
    'A bank statement belongs to a month that is closed. Nothing of it is used. Close the case, or reopen the month with remit reconcile reopen and read the file again.',
  movement_not_booked:
    'The bank has not booked a movement that it confirmed. Ask the bank. The case closes when a line books it.',
  line_contradicts:
    'A line of a bank statement contradicts an earlier answer of the bank. Ask the bank, then match or ignore the line with remit reconcile. If it returns an order (RTP, WIRE or SWIFT) and is not marked as a return, has another amount, or may concern a copy, ask the bank, then apply the case with the reason of the return, such as AC04.',
  return_not_booked:
    'The bank returned a payment, and no statement shows the return. Ask the bank. The case closes when a line books it.',
  wallet_numbers_used_up:
    'No account number is left for new wallets. Ask the bank for more, and add them to virtual_accounts in connections.json. The case closes when a wallet gets one.',
} as const satisfies Record<string, string>

export type BankCaseKind = keyof typeof bankCaseKinds

/** The kinds of cases that name a payment without holding it. They only wait for a line of a statement, or for a processor. */
export const kindsWithoutHold = [
  'movement_not_booked',
  'return_not_booked',
  'payout_unknown',
  'payout_contradicts',
] as const satisfies readonly BankCaseKind[]

/**
 * How cases about movements and returns end that a line of a statement books after all. If the line is undone later, the movement can have
 * another case.
 */
export const BOOKED = 'A line of a statement books it.'
/** How a case about a movement ends whose entry the bank rejected. If the movement is sent again, it can have another case. */
export const REJECTED_BY_BANK = 'The bank has rejected the entry.'
/** How cases about movements end that nobody has decided. */
export const ENDED_BY_ITSELF: readonly string[] = [BOOKED, REJECTED_BY_BANK]

/** Returns the event of a case after `formerCount` cases that ended by themselves. */
export const eventOfCount = (formerCount: number): string => (formerCount === 0 ? '' : String(formerCount))

/**
 * The part of the service that the case came from. Readers of files: `ach`, `paid` (paid checks), `mail` (scanned mail), `statement` (bank
 * statements). `transfer`: the transfer of a file. `order`: an ISO 20022 order. `payout`: an order at a processor.
 */
export type BankCaseSource = 'ach' | 'paid' | 'mail' | 'transfer' | 'statement' | 'order' | 'payout'

export type HeldAccount = { routingNumber: string; accountNumber: string }

/** Values that the operator types with a decision. */
export type CaseValues = Partial<
  Record<'trace' | 'code' | 'routing' | 'account' | 'type' | 'number' | 'amount' | 'date', string | undefined>
>

/** What the operator's decision about a case did, and the platforms whose payments it changed. */
export type AppliedCase = { done: string; platformIds: readonly string[] }

/** A decision to read all files with a name again, with the person who made it and the reason. */
export type ReadAgain = { name: string; by: string; why: string }

/** The content of a case: what the operator sees, and what a decision needs. It is sealed, because lines contain account numbers. */
export type CaseContent = {
  /** The affected lines of the file, each parsed as one record. */
  lines: { number: number; text: string }[]
  /** The number of affected entries whose lines are left out. */
  hiddenCount?: number
  problems?: string[]
  /** Sentences about how to decide. */
  proposals?: string[]
  /** The parsed values. The reader that stored them also reads them. */
  data?: Record<string, unknown>
}
