import type { AccountKind, NachaAccount, NachaOrigin } from '../../../foundation/core/environment.ts'
import type { SecCode } from './nacha-authorization-rules.ts'

export type Direction = 'debit' | 'credit'

export type NachaEntry = {
  direction: Direction
  account: NachaAccount
  amountCents: number
  /** The receiver's identification, or the number of a check. Cut to 15 characters. */
  receiverId: string
  /** Cut to 22 characters. */
  receiverName: string
  /** The last seven digits of the trace number; unique within a file. */
  traceSequence: number
  /** One addenda record, cut to 80 characters. */
  remittance?: string
}

export type NachaBatch = {
  secCode: SecCode
  /** The purpose shown to the receiver, cut to ten characters: `PAYMENT`, `ACCTVERIFY`. */
  entryDescription: string
  /** A UTC day, as `settlementDateOf` returns it. */
  effectiveEntryDate: Date
  entries: readonly NachaEntry[]
}

/** How records identify a bank: its routing number without the check digit. */
export const rdfiOf = (routingNumber: string): string => routingNumber.slice(0, 8)

/** The required description of micro-entries (Nacha Operating Rules, 2.7). */
export const MICRO_ENTRY_DESCRIPTION = 'ACCTVERIFY'

/** The required description of a retried debit that was returned with R01 or R09 (Nacha Operating Rules, 2.13.4). */
export const RETRY_ENTRY_DESCRIPTION = 'RETRY PYMT'

/** Transaction codes (Appendix Three, 3.3) of entries, and of their returns and notifications of change. */
export const transactionCodes = {
  checking: { credit: { entry: '22', answer: '21' }, debit: { entry: '27', answer: '26' } },
  savings: { credit: { entry: '32', answer: '31' }, debit: { entry: '37', answer: '36' } },
} as const satisfies Record<AccountKind, Record<Direction, { entry: string; answer: string }>>

const ANSWER_CODES: readonly string[] = Object.values(transactionCodes).flatMap(({ credit, debit }) => [
  credit.answer,
  debit.answer,
])

/** Whether a transaction code says that an entry is a return or a notification of change. */
export const isAnswerCode = (transactionCode: string): boolean => ANSWER_CODES.includes(transactionCode)

/** 0 to 4 are credits and 5 to 9 debits, for every kind of account. 80 to 99 belong to accounting files. */
export function directionOf(transactionCode: string): Direction | null {
  if (!/^[2-5]\d$/.test(transactionCode)) return null
  return Number(transactionCode.charAt(1)) < 5 ? 'credit' : 'debit'
}

/** The kind of account of a transaction code, null for ledger and loan accounts. */
export function accountKindOf(transactionCode: string): AccountKind | null {
  if (/^2\d$/.test(transactionCode)) return 'checking'
  return /^3\d$/.test(transactionCode) ? 'savings' : null
}

const MAX_TRACE_SEQUENCE = 9_999_999

/** The trace sequence after a number of sent entries: 1 to 9,999,999, then 1 again. */
export const traceSequenceAfter = (sentBefore: number): number => (sentBefore % MAX_TRACE_SEQUENCE) + 1

/** The trace number: eight digits of the ODFI and seven of the sequence. @throws RangeError */
export function traceNumberOf({ odfiRoutingNumber }: NachaOrigin, traceSequence: number): string {
  if (!Number.isInteger(traceSequence) || traceSequence < 1 || traceSequence > MAX_TRACE_SEQUENCE) {
    throw new RangeError('a trace sequence is 1 to 9,999,999')
  }
  return odfiRoutingNumber.slice(0, 8) + String(traceSequence).padStart(7, '0')
}

/**
 * The entry on the company's own account that balances a batch, for banks that require balanced files. Null when
 * debits and credits are already equal.
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
