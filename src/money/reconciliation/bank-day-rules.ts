import type { StatementSums } from './bank-day-store.ts'

/**
 * One day of an account: opening balance + credits - debits = closing balance = ledger. `differenceCents`: the part that neither the lines
 * nor earlier statements explain. It is in suspense.
 */
export type BankDay = {
  day: string
  openingCents: number
  creditCents: number
  debitCents: number
  closingCents: number
  ledgerCents: number
  differenceCents: number
  lineCount: number
  waitingCount: number
  /** The difference between the opening balance and the closing balance of the day before. */
  gapCents: number
  /** Whether all lines of the day were matched or are in suspense. */
  isMatched: boolean
}

/**
 * Sums statements by day, in order. `beforeCents`: the ledger's balance before the first statement. If the bank does not give a balance,
 * that of the ledger is used.
 */
export function daysOf(statements: readonly StatementSums[], beforeCents: number): BankDay[] {
  const days: BankDay[] = []
  let ledgerCents = beforeCents
  for (const one of statements) {
    const openingCents = one.openingCents ?? ledgerCents + one.openedCents
    const gapCents = openingCents - ledgerCents - one.openedCents
    ledgerCents += one.openedCents + one.carriedCents + one.postedCents
    const sums = {
      ...{ closingCents: one.closingCents ?? ledgerCents, ledgerCents, isMatched: one.isMatched && one.newCount === 0 },
      ...{ creditCents: one.creditCents, debitCents: one.debitCents, differenceCents: one.carriedCents },
      ...{ lineCount: one.lineCount, waitingCount: one.waitingCount, gapCents },
    }
    const last = days.at(-1)
    if (last?.day !== one.day) days.push({ day: one.day, openingCents, ...sums })
    else {
      last.closingCents = sums.closingCents
      last.ledgerCents = ledgerCents
      last.isMatched &&= sums.isMatched
      for (const name of [
        'creditCents',
        'debitCents',
        'differenceCents',
        'lineCount',
        'waitingCount',
        'gapCents',
      ] as const)
        last[name] += sums[name]
    }
  }
  return days
}
