import type { FastifyRequest } from 'fastify'
import type { Scope } from '../core/scope.ts'
import type { Deps, TxDeps } from '../db/deps.ts'

/** With what a request was authenticated. `id` names it where it is safe to show: never a secret. */
export type Credential =
  | { kind: 'api_key'; id: string }
  /** `provedAt`: when the owner last gave the password or a code. */
  | { kind: 'session'; id: string; provedAt?: Date }
  /** An application acts for the user; `id` is that of its grant, whose tokens live and die with it. */
  | { kind: 'token'; id: string; applicationId: string; scope: Scope }

/** From where a request came. */
export type Origin = { address: string; userAgent: string | null }

/** Who makes a request. */
export type Caller = {
  platformId: string
  userId: string
  /** Whether it may act as the owner of the platform. */
  isOwner: boolean
  credential: Credential
  origin: Origin
}

/** Who may call a route: `owner` with an API key or signed in, `session` signed in only. */
export type Access = 'anyone' | 'user' | 'owner' | 'session'

/** Finds the caller of a request. @throws ApiError unauthorized, invalid_token, not_signed_in */
export type Authenticate = (request: FastifyRequest) => Promise<Caller>

/** Whether a scope lets the bearer of a token call a route. */
export type AllowsScope = (scope: Scope, route: { method: string; url: string }) => boolean

/** Refuses callers whose user or platform is suspended or closed. */
export type StoppedGuard = {
  /** Whether a route refuses them before it does anything. */
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
    /** Whether it works in the database for anybody: one address may do so only so often. */
    limitsAddress?: boolean
    needsRecentProof?: boolean
    isOverloaded?: (() => boolean) | undefined
  }
  interface FastifyRequest {
    caller: Caller
  }
}
