import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { requireUnshared } from '../../../foundation/core/demo-rules.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransaction, inTransactionOrRefused } from '../../../foundation/db/transaction.ts'
import { type Caller, personOf } from '../../../foundation/http/caller.ts'
import { normalizeEmail } from '../../../foundation/lib/text/email.ts'
import { sendMail } from '../../../foundation/mail/mail-actions.ts'
import { clearAttempts, countAttempts } from '../attempts/attempt-actions.ts'
import { ownerMails } from '../owner/owner-mail-rules.ts'
import { deleteSessions } from '../session/session-store.ts'
import {
  beginVerification,
  codeToMail,
  finishVerification,
  refuseAsWrongCode,
} from '../sign-up/verification-actions.ts'
import { deleteLoginVerifications } from '../sign-up/verification-store.ts'
import { findLogin, findLoginById, type LoginRow, lockLogin, updateEmail, updatePassword } from './login-store.ts'
import { hashPassword, matchesPassword, requireGoodPassword } from './password-actions.ts'

/**
 * Asks the signed-in person for the password again.
 *
 * @param proof `field` is the request field that an error refers to
 * @throws ApiError wrong_password, too_many_tries, overloaded
 */
export async function provePassword(
  deps: Deps,
  caller: Caller,
  { field, password }: { field: string; password: string },
): Promise<LoginRow> {
  const loginId = personOf(caller)
  const attempts = { kind: 'password', name: loginId } as const
  await countAttempts(deps, [attempts])
  const login = await findLoginById(deps.sql, loginId)
  const isRight = await matchesPassword(password, login?.passwordHash ?? null)
  if (!login || !isRight) throw wrongPassword(field)
  await clearAttempts(deps, attempts)
  return login
}

const wrongPassword = (field: string): ApiError =>
  new ApiError('wrong_password', { fields: { [field]: ['is incorrect'] } })

/**
 * Changes the password, signs out other browsers, and invalidates codes sent by email.
 *
 * @throws ApiError wrong_password, weak_password, shared_by_all, too_many_tries, overloaded
 */
export async function changePassword(
  deps: Deps,
  caller: Caller,
  { current, password }: { current: string; password: string },
): Promise<void> {
  const {
    id,
    email,
    name,
    passwordHash: currentHash,
  } = await provePassword(deps, caller, {
    field: 'current',
    password: current,
  })
  requireUnshared(deps.settings, { email })
  await requireGoodPassword(password, [email, name])
  const passwordHash = await hashPassword(password)
  await inTransaction(deps, async (tx) => {
    const login = await lockLogin(tx.sql, id)
    if (login?.passwordHash !== currentHash) throw wrongPassword('current')
    await setPassword(tx, login, { passwordHash, exceptSession: caller.credential.id })
    await recordAudit(tx, caller, 'password_changed')
  })
}

/**
 * Stores a new password. Ends the person's sessions except `exceptSession`, deletes pending verifications, and sends a mail. The caller
 * must hold the lock on the login.
 */
export async function setPassword(
  deps: TxDeps,
  { id, email }: LoginRow,
  { passwordHash, exceptSession }: { passwordHash: string; exceptSession: string | null },
): Promise<void> {
  await updatePassword(deps.sql, { id, passwordHash })
  await deleteSessions(deps.sql, { loginId: id, exceptId: exceptSession })
  await deleteLoginVerifications(deps.sql, id)
  await sendMail(deps, { to: email, ...ownerMails.passwordChanged(deps.settings.name) })
}

/**
 * Sends a code to a new email address. If another login has the address, the answer is the same, and the owner of that login gets a mail
 * instead.
 *
 * @returns the token that the code belongs to
 * @throws ApiError wrong_password, shared_by_all, too_many_tries, overloaded
 */
export async function beginEmailChange(
  deps: Deps,
  caller: Caller,
  request: { email: string; password: string },
): Promise<string> {
  const own = await provePassword(deps, caller, { field: 'password', password: request.password })
  requireUnshared(deps.settings, { email: own.email })
  const loginId = own.id
  const email = normalizeEmail(request.email)
  await countAttempts(deps, [{ kind: 'code', name: email }])
  return inTransaction(deps, async (tx) => {
    const isTaken = (await findLogin(tx.sql, email)) !== null
    const code = codeToMail(tx)
    const { name } = deps.settings
    const mail = isTaken ? ownerMails.emailTaken(name) : ownerMails.emailCode(name, code)
    await sendMail(tx, { to: email, isAwaited: true, ...mail })
    return beginVerification(tx, { purpose: 'email', email, loginId, details: null, code: isTaken ? null : code })
  })
}

/**
 * Changes the email address with the mailed code, and notifies the old address.
 *
 * @throws ApiError wrong_code, code_expired
 */
export async function confirmEmailChange(
  deps: Deps,
  caller: Caller,
  proof: { token: string; code: string },
): Promise<void> {
  const loginId = personOf(caller)
  await inTransactionOrRefused(deps, async (tx) => {
    const login = await lockLogin(tx.sql, loginId)
    if (!login) return new ApiError('not_signed_in')
    const verification = await finishVerification(tx, { purpose: 'email', ...proof }, async (found) => {
      return found.loginId !== loginId || (await findLogin(tx.sql, found.email)) !== null
    })
    if (verification instanceof ApiError) return verification
    const { email } = verification
    const change = { id: loginId, previous: login.email, email, verifiedAt: deps.clock.now() }
    if (!(await updateEmail(tx.sql, change))) throw refuseAsWrongCode()
    await deleteLoginVerifications(tx.sql, loginId)
    await recordAudit(tx, caller, 'email_changed', email)
    await sendMail(tx, { to: login.email, ...ownerMails.emailChanged(deps.settings.name, email) })
    tx.afterCommit(tx.wake) // payments that were sent to the new address before can now be assigned
    return null
  })
}
