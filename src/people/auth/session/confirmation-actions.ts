import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { fieldError } from '../../../foundation/core/errors.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { inTransactionOrRefused } from '../../../foundation/db/transaction.ts'
import { type Caller, personOf } from '../../../foundation/http/caller.ts'
import { clearAttempts, countAttempts } from '../attempts/attempt-actions.ts'
import { provePassword } from '../login/login-actions.ts'
import { lockLogin } from '../login/login-store.ts'
import { secondFactorSubject, spendSecondFactor, wrongCode } from '../two-factor/two-factor-actions.ts'
import { updateProvedAt } from './session-store.ts'

type Proof = { password?: string | undefined; code?: string | undefined }

/**
 * Checks the password of the signed-in person, or a second-factor code if two-factor authentication is on.
 *
 * @throws ApiError invalid_request, wrong_password, wrong_code, too_many_tries, overloaded
 */
export async function confirmOwner(deps: Deps, caller: Caller, { password, code }: Proof): Promise<void> {
  if (password !== undefined && code === undefined) {
    const { totpSealed } = await provePassword(deps, caller, { field: 'password', password })
    if (totpSealed !== null)
      throw fieldError('invalid_request', 'code', 'is required, because two-factor authentication is on')
  } else if (code !== undefined && password === undefined) {
    await proveSecondFactor(deps, caller, code)
  } else {
    throw fieldError('invalid_request', 'password', 'or code is required, but not both')
  }
  await updateProvedAt(deps.sql, { loginId: personOf(caller), id: caller.credential.id, now: deps.realClock.now() })
}

async function proveSecondFactor(deps: Deps, caller: Caller, code: string): Promise<void> {
  const loginId = personOf(caller)
  await countAttempts(deps, [secondFactorSubject(loginId)])
  await inTransactionOrRefused(deps, async (tx) => {
    const login = await lockLogin(tx.sql, loginId)
    const factor = login && (await spendSecondFactor(tx, login, code))
    if (!factor) return wrongCode()
    if (factor === 'recovery_code') await recordAudit(tx, caller, 'recovery_code_used')
    await clearAttempts(tx, secondFactorSubject(loginId))
    return null
  })
}
