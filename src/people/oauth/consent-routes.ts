import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { Type } from 'typebox'
import { SCOPES } from '../../foundation/core/scope.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { get, post, type Route } from '../../foundation/http/route.ts'
import { closed, id, noFields, nullable, oneOf } from '../../foundation/http/schema.ts'
import type { SignedIn } from '../auth/session/session-actions.ts'
import { authorize, type BrowserRequest, deny, getAuthorizationRequest } from './consent-actions.ts'
import { consentAddress } from './oauth-address-rules.ts'

const tag = 'Consent'

const uidParams = closed({ uid: Type.String() })
const redirectAnswer = closed({ redirect_to: Type.String() })
const address = consentAddress(':uid')

export type ConsentHooks = {
  provider(): Promise<Provider>
  /** Returns the owner's session, or null if nobody is signed in. */
  findSession(request: FastifyRequest): Promise<Caller | null>
  getSignedIn(deps: Deps, caller: Caller): Promise<SignedIn | null>
}

export const consentRoutes = ({ provider, findSession, getSignedIn }: ConsentHooks): Route[] => [
  get(
    `${address}/details`,
    {
      access: 'anyone',
      tag,
      summary: 'Retrieve an authorization request',
      params: uidParams,
      answer: closed({
        application: closed({ name: Type.String(), site: Type.String() }),
        scope: oneOf(SCOPES),
        redirect_uri: Type.String(),
        owner: nullable(closed({ id: Type.String(), email: Type.String(), name: Type.String() })),
      }),
    },
    async (deps, { request, reply }) => {
      reply.header('cache-control', 'no-store')
      const { application, scope, redirectUri } = await getAuthorizationRequest(
        deps,
        await provider(),
        browserOf(request, reply),
      )
      const session = await findSession(request)
      const owner = session && (await getSignedIn(deps, session))
      return {
        application: { name: application.name, site: application.site },
        scope,
        redirect_uri: redirectUri,
        owner: owner && { id: owner.platformId, email: owner.email, name: owner.platformName },
      }
    },
  ),

  post(
    `${address}/authorize`,
    {
      access: 'session',
      permission: 'keys',
      needsStepUp: true,
      tag,
      summary: 'Authorize the application',
      params: uidParams,
      body: closed({ owner: id }),
      status: 201,
      answer: redirectAnswer,
    },
    async (deps, { caller, body, request, reply }) => {
      const browser = browserOf(request, reply)
      return {
        redirect_to: await authorize(deps, await provider(), { browser, owner: caller, shownOwnerId: body.owner }),
      }
    },
  ),

  post(
    `${address}/deny`,
    {
      access: 'anyone',
      tag,
      summary: 'Deny the authorization request',
      params: uidParams,
      body: noFields,
      status: 201,
      answer: redirectAnswer,
    },
    async (deps, { request, reply }) => {
      const owner = await findSession(request)
      return { redirect_to: await deny(deps, await provider(), { browser: browserOf(request, reply), owner }) }
    },
  ),
]

const browserOf = (request: FastifyRequest, reply: FastifyReply): BrowserRequest => ({
  raw: request.raw,
  response: reply.raw,
})
