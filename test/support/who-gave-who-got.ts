// A model of the money that does not look at the ledger: what left and reached the accounts of each party, by the bank's own files. The
// books can add up and be wrong: a payee who is paid twice is a balanced transfer.

/** The reason for which money moved, by the purpose of a leg. A check is paid to whoever deposits it. */
export type Reason = 'debit' | 'payout' | 'refund' | 'check'

/** Money that the bank moved. `isReturned`: it came back. */
export type Movement = { paymentId: string; reason: Reason; cents: number; isReturned: boolean }

export type KnownPayment = { id: string; status: string; amountCents: number; fundingKind: string | null }

type Sums = Record<Reason, number> & { returnedDebit: number }

const NOTHING: Sums = { debit: 0, payout: 0, refund: 0, check: 0, returnedDebit: 0 }

/** What each party of a payment gave and got. */
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

/** Payments from a bank whose parties gave or got too much, at any moment. */
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

/** Ended payments from a bank whose money is not where their status says, when nothing is on its way. */
export function misplaced(payments: readonly KnownPayment[], sums: ReadonlyMap<string, Sums>): string[] {
  return payments.flatMap(({ id, status, amountCents, fundingKind }) => {
    const { debit, payout, refund, check, returnedDebit } = sums.get(id) ?? NOTHING
    const problems: string[] = []
    // The debit came back after the refund, so that the sender owes it.
    const isOwed = debit === 0 && refund === amountCents && returnedDebit >= amountCents
    if (status === 'PAID' && payout + check !== amountCents)
      problems.push(`the payee got ${payout + check} of ${amountCents}`)
    if (['VOID', 'EXPIRED', 'REFUNDED'].includes(status)) {
      if (payout > 0) problems.push(`the payee got ${payout}`)
      // A check that was cashed in spite of its stop is a case for the operator.
      if (fundingKind === 'bank' && check === 0 && debit !== refund && !isOwed) {
        problems.push(`the sender gave ${debit} and got ${refund} back`)
      }
    }
    return problems.map((problem) => `payment ${id} (${status}, ${amountCents}): ${problem}`)
  })
}
