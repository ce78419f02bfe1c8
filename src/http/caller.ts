/** Who makes a request. */
export type Caller = {
  platformId: string
  userId: string
  /** Whether the user is the owner of the platform. */
  isOwner: boolean
  /** The API key that was presented. */
  apiKey: string
}

/** Who may call a route. */
export type Access = 'anyone' | 'user' | 'owner'

/** Finds the caller of an `Authorization` header. @throws ApiError unauthorized, invalid_token */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    caller: Caller
  }
}
