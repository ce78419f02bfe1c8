/** A company and its bank, as the bank's agreement names them. */
export type NachaOrigin = {
  /** Routing number of the bank or processor that the file goes to. */
  immediateDestination: string
  immediateDestinationName: string
  /** Ten characters that the bank gives, most often `1` and the tax number, or a routing number of nine. */
  immediateOrigin: string
  immediateOriginName: string
  companyName: string
  companyId: string
  /** Routing number of the originating bank (ODFI), nine digits. */
  odfiRoutingNumber: string
  /** Where the other side of balanced batches is booked; null when the bank books it by itself. */
  settlementAccount: NachaAccount | null
}

export type NachaAccount = {
  routingNumber: string
  accountNumber: string
  kind: AccountKind
}

export type Direction = 'debit' | 'credit'
export type AccountKind = 'checking' | 'savings'
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

/** What micro-entries must be called (Nacha Operating Rules, 2.7). */
export const MICRO_ENTRY_DESCRIPTION = 'ACCTVERIFY'

/** Micro-entries are of less than a dollar (Nacha Operating Rules, 8.62). */
const MICRO_ENTRY_MAX_CENTS = 99

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
 * The entries that verify an account: two credits of less than a dollar and the debit that takes them back, which must
 * settle together (Nacha Operating Rules, 8.62). They take three trace sequences.
 *
 * @throws RangeError for an amount that is not one of a micro-entry
 */
export function microEntries({
  receiver,
  amountsCents,
  traceSequences,
}: {
  receiver: Pick<NachaEntry, 'account' | 'receiverId' | 'receiverName'>
  amountsCents: readonly [number, number]
  traceSequences: readonly [number, number, number]
}): NachaEntry[] {
  if (!amountsCents.every((cents) => Number.isInteger(cents) && cents >= 1 && cents <= MICRO_ENTRY_MAX_CENTS)) {
    throw new RangeError('a micro-entry is of 1 to 99 cents')
  }
  const [first, second] = amountsCents
  return [
    { ...receiver, direction: 'credit', amountCents: first, traceSequence: traceSequences[0] },
    { ...receiver, direction: 'credit', amountCents: second, traceSequence: traceSequences[1] },
    { ...receiver, direction: 'debit', amountCents: first + second, traceSequence: traceSequences[2] },
  ]
}

/**
 * The entry on the company's own account that brings a batch to zero, for banks that ask for balanced files; null when
 * debits and credits are equal already.
 */
export function offsetEntry(
  { companyName, companyId, settlementAccount }: NachaOrigin,
  { entries, traceSequence }: { entries: readonly NachaEntry[]; traceSequence: number },
): NachaEntry | null {
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
    traceSequence,
  }
}
