import type { Direction } from './nacha-entry-rules.ts'

/** The totals of control records. */
export type NachaTotals = { entryCount: number; entryHash: number; debitCents: number; creditCents: number }

const NO_TOTALS: NachaTotals = { entryCount: 0, entryHash: 0, debitCents: 0, creditCents: 0 }

/** Hashes keep their last ten digits (Appendix Three, 3.3). */
const HASH_SIZE = 10_000_000_000

/** Returns the totals of an entry with its addenda. Its hash is the receiving bank's number without the check digit. */
export function entryTotals(entry: {
  rdfi: string
  amountCents: number
  direction: Direction
  addendaCount: number
}): NachaTotals {
  return {
    entryCount: 1 + entry.addendaCount,
    entryHash: Number(entry.rdfi),
    debitCents: entry.direction === 'debit' ? entry.amountCents : 0,
    creditCents: entry.direction === 'credit' ? entry.amountCents : 0,
  }
}

export function sumTotals(all: readonly NachaTotals[]): NachaTotals {
  return all.reduce(
    (sum, totals) => ({
      entryCount: sum.entryCount + totals.entryCount,
      entryHash: (sum.entryHash + totals.entryHash) % HASH_SIZE,
      debitCents: sum.debitCents + totals.debitCents,
      creditCents: sum.creditCents + totals.creditCents,
    }),
    NO_TOTALS,
  )
}

/** The service classes of batches: mixed, only credits, or only debits (Appendix Three, 3.3). */
export const serviceClasses = { mixed: '200', credits: '220', debits: '225' } as const

/** Returns the number of blocks of ten records in a file. */
export const countBlocks = (recordCount: number): number => Math.ceil(recordCount / 10)
