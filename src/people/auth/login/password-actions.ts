import { randomBytes } from 'node:crypto'
import { loadArgon2 } from '../../../foundation/core/argon2.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import { createHelperProcess } from '../../../foundation/core/helper-process.ts'
import { atMost } from '../../../foundation/lib/concurrency/at-most.ts'
import { lengthProblem, type PasswordStrength, scoringInput, strengthProblem } from './password-rules.ts'

const { hash, verify } = await loadArgon2()

/** argon2id with the parameters that OWASP recommends: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Limits how many passwords are hashed at once. Hashing uses the thread pool that DNS lookups and file access need. */
const limitHashing = atMost({ atOnce: 2, maxWaiting: 200, whenFull: () => new ApiError('overloaded') })

/** Hashes a password. @throws ApiError overloaded */
export const hashPassword = (password: string): Promise<string> => limitHashing(() => hash(normalize(password), COST))

let decoyHash: Promise<string> | undefined

/** Returns whether a password matches a hash. Without a hash, the answer is false and takes equally long. @throws ApiError overloaded */
export async function matchesPassword(password: string, passwordHash: string | null): Promise<boolean> {
  decoyHash ??= hash(randomBytes(16), COST)
  const decoy = await decoyHash
  const isRight = await limitHashing(() => verify(passwordHash ?? decoy, normalize(password)))
  return passwordHash !== null && isRight
}

/**
 * Checks the strength of a new password. `words`: the owner's email and name, which an attacker would try first.
 *
 * @throws ApiError weak_password, overloaded
 */
export async function requireGoodPassword(password: string, words: string[]): Promise<void> {
  const problem = lengthProblem(password) ?? strengthProblem(await strengthOf(password, words))
  if (problem === null) return
  throw new ApiError('weak_password', { message: `The password ${problem}`, fields: { password: [problem] } })
}

/**
 * Scores passwords in a separate process, because the dictionaries take 75 MB and 0.3 s to load, and some passwords take 0.4 s. The
 * process starts with the first new password and ends after a minute without work.
 */
const scorer = createHelperProcess({
  file: new URL('../../../operation/app/password-process.ts', import.meta.url),
  timeLimitMs: 5_000,
  heapMiB: 256,
  residentMiB: 320,
  idleMs: 60_000,
})

const oneByOne = atMost({ atOnce: 1, maxWaiting: 100, whenFull: () => new ApiError('overloaded') })

const strengthOf = (password: string, words: string[]): Promise<PasswordStrength> =>
  oneByOne(
    () => scorer.run('judge', scoringInput({ password: normalize(password), words })) as Promise<PasswordStrength>,
  )

/** Converts a password to one Unicode form, because keyboards encode the same text in several ways (Normalization Form KC). */
const normalize = (password: string) => password.normalize('NFKC')
