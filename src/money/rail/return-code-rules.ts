import { type AchReturnCode, achReturnCodes, type Consequence, type Reason } from './ach-return-rules.ts'
import { isoReasons } from './iso-reason-rules.ts'

/** The codes of paper checks, cards and internal reviews (specification.md 5.6). */
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

/** All return codes, each with the reason of the return and the sender's options (specification.md 5.5). */
export const returnCodes = { ...achReturnCodes, ...otherReturnCodes, ...isoReasons }

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

/** The reasons of ISO 20022 with which a bank reports a change of an order that it still executes. */
const REASONS_OF_CHANGES: readonly string[] = ['DT06']

/** Returns whether a code is the ISO 20022 reason of a rejected or returned order. */
export const isOrderReason = (text: string): text is ReturnCode =>
  Object.hasOwn(isoReasons, text) && !REASONS_OF_CHANGES.includes(text)

/**
 * Returns the consequence of a return for its account, which can depend on the direction of the entry. For example, R20 for a debit blocks
 * only debits, and R20 for a credit blocks all entries.
 */
export function accountConsequence(code: ReturnCode, direction: 'debit' | 'credit'): Consequence {
  const { consequence, ofCredit = consequence }: Reason & { ofCredit?: Consequence } = returnCodes[code]
  return direction === 'credit' ? ofCredit : consequence
}

/** Returns the entries that a return blocks for its account, or null if it blocks none. */
export function blockedEntries(
  code: ReturnCode,
  direction: 'debit' | 'credit',
): 'debits_and_credits' | 'debits' | null {
  const consequence = accountConsequence(code, direction)
  if (consequence === 'block_account' || consequence === 'block_for_review') return 'debits_and_credits'
  return consequence === 'block_debits' ? 'debits' : null
}

export const blocksAccount = (code: ReturnCode): boolean =>
  blockedEntries(code, 'debit') !== null || blockedEntries(code, 'credit') !== null

/**
 * The number of retries of a debit that was returned for insufficient funds. `RETRY_DAYS` limits their time after the settlement (Nacha
 * Operating Rules, 2.13.4).
 */
export const MAX_RETRIES = 2
export const RETRY_DAYS = 180

export const RETRY_CODES = RETURN_CODES.filter((code) => returnCodes[code].consequence === 'retry')

export const isAchReturnCode = (text: string): text is AchReturnCode => Object.hasOwn(achReturnCodes, text)

/**
 * Returns the kind of an ACH return: the return of one of our entries, or a message between the banks about such a return. Such a message
 * is neither sent nor posted automatically.
 */
export function achReturnKind(code: AchReturnCode): 'return' | 'dishonored' | 'contested' {
  if (achReturnCodes[code].sender === 'ODFI') return 'dishonored'
  return code >= 'R71' && code <= 'R77' ? 'contested' : 'return'
}

/** The first and last position in the corrected data, counted from 1. */
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
 * All notification of change codes that Nacha defines, with the corrected fields and their positions in the corrected data (Operating
 * Rules, Appendix Five). C04 was withdrawn on 2015-03-20. C10 to C12 are unused.
 */
export const changeCodes = {
  C01: { name: 'Incorrect account number', corrected: { accountNumber: [1, 17] } },
  C02: { name: 'Incorrect routing number', corrected: { routingNumber: [1, 9] } },
  C03: {
    name: 'Incorrect routing and account number',
    corrected: { routingNumber: [1, 9], accountNumber: [13, 29] }, // positions 10 to 12 are blank
  },
  C05: { name: 'Incorrect transaction code', corrected: { transactionCode: [1, 2] } },
  C06: {
    name: 'Incorrect account number and transaction code',
    corrected: { accountNumber: [1, 17], transactionCode: [21, 22] }, // positions 18 to 20 are blank
  },
  C07: {
    name: 'Incorrect routing number, account number and transaction code',
    corrected: { routingNumber: [1, 9], accountNumber: [10, 26], transactionCode: [27, 28] }, // without blanks
  },
  C08: { name: 'Incorrect foreign bank identification (IAT)', corrected: { foreignBankId: [1, 34] } },
  C09: { name: 'Incorrect individual identification number', corrected: { receiverId: [1, 22] } },
  C13: { name: 'Addenda format error', corrected: {} },
  C14: { name: 'Incorrect SEC code for an outbound international payment', corrected: {} },
} as const satisfies Record<string, Change>

export type ChangeCode = keyof typeof changeCodes

export const isChangeCode = (text: string): text is ChangeCode => Object.hasOwn(changeCodes, text)
