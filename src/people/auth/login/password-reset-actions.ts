import { isShared } from '../../../foundation/core/demo-rules.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { inTransaction, inTransactionOrRefused } from '../../../foundation/db/transaction.ts'
import type { Origin } from '../../../foundation/http/caller.ts'
import { normalizeEmail } from '../../../foundation/lib/text/email.ts'
import { sendMail } from '../../../foundation/mail/mail-actions.ts'
import {
  type AttemptSubject,
  clearAttempts,
  countAttempts,
  resetAddressSubject,
  uncountAttempt,
} from '../attempts/attempt-actions.ts'
import { ownerMails } from '../owner/owner-mail-rules.ts'
import {
  beginVerification,
  findVerificationPerson,
  finishVerification,
  newCode,
} from '../sign-up/verification-actions.ts'
import { setPassword } from './login-actions.ts'
import { findLogin, lockLogin } from './login-store.ts'
import { hashPassword, requireGoodPassword } from './password-actions.ts'
import { recordAttempt } from './sign-in-actions.ts'

/**
 * Sends a password-reset code. The answer does not reveal whether the email is registered.
 *
 * @returns the token that the code belongs to
 * @throws ApiError too_many_tries
 */
export async function requestPasswordReset(
  deps: Deps,
  { origin, device, ...request }: { email: string; origin: Origin; device: string | null },
): Promise<string> {
  const email = normalizeEmail(request.email)
  const attempts: AttemptSubject[] = device
    ? [{ kind: 'reset_device', name: device }]
    : [resetAddressSubject(origin), { kind: 'reset_code', name: email }]
  await countAttempts(deps, attempts)
  return inTransaction(deps, async (tx) => {
    // The demo's owner gets the same answer as an unknown email.
    const login = isShared(deps.settings, { email }) ? null : await findLogin(tx.sql, email)
    // The code is always random. With the fixed sandbox code, anyone could take over any account.
    const code = newCode(tx)
    const mail = ownerMails.passwordForgotten(deps.settings.name, code)
    await sendMail(tx, { to: login?.email ?? null, isAwaited: true, ...mail })
    const loginId = login?.id ?? null
    return beginVerification(tx, { purpose: 'password', email, loginId, details: null, code: login ? code : null })
  })
}

/**
 * Sets a new password with the mailed code and ends all sessions. Two-factor authentication is unchanged.
 *
 * @throws ApiError weak_password, wrong_code, code_expired, too_many_tries, overloaded
 */
export async function resetPassword(
  deps: Deps,
  { password, origin, ...proof }: { token: string; code: string; password: string; origin: Origin },
): Promise<void> {
  await countAttempts(deps, [resetAddressSubject(origin)])
  await requireGoodPassword(password, [])
  const passwordHash = await hashPassword(password)
  await inTransactionOrRefused(deps, async (tx) => {
    // Locks the login before its verifications, as all other code does. Another order could deadlock.
    const loginId = await findVerificationPerson(tx, proof.token)
    const login = loginId && (await lockLogin(tx.sql, loginId))
    const verification = await finishVerification(tx, { purpose: 'password', ...proof }, async () => false)
    if (verification instanceof ApiError) return verification
    const { email } = verification
    // The email of the login changed after the code was sent.
    if (!login || login.email !== email) return new ApiError('code_expired')
    await requireGoodPassword(password, [email, login.name])
    await setPassword(tx, login, { passwordHash, exceptSession: null })
    await clearAttempts(tx, { kind: 'login', name: email })
    await recordAttempt(tx, { loginId: login.id, origin }, 'password_reset')
    return null
  })
  await uncountAttempt(deps, resetAddressSubject(origin))
}
