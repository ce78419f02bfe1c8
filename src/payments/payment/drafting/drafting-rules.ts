import type { PostalAddress } from '../payment-rules.ts'

/** A payee of earlier payments. `recipient`: an email address, a phone number or a user_id, or null for a check by mail. */
export type FormerPayee = { name: string; recipient: string | null; address: PostalAddress | null }

/** The maximum number of payments that are read. */
export const READ_PAYMENTS = 300
export const OFFERED_PAYEES = 50

/** Returns each payee once, named as in the newest payment. @param payees newest payment first */
export function distinctPayees(payees: readonly FormerPayee[]): FormerPayee[] {
  const found = new Map<string, FormerPayee>()
  for (const payee of payees) {
    const key = JSON.stringify([payee.name, payee.recipient, payee.address]).toLowerCase()
    if (!found.has(key)) found.set(key, payee)
  }
  return [...found.values()].slice(0, OFFERED_PAYEES)
}
