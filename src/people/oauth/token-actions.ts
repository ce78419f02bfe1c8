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

/** Creates the authenticator for `Bearer TOKEN` (RFC 6750, 2.1). The application acts for the platform, within the limits of its grant. */
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

/** Returns whether the header is `Bearer KEY:SECRET`. A caller who sends this has an API key and no access token. */
const isKeyAndSecret = ({ headers }: FastifyRequest): boolean =>
  /^\s*bearer\s+[0-9a-f]{32}:/i.test(headers.authorization ?? '')

const NOT_BEARER =
  'The word Bearer is the mistake: an API key is sent as KEY:SECRET without it. Bearer is for access tokens of applications.'

function callerOf({ settings }: Deps, row: AccessTokenRow, request: FastifyRequest): Caller {
  const { platformId, grantId, applicationId, scope } = row
  return {
    platformId,
    userId: platformId,
    isOwner: false, // an application sees only what its grant created
    permissions: permissionsOfCreator(row, settings.name), // the scope limits these further
    credential: { kind: 'token', id: grantId, applicationId, scope },
    origin: originOf(request),
  }
}

/**
 * Returns whether the request repeats the one that used the grant. Otherwise, the tokens of a used `single-use` grant are invalid
 * (specification.md 2.2).
 */
function isRepetition(deps: Deps, { spentByKeyDigest }: AccessTokenRow, request: FastifyRequest, caller: Caller) {
  const scope = spentByKeyDigest && idempotencyScope(request, caller)
  return scope !== null && deps.keyRing.isDigestOf(spentByKeyDigest as Buffer, scope, 'idempotency key')
}

/** Records the last use of a grant in the background, so that the request does not wait. */
function recordUse(deps: Deps, { platformId, grantId, lastUsedAt }: AccessTokenRow, now: Date): void {
  if (!shouldRecordUse(lastUsedAt, now)) return
  updateGrantLastUse(deps.sql, { platformId, id: grantId }, now).catch((error) =>
    deps.log.warn({ err: error }, 'recording the use of a grant failed'),
  )
}
