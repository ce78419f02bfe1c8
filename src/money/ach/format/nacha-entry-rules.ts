import type { AccountKind, NachaAccount } from '../../../foundation/core/environment.ts'
import type { SecCode } from './nacha-authorization-rules.ts'
import type { NachaOrigin } from './nacha-origin-rules.ts'

export type Direction = 'debit' | 'credit'

export type NachaEntry = {
  direction: Direction
  account: NachaAccount
  amountCents: number
  /** The receiver's identification, or the number of a check. It is cut to 15 characters. */
  receiverId: string
  /** It is cut to 22 characters. */
  receiverName: string
  /** The last seven digits of the trace number. They are unique within a file. */
  traceSequence: number
  /** The text of one addenda record. It is cut to 80 characters. */
  remittance?: string
}

export type NachaBatch = {
  secCode: SecCode
  /** The purpose that the receiver sees, such as `PAYMENT` or `ACCTVERIFY`. It is cut to ten characters. */
  entryDescription: string
  /** The requested settlement day in UTC, as `nextSettlementDate` returns it. */
  effectiveEntryDate: Date
  entries: readonly NachaEntry[]
}

/** Returns how records identify a bank: its routing number without the check digit. */
export const formatRdfi = (routingNumber: string): string => routingNumber.slice(0, 8)

/** The description that Nacha requires for micro-entries (Nacha Operating Rules, 2.7). */
export const MICRO_ENTRY_DESCRIPTION = 'ACCTVERIFY'

/** The description that Nacha requires for a debit that is retried after R01 or R09 (Nacha Operating Rules, 2.13.4). */
export const RETRY_ENTRY_DESCRIPTION = 'RETRY PYMT'

/** The transaction codes of entries, and of their returns and notifications of change (Appendix Three, 3.3). */
export const transactionCodes = {
  checking: { credit: { entry: '22', answer: '21' }, debit: { entry: '27', answer: '26' } },
  savings: { credit: { entry: '32', answer: '31' }, debit: { entry: '37', answer: '36' } },
} as const satisfies Record<AccountKind, Record<Direction, { entry: string; answer: string }>>

const ANSWER_CODES: readonly string[] = Object.values(transactionCodes).flatMap(({ credit, debit }) => [
  credit.answer,
  debit.answer,
])

/** Returns whether a transaction code belongs to a return or a notification of change. */
export const isAnswerCode = (transactionCode: string): boolean => ANSWER_CODES.includes(transactionCode)

/**
 * Returns the direction of a transaction code. Its last digit is 0 to 4 for credits and 5 to 9 for debits. Returns null for 80 to 99,
 * which belong to accounting files.
 */
export function directionFromCode(transactionCode: string): Direction | null {
  if (!/^[2-5]\d$/.test(transactionCode)) return null
  return Number(transactionCode.charAt(1)) < 5 ? 'credit' : 'debit'
}

/** Returns the kind of account of a transaction code, or null for ledger and loan accounts. */
export function accountKindFromCode(transactionCode: string): AccountKind | null {
  if (/^2\d$/.test(transactionCode)) return 'checking'
  return /^3\d$/.test(transactionCode) ? 'savings' : null
}

const MAX_TRACE_SEQUENCE = 9_999_999

/** Returns the trace sequence after a number of sent entries: 1 to 9,999,999, and then 1 again. */
export const traceSequenceAfter = (sentBefore: number): number => (sentBefore % MAX_TRACE_SEQUENCE) + 1

/** Returns a trace number: eight digits of the ODFI and seven of the sequence. @throws RangeError */
export function traceNumberOf({ odfiRoutingNumber }: NachaOrigin, traceSequence: number): string {
  if (!Number.isInteger(traceSequence) || traceSequence < 1 || traceSequence > MAX_TRACE_SEQUENCE) {
    throw new RangeError('a trace sequence is 1 to 9,999,999')
  }
  return odfiRoutingNumber.slice(0, 8) + String(traceSequence).padStart(7, '0')
}

/**
 * Returns the entry on the company's own account that balances a batch, for banks that require balanced files. Returns null if debits and
 * credits are already equal.
 */
export function offsetEntry(
  { companyName, companyId, settlementAccount }: NachaOrigin,
  entries: readonly Pick<NachaEntry, 'direction' | 'amountCents'>[],
): Omit<NachaEntry, 'traceSequence'> | null {
  const netCents = entries.reduce((sum, { direction, amountCents }) => {
    return direction === 'credit' ? sum + amountCents : sum - amountCents
  }, 0)
  if (netCents === 0 || !settlementAccount) return null
  return {
    direction: netCents > 0 ? 'debit' : 'credit',
    account: settlementAccount,
    amountCents: Math.abs(netCents),
    receiverId: companyId,
    receiverName: companyName,
  }
}
