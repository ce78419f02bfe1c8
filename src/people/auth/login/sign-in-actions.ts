import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import type { AuditAction } from '../../../foundation/audit/audit-rules.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { inTransactionOrRefused } from '../../../foundation/db/transaction.ts'
import type { Origin } from '../../../foundation/http/caller.ts'
import { normalizeEmail } from '../../../foundation/lib/text/email.ts'
import { addressSubject, clearAttempts, countAttempts, uncountAttempt } from '../attempts/attempt-actions.ts'
import { startSession } from '../session/session-actions.ts'
import { findLastPlatform } from '../team/member-store.ts'
import { secondFactorSubject, spendSecondFactor, wrongCode } from '../two-factor/two-factor-actions.ts'
import { findLogin, type LoginRow, lockLogin } from './login-store.ts'
import { matchesPassword } from './password-actions.ts'

type SignInAttempt = {
  email: string
  password: string
  code: string | undefined
  origin: Origin
  /** The device id, if the person with the email has signed in with this browser before. */
  device: string | null
  previousToken: string | null
  /** Chooses the platform to enter, or refuses. By default, the person enters the platform used last. */
  enter?: (tx: TxDeps, login: LoginRow) => Promise<string | ApiError>
}

/**
 * Signs a person in, to the platform used last. An unknown email and a wrong password get the same answer in the same time.
 *
 * @returns the session token, or null when the password was right and the second factor is still missing
 * @throws ApiError wrong_login, wrong_code, no_platform, too_many_tries, overloaded
 */
export async function signIn(deps: Deps, attempt: SignInAttempt): Promise<string | null> {
  const login = await requireLogin(deps, attempt)
  if (login.totpSealed !== null && attempt.code !== undefined)
    await countAttempts(deps, [secondFactorSubject(login.id)])
  const token = await inTransactionOrRefused(deps, (tx) => beginSession(tx, login, attempt))
  if (token !== null) await clearAttempts(deps, secondFactorSubject(login.id))
  if (attempt.device === null) await uncountAttempt(deps, addressSubject(attempt.origin))
  return token
}

/** Finds the login and checks the password. Attempts are counted first, so a refusal costs almost nothing. */
async function requireLogin(deps: Deps, { password, origin, device, ...attempt }: SignInAttempt): Promise<LoginRow> {
  const email = normalizeEmail(attempt.email)
  const attempts = device ? ({ kind: 'device', name: device } as const) : ({ kind: 'login', name: email } as const)
  // For a known browser, only its own attempts count, because strangers can use up the attempts of the address and the email.
  await countAttempts(deps, device ? [attempts] : [addressSubject(origin), attempts])
  const login = await findLogin(deps.sql, email)
  const isRight = await matchesPassword(password, login?.passwordHash ?? null)
  if (login && isRight) {
    await clearAttempts(deps, attempts)
    return login
  }
  if (login) recordRefusal(deps, login, origin)
  throw new ApiError('wrong_login')
}

/** Records a refused sign-in in the background. Waiting for it would make the answer for registered emails slower. */
function recordRefusal(deps: Deps, login: LoginRow, origin: Origin): void {
  recordAttempt(deps, { loginId: login.id, origin }, 'sign_in_refused').catch((error) =>
    deps.log.warn({ err: error, login: login.id }, 'recording a refused sign-in failed'),
  )
}

async function beginSession(tx: TxDeps, proven: LoginRow, attempt: SignInAttempt): Promise<string | null | ApiError> {
  const { id: loginId, passwordHash } = proven
  const login = await lockLogin(tx.sql, loginId)
  // The password was changed while it was checked.
  if (login?.passwordHash !== passwordHash) return new ApiError('wrong_login')
  if (login.totpSealed !== null) {
    if (attempt.code === undefined) return null
    const factor = await spendSecondFactor(tx, login, attempt.code)
    if (factor === null) {
      await recordAttempt(tx, { loginId, origin: attempt.origin }, 'sign_in_refused')
      return wrongCode(401)
    }
    if (factor === 'recovery_code') await recordAttempt(tx, { loginId, origin: attempt.origin }, 'recovery_code_used')
  }
  const platformId = await (attempt.enter ?? enterLastPlatform)(tx, login)
  if (platformId instanceof ApiError) return platformId
  const { origin, previousToken } = attempt
  const { id, token } = await startSession(tx, { platformId, loginId, origin, previousToken })
  const credential = { kind: 'session', id, loginId } as const
  await recordAudit(tx, { platformId, userId: platformId, credential, origin }, 'sign_in')
  return token
}

async function enterLastPlatform({ sql }: TxDeps, { id }: LoginRow): Promise<string | ApiError> {
  return (await findLastPlatform(sql, id)) ?? new ApiError('no_platform')
}

/** Adds an audit entry for a person who is not signed in. It goes to the platform that the person used last. */
export async function recordAttempt(
  deps: Pick<TxDeps, 'sql' | 'realClock' | 'random'>,
  { loginId, origin }: { loginId: string; origin: Origin },
  action: AuditAction,
): Promise<void> {
  const platformId = await findLastPlatform(deps.sql, loginId)
  if (platformId === null) return
  const actor = { platformId, userId: platformId, credential: { kind: 'anonymous', loginId }, origin } as const
  await recordAudit(deps, actor, action, loginId)
}
