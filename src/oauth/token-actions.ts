import type { FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import { EVERY_PERMISSION } from '../core/permission-rules.ts'
import type { Deps } from '../db/deps.ts'
import { type Authenticate, type Caller, originOf } from '../http/caller.ts'
import { idempotencyScope } from '../http/idempotency/idempotency.ts'
import { shouldRecordUse } from '../lib/concurrency/last-use.ts'
import { hashSecret } from '../lib/secret.ts'
import { updateGrantLastUse } from './grant-store.ts'
import { type AccessTokenRow, findAccessToken } from './token-store.ts'

export const isBearer = ({ headers }: FastifyRequest): boolean => /^\s*bearer(\s|$)/i.test(headers.authorization ?? '')

/** Authenticates `Bearer TOKEN` (RFC 6750, 2.1). The application acts as the owner who consented. */
export function createTokenAuthenticator(deps: Deps): Authenticate {
  return async (request) => {
    const [, token] = /^\s*bearer +([\w.~+/-]+=*)\s*$/i.exec(request.headers.authorization ?? '') ?? []
    const now = deps.realClock.now()
    const row = token ? await findAccessToken(deps.sql, hashSecret(token), now) : null
    const caller = row && callerOf(row, request)
    if (!row || !caller || (row.spentAt !== null && !isRepetition(deps, row, request, caller))) {
      throw new ApiError('invalid_token')
    }
    recordUse(deps, row, now)
    return caller
  }
}

function callerOf({ platformId, grantId, applicationId, scope }: AccessTokenRow, request: FastifyRequest): Caller {
  return {
    platformId,
    userId: platformId,
    isOwner: false, // it sees only what its grant created
    permissions: EVERY_PERMISSION, // its scope limits it
    credential: { kind: 'token', id: grantId, applicationId, scope },
    origin: originOf(request),
  }
}

/** The tokens of a spent grant are invalid, except to repeat the request that spent it (specification.md 2.2). */
function isRepetition(deps: Deps, { spentByKeyDigest }: AccessTokenRow, request: FastifyRequest, caller: Caller) {
  const scope = spentByKeyDigest && idempotencyScope(request, caller)
  return scope !== null && deps.keyRing.isDigestOf(spentByKeyDigest as Buffer, scope, 'idempotency key')
}

/** Records the use without delaying the request. */
function recordUse(deps: Deps, { platformId, grantId, lastUsedAt }: AccessTokenRow, now: Date): void {
  if (!shouldRecordUse(lastUsedAt, now)) return
  updateGrantLastUse(deps.sql, { platformId, id: grantId }, now).catch((error) =>
    deps.log.warn({ err: error }, 'recording the use of a grant failed'),
  )
}
