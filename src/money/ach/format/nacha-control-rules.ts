import { amountOf, type BatchFrame, directionOfEntry, type EntryFrame, type FileFrame } from './nacha-frame-rules.ts'
import type { NachaProblem } from './nacha-line-rules.ts'
import { entryTotals, type NachaTotals, sumTotals } from './nacha-totals-rules.ts'

/** The totals of some entries. A total to which an unreadable field belongs is a minimum. */
type FoundTotals = NachaTotals & { hasUnreadAmount: boolean; hasUnreadBank: boolean }

/**
 * Counts, hashes and amounts that do not add up: an entry may be missing, or one too many. Fields that no total needs, such as block
 * counts, are not compared.
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
  const direction = directionOfEntry(frame)
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
 * `isMinimum`: an amount could not be read, so that more is right as well. The stated total is not quoted: a damaged record type makes an
 * entry, with its account number, look like a control record.
 */
function difference(what: string, stated: number | null, found: number, isMinimum = false): string | null {
  if (stated === null) return `the ${what} cannot be read`
  if (stated === found || (isMinimum && stated > found)) return null
  return `the ${what} should be ${found}`
}

const numberOf = (digits: string): number | null => (/^ *\d+ *$/.test(digits) ? Number(digits) : null)

const problemsAt = (line: number, problems: readonly (string | null)[]): NachaProblem[] =>
  problems.flatMap((problem) => (problem === null ? [] : [{ line, problem }]))
