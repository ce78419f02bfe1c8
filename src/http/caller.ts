import type { FastifyRequest } from 'fastify'
import type { Scope } from '../lib/scope.ts'

/** With what a request was authenticated. `id` names it where it is safe to show: never a secret. */
export type Credential =
  | { kind: 'api_key'; id: string }
  | { kind: 'session'; id: string }
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

const MAX_USER_AGENT_LENGTH = 400

export const originOf = (request: FastifyRequest): Origin => ({
  address: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, MAX_USER_AGENT_LENGTH) ?? null,
})

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    isOverloaded?: (() => boolean) | undefined
  }
  interface FastifyRequest {
    caller: Caller
  }
}
