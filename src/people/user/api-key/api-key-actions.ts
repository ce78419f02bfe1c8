import type { FastifyRequest } from 'fastify'
import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { requireUnshared } from '../../../foundation/core/demo-rules.ts'
import { ApiError, fieldError } from '../../../foundation/core/errors.ts'
import { permissionsOfCreator } from '../../../foundation/core/permission-rules.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { type Authenticate, type Caller, memberOf, originOf } from '../../../foundation/http/caller.ts'
import { formatDate } from '../../../foundation/lib/clock.ts'
import { shouldRecordUse } from '../../../foundation/lib/concurrency/last-use.ts'
import { newKey, newSecret } from '../../../foundation/lib/ids.ts'
import { hashSecret, isSecretOf } from '../../../foundation/lib/secret.ts'
import { lockCaller, lockUser } from '../user-lock-actions.ts'
import { findUser, findWebhookKey, type UserKey } from '../user-store.ts'
import type { UserHooks } from '../user-types.ts'
import {
  type ApiKeyRow,
  deleteApiKeys,
  insertApiKey,
  listApiKeys,
  listApiKeysWithCreators,
  listKeysMadeBy,
  updateLastUse,
} from './api-key-store.ts'
import { createKeyCache, type KeyCache } from './key-cache-actions.ts'

/** A new API key with its secret. The secret cannot be shown again. */
export type NewApiKey = { key: string; secret: string }

type NewKey = {
  name: string | null
  expirationDate: string | null
  published?: NewApiKey
  creator?: Caller
  maker?: Caller
}

/**
 * Creates an API key for a user. The permissions of `creator`, a member or a member's key, limit it. `maker` sees the secret without
 * limiting the key. `expirationDate` is the last day on which it works (UTC), or null. `published` is the well-known key of the demo.
 */
export async function createApiKey(
  deps: TxDeps,
  { platformId, userId }: UserKey,
  { name, expirationDate, published, creator, maker = creator }: NewKey,
): Promise<NewApiKey> {
  if (expirationDate !== null && expirationDate < formatDate(deps.realClock.now())) {
    throw fieldError('invalid_request', 'expiration_date', 'must not be in the past')
  }
  const { key, secret } = published ?? { key: newKey(deps), secret: newSecret(deps) }
  const createdAt = deps.clock.now()
  await insertApiKey(deps.sql, {
    key,
    platformId,
    userId,
    secretHash: hashSecret(secret),
    name,
    expirationDate,
    createdAt,
    lastUsedAt: null,
    madeBy: maker ? memberOf(maker) : null,
    ...limitOf(creator),
  })
  return { key, secret }
}

/** Returns the limits of a new key. It never has more permissions than the member who created it, or whose key created it. */
function limitOf(creator: Caller | undefined): Pick<ApiKeyRow, 'createdBy' | 'permissions'> {
  const createdBy = creator ? memberOf(creator) : null
  return { createdBy, permissions: createdBy === null ? null : [...(creator as Caller).permissions] }
}

export const getApiKeys = (deps: Deps | TxDeps, user: UserKey): Promise<ApiKeyRow[]> => listApiKeys(deps.sql, user)

/** Lists the API keys of a user with the members who created them. */
export const getApiKeysWithCreators = (deps: Deps, user: UserKey) => listApiKeysWithCreators(deps.sql, user)

/**
 * Revokes an API key of the caller. A user with money or payments must keep one working key, because it could not reach them otherwise.
 * Owners can sign in instead.
 *
 * @throws ApiError shared_by_all, unauthorized, api_key_not_found, last_api_key
 */
export async function revokeApiKey(
  deps: TxDeps,
  caller: Caller,
  { key, findBusyReason }: { key: string } & Pick<UserHooks, 'findBusyReason'>,
): Promise<void> {
  requireUnshared(deps.settings, { key })
  await lockCaller(deps, caller)
  const wasWorking = (await workingKeys(deps, caller)).includes(key)
  const deleted = await deleteApiKeys(deps.sql, caller, key)
  if (deleted.length === 0) throw new ApiError('api_key_not_found')
  const isLast = wasWorking && !caller.isOwner && (await workingKeys(deps, caller)).length === 0
  const reason = isLast ? await findBusyReason(deps, caller) : null
  if (reason) {
    throw new ApiError('last_api_key', {
      message: `The last API key of this user cannot be revoked yet. Create another one first. ${reason}`,
    })
  }
  await recordAudit(deps, caller, 'api_key_revoked', key)
}

async function workingKeys(deps: TxDeps, user: UserKey): Promise<string[]> {
  const today = formatDate(deps.realClock.now())
  return (await listApiKeys(deps.sql, user)).filter((row) => !isExpired(row, today)).map(({ key }) => key)
}

/** Creates another API key for the caller. @throws ApiError unauthorized, invalid_request */
export async function addApiKey(deps: TxDeps, caller: Caller, options: KeyOptions): Promise<NewApiKey> {
  await lockCaller(deps, caller)
  const apiKey = await createApiKey(deps, caller, { ...options, creator: caller })
  await recordAudit(deps, caller, 'api_key_created', apiKey.key)
  return apiKey
}

export type KeyOptions = { name: string | null; expirationDate: string | null }

/** Creates an API key for a user of the owner's platform. @throws ApiError user_not_found, invalid_request */
export async function addApiKeyForUser(
  deps: TxDeps,
  owner: Caller,
  { user, ...options }: KeyOptions & { user: UserKey },
): Promise<NewApiKey> {
  const isThere = (await lockUser(deps, user)) && (await findUser(deps.sql, user)) !== null
  if (!isThere) throw new ApiError('user_not_found')
  // The key of a platform's user needs no limit. Only a key of the owner could exceed the permissions of its creator.
  const isOfOwner = user.userId === user.platformId
  const apiKey = await createApiKey(deps, user, { ...options, ...(isOfOwner ? { creator: owner } : { maker: owner }) })
  await recordAudit(deps, owner, 'api_key_created', `${apiKey.key} for user ${user.userId}`)
  return apiKey
}

/** Lists the keys that a member made for the platform's owner and for users. Keys of users keep working after the member leaves. */
export const getKeysMadeBy = (deps: TxDeps, member: { platformId: string; loginId: string }) =>
  listKeysMadeBy(deps.sql, member)

/**
 * Revokes an API key of a user of the owner's platform, even the last one.
 *
 * @throws ApiError shared_by_all, user_not_found, api_key_not_found
 */
export async function revokeApiKeyOfUser(
  deps: TxDeps,
  owner: Caller,
  { user, key }: { user: UserKey; key: string },
): Promise<void> {
  requireUnshared(deps.settings, { key })
  if (!(await lockUser(deps, user))) throw new ApiError('user_not_found')
  const deleted = await deleteApiKeys(deps.sql, user, key)
  if (deleted.length === 0) throw new ApiError('api_key_not_found')
  await recordAudit(deps, owner, 'api_key_revoked', `${key} of user ${user.userId}`)
}

/** Reads a user's webhook key in clear text. It signs webhooks, and is returned together with a new API key. */
export async function readWebhookKey(deps: Pick<TxDeps, 'sql' | 'keyRing'>, user: UserKey): Promise<string> {
  const sealed = await findWebhookKey(deps.sql, user)
  if (!sealed) throw new ApiError('user_not_found')
  return deps.keyRing.openText(sealed, 'webhook key')
}

export type ApiKeyAuthenticator = { authenticate: Authenticate } & Pick<KeyCache, 'forget' | 'end'>

/** Creates the authenticator for `KEY:SECRET` (specification.md 2.1). */
export function createApiKeyAuthenticator(deps: Deps): ApiKeyAuthenticator {
  const cache = createKeyCache(deps)

  async function authenticate(request: FastifyRequest): Promise<Caller> {
    const { authorization = '' } = request.headers
    const [, key, secret] = /^\s*([0-9a-f]{32}):([A-Za-z0-9]{40})\s*$/.exec(authorization) ?? []
    if (!key || !secret) throw new ApiError('unauthorized')
    const row = await cache.read(key)
    const problem = problemOf(row, secret, formatDate(deps.realClock.now()))
    if (row === null || problem !== null) {
      request.refusal = { key, problem }
      throw new ApiError('unauthorized')
    }
    recordUse(row)
    const { platformId, userId, createdBy } = row
    return {
      platformId,
      userId,
      isOwner: userId === platformId,
      permissions: permissionsOfCreator(row, deps.settings.name),
      credential: { kind: 'api_key', id: key, createdBy },
      origin: originOf(request),
    }
  }

  /** Records the last use in the background, so that the request does not wait. */
  function recordUse(row: ApiKeyRow): void {
    const now = deps.realClock.now()
    if (!shouldRecordUse(row.lastUsedAt, now)) return
    row.lastUsedAt = now
    updateLastUse(deps.sql, row.key, now).catch((error) =>
      deps.log.warn({ err: error }, 'recording the use of an API key failed'),
    )
  }

  return { authenticate, forget: cache.forget, end: cache.end }
}

function problemOf(row: ApiKeyRow | null, secret: string, today: string): string | null {
  if (row === null) return 'unknown key'
  if (!isSecretOf(secret, row.secretHash)) return 'wrong secret'
  return isExpired(row, today) ? 'expired key' : null
}

const isExpired = ({ expirationDate }: ApiKeyRow, today: string): boolean =>
  expirationDate !== null && expirationDate < today
