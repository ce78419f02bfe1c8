/** Who may send a return (Nacha Operating Rules, Appendix Four). */
type Sender = 'RDFI' | 'ACH_OPERATOR' | 'FEDERAL_AGENCY' | 'ODFI' | 'GATEWAY'

/** The time limit of a return after the settlement of its entry. `agreed`: the two banks agree on it. */
type TimeFrame =
  | 'two_banking_days'
  | 'five_banking_days'
  | 'sixty_calendar_days'
  | 'next_file'
  | 'two_banking_days_after_refusal'
  | 'agreed'

/** What a return means for its account. */
export const CONSEQUENCES = {
  block_account: 'The account is blocked for debits and credits.',
  block_debits: 'The account is blocked for debits. It can still receive credits.',
  retry: 'The debit can be retried twice, within 180 days.',
  review: 'The operator decides.',
  none: 'None. The code says nothing about a bank account.',
} as const satisfies Record<string, string>
export type Consequence = keyof typeof CONSEQUENCES

type Reason = { name: string; consequence: Consequence; reason: string; action: string }
type AchReturn = Reason & { sender: Sender; within: TimeFrame }

/**
 * Every return reason code that Nacha defines, with its current meaning (Operating Rules, Appendix Four). Missing
 * numbers are unused: R48, R49, R54 to R60, R63 to R66 (withdrawn), R78, R79.
 */
// biome-ignore format: one code, three lines
export const achReturnCodes = {
  // Returns of an entry, by the receiving bank (RDFI) or the ACH operator
  R01: { name: 'Insufficient funds', sender: 'RDFI', within: 'two_banking_days', consequence: 'retry',
    reason: 'The account does not hold enough money for the debit.',
    action: 'Try again when the account is funded, or send from another bank.' },
  R02: { name: 'Account closed', sender: 'RDFI', within: 'two_banking_days', consequence: 'block_account',
    reason: 'The bank account was open once and has been closed.',
    action: 'Ask for another bank account.' },
  R03: { name: 'No account or unable to locate it', sender: 'RDFI', within: 'two_banking_days', consequence: 'block_account',
    reason: 'The account number looks valid, but the account does not exist or belongs to another person.',
    action: 'Check the routing and account number, and add the bank again.' },
  R04: { name: 'Invalid account number', sender: 'RDFI', within: 'two_banking_days', consequence: 'block_account',
    reason: 'The account number is not valid at this bank: its length or check digit is wrong.',
    action: 'Correct the account number, and add the bank again.' },
  R05: { name: 'Unauthorized corporate debit to a consumer account', sender: 'RDFI', within: 'sixty_calendar_days', consequence: 'block_debits',
    reason: 'A business debit (CCD) reached a consumer’s account, and the consumer did not authorize it.',
    action: 'Do not debit again without a new authorization. Correct the type of the bank account.' },
  R06: { name: 'Returned at the request of the sending bank', sender: 'RDFI', within: 'agreed', consequence: 'review',
    reason: 'The sending bank asked for the entry back.',
    action: 'Contact the operator of this service.' },
  R07: { name: 'Authorization revoked', sender: 'RDFI', within: 'sixty_calendar_days', consequence: 'block_debits',
    reason: 'The account holder has withdrawn the authorization for debits.',
    action: 'Do not debit again. Agree with the account holder on another way to pay.' },
  R08: { name: 'Payment stopped', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The account holder told the bank to stop this debit.',
    action: 'Settle it with the account holder before sending again.' },
  R09: { name: 'Uncollected funds', sender: 'RDFI', within: 'two_banking_days', consequence: 'retry',
    reason: 'The account has the money, but it is not available yet, because a deposit is still being collected.',
    action: 'Try again in a few days.' },
  R10: { name: 'Originator unknown or not authorized', sender: 'RDFI', within: 'sixty_calendar_days', consequence: 'block_debits',
    reason: 'The account holder says that the debit was not authorized, or does not know who sent it.',
    action: 'Do not debit again. Find out whether the account holder agreed, and get a new authorization.' },
  R11: { name: 'Not as authorized', sender: 'RDFI', within: 'sixty_calendar_days', consequence: 'review',
    reason: 'The account holder authorized a debit, but not this one: amount, date or another term differs.',
    action: 'Correct the error and send again within 60 days. You need no new authorization.' },
  R12: { name: 'Account sold to another bank', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The account or its branch now belongs to another bank.',
    action: 'Ask for the new routing and account number.' },
  R13: { name: 'Invalid ACH routing number', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'The routing number is not one that receives ACH entries.',
    action: 'Ask for the bank’s routing number for ACH, and add the bank again.' },
  R14: { name: 'Representative payee deceased', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The person who receives money for someone else has died or can no longer do so.',
    action: 'Send nothing more to this account. Find out who receives the money now.' },
  R15: { name: 'Account holder or beneficiary deceased', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The account holder, or the person who the money is for, has died.',
    action: 'Send nothing more to this account. Contact the estate.' },
  R16: { name: 'Account frozen', sender: 'RDFI', within: 'two_banking_days', consequence: 'block_account',
    reason: 'The account is blocked by the bank or by law, or the entry is under a sanction (OFAC).',
    action: 'Ask for another bank account. The account holder has to talk to the bank.' },
  R17: { name: 'Unprocessable or questionable entry', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The bank could not process the entry, or suspects it: a wrong account number in doubtful circumstances, or an improper reversal.',
    action: 'Check who provided the bank data before you send again.' },
  R18: { name: 'Improper effective entry date', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'The entry came too early for the day on which it should take effect.',
    action: 'Contact the operator of this service: its ACH file was wrong.' },
  R19: { name: 'Amount field error', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'The amount is malformed, or is not zero where it must be.',
    action: 'Contact the operator of this service: its ACH file was wrong.' },
  R20: { name: 'Non-transaction account', sender: 'RDFI', within: 'two_banking_days', consequence: 'block_debits',
    reason: 'The account does not accept such entries. This is common for savings accounts.',
    action: 'Ask for a checking account.' },
  R21: { name: 'Invalid company identification', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The receiver does not know the company number in the entry.',
    action: 'Contact the operator of this service: its company number has to be corrected.' },
  R22: { name: 'Invalid individual ID number', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The receiver cannot tell from the number in the entry who it is for.',
    action: 'Ask the recipient which number to use.' },
  R23: { name: 'Credit refused by the receiver', sender: 'RDFI', within: 'two_banking_days_after_refusal', consequence: 'review',
    reason: 'The recipient refused the money, for example because the amount is wrong or the sender unknown.',
    action: 'Ask the recipient why before sending again.' },
  R24: { name: 'Duplicate entry', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The bank has received the same entry before.',
    action: 'Check whether the payment was made already. If it was not, send a new one.' },
  R25: { name: 'Addenda error', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'A record with additional information is missing or wrong.',
    action: 'Contact the operator of this service: its ACH file was wrong.' },
  R26: { name: 'Mandatory field error', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'A field that must be filled is empty or wrong.',
    action: 'Contact the operator of this service: its ACH file was wrong.' },
  R27: { name: 'Trace number error', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'A trace number is missing or does not fit its entry.',
    action: 'Contact the operator of this service: its ACH file was wrong.' },
  R28: { name: 'Routing number check digit error', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'The check digit of the routing number is wrong.',
    action: 'Correct the routing number, and add the bank again.' },
  R29: { name: 'Corporate customer advises not authorized', sender: 'RDFI', within: 'two_banking_days', consequence: 'block_debits',
    reason: 'The business that holds the account says that it did not authorize the debit.',
    action: 'Do not debit again. The business has to allow it at its bank (a debit filter may have refused it).' },
  R30: { name: 'No check truncation', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'The bank does not participate in check truncation.',
    action: 'Collect the check in another way.' },
  R31: { name: 'Permissible return', sender: 'RDFI', within: 'agreed', consequence: 'review',
    reason: 'The sending bank agreed to take a business entry (CCD or CTX) back after the deadline.',
    action: 'Ask the business why it sent the entry back.' },
  R32: { name: 'Receiving bank cannot settle', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'The receiving bank is not able to settle the entry.',
    action: 'Ask for an account at another bank, or try again later.' },
  R33: { name: 'Return of a destroyed check entry', sender: 'RDFI', within: 'sixty_calendar_days', consequence: 'review',
    reason: 'The bank does not accept the entry for a destroyed check (XCK).',
    action: 'Collect the check in another way.' },
  R34: { name: 'Bank with limited participation', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'A regulator has limited the participation of the receiving bank.',
    action: 'Ask for an account at another bank.' },
  R35: { name: 'Improper debit entry', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'An entry of this class, or to this kind of account, must not be a debit.',
    action: 'Contact the operator of this service: its ACH file was wrong.' },
  R36: { name: 'Improper credit entry', sender: 'ACH_OPERATOR', within: 'next_file', consequence: 'review',
    reason: 'An entry of this class must not be a credit.',
    action: 'Contact the operator of this service: its ACH file was wrong.' },
  R37: { name: 'Source document presented for payment', sender: 'RDFI', within: 'sixty_calendar_days', consequence: 'review',
    reason: 'The check from which the entry was made was cashed as well.',
    action: 'Do not debit again: the check has been paid.' },
  R38: { name: 'Stop payment on the source document', sender: 'RDFI', within: 'sixty_calendar_days', consequence: 'review',
    reason: 'The account holder stopped the check from which the entry was made.',
    action: 'Settle it with the account holder before sending again.' },
  R39: { name: 'Improper source document', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The check must not be made into an entry, or was cashed as well.',
    action: 'Collect the check in another way, unless it has been paid.' },

  // Returns of enrollments with a federal agency (ENR)
  R40: { name: 'Enrollment returned', sender: 'FEDERAL_AGENCY', within: 'agreed', consequence: 'review',
    reason: 'The agency returned the enrollment at its discretion.',
    action: 'Ask the agency.' },
  R41: { name: 'Invalid transaction code in an enrollment', sender: 'FEDERAL_AGENCY', within: 'agreed', consequence: 'review',
    reason: 'The transaction code in the enrollment is not valid or does not fit.',
    action: 'Correct the transaction code and enroll again.' },
  R42: { name: 'Routing number error in an enrollment', sender: 'FEDERAL_AGENCY', within: 'agreed', consequence: 'review',
    reason: 'The routing number in the enrollment, or its check digit, is wrong.',
    action: 'Correct the routing number and enroll again.' },
  R43: { name: 'Invalid account number in an enrollment', sender: 'FEDERAL_AGENCY', within: 'agreed', consequence: 'review',
    reason: 'The account number in the enrollment is missing or not valid.',
    action: 'Correct the account number and enroll again.' },
  R44: { name: 'Invalid ID number in an enrollment', sender: 'FEDERAL_AGENCY', within: 'agreed', consequence: 'review',
    reason: 'The agency has no record with the identification number in the enrollment.',
    action: 'Correct the identification number and enroll again.' },
  R45: { name: 'Invalid name in an enrollment', sender: 'FEDERAL_AGENCY', within: 'agreed', consequence: 'review',
    reason: 'The name in the enrollment is missing or differs from the agency’s record.',
    action: 'Correct the name and enroll again.' },
  R46: { name: 'Invalid representative payee indicator', sender: 'FEDERAL_AGENCY', within: 'agreed', consequence: 'review',
    reason: 'The indicator for a representative payee is missing, or differs from the agency’s record.',
    action: 'Correct the indicator and enroll again.' },
  R47: { name: 'Duplicate enrollment', sender: 'FEDERAL_AGENCY', within: 'agreed', consequence: 'review',
    reason: 'The agency has received the same enrollment before.',
    action: 'Do nothing: the first enrollment counts.' },

  // Returns of a check that was re-presented as an entry (RCK)
  R50: { name: 'State law affecting a re-presented check', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The law of the bank’s state does not allow this check to be presented as an entry.',
    action: 'Collect the check in another way.' },
  R51: { name: 'Ineligible re-presented check', sender: 'RDFI', within: 'sixty_calendar_days', consequence: 'review',
    reason: 'The check must not be presented as an entry: no notice was given, it was altered or forged, or the amount differs.',
    action: 'Collect the check in another way.' },
  R52: { name: 'Stop payment on a re-presented check', sender: 'RDFI', within: 'sixty_calendar_days', consequence: 'review',
    reason: 'The account holder stopped the check.',
    action: 'Settle it with the account holder.' },
  R53: { name: 'Check and entry both presented', sender: 'RDFI', within: 'sixty_calendar_days', consequence: 'review',
    reason: 'The check was cashed as well as its entry.',
    action: 'Do not debit again: the check has been paid.' },

  // The ODFI rejects a return: dishonored returns
  R61: { name: 'Misrouted return', sender: 'ODFI', within: 'five_banking_days', consequence: 'review',
    reason: 'The return was sent to the wrong bank.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },
  R62: { name: 'Return of an erroneous or reversing debit', sender: 'ODFI', within: 'five_banking_days', consequence: 'review',
    reason: 'A debit and its reversal did not cancel out, and the account holder was credited by mistake.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },
  R67: { name: 'Duplicate return', sender: 'ODFI', within: 'five_banking_days', consequence: 'review',
    reason: 'The same entry was returned more than once.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },
  R68: { name: 'Untimely return', sender: 'ODFI', within: 'five_banking_days', consequence: 'review',
    reason: 'The return came after its deadline.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },
  R69: { name: 'Field errors in a return', sender: 'ODFI', within: 'five_banking_days', consequence: 'review',
    reason: 'Fields of the return do not match the original entry.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },
  R70: { name: 'Permissible return not accepted', sender: 'ODFI', within: 'five_banking_days', consequence: 'review',
    reason: 'The return claims an agreement or a request of the sending bank that does not exist.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },

  // The RDFI insists on its return: contested dishonored returns
  R71: { name: 'Misrouted dishonored return', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The dishonored return was sent to the wrong bank.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },
  R72: { name: 'Untimely dishonored return', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The return was dishonored after the deadline.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },
  R73: { name: 'Timely original return', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The receiving bank certifies that its return was in time.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },
  R74: { name: 'Corrected return', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The receiving bank sends its return again, with the errors corrected.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },
  R75: { name: 'Return not a duplicate', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The receiving bank says that it returned the entry only once.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },
  R76: { name: 'No errors found', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The receiving bank finds none of the errors for which its return was dishonored.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },
  R77: { name: 'Non-acceptance of an R62 dishonored return', sender: 'RDFI', within: 'two_banking_days', consequence: 'review',
    reason: 'The receiving bank returned both the debit and its reversal, or cannot get the money back.',
    action: 'Contact the operator of this service: the banks have to clear it up.' },

  // Returns of international entries (IAT) by the gateway bank
  R80: { name: 'International entry coding error', sender: 'GATEWAY', within: 'two_banking_days', consequence: 'review',
    reason: 'A country, currency or type code of the international entry is not valid.',
    action: 'Contact the operator of this service: its ACH file was wrong.' },
  R81: { name: 'No international participation', sender: 'GATEWAY', within: 'two_banking_days', consequence: 'review',
    reason: 'The gateway has no agreement to forward international entries for the sender.',
    action: 'Send the payment on another rail.' },
  R82: { name: 'Invalid foreign bank identification', sender: 'GATEWAY', within: 'two_banking_days', consequence: 'review',
    reason: 'The number of the foreign bank is not valid.',
    action: 'Correct the foreign bank’s data.' },
  R83: { name: 'Foreign bank unable to settle', sender: 'GATEWAY', within: 'two_banking_days', consequence: 'review',
    reason: 'The payment system abroad could not settle the entry.',
    action: 'Try again later, or send the payment on another rail.' },
  R84: { name: 'Not processed by the gateway', sender: 'GATEWAY', within: 'two_banking_days', consequence: 'review',
    reason: 'The gateway did not forward the entry, because of its risk or because it cannot be processed abroad.',
    action: 'Send the payment on another rail.' },
  R85: { name: 'International payment coded as domestic', sender: 'GATEWAY', within: 'two_banking_days', consequence: 'review',
    reason: 'The payment leaves the country, and its class lacks the data for the sanctions check.',
    action: 'Send the payment on a rail for international payments.' },
} as const satisfies Record<string, AchReturn>

export type AchReturnCode = keyof typeof achReturnCodes

/** Codes of paper checks, cards and internal reviews (specification.md 5.6). */
const otherReturnCodes = {
  A: {
    name: 'Bad address',
    consequence: 'none',
    reason: 'The address is incomplete or wrong.',
    action: 'Correct the address and send a new check.',
  },
  B: {
    name: 'Recipient unknown',
    consequence: 'none',
    reason: 'The recipient is not known at the address.',
    action: 'Ask the recipient for the address and send a new check.',
  },
  C: {
    name: 'Mail refused',
    consequence: 'none',
    reason: 'The mail was refused.',
    action: 'Ask the recipient how to be paid.',
  },
  D: {
    name: 'Undeliverable',
    consequence: 'none',
    reason: 'The mail could not be delivered.',
    action: 'Check the address and send a new check.',
  },
  '04': {
    name: 'Card refused',
    consequence: 'none',
    reason: 'The card was refused.',
    action: 'Ask the recipient for another card.',
  },
  '05': {
    name: 'Do not honor',
    consequence: 'none',
    reason: 'The card’s issuer did not honor the payment.',
    action: 'Ask the recipient to call the issuer, or use another card.',
  },
  '06': {
    name: 'Card network error',
    consequence: 'none',
    reason: 'The card network reported an error.',
    action: 'Try again later, or use another way to be paid.',
  },
  R901: {
    name: 'Stopped by this service',
    consequence: 'none',
    reason: 'A review stopped the payment, or its bank account is no longer VERIFIED.',
    action: 'Verify the bank account again, or contact the operator of this service.',
  },
} as const satisfies Record<string, Reason>

/** Why a payment was returned, and what its sender can do about it (specification.md 5.5). */
export const returnCodes = { ...achReturnCodes, ...otherReturnCodes }

export type ReturnCode = keyof typeof returnCodes
export const RETURN_CODES = Object.keys(returnCodes) as ReturnCode[]

/** The codes that the sandbox can simulate (specification.md 5.6). */
export const SANDBOX_RETURN_CODES = [
  'R01',
  'R02',
  'R03',
  'A',
  'B',
  'C',
  'D',
  '04',
  '05',
  '06',
  'R901',
] as const satisfies readonly ReturnCode[]

export const isReturnCode = (text: string): text is ReturnCode => Object.hasOwn(returnCodes, text)

/** The entries that a return blocks for an account. Null: none. */
export function blockOf(code: ReturnCode): 'debits_and_credits' | 'debits' | null {
  const { consequence } = returnCodes[code]
  if (consequence === 'block_account') return 'debits_and_credits'
  return consequence === 'block_debits' ? 'debits' : null
}

/**
 * How often, and for how many days after settlement, a debit returned for insufficient funds may be retried (Nacha
 * Operating Rules, 2.13.4).
 */
export const MAX_RETRIES = 2
export const RETRY_DAYS = 180

export const RETRY_CODES = RETURN_CODES.filter((code) => returnCodes[code].consequence === 'retry')

export const isAchReturnCode = (text: string): text is AchReturnCode => Object.hasOwn(achReturnCodes, text)

/**
 * The kind of an ACH return: the return of one of our entries, or a message between the banks about such a return,
 * which is neither sent nor posted automatically.
 */
export function achReturnKind(code: AchReturnCode): 'return' | 'dishonored' | 'contested' {
  if (achReturnCodes[code].sender === 'ODFI') return 'dishonored'
  return code >= 'R71' && code <= 'R77' ? 'contested' : 'return'
}

/** First and last position within the corrected data, counted from one. */
type Positions = readonly [first: number, last: number]
type Change = {
  name: string
  corrected: {
    routingNumber?: Positions
    accountNumber?: Positions
    transactionCode?: Positions
    receiverId?: Positions
    foreignBankId?: Positions
  }
}

/**
 * Every notification of change code that Nacha defines, with the corrected fields and their positions in the
 * corrected data (Operating Rules, Appendix Five). C04 was withdrawn on 2015-03-20, C10 to C12 are unused.
 */
export const changeCodes = {
  C01: { name: 'Incorrect account number', corrected: { accountNumber: [1, 17] } },
  C02: { name: 'Incorrect routing number', corrected: { routingNumber: [1, 9] } },
  C03: {
    name: 'Incorrect routing and account number',
    corrected: { routingNumber: [1, 9], accountNumber: [13, 29] }, // 10 to 12 are blank
  },
  C05: { name: 'Incorrect transaction code', corrected: { transactionCode: [1, 2] } },
  C06: {
    name: 'Incorrect account number and transaction code',
    corrected: { accountNumber: [1, 17], transactionCode: [21, 22] }, // 18 to 20 are blank
  },
  C07: {
    name: 'Incorrect routing number, account number and transaction code',
    corrected: { routingNumber: [1, 9], accountNumber: [10, 26], transactionCode: [27, 28] }, // no blanks
  },
  C08: { name: 'Incorrect foreign bank identification (IAT)', corrected: { foreignBankId: [1, 34] } },
  C09: { name: 'Incorrect individual identification number', corrected: { receiverId: [1, 22] } },
  C13: { name: 'Addenda format error', corrected: {} },
  C14: { name: 'Incorrect SEC code for an outbound international payment', corrected: {} },
} as const satisfies Record<string, Change>

export type ChangeCode = keyof typeof changeCodes

export const isChangeCode = (text: string): text is ChangeCode => Object.hasOwn(changeCodes, text)
