import type { FastifyInstance } from 'fastify'

/** A part of the server outside of the API: pages, or the authorization server. */
export type ServerPart = {
  addresses: { method: string; url: string }[]
  /** Mounts the part in its own scope, with its own body parsers and hooks. */
  mount(app: FastifyInstance): Promise<void>
}
