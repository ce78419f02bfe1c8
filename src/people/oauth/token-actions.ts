import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../foundation/core/errors.ts'
import { permissionsOfCreator } from '../../foundation/core/permission-rules.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { type Authenticate, type Caller, originOf } from '../../foundation/http/caller.ts'
import { idempotencyScope } from '../../foundation/http/idempotency/idempotency.ts'
import { shouldRecordUse } from '../../foundation/lib/concurrency/last-use.ts'
import { hashSecret } from '../../foundation/lib/secret.ts'
import { updateGrantLastUse } from './grant-store.ts'
import { type AccessTokenRow, findAccessToken } from './token-store.ts'

export const isBearer = ({ headers }: FastifyRequest): boolean => /^\s*bearer(\s|$)/i.test(headers.authorization ?? '')

/** Authenticates `Bearer TOKEN` (RFC 6750, 2.1). The application acts for the platform, with what its grant allows. */
export function createTokenAuthenticator(deps: Deps): Authenticate {
  return async (request) => {
    const [, token] = /^\s*bearer +([\w.~+/-]+=*)\s*$/i.exec(request.headers.authorization ?? '') ?? []
    const now = deps.realClock.now()
    const row = token ? await findAccessToken(deps.sql, hashSecret(token), now) : null
    const caller = row && callerOf(deps, row, request)
    if (!token && isKeyAndSecret(request)) throw new ApiError('invalid_token', { message: NOT_BEARER })
    if (!row || !caller || (row.spentAt !== null && !isRepetition(deps, row, request, caller))) {
      throw new ApiError('invalid_token')
    }
    recordUse(deps, row, now)
    return caller
  }
}

/** `Bearer KEY:SECRET`: a mistake of somebody who has an API key and no access token. */
const isKeyAndSecret = ({ headers }: FastifyRequest): boolean =>
  /^\s*bearer\s+[0-9a-f]{32}:/i.test(headers.authorization ?? '')

const NOT_BEARER =
  'The word Bearer is the mistake: an API key is sent as KEY:SECRET without it. Bearer is for access tokens of applications.'

function callerOf({ settings }: Deps, row: AccessTokenRow, request: FastifyRequest): Caller {
  const { platformId, grantId, applicationId, scope } = row
  return {
    platformId,
    userId: platformId,
    isOwner: false, // it sees only what its grant created
    permissions: permissionsOfCreator(row, settings.name), // and its scope limits it
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
