import { amountOf, type BatchFrame, type EntryFrame, type FileFrame, readDirection } from './nacha-frame-rules.ts'
import type { NachaProblem } from './nacha-line-rules.ts'
import { entryTotals, type NachaTotals, sumTotals } from './nacha-totals-rules.ts'

/** The totals of some entries. If a field cannot be read, the total that contains it is a minimum. */
type FoundTotals = NachaTotals & { hasUnreadAmount: boolean; hasUnreadBank: boolean }

/**
 * Returns the counts, hashes and amounts that do not match the entries: an entry may be missing, or there is one too many. Other fields,
 * such as block counts, are not compared.
 */
export function totalsProblems({ batches, control }: FileFrame): NachaProblem[] {
  const totals = batches.map(totalsOfBatch)
  return [
    ...batches.flatMap((batch, index) => batchProblems(batch, totals[index] as FoundTotals)),
    ...(control
      ? problemsAt(control.line, [
          difference('batch count', numberOf(control.values.batchCount), batches.length),
          ...differences(control.values, sumFound(totals)),
        ])
      : []),
  ]
}

function batchProblems({ line, control }: BatchFrame, totals: FoundTotals): NachaProblem[] {
  if (!control) return [{ line, problem: 'the control record of this batch is missing' }]
  return problemsAt(control.line, differences(control.values, totals))
}

function totalsOfBatch({ entries }: BatchFrame): FoundTotals {
  return sumFound(entries.map(totalsOfEntry))
}

function totalsOfEntry(frame: EntryFrame): FoundTotals {
  const amount = amountOf(frame)
  const direction = readDirection(frame)
  const hasUnreadBank = !/^\d{8}$/.test(frame.entry.rdfi)
  const totals = entryTotals({
    rdfi: hasUnreadBank ? '0' : frame.entry.rdfi,
    amountCents: direction === null ? 0 : (amount ?? 0),
    direction: direction ?? 'credit',
    addendaCount: frame.addenda.length,
  })
  return { ...totals, hasUnreadAmount: amount === null || direction === null, hasUnreadBank }
}

const sumFound = (all: readonly FoundTotals[]): FoundTotals => ({
  ...sumTotals(all),
  hasUnreadAmount: all.some(({ hasUnreadAmount }) => hasUnreadAmount),
  hasUnreadBank: all.some(({ hasUnreadBank }) => hasUnreadBank),
})

function differences(stated: Record<keyof NachaTotals, string>, found: FoundTotals): (string | null)[] {
  const { hasUnreadAmount, hasUnreadBank } = found
  return [
    difference('entry and addenda count', numberOf(stated.entryCount), found.entryCount),
    hasUnreadBank ? null : difference('entry hash', numberOf(stated.entryHash), found.entryHash),
    difference('debit total in cents', numberOf(stated.debitCents), found.debitCents, hasUnreadAmount),
    difference('credit total in cents', numberOf(stated.creditCents), found.creditCents, hasUnreadAmount),
  ]
}

/**
 * Describes a difference between a stated total and the entries, or returns null. `isMinimum`: an amount could not be read, so a larger
 * stated total is not a difference. The stated total is not shown. If the record type of an entry is damaged, the entry can look like a
 * control record, and its account number like a total.
 */
function difference(what: string, stated: number | null, found: number, isMinimum = false): string | null {
  if (stated === null) return `the ${what} cannot be read`
  if (stated === found || (isMinimum && stated > found)) return null
  return `the ${what} should be ${found}`
}

const numberOf = (digits: string): number | null => (/^ *\d+ *$/.test(digits) ? Number(digits) : null)

const problemsAt = (line: number, problems: readonly (string | null)[]): NachaProblem[] =>
  problems.flatMap((problem) => (problem === null ? [] : [{ line, problem }]))
