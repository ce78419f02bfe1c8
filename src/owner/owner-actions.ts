import { hash } from '@node-rs/argon2'
import type { TxDeps } from '../db/deps.ts'
import { isUniqueViolation } from '../db/trouble.ts'
import { isEmail, normalEmail } from '../lib/email.ts'
import { ApiError, fieldError } from '../lib/errors.ts'
import { createUser, type NewUser } from '../user/user-actions.ts'
import { insertLogin } from './owner-store.ts'

const MIN_PASSWORD_LENGTH = 8

/**
 * Makes the owner of a new platform, whose e-mail counts as verified: the operator vouches for it.
 *
 * @throws ApiError invalid_request, email_taken
 */
export async function createOwner(
  deps: TxDeps,
  owner: { email: string; password: string; name: string; published?: NewUser },
): Promise<NewUser> {
  const { email, password, name, published } = owner
  if (!isEmail(email)) throw fieldError('invalid_request', 'email', 'must be an e-mail address')
  if (password.length < MIN_PASSWORD_LENGTH) {
    throw fieldError('invalid_request', 'password', `must have at least ${MIN_PASSWORD_LENGTH} characters`)
  }
  if (name.length < 2 || name.length > 180) throw fieldError('invalid_request', 'name', 'must have 2 to 180 characters')
  const user = await createUser(deps, { platformId: null, externalId: null, name, ...(published && { published }) })
  const now = deps.clock.now()
  try {
    await insertLogin(deps.sql, {
      email: normalEmail(email),
      platformId: user.id,
      passwordHash: await hash(password),
      emailVerifiedAt: now,
      createdAt: now,
    })
  } catch (error) {
    if (isUniqueViolation(error, 'logins_pkey')) throw new ApiError('email_taken', { fields: { email: ['is taken'] } })
    throw error
  }
  return user
}
