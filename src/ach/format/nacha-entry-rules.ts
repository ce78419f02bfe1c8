import type { AccountKind, NachaAccount, NachaOrigin } from '../../core/environment.ts'

export type Direction = 'debit' | 'credit'
/** WEB, PPD and CCD are what is sent. */
export type SecCode = 'WEB' | 'PPD' | 'CCD'

export type NachaEntry = {
  direction: Direction
  account: NachaAccount
  amountCents: number
  /** What the receiver is known by, at most 15 characters; longer ones are cut. */
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
  /** What the receiver sees as the purpose, cut to ten characters: `PAYMENT`, `ACCTVERIFY`. */
  entryDescription: string
  /** A day by UTC, as `settlementDateOf` gives it. */
  effectiveEntryDate: Date
  entries: readonly NachaEntry[]
}

/** How records name a bank: its routing number without the check digit. */
export const rdfiOf = (routingNumber: string): string => routingNumber.slice(0, 8)

/** What micro-entries must be called (Nacha Operating Rules, 2.7). */
export const MICRO_ENTRY_DESCRIPTION = 'ACCTVERIFY'

/** What a debit must be called that was returned for R01 or R09 and is tried again (Nacha Operating Rules, 2.13.4). */
export const RETRY_ENTRY_DESCRIPTION = 'RETRY PYMT'

/** Transaction codes (Appendix Three, 3.3): of entries, and of their returns and notifications of change. */
export const transactionCodes = {
  checking: { credit: { entry: '22', answer: '21' }, debit: { entry: '27', answer: '26' } },
  savings: { credit: { entry: '32', answer: '31' }, debit: { entry: '37', answer: '36' } },
} as const satisfies Record<AccountKind, Record<Direction, { entry: string; answer: string }>>

/** 0 to 4 are credits, 5 to 9 debits, whatever the kind of account; 80 to 99 belong to accounting files. */
export function directionOf(transactionCode: string): Direction | null {
  if (!/^[2-5]\d$/.test(transactionCode)) return null
  return Number(transactionCode.charAt(1)) < 5 ? 'credit' : 'debit'
}

/** The kind of account that a transaction code means; null for ledger and loan accounts. */
export function accountKindOf(transactionCode: string): AccountKind | null {
  if (/^2\d$/.test(transactionCode)) return 'checking'
  return /^3\d$/.test(transactionCode) ? 'savings' : null
}

/** The SEC code of an entry: WEB pulls from a consumer, PPD pays one, CCD is for businesses. */
export function secCodeOf({ holder, direction }: { holder: 'consumer' | 'business'; direction: Direction }): SecCode {
  if (holder === 'business') return 'CCD'
  return direction === 'debit' ? 'WEB' : 'PPD'
}

/** WEB entries say whether they stand alone or recur. Every pull here is authorized by itself: single. */
export const discretionaryDataOf = (secCode: SecCode): string => (secCode === 'WEB' ? 'S' : '')

const MAX_TRACE_SEQUENCE = 9_999_999

/** The sequence after a number of entries that were sent before: 1 to 9,999,999, then 1 again. */
export const traceSequenceAfter = (sentBefore: number): number => (sentBefore % MAX_TRACE_SEQUENCE) + 1

/** The trace number: eight digits of the originating bank and seven of the sequence. @throws RangeError */
export function traceNumberOf({ odfiRoutingNumber }: NachaOrigin, traceSequence: number): string {
  if (!Number.isInteger(traceSequence) || traceSequence < 1 || traceSequence > MAX_TRACE_SEQUENCE) {
    throw new RangeError('a trace sequence is 1 to 9,999,999')
  }
  return odfiRoutingNumber.slice(0, 8) + String(traceSequence).padStart(7, '0')
}

/**
 * The entry on the company's own account that brings a batch to zero, for banks that ask for balanced files; null when
 * debits and credits are equal already.
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
