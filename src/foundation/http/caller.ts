import type { FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import type { Permission, Permissions, Role } from '../core/permission-rules.ts'
import type { Scope } from '../core/scope.ts'
import type { Deps, RequestActor, TxDeps } from '../db/deps.ts'
import type { RouteLimit } from './limits/route-limits.ts'

/** The credential of a request. `id` identifies the credential and is never secret. `loginId` is the id of the signed-in person. */
export type Credential =
  /** An API key. `createdBy`: the member whose permissions limit it. */
  | { kind: 'api_key'; id: string; createdBy?: string | null }
  /**
   * A session. `provedAt`: when the person last proved the password or a second-factor code. `mustEnroll`: the person must set up a second
   * factor.
   */
  | { kind: 'session'; id: string; loginId: string; provedAt?: Date; role?: Role; mustEnroll?: boolean }
  /** An application that acts for the user. `id` is the grant of its tokens. */
  | { kind: 'token'; id: string; applicationId: string; scope: Scope }

/** The client's network address and user agent. */
export type Origin = { address: string; userAgent: string | null }

/** The authenticated caller of a request. */
export type Caller = {
  platformId: string
  userId: string
  /** Whether the caller may act as the owner of the platform. */
  isOwner: boolean
  /** The permissions of the member's role or of the API key. */
  permissions: Permissions
  credential: Credential
  origin: Origin
}

/** Returns the signed-in person. @throws ApiError not_signed_in */
export function personOf({ credential }: Pick<Caller, 'credential'>): string {
  if (credential.kind !== 'session') throw new ApiError('not_signed_in')
  return credential.loginId
}

/** Returns the member who acts or who created the API key. Returns null for keys without a member and for applications. */
export function memberOf({ credential }: Pick<Caller, 'credential'>): string | null {
  if (credential.kind === 'session') return credential.loginId
  return credential.kind === 'api_key' ? (credential.createdBy ?? null) : null
}

/** Returns who makes a request, without the credential. */
export function actorOf({ credential }: Caller): RequestActor {
  if (credential.kind === 'session') return { kind: 'person', id: credential.loginId }
  if (credential.kind === 'token') return { kind: 'application', id: credential.applicationId }
  return { kind: 'api_key', id: credential.id }
}

/** The callers that a route allows. `owner`: with an API key or a session. `session`: only with a session. */
export type Access = 'anyone' | 'user' | 'owner' | 'session'

/** The permission that a route needs. `self`: the route concerns only the person's own login, so every member may call it. */
export type RoutePermission = Permission | 'self'

/** Authenticates a request. @throws ApiError unauthorized, invalid_token, not_signed_in */
export type Authenticate = (request: FastifyRequest) => Promise<Caller>

/** Whether a scope allows a route. */
export type AllowsScope = (scope: Scope, route: { method: string; url: string }) => boolean

/** Refuses callers whose user or platform is suspended or closed. */
export type StoppedGuard = {
  /** Returns whether a route refuses stopped users before it does any work. */
  refuses(route: { method: string; url: string; access: Access }): boolean
  /** Refuses a stopped user. @throws ApiError user_not_active */
  requireActive(deps: Pick<Deps, 'sql'> | Pick<TxDeps, 'sql'>, caller: Caller): Promise<void>
}

const MAX_USER_AGENT_LENGTH = 400

export const originOf = (request: FastifyRequest): Origin => ({
  address: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
})

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Whether the route uses the database for anonymous callers. If so, each address is rate limited. */
    limitsAddress?: boolean
    permission?: RoutePermission | undefined
    needsRecentProof?: boolean
    isUnattended?: boolean
    isOverloaded?: (() => boolean) | undefined
    ownLimit?: RouteLimit | undefined
  }
  interface FastifyRequest {
    caller: Caller
    /** The code of the error in the answer. */
    errorCode?: string | null
    /** The start of an answer's body that the route has already serialized. */
    answerStart?: string | null
  }
}
