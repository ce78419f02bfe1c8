import { amountText } from './amount-text-rules.ts'
import type { Emit, StatementBalance, StatementHead, StatementLine } from './statement-types.ts'

/** The totals that the bank gives for the lines of a statement. Null: it gives none. */
export type BankTotals = { count: number | null; creditCents: number | null; debitCents: number | null }

export const NO_TOTALS: BankTotals = { count: null, creditCents: null, debitCents: null }

/** A statement that is being read. */
export type OpenStatement = {
  head: StatementHead
  take(line: StatementLine): void
  /** Counts a line that could not be read, and reports it. */
  lose(place: string, message: string): void
  close(end: { balances: StatementBalance[]; totals?: BankTotals; isComplete: boolean }): void
}

/** Emits a statement with its lines, and checks that it adds up: opening balance + booked lines = closing balance. */
export function openStatement(head: StatementHead, emit: Emit): OpenStatement {
  let [lineCount, creditCents, debitCents, lostCount] = [0, 0, 0, 0]
  emit({ type: 'statement', statement: head })
  const doubt = (message: string) =>
    emit({ type: 'problem', problem: { scope: 'statement', place: head.place, message } })
  return {
    head,
    take(line) {
      emit({ type: 'line', line })
      if (line.status !== 'booked') return
      lineCount++
      if (line.cents > 0) creditCents += line.cents
      else debitCents -= line.cents
    },
    lose(place, message) {
      lostCount++
      emit({ type: 'problem', problem: { scope: 'line', place, message } })
    },
    close({ balances, totals = NO_TOTALS, isComplete }) {
      const { opening, closing } = endsOf(balances)
      const isKnown = opening !== null && closing !== null && head.kind !== 'notification'
      const differenceCents = isKnown ? closing - opening - creditCents + debitCents : null
      if (!Number.isSafeInteger(creditCents) || !Number.isSafeInteger(debitCents))
        doubt('the sum of its lines is too large')
      const lost = lostCount > 0 ? `. ${lostCount} of its lines could not be read` : ''
      if (differenceCents)
        doubt(
          `the closing balance differs from the opening balance and the lines by ${amountText(differenceCents, head.currency)}${lost}`,
        )
      for (const message of differencesOf(totals, { lineCount, creditCents, debitCents, currency: head.currency }))
        doubt(`${message}${lost}`)
      emit({
        type: 'end',
        totals: {
          balances,
          openingCents: opening,
          closingCents: closing,
          lineCount,
          creditCents,
          debitCents,
          differenceCents,
          isComplete,
        },
      })
    },
  }
}

function differencesOf(
  bank: BankTotals,
  own: { lineCount: number; creditCents: number; debitCents: number; currency: string | null },
): string[] {
  const messages: string[] = []
  const { count, creditCents, debitCents } = bank
  const inCurrency = (cents: number) => amountText(cents, own.currency)
  if (count !== null && count !== own.lineCount)
    messages.push(`the bank counts ${count} lines, and ${own.lineCount} were read`)
  if (creditCents !== null && creditCents !== own.creditCents)
    messages.push(`the bank’s total of credits differs from the lines by ${inCurrency(creditCents - own.creditCents)}`)
  if (debitCents !== null && debitCents !== own.debitCents)
    messages.push(`the bank’s total of debits differs from the lines by ${inCurrency(debitCents - own.debitCents)}`)
  return messages
}

/** Returns the opening and closing balance. A statement about a part of a day has interim balances instead. */
function endsOf(balances: readonly StatementBalance[]): { opening: number | null; closing: number | null } {
  const of = (kind: string) => balances.filter((balance) => balance.kind === kind)
  const interim = of('interim')
  const [firstClosing] = of('closing')
  const opening = of('opening')[0] ?? (firstClosing || interim.length > 1 ? interim[0] : undefined)
  const closing = firstClosing ?? interim.filter((balance) => balance !== opening).at(-1)
  return { opening: opening?.cents ?? null, closing: closing?.cents ?? null }
}
