import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { atMost } from '../lib/at-most.ts'
import { ApiError } from '../lib/errors.ts'
import { passwordProblem } from './password-rules.ts'

/** argon2id as OWASP recommends it: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Hashing occupies threads that name lookups and files need too: sign-ins wait for each other, nobody for them. */
const inTurn = atMost({ atOnce: 2, maxWaiting: 200, whenFull: () => new ApiError('overloaded') })

/** @throws ApiError overloaded */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(normal(password), COST))

let decoyHash: Promise<string> | undefined

/**
 * Whether a password is the one that was hashed. Without a hash it is not, which takes as long to find out.
 *
 * @throws ApiError overloaded
 */
export async function isPasswordOf(password: string, passwordHash: string | null): Promise<boolean> {
  decoyHash ??= hash(randomBytes(16), COST)
  const decoy = await decoyHash
  const isRight = await inTurn(() => verify(passwordHash ?? decoy, normal(password)))
  return passwordHash !== null && isRight
}

/** @throws ApiError weak_password */
export function requireGoodPassword(candidate: { password: string; email: string }): void {
  const problem = passwordProblem(candidate)
  if (!problem) return
  throw new ApiError('weak_password', { message: `The password ${problem}.`, fields: { password: [problem] } })
}

/** Keyboards spell one text in several ways (Unicode, "Normalization Form KC"). */
const normal = (password: string) => password.normalize('NFKC')
