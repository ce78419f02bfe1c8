import { addDays } from '../../../foundation/lib/clock.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { blockedEntries, MAX_RETRIES, RETRY_DAYS } from '../../../money/rail/return-code-rules.ts'

type Pull = Pick<LegRow, 'purpose' | 'status' | 'sentAt' | 'settledAt' | 'returnCode'>

/** Returns the debits of a payment that the bank returned, oldest first. Debits that were never sent are left out. */
export const returnedDebits = <Leg extends Pull>(legs: readonly Leg[]): Leg[] =>
  legs.filter(({ purpose, status, sentAt }) => purpose === 'payment_pull' && status === 'RETURNED' && sentAt !== null)

/**
 * Explains why the debit of a payment must not be retried. Returns null if it may be. Days count from the settlement of the first debit, or
 * from its send date if it was returned before settling.
 */
export function retryRefusal(legs: readonly Pull[], now: Date): string | null {
  const debits = returnedDebits(legs)
  const [original] = debits
  if (!original) return null
  const unauthorized = debits.find(
    ({ returnCode }) => returnCode !== null && blockedEntries(returnCode, 'debit') !== null,
  )
  if (unauthorized) {
    return `The debit of this payment came back with ${unauthorized.returnCode}, so that it needs a new authorization. Ask the sender for a new payment.`
  }
  if (debits.length > MAX_RETRIES) {
    return `The debit of this payment came back and was retried ${MAX_RETRIES} times already. Ask the sender for a new payment.`
  }
  const originalAt = original.settledAt ?? (original.sentAt as Date)
  if (now <= addDays(originalAt, RETRY_DAYS)) return null
  return `The first debit of this payment is more than ${RETRY_DAYS} days old. Ask the sender for a new payment.`
}
