import { ApiError } from '../../../foundation/core/errors.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { currentDigestKey } from '../../../foundation/db/digests.ts'
import { newSecret, type Random } from '../../../foundation/lib/ids.ts'
import { hashSecret } from '../../../foundation/lib/secret.ts'
import { CODE_MINUTES, MAX_WRONG_CODES, normalizeCode, wrongCodeMessage } from './verification-rules.ts'
import {
  deleteVerification,
  findVerificationLogin,
  insertVerification,
  lockVerification,
  updateWrongTries,
  type VerificationPurpose,
  type VerificationRow,
} from './verification-store.ts'

/** Creates a random code of six digits. */
export const newCode = ({ random }: { random: Random }): string =>
  String(random.bytes(6).readUIntBE(0, 6) % 1_000_000).padStart(6, '0')

type NewVerification = {
  purpose: VerificationPurpose
  email: string
  loginId: string | null
  /** The data to keep until the code arrives. */
  details: string | null
  /** The code. If it is null, every entered code is wrong, so the response does not reveal that no code was sent. */
  code: string | null
}

/** Starts a verification for a mailed code. @returns the token that the browser must send with the code */
export async function beginVerification(deps: TxDeps, verification: NewVerification): Promise<string> {
  const { purpose, email, loginId, details, code } = verification
  const token = newSecret(deps)
  const now = deps.realClock.now()
  await insertVerification(deps.sql, hashSecret(token), {
    purpose,
    email,
    loginId,
    detailsSealed: details === null ? null : deps.keyRing.seal(details, 'verification'),
    codeDigest: deps.keyRing.digest(
      boundCode(token, code ?? deps.random.bytes(32).toString('hex')),
      'verification code',
      await currentDigestKey(deps),
    ),
    createdAt: now,
    expiresAt: new Date(now.getTime() + CODE_MINUTES * 60_000),
  })
  return token
}

/** Returns the person of a verification, or null for a sign-up, an unknown email or an unknown token. */
export const findVerificationPerson = ({ sql }: Pick<TxDeps, 'sql'>, token: string): Promise<string | null> =>
  findVerificationLogin(sql, hashSecret(token))

/**
 * Finishes a verification with its code. Each verification can finish only once. A refusal (`wrong_code` or `code_expired`) is returned,
 * not thrown, so that the failed attempt is committed. If `isRefused` returns true, the code counts as wrong.
 */
export async function finishVerification(
  deps: TxDeps,
  { purpose, token, code }: { purpose: VerificationPurpose; token: string; code: string },
  isRefused: (verification: VerificationRow) => Promise<boolean>,
): Promise<VerificationRow | ApiError> {
  const tokenHash = hashSecret(token)
  const verification = await lockVerification(deps.sql, tokenHash, { purpose, now: deps.realClock.now() })
  if (!verification) return new ApiError('code_expired')
  const bound = boundCode(token, normalizeCode(code))
  const isRight = deps.keyRing.isDigestOf(verification.codeDigest, bound, 'verification code')
  if (isRight && !(await isRefused(verification))) {
    await deleteVerification(deps.sql, tokenHash)
    return verification
  }
  const attemptsLeft = MAX_WRONG_CODES - verification.wrongTries - 1
  await (attemptsLeft > 0 ? updateWrongTries : deleteVerification)(deps.sql, tokenHash)
  return wrongMailedCode(attemptsLeft)
}

function wrongMailedCode(attemptsLeft: number): ApiError {
  const message = wrongCodeMessage(attemptsLeft)
  return new ApiError('wrong_code', { message, fields: { code: [message] } })
}

/** Binds a code to the browser's token, so that the digest of one verification reveals nothing about other codes. */
const boundCode = (token: string, code: string): string => `${token} ${code}`

/** Creates a code that proves an email address. In demo and sandbox, the code is fixed and documented. */
export const codeToMail = ({ settings, random }: Pick<TxDeps, 'settings' | 'random'>): string =>
  settings.fixedCode ?? newCode({ random })

/**
 * Returns the refusal for an action that fails although its code was right. The caller must not be able to distinguish it from a wrong
 * code.
 */
export const refuseAsWrongCode = (): ApiError => wrongMailedCode(MAX_WRONG_CODES - 1)
