import type { FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import type { Permission, Permissions, Role } from '../core/permission-rules.ts'
import type { Scope } from '../core/scope.ts'
import type { Deps, RequestActor, TxDeps } from '../db/deps.ts'
import type { RouteLimit } from './limits/route-limits.ts'

/** The credential of a request. `id` identifies it and is never a secret. `loginId` is the person. */
export type Credential =
  /** `createdBy`: the member whose permissions limit the key. */
  | { kind: 'api_key'; id: string; createdBy?: string | null }
  /** `provedAt`: when the person last proved the password or a second-factor code. `mustEnroll`: the platform requires one. */
  | { kind: 'session'; id: string; loginId: string; provedAt?: Date; role?: Role; mustEnroll?: boolean }
  /** An application acts for the user. `id` is the grant, which its tokens depend on. */
  | { kind: 'token'; id: string; applicationId: string; scope: Scope }

/** The client's address and user agent. */
export type Origin = { address: string; userAgent: string | null }

/** The authenticated caller of a request. */
export type Caller = {
  platformId: string
  userId: string
  /** Whether the caller may act as the owner of the platform. */
  isOwner: boolean
  /** What the member's role or the API key allows. */
  permissions: Permissions
  credential: Credential
  origin: Origin
}

/** The signed-in person. @throws ApiError not_signed_in */
export function personOf({ credential }: Pick<Caller, 'credential'>): string {
  if (credential.kind !== 'session') throw new ApiError('not_signed_in')
  return credential.loginId
}

/** The member who acts, or who created the key. Null for a key that no member created, and for applications. */
export function memberOf({ credential }: Pick<Caller, 'credential'>): string | null {
  if (credential.kind === 'session') return credential.loginId
  return credential.kind === 'api_key' ? (credential.createdBy ?? null) : null
}

/** Who makes the request, without the credential. */
export function actorOf({ credential }: Caller): RequestActor {
  if (credential.kind === 'session') return { kind: 'person', id: credential.loginId }
  if (credential.kind === 'token') return { kind: 'application', id: credential.applicationId }
  return { kind: 'api_key', id: credential.id }
}

/** Who may call a route: `owner` with an API key or a session, `session` with a session only. */
export type Access = 'anyone' | 'user' | 'owner' | 'session'

/** `self`: what concerns only the person's own login. Every member may do it. */
export type RoutePermission = Permission | 'self'

/** Authenticates a request. @throws ApiError unauthorized, invalid_token, not_signed_in */
export type Authenticate = (request: FastifyRequest) => Promise<Caller>

/** Whether a scope allows a route. */
export type AllowsScope = (scope: Scope, route: { method: string; url: string }) => boolean

/** Refuses callers whose user or platform is suspended or closed. */
export type StoppedGuard = {
  /** Whether a route refuses stopped users before it does anything. */
  refuses(route: { method: string; url: string; access: Access }): boolean
  /** @throws ApiError user_not_active */
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
    /** Whether the route uses the database for anonymous callers. Then each address is rate limited. */
    limitsAddress?: boolean
    permission?: RoutePermission | undefined
    needsRecentProof?: boolean
    isUnattended?: boolean
    isOverloaded?: (() => boolean) | undefined
    ownLimit?: RouteLimit | undefined
  }
  interface FastifyRequest {
    caller: Caller
    /** The code of the error that the answer reports. */
    errorCode?: string | null
    /** The body of an answer that is already serialized. */
    answerStart?: string | null
  }
}
