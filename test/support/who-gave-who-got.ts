// A model of the money that does not use the ledger: debits and credits of each party's accounts, from the bank's own
// files. A balanced ledger can be wrong: paying a payee twice is a balanced transfer.

/** The reason for which money moved, by the purpose of a leg. A check is paid to its depositor. */
export type Reason = 'debit' | 'payout' | 'refund' | 'check'

/** Money that the bank moved. `isReturned`: it was returned. */
export type Movement = { paymentId: string; reason: Reason; cents: number; isReturned: boolean }

export type KnownPayment = { id: string; status: string; amountCents: number; fundingKind: string | null }

type Sums = Record<Reason, number> & { returnedDebit: number }

const NOTHING: Sums = { debit: 0, payout: 0, refund: 0, check: 0, returnedDebit: 0 }

/** The money that each party of a payment paid and received. */
export function sumsByPayment(movements: Iterable<Movement>): Map<string, Sums> {
  const sums = new Map<string, Sums>()
  for (const { paymentId, reason, cents, isReturned } of movements) {
    const of = sums.get(paymentId) ?? { ...NOTHING }
    if (!isReturned) of[reason] += cents
    else if (reason === 'debit') of.returnedDebit += cents
    sums.set(paymentId, of)
  }
  return sums
}

/** Returns payments from a bank whose parties paid or received too much, at any moment. */
export function overpaid(payments: readonly KnownPayment[], sums: ReadonlyMap<string, Sums>): string[] {
  return payments.flatMap(({ id, status, amountCents, fundingKind }) => {
    const { debit, payout, refund, check, returnedDebit } = sums.get(id) ?? NOTHING
    const problems: string[] = []
    if (payout + check > amountCents) problems.push(`the payee got ${payout + check} of ${amountCents}`)
    if (debit > amountCents) problems.push(`the sender gave ${debit} of ${amountCents}`)
    if (fundingKind === 'bank' && payout + check + refund > debit + returnedDebit) {
      problems.push(`${payout} + ${check} + ${refund} left, and only ${debit} + ${returnedDebit} came`)
    }
    return problems.map((problem) => `payment ${id} (${status}): ${problem}`)
  })
}

/** Returns ended payments from a bank whose money does not match their status, when nothing is in transit. */
export function misplaced(payments: readonly KnownPayment[], sums: ReadonlyMap<string, Sums>): string[] {
  return payments.flatMap(({ id, status, amountCents, fundingKind }) => {
    const { debit, payout, refund, check, returnedDebit } = sums.get(id) ?? NOTHING
    const problems: string[] = []
    // The debit was returned after the refund, so the sender owes it.
    const isOwed = debit === 0 && refund === amountCents && returnedDebit >= amountCents
    if (status === 'PAID' && payout + check !== amountCents)
      problems.push(`the payee got ${payout + check} of ${amountCents}`)
    if (['VOID', 'EXPIRED', 'REFUNDED'].includes(status)) {
      if (payout > 0) problems.push(`the payee got ${payout}`)
      // A stopped check that was cashed becomes a case for the operator.
      if (fundingKind === 'bank' && check === 0 && debit !== refund && !isOwed) {
        problems.push(`the sender gave ${debit} and got ${refund} back`)
      }
    }
    return problems.map((problem) => `payment ${id} (${status}, ${amountCents}): ${problem}`)
  })
}
