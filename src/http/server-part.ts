import type { FastifyInstance } from 'fastify'

/** Addresses that are not routes of the API: pages, the authorization server. */
export type ServerPart = {
  addresses: { method: string; url: string }[]
  /** In a scope of its own, whose body parsers and hooks are nobody else's. */
  mount(app: FastifyInstance): Promise<void>
}
