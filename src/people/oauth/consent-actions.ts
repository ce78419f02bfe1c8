import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import { SCOPES, type Scope } from '../../foundation/core/scope.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { hashSecret } from '../../foundation/lib/secret.ts'
import { grantId } from './adapter-actions.ts'
import { findOAuthClients } from './application-store.ts'
import { lockAuthorizationRequest, upsertAuthorizationRequest } from './authorization-request-store.ts'
import { createGrant } from './grant-actions.ts'

/** A browser request, whose cookie proves that the authorization request belongs to this browser. */
export type BrowserRequest = { raw: IncomingMessage; response: ServerResponse }

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

export type AuthorizationRequest = {
  application: { id: string; platformId: string; name: string; site: string }
  scope: Scope
  redirectUri: string
}

/** Returns what an application asks for. @throws ApiError authorization_expired */
export async function getAuthorizationRequest(
  deps: Deps,
  provider: Provider,
  browser: BrowserRequest,
): Promise<AuthorizationRequest> {
  return describe(deps, await requireInteraction(provider, browser))
}

/**
 * Authorizes the application in the name of the signed-in owner. The grant and the answer are written together and once, even
 * if the button is pressed twice.
 *
 * @returns the next URL for the browser
 * @throws ApiError authorization_expired, owner_changed
 */
export async function authorize(
  deps: TxDeps,
  provider: Provider,
  { browser, owner, shownOwnerId }: { browser: BrowserRequest; owner: Caller; shownOwnerId: string },
): Promise<string> {
  if (owner.platformId !== shownOwnerId) throw new ApiError('owner_changed')
  const interaction = await requireInteraction(provider, browser)
  const decide = async () => {
    const { application, scope } = await describe(deps, interaction)
    const grant = await createGrant(deps, owner, { application, scope })
    return { login: { accountId: owner.platformId }, consent: { grantId: grantId(grant) } }
  }
  const isSame = ({ login }: Decision) => login?.accountId === owner.platformId
  return answerRequest(deps, interaction, { decide, isSame })
}

/** Refuses an authorization request. @returns the application's URL with `access_denied` @throws ApiError authorization_expired */
export async function deny(
  deps: TxDeps,
  provider: Provider,
  { browser, owner }: { browser: BrowserRequest; owner: Caller | null },
): Promise<string> {
  const interaction = await requireInteraction(provider, browser)
  const decide = async () => {
    const { application } = await describe(deps, interaction)
    if (owner) await recordAudit(deps, owner, 'grant_denied', application.id)
    return { error: 'access_denied', error_description: 'the owner denied the request' }
  }
  return answerRequest(deps, interaction, { decide, isSame: ({ error }) => error !== undefined })
}

async function requireInteraction(provider: Provider, { raw, response }: BrowserRequest): Promise<Interaction> {
  try {
    return await provider.interactionDetails(raw, response)
  } catch (error) {
    const { errors } = await import('oidc-provider')
    if (error instanceof errors.SessionNotFound) throw new ApiError('authorization_expired')
    throw error
  }
}

async function describe(
  deps: Pick<TxDeps, 'sql' | 'realClock'>,
  { params }: Interaction,
): Promise<AuthorizationRequest> {
  const [client] = await findOAuthClients(deps.sql, [String(params.client_id)], deps.realClock.now())
  const scope = SCOPES.find((one) => one === params.scope)
  if (!client || !scope) throw new ApiError('authorization_expired')
  const { id, platformId, name, site } = client
  return { application: { id, platformId, name, site }, scope, redirectUri: String(params.redirect_uri) }
}

type Decision = NonNullable<Interaction['result']>

/**
 * Answers an authorization request. The first answer counts, and repeating it has the same result. A different answer, or one by another
 * owner, is refused.
 *
 * @returns the next URL for the browser
 * @throws ApiError authorization_expired
 */
async function answerRequest(
  deps: TxDeps,
  { jti: uid, exp, returnTo }: Interaction,
  { decide, isSame }: { decide(): Promise<Decision>; isSame(first: Decision): boolean },
): Promise<string> {
  const uidHash = hashSecret(uid)
  const sealed = await lockAuthorizationRequest(deps.sql, uidHash)
  if (!sealed) throw new ApiError('authorization_expired')
  const payload = JSON.parse(deps.keyRing.openText(sealed, 'authorization request'))
  if (payload.result === undefined) {
    const answered = JSON.stringify({ ...payload, result: await decide() })
    const payloadSealed = deps.keyRing.seal(answered, 'authorization request')
    await upsertAuthorizationRequest(deps.sql, { uidHash, payloadSealed, expiresAt: new Date(exp * 1000) })
  } else if (!isSame(payload.result)) throw new ApiError('authorization_expired')
  return returnTo
}
