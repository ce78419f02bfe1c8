import { recordAudit } from '../../audit/audit-actions.ts'
import { fieldError } from '../../core/errors.ts'
import type { Deps } from '../../db/deps.ts'
import { inTransactionOrRefused } from '../../db/transaction.ts'
import type { Caller } from '../../http/caller.ts'
import { clearAttempts, countAttempts } from '../attempts/attempt-actions.ts'
import { provePassword } from '../login/login-actions.ts'
import { lockLogin } from '../owner/owner-store.ts'
import { secondFactorSubject, spendSecondFactor, wrongCode } from '../two-factor/two-factor-actions.ts'
import { updateProvedAt } from './session-store.ts'

type Proof = { password?: string | undefined; code?: string | undefined }

/**
 * Asks the signed-in owner for the password or a second-factor code, before a secret is created or shown.
 *
 * @throws ApiError invalid_request, wrong_password, wrong_code, too_many_tries, overloaded
 */
export async function confirmOwner(deps: Deps, caller: Caller, { password, code }: Proof): Promise<void> {
  if (password !== undefined && code === undefined) {
    await provePassword(deps, caller, { field: 'password', password })
  } else if (code !== undefined && password === undefined) {
    await proveSecondFactor(deps, caller, code)
  } else {
    throw fieldError('invalid_request', 'password', 'or code is required, but not both')
  }
  const { platformId, credential } = caller
  await updateProvedAt(deps.sql, { platformId, id: credential.id, now: deps.realClock.now() })
}

async function proveSecondFactor(deps: Deps, caller: Caller, code: string): Promise<void> {
  await countAttempts(deps, [secondFactorSubject(caller)])
  await inTransactionOrRefused(deps, async (tx) => {
    const login = await lockLogin(tx.sql, caller.platformId)
    const factor = login && (await spendSecondFactor(tx, login, code))
    if (!factor) return wrongCode()
    if (factor === 'recovery_code') await recordAudit(tx, caller, 'recovery_code_used')
    await clearAttempts(tx, secondFactorSubject(caller))
    return null
  })
}
