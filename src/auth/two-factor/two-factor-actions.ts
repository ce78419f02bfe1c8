import { recordAudit } from '../../audit/audit-actions.ts'
import { ApiError } from '../../core/errors.ts'
import type { Deps, TxDeps } from '../../db/deps.ts'
import { currentDigestKey } from '../../db/digests.ts'
import { inTransaction, inTransactionOrRefused } from '../../db/transaction.ts'
import type { Caller } from '../../http/caller.ts'
import { sendMail } from '../../mail/mail-actions.ts'
import { clearAttempts, countAttempts } from '../attempts/attempt-actions.ts'
import { provePassword } from '../login/login-actions.ts'
import { ownerMails } from '../owner/owner-mail-rules.ts'
import { findOwnerRow, type LoginRow, lockLogin } from '../owner/owner-store.ts'
import { normalizeCode } from '../sign-up/verification-rules.ts'
import { isAppCode, newSeed, RECOVERY_CODE_COUNT, recoveryCode, seedUri, stepOfCode } from './two-factor-rules.ts'
import {
  activateSeed,
  deleteOldRecoveryCodes,
  deleteRecoveryCode,
  deleteRecoveryCodes,
  insertRecoveryCode,
  listOwnersWithOldCodes,
  removeSeed,
  spendStep,
  updatePendingSeed,
} from './two-factor-store.ts'

/**
 * Creates a seed for the owner's authenticator app. It becomes active with its first code.
 *
 * @throws ApiError wrong_password, too_many_tries, two_factor_is_on
 */
export async function beginTwoFactor(
  deps: Deps,
  caller: Caller,
  { password }: { password: string },
): Promise<{ seed: string; uri: string }> {
  const { platformId, email } = await provePassword(deps, caller, { field: 'password', password })
  const seed = newSeed()
  const seedSealed = deps.keyRing.seal(seed, 'two-factor seed')
  if (!(await updatePendingSeed(deps.sql, { platformId, seedSealed }))) throw new ApiError('two_factor_is_on')
  return { seed, uri: seedUri({ seed, email, name: deps.settings.name }) }
}

/**
 * Turns two-factor authentication on with a first code from the app.
 *
 * @returns the recovery codes
 * @throws ApiError wrong_code, too_many_tries, two_factor_is_on, two_factor_is_off
 */
export async function confirmTwoFactor(deps: Deps, caller: Caller, { code }: { code: string }): Promise<string[]> {
  await countAttempts(deps, [secondFactorSubject(caller)])
  return inTransactionOrRefused(deps, async (tx) => {
    const login = await lockLogin(tx.sql, caller.platformId)
    if (login?.totpSealed) return new ApiError('two_factor_is_on')
    if (!login?.totpPendingSealed) return new ApiError('two_factor_is_off')
    const step = stepOf(tx, login.totpPendingSealed, code)
    if (step === null || !(await activateSeed(tx.sql, { platformId: caller.platformId, step }))) return wrongCode()
    await clearAttempts(tx, secondFactorSubject(caller))
    await recordAudit(tx, caller, 'two_factor_on')
    return renewRecoveryCodes(tx, caller)
  })
}

/** @throws ApiError wrong_password, wrong_code, too_many_tries, two_factor_is_off */
export const replaceRecoveryCodes = (
  deps: Deps,
  caller: Caller,
  proof: { password: string; code: string },
): Promise<string[]> =>
  withBothFactors(deps, caller, proof, async (tx) => {
    await recordAudit(tx, caller, 'recovery_codes_renewed')
    return renewRecoveryCodes(tx, caller)
  })

/** @throws ApiError wrong_password, wrong_code, too_many_tries, two_factor_is_off */
export const removeTwoFactor = (deps: Deps, caller: Caller, proof: { password: string; code: string }): Promise<void> =>
  withBothFactors(deps, caller, proof, async (tx, { email }) => {
    await removeSeed(tx.sql, caller.platformId)
    await deleteRecoveryCodes(tx.sql, caller.platformId)
    await recordAudit(tx, caller, 'two_factor_off')
    await sendMail(tx, { to: email, ...ownerMails.twoFactorOff(deps.settings.name) })
  })

/** Asks an owner by mail to create new recovery codes, if the operator replaces the key of the current ones. */
export async function askForNewCodes(deps: TxDeps, platformId: string): Promise<void> {
  const owner = await findOwnerRow(deps.sql, platformId)
  if (owner?.hasOldCodes) await sendMail(deps, { to: owner.email, ...ownerMails.oldRecoveryCodes(deps.settings.name) })
}

/**
 * Deletes recovery codes that need an old master key, so that the operator can remove the key. Their owners get a mail, and
 * their app keeps working.
 *
 * @returns how many
 */
export async function removeOldCodes(deps: Deps): Promise<number> {
  let count = 0
  for (const platformId of await inTransaction(deps, ({ sql }) => listOwnersWithOldCodes(sql))) {
    count += await inTransaction(deps, async (tx) => {
      const owner = await findOwnerRow(tx.sql, platformId)
      const removed = await deleteOldRecoveryCodes(tx.sql, platformId)
      if (removed === 0) return 0
      const operator = { platformId, userId: null, credential: { kind: 'operator' }, origin: null } as const
      await recordAudit(tx, operator, 'recovery_codes_removed')
      if (owner) await sendMail(tx, { to: owner.email, ...ownerMails.recoveryCodesRemoved(deps.settings.name) })
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
  const { totpSealed, passwordHash } = await provePassword(deps, caller, { field: 'password', password })
  if (totpSealed === null) throw new ApiError('two_factor_is_off')
  await countAttempts(deps, [secondFactorSubject(caller)])
  return inTransactionOrRefused(deps, async (tx) => {
    const login = await lockLogin(tx.sql, caller.platformId)
    if (login?.passwordHash !== passwordHash) return new ApiError('wrong_password')
    const factor = await spendSecondFactor(tx, login, code)
    if (factor === null) return wrongCode()
    if (factor === 'recovery_code') await recordAudit(tx, caller, 'recovery_code_used')
    await clearAttempts(tx, secondFactorSubject(caller))
    return work(tx, login)
  })
}

/** Attempts after the right password. Nobody else can exhaust them. */
export const secondFactorSubject = ({ platformId }: { platformId: string }) =>
  ({ kind: 'second_factor', name: platformId }) as const

export const wrongCode = (status?: 401): ApiError =>
  new ApiError('wrong_code', { fields: { code: ['is incorrect or was already used'] }, ...(status && { status }) })

/**
 * Consumes a code from the app or a recovery code; each works once. The caller holds the lock on the login.
 *
 * @returns which of the two it was, or null when it is wrong
 */
export async function spendSecondFactor(
  deps: TxDeps,
  { platformId, totpSealed }: LoginRow,
  code: string,
): Promise<'app_code' | 'recovery_code' | null> {
  if (totpSealed === null) return null
  const step = stepOf(deps, totpSealed, code)
  if (step !== null) return (await spendStep(deps.sql, { platformId, step })) ? 'app_code' : null
  const codeDigests = deps.keyRing.digests(boundCode(platformId, code), 'recovery code')
  return (await deleteRecoveryCode(deps.sql, { platformId, codeDigests })) ? 'recovery_code' : null
}

function stepOf(deps: TxDeps, seedSealed: Buffer, text: string): number | null {
  const code = normalizeCode(text)
  const seed = deps.keyRing.openText(seedSealed, 'two-factor seed')
  return isAppCode(code) ? stepOfCode({ seed, code, now: deps.realClock.now() }) : null
}

async function renewRecoveryCodes(deps: TxDeps, { platformId }: { platformId: string }): Promise<string[]> {
  await deleteRecoveryCodes(deps.sql, platformId)
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () => recoveryCode(deps.random.bytes(10)))
  const keyId = await currentDigestKey(deps)
  for (const code of codes) {
    const codeDigest = deps.keyRing.digest(boundCode(platformId, code), 'recovery code', keyId)
    await insertRecoveryCode(deps.sql, { platformId, codeDigest })
  }
  return codes
}

const boundCode = (platformId: string, code: string): string => `${platformId} ${normalizeCode(code)}`
