import { recordAudit } from '../../audit/audit-actions.ts'
import { ApiError } from '../../core/errors.ts'
import type { Deps } from '../../db/deps.ts'
import { inTransaction, inTransactionOrRefused } from '../../db/transaction.ts'
import type { Origin } from '../../http/caller.ts'
import { normalEmail } from '../../lib/text/email.ts'
import { sendMail } from '../../mail/mail-actions.ts'
import { clearTries, giveBack, resetAddressOf, type TrySubject, takeTries } from '../attempts/tries-actions.ts'
import { ownerMails } from '../owner/owner-mail-rules.ts'
import { findLogin, findOwnerRow, lockLogin } from '../owner/owner-store.ts'
import {
  beginVerification,
  findVerificationOwner,
  finishVerification,
  newCode,
} from '../sign-up/verification-actions.ts'
import { setPassword } from './login-actions.ts'
import { hashPassword, requireGoodPassword } from './password-actions.ts'

/**
 * Sends a code for a new password. Whether the email is known does not show.
 *
 * @returns the token that goes with the code
 * @throws ApiError too_many_tries
 */
export async function forgetPassword(
  deps: Deps,
  { origin, device, ...request }: { email: string; origin: Origin; device: string | null },
): Promise<string> {
  const email = normalEmail(request.email)
  const tries: TrySubject[] = device
    ? [{ kind: 'reset_device', name: device }]
    : [resetAddressOf(origin), { kind: 'reset_code', name: email }]
  await takeTries(deps, tries)
  return inTransaction(deps, async (tx) => {
    const login = await findLogin(tx.sql, email)
    // Never the fixed code of a sandbox: with it anybody could take anybody's account.
    const code = newCode(tx)
    await sendMail(tx, { to: login?.email ?? null, ...ownerMails.passwordForgotten(deps.settings.name, code) })
    const platformId = login?.platformId ?? null
    return beginVerification(tx, { purpose: 'password', email, platformId, details: null, code: login ? code : null })
  })
}

/**
 * Sets a new password by the code that was mailed, and ends all sessions. Two-factor authentication stays as it is.
 *
 * @throws ApiError weak_password, wrong_code, code_expired, too_many_tries, overloaded
 */
export async function resetPassword(
  deps: Deps,
  { password, origin, ...proof }: { token: string; code: string; password: string; origin: Origin },
): Promise<void> {
  await takeTries(deps, [resetAddressOf(origin)])
  await requireGoodPassword(password, [])
  const passwordHash = await hashPassword(password)
  await inTransactionOrRefused(deps, async (tx) => {
    // The login before its verifications, as everybody locks them: of two resets each would else wait for the other.
    const ownerId = await findVerificationOwner(tx, proof.token)
    const login = ownerId && (await lockLogin(tx.sql, ownerId))
    const verification = await finishVerification(tx, { purpose: 'password', ...proof }, async () => false)
    if (verification instanceof ApiError) return verification
    const { email } = verification
    // A code that was sent to an address which the account has no more.
    if (!login || login.email !== email) return new ApiError('code_expired')
    const { platformId } = login
    const owner = await findOwnerRow(tx.sql, platformId)
    await requireGoodPassword(password, [email, owner?.name ?? ''])
    await setPassword(tx, login, { passwordHash, exceptSession: null })
    await clearTries(tx, { kind: 'login', name: email })
    const anonymous = { platformId, userId: platformId, credential: { kind: 'anonymous' }, origin } as const
    await recordAudit(tx, anonymous, 'password_reset')
    return null
  })
  await giveBack(deps, resetAddressOf(origin))
}
