import { type GivenAccount, withoutZeros } from '../../foundation/core/account-number.ts'
import { fieldError } from '../../foundation/core/errors.ts'
import { configuredAccounts, isConfiguredAccount } from '../../foundation/core/operator-account.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { isPaperAccountStored } from './bank-store.ts'

/**
 * Returns whether an account belongs to the operator: a configured one, or a former one that checks were drawn on. Former accounts are
 * compared by account number only, because their routing numbers are not stored.
 */
export async function isOperatorAccount(
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'settings' | 'connections'>,
  { routing, account }: GivenAccount,
): Promise<boolean> {
  if (isConfiguredAccount(deps, { routing, account })) return true
  if (configuredAccounts(deps).some((own) => withoutZeros(own.account) === withoutZeros(account))) return false
  return isPaperAccountStored(deps.sql, deps.keyRing.digests(withoutZeros(account), 'paper account'))
}

/** Refuses an account of the operator. @throws ApiError invalid_request */
export async function requireAccountOfOthers(
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'settings' | 'connections'>,
  given: GivenAccount,
  field = 'account',
): Promise<void> {
  if (!(await isOperatorAccount(deps, given))) return
  throw fieldError('invalid_request', field, 'is an account of this service. Give your own account')
}
