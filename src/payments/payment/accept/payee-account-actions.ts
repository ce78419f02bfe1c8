import { accountText } from '../../../foundation/core/account-number.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { newBankOfPayment, requireAbaRoutingNumber } from '../../../money/bank/bank-actions.ts'
import { requireAccountOfOthers } from '../../../money/bank/operator-account-actions.ts'
import { newDestinationOfPayment } from '../../../money/destination/destination-actions.ts'
import { findPayableAccount } from '../../../money/directory/directory-actions.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import type { ParsedRecipient } from '../payment-rules.ts'
import type { PayeeAccount } from './accept-store.ts'

/** The account of a payee without a user, as the order gives it. `field` names it in a refusal. */
export type GivenAccount = { field: string } & (
  | { kind: 'bank'; routing: string; account: string; type: 'CHECKING' | 'SAVINGS' | 'BUSINESS' }
  | { kind: 'card'; number: string; expirationDate: string }
)

/** Finds the account of a saved payee that `{id, account}` names, with the details of the payee that answers show. */
export async function findSavedAccount(
  deps: Deps | TxDeps,
  { platformId, userId }: UserKey,
  { id: entryId, destinationId: id }: ParsedRecipient,
): Promise<{ payee: string; given: GivenAccount } | null> {
  if (entryId === null || id === null) return null
  const found = await findPayableAccount(deps, { platformId, userId, entryId, id })
  if (!found) return null
  const { payee, ...account } = found
  return { payee, given: { ...account, field: 'recipient.account' } }
}

/** Returns the account as it is stored for one payment. @throws ApiError invalid_request */
export async function newPayeeAccount(
  deps: Deps | TxDeps,
  { name, ...key }: { platformId: string; paymentId: string; name: string },
  given: GivenAccount,
): Promise<PayeeAccount> {
  const { keyRing } = deps
  const { field } = given
  if (given.kind === 'card') {
    const { number, expirationDate } = given
    const details = { card_number: number.slice(-4), expiration_date: expirationDate }
    const destination = newDestinationOfPayment(deps, key, { kind: 'card', details, accountNumber: number })
    return { id: destination.id, field, keyIds: keyRing.ids, digests: [], destination }
  }
  requireAbaRoutingNumber(given.routing, 'routing_number')
  await requireAccountOfOthers(deps, given, 'account_number')
  const bank = newBankOfPayment(deps, key, { ...given, name })
  return { id: bank.id, field, keyIds: keyRing.ids, digests: keyRing.digests(accountText(given), 'bank account'), bank }
}
