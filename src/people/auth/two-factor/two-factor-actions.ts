import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { requireUnshared } from '../../../foundation/core/demo-rules.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { currentDigestKey } from '../../../foundation/db/digests.ts'
import { inTransaction, inTransactionOrRefused } from '../../../foundation/db/transaction.ts'
import { type Caller, personOf } from '../../../foundation/http/caller.ts'
import { sendMail } from '../../../foundation/mail/mail-actions.ts'
import { clearAttempts, countAttempts } from '../attempts/attempt-actions.ts'
import { provePassword } from '../login/login-actions.ts'
import { findLoginById, type LoginRow, lockLogin } from '../login/login-store.ts'
import { ownerMails } from '../owner/owner-mail-rules.ts'
import { normalizeCode } from '../sign-up/verification-rules.ts'
import { findLastPlatform } from '../team/member-store.ts'
import { findTimeStep, isAppCode, newSeed, RECOVERY_CODE_COUNT, recoveryCode, seedUri } from './two-factor-rules.ts'
import {
  activateSeed,
  deleteOldRecoveryCodes,
  deleteRecoveryCode,
  deleteRecoveryCodes,
  insertRecoveryCode,
  listMembersWithOldCodes,
  listPeopleWithOldCodes,
  removeSeed,
  updatePendingSeed,
  useTimeStep,
} from './two-factor-store.ts'

/**
 * Creates a seed for the owner's authenticator app. A first code from the app activates it.
 *
 * @throws ApiError wrong_password, too_many_tries, two_factor_is_on
 */
export async function beginTwoFactor(
  deps: Deps,
  caller: Caller,
  { password }: { password: string },
): Promise<{ seed: string; uri: string }> {
  const { id: loginId, email } = await provePassword(deps, caller, { field: 'password', password })
  requireUnshared(deps.settings, { email })
  const seed = newSeed()
  const seedSealed = deps.keyRing.seal(seed, 'two-factor seed')
  if (!(await updatePendingSeed(deps.sql, { loginId, seedSealed }))) throw new ApiError('two_factor_is_on')
  return { seed, uri: seedUri({ seed, email, name: deps.settings.name }) }
}

/**
 * Turns two-factor authentication on with a first code from the app.
 *
 * @returns the recovery codes
 * @throws ApiError wrong_code, too_many_tries, two_factor_is_on, two_factor_is_off
 */
export async function confirmTwoFactor(deps: Deps, caller: Caller, { code }: { code: string }): Promise<string[]> {
  const loginId = personOf(caller)
  await countAttempts(deps, [secondFactorSubject(loginId)])
  return inTransactionOrRefused(deps, async (tx) => {
    const login = await lockLogin(tx.sql, loginId)
    if (login?.totpSealed) return new ApiError('two_factor_is_on')
    if (!login?.totpPendingSealed) return new ApiError('two_factor_is_off')
    const step = stepOf(tx, login.totpPendingSealed, code)
    if (step === null || !(await activateSeed(tx.sql, { loginId, step }))) return wrongCode()
    await clearAttempts(tx, secondFactorSubject(loginId))
    await recordAudit(tx, caller, 'two_factor_on')
    return renewRecoveryCodes(tx, loginId)
  })
}

/** Replaces the recovery codes. @throws ApiError wrong_password, wrong_code, too_many_tries, two_factor_is_off */
export const replaceRecoveryCodes = (
  deps: Deps,
  caller: Caller,
  proof: { password: string; code: string },
): Promise<string[]> =>
  withBothFactors(deps, caller, proof, async (tx, { id }) => {
    await recordAudit(tx, caller, 'recovery_codes_renewed')
    return renewRecoveryCodes(tx, id)
  })

/** Turns two-factor authentication off. @throws ApiError wrong_password, wrong_code, too_many_tries, two_factor_is_off */
export const removeTwoFactor = (deps: Deps, caller: Caller, proof: { password: string; code: string }): Promise<void> =>
  withBothFactors(deps, caller, proof, async (tx, { id, email }) => {
    await removeSeed(tx.sql, id)
    await deleteRecoveryCodes(tx.sql, id)
    await recordAudit(tx, caller, 'two_factor_off')
    await sendMail(tx, { to: email, ...ownerMails.twoFactorOff(deps.settings.name) })
  })

/** Asks the members of a platform by mail to create new recovery codes, if their codes depend on a key that the operator is replacing. */
export async function askForNewCodes(deps: TxDeps, platformId: string): Promise<void> {
  for (const email of await listMembersWithOldCodes(deps.sql, platformId)) {
    await sendMail(deps, { to: email, ...ownerMails.oldRecoveryCodes(deps.settings.name) })
  }
}

/**
 * Deletes recovery codes that depend on an old master key, so that the operator can remove the key. Mails the people. Their authenticator
 * apps keep working.
 *
 * @returns the number of deleted codes
 */
export async function removeOldCodes(deps: Deps): Promise<number> {
  let count = 0
  for (const loginId of await inTransaction(deps, ({ sql }) => listPeopleWithOldCodes(sql))) {
    count += await inTransaction(deps, async (tx) => {
      const login = await findLoginById(tx.sql, loginId)
      const removed = await deleteOldRecoveryCodes(tx.sql, loginId)
      if (removed === 0) return 0
      const platformId = await findLastPlatform(tx.sql, loginId)
      const operator = { userId: null, credential: { kind: 'operator', loginId }, origin: null } as const
      if (platformId !== null) await recordAudit(tx, { platformId, ...operator }, 'recovery_codes_removed')
      if (login) await sendMail(tx, { to: login.email, ...ownerMails.recoveryCodesRemoved(deps.settings.name) })
      return removed
    })
  }
  return count
}

/** Runs an action that requires the password and a second-factor code. */
async function withBothFactors<Result>(
  deps: Deps,
  caller: Caller,
  { password, code }: { password: string; code: string },
  work: (tx: TxDeps, login: LoginRow) => Promise<Result>,
): Promise<Result> {
  const { id, totpSealed, passwordHash } = await provePassword(deps, caller, { field: 'password', password })
  if (totpSealed === null) throw new ApiError('two_factor_is_off')
  await countAttempts(deps, [secondFactorSubject(id)])
  return inTransactionOrRefused(deps, async (tx) => {
    const login = await lockLogin(tx.sql, id)
    if (login?.passwordHash !== passwordHash) return new ApiError('wrong_password')
    const factor = await spendSecondFactor(tx, login, code)
    if (factor === null) return wrongCode()
    if (factor === 'recovery_code') await recordAudit(tx, caller, 'recovery_code_used')
    await clearAttempts(tx, secondFactorSubject(id))
    return work(tx, login)
  })
}

/**
 * Returns the key under which second-factor attempts are counted. Attempts count only after the right password, so that strangers cannot
 * use them up.
 */
export const secondFactorSubject = (loginId: string) => ({ kind: 'second_factor', name: loginId }) as const

export const wrongCode = (status?: 401): ApiError =>
  new ApiError('wrong_code', { fields: { code: ['is incorrect or was already used'] }, ...(status && { status }) })

/**
 * Consumes a code from the app or a recovery code. Each code works once. The caller must hold the lock on the login.
 *
 * @returns the kind of the code, or null if it is wrong
 */
export async function spendSecondFactor(
  deps: TxDeps,
  { id: loginId, totpSealed }: Pick<LoginRow, 'id' | 'totpSealed'>,
  code: string,
): Promise<'app_code' | 'recovery_code' | null> {
  if (totpSealed === null) return null
  const step = stepOf(deps, totpSealed, code)
  if (step !== null) return (await useTimeStep(deps.sql, { loginId, step })) ? 'app_code' : null
  const codeDigests = deps.keyRing.digests(boundCode(loginId, code), 'recovery code')
  return (await deleteRecoveryCode(deps.sql, { loginId, codeDigests })) ? 'recovery_code' : null
}

function stepOf(deps: TxDeps, seedSealed: Buffer, text: string): number | null {
  const code = normalizeCode(text)
  const seed = deps.keyRing.openText(seedSealed, 'two-factor seed')
  return isAppCode(code) ? findTimeStep({ seed, code, now: deps.realClock.now() }) : null
}

async function renewRecoveryCodes(deps: TxDeps, loginId: string): Promise<string[]> {
  await deleteRecoveryCodes(deps.sql, loginId)
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => recoveryCode(deps.random.bytes(10)))
  const keyId = await currentDigestKey(deps)
  for (const code of codes) {
    const codeDigest = deps.keyRing.digest(boundCode(loginId, code), 'recovery code', keyId)
    await insertRecoveryCode(deps.sql, { loginId, codeDigest })
  }
  return codes
}

const boundCode = (loginId: string, code: string): string => `${loginId} ${normalizeCode(code)}`
