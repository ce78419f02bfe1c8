import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../../foundation/core/errors.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { isEmail, normalizeEmail } from '../../../foundation/lib/text/email.ts'
import { createUser, createUserWithoutKey, type NewUser } from '../../user/user-actions.ts'
import { insertLogin } from '../login/login-store.ts'
import { hashPassword } from '../login/password-actions.ts'
import { lengthProblem } from '../login/password-rules.ts'
import { insertFirstOwner, type MemberKey } from '../team/member-store.ts'

/**
 * Creates the owner of a new platform with an API key. Its email counts as verified, because the operator entered it.
 *
 * @throws ApiError invalid_request, email_taken
 */
export async function createOwner(
  deps: TxDeps,
  owner: { email: string; password: string; name: string; published?: NewUser },
): Promise<NewUser> {
  const { password, ...person } = owner
  const { email, name } = person
  if (!isEmail(email)) throw fieldError('invalid_request', 'email', 'must be an email address')
  const problem = lengthProblem(password)
  if (problem !== null) throw fieldError('invalid_request', 'password', problem)
  if (name.length < 2 || name.length > 180 || name.trim() === '') {
    throw fieldError('invalid_request', 'name', 'must have 2 to 180 characters, not only white space')
  }
  return createCheckedOwner(deps, { ...person, passwordHash: await hashPassword(password) })
}

/** Creates the owner of a new platform with an API key, from an email, a password and a name that were already checked. */
export async function createCheckedOwner(
  deps: TxDeps,
  { published, ...person }: NewLogin & { published?: NewUser },
): Promise<NewUser> {
  const { name } = person
  const user = await createUser(deps, { platformId: null, externalId: null, name, ...(published && { published }) })
  await createLoginOfOwner(deps, { platformId: user.id, ...person })
  return user
}

/** Creates the owner of a new platform for the operator's command. Records the new API key in the audit trail. */
export async function createOwnerByOperator(
  deps: TxDeps,
  owner: { email: string; password: string; name: string },
): Promise<NewUser> {
  const user = await createOwner(deps, owner)
  const operator = { platformId: user.id, userId: null, credential: { kind: 'operator' }, origin: null } as const
  await recordAudit(deps, operator, 'owner_created', `${user.id} with API key ${user.apiKey.key}`)
  return user
}

/**
 * Creates the owner of a new platform after the email was verified. The owner creates API keys later. `isPayee`: the platform starts with
 * the pages of a payee.
 *
 * @returns the ids of the platform and of the person
 * @throws ApiError email_taken
 */
export async function signUpOwner(
  deps: TxDeps,
  { name, ...login }: NewLogin & { isPayee: boolean },
): Promise<MemberKey> {
  const { id: platformId } = await createUserWithoutKey(deps, { platformId: null, externalId: null, name })
  const loginId = await createLoginOfOwner(deps, { platformId, name, ...login })
  return { platformId, loginId }
}

async function createLoginOfOwner(
  deps: TxDeps,
  { platformId, isPayee = false, ...person }: NewLogin & { platformId: string; isPayee?: boolean },
): Promise<string> {
  const loginId = await createLogin(deps, person)
  await insertFirstOwner(deps.sql, {
    platformId,
    loginId,
    email: normalizeEmail(person.email),
    isPayee,
    now: deps.realClock.now(),
  })
  deps.afterCommit(deps.wake) // payments that were sent to this email before can now be assigned
  return loginId
}

/** A login to create. Its email is verified. */
export type NewLogin = { email: string; name: string; passwordHash: string }

/** Creates a person. @returns the id. @throws ApiError email_taken */
export async function createLogin(deps: TxDeps, { email, name, passwordHash }: NewLogin): Promise<string> {
  const id = newId({ clock: deps.realClock, random: deps.random })
  const login = { id, email: normalizeEmail(email), name, passwordHash, createdAt: deps.realClock.now() }
  if (!(await insertLogin(deps.sql, login)))
    throw new ApiError('email_taken', { fields: { email: ['is already in use'] } })
  return id
}
