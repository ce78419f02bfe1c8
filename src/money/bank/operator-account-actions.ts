import { type GivenAccount, isConfiguredAccount, withoutZeros } from '../../foundation/core/account-number.ts'
import { fieldError } from '../../foundation/core/errors.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { isPaperAccountStored } from './operator-account-store.ts'

/**
 * Whether an account is the operator's: one of today, or a former one that checks were drawn on. Their routing numbers are not kept: that of the bank of today counts, and
 * any if no bank is configured.
 */
export async function isOperatorAccount(
  { sql, keyRing, settings }: Pick<TxDeps, 'sql' | 'keyRing' | 'settings'>,
  { routing, account }: GivenAccount,
): Promise<boolean> {
  if (isConfiguredAccount(settings, { routing, account })) return true
  const { operatorBank } = settings
  if (operatorBank && withoutZeros(operatorBank.accountNumber) === withoutZeros(account)) return false
  return isPaperAccountStored(sql, keyRing.digests(withoutZeros(account), 'paper account'))
}

/** @throws ApiError invalid_request */
export async function requireAccountOfOthers(
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'settings'>,
  given: GivenAccount,
  field = 'account',
): Promise<void> {
  if (await isOperatorAccount(deps, given)) throw ownAccountError(field)
}

export const ownAccountError = (field: string) =>
  fieldError('invalid_request', field, 'is an account of this service. Give your own account')
