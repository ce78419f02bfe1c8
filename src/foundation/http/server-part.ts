import type { FastifyInstance } from 'fastify'

/** URLs outside of the API: pages, the authorization server. */
export type ServerPart = {
  addresses: { method: string; url: string }[]
  /** Mounts in its own scope, with its own body parsers and hooks. */
  mount(app: FastifyInstance): Promise<void>
}
