import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransaction, inTransactionOrRefused } from '../../../foundation/db/transaction.ts'
import type { Origin } from '../../../foundation/http/caller.ts'
import { normalizeEmail } from '../../../foundation/lib/text/email.ts'
import { sendMail } from '../../../foundation/mail/mail-actions.ts'
import { addressSubject, countAttempts, uncountAttempt } from '../attempts/attempt-actions.ts'
import { findLogin } from '../login/login-store.ts'
import { hashPassword, requireGoodPassword } from '../login/password-actions.ts'
import { signUpOwner } from '../owner/owner-actions.ts'
import { ownerMails } from '../owner/owner-mail-rules.ts'
import { startSession } from '../session/session-actions.ts'
import { beginVerification, codeToMail, finishVerification, refuseAsWrongCode } from './verification-actions.ts'

/** The data of a sign-up that waits for its code. */
type Details = { name: string; passwordHash: string; isPayee: boolean }

/**
 * Mails a code for a sign-up. If the email is taken, the answer is the same and takes equally long, and the owner of the email gets a mail
 * about it instead.
 *
 * @returns the token that the code belongs to
 * @throws ApiError weak_password, too_many_tries, overloaded
 */
export async function beginSignUp(
  deps: Deps,
  request: { email: string; password: string; name: string; isPayee: boolean; origin: Origin },
): Promise<string> {
  const { password, name, isPayee, origin } = request
  const email = normalizeEmail(request.email)
  await countAttempts(deps, [addressSubject(origin)])
  await requireGoodPassword(password, [email, name])
  await countAttempts(deps, [{ kind: 'code', name: email }])
  const details: Details = { name, passwordHash: await hashPassword(password), isPayee }
  return inTransaction(deps, async (tx) => {
    const isTaken = (await findLogin(tx.sql, email)) !== null
    const code = codeToMail(tx)
    const environment = deps.settings.name
    const mail = isTaken ? ownerMails.signUpTaken(environment) : ownerMails.signUp(environment, code)
    await sendMail(tx, { to: email, isAwaited: true, ...mail })
    return beginVerification(tx, {
      purpose: 'sign_up',
      email,
      loginId: null,
      details: JSON.stringify(details),
      code: isTaken ? null : code,
    })
  })
}

/**
 * Creates the owner after the mailed code, and starts a session.
 *
 * @returns the session token and the email
 * @throws ApiError wrong_code, code_expired
 */
export async function confirmSignUp(
  deps: Deps,
  { origin, previousToken, ...proof }: { token: string; code: string; origin: Origin; previousToken: string | null },
): Promise<{ token: string; email: string }> {
  const signUp = async (tx: TxDeps) => {
    const verification = await finishVerification(tx, { purpose: 'sign_up', ...proof }, async ({ email }) => {
      return (await findLogin(tx.sql, email)) !== null // another sign-up took the email first
    })
    if (verification instanceof ApiError) return verification
    const { email, detailsSealed } = verification
    const details: Details = JSON.parse(tx.keyRing.openText(detailsSealed as Buffer, 'verification'))
    const { platformId, loginId } = await signUpOwner(tx, { email, ...details })
    const { id, token } = await startSession(tx, { platformId, loginId, origin, previousToken })
    const credential = { kind: 'session', id, loginId } as const
    await recordAudit(tx, { platformId, userId: platformId, credential, origin }, 'sign_up')
    return { token, email }
  }
  try {
    const signedUp = await inTransactionOrRefused(deps, signUp)
    await uncountAttempt(deps, addressSubject(origin))
    return signedUp
  } catch (error) {
    throw error instanceof ApiError && error.code === 'email_taken' ? refuseAsWrongCode() : error
  }
}
