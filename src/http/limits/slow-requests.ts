import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** How long the body of a request may take, and how often late ones are looked for. */
const BODY_TIMEOUT_MS = 30_000
const CHECK_MS = 5_000

type Pending = { raw: IncomingMessage; answer: ServerResponse; since: number }

/** @param refuse answers a request whose body is late, and ends its connection */
type Options = { refuse(request: IncomingMessage, requestId: string): void; now?: () => number }

/**
 * Ends requests whose body does not arrive in time, also when they were answered already. Node's own `requestTimeout` covers
 * the headers only.
 *
 * @returns one look at all of them, which otherwise comes every five seconds
 */
export function endSlowRequests(
  app: FastifyInstance,
  { refuse, now = () => performance.now() }: Options,
): { endLate(): void } {
  const pending = new Map<string, Pending>()

  function endLate(): void {
    for (const [id, { raw, answer, since }] of pending) {
      const isLate = now() - since >= BODY_TIMEOUT_MS
      if (raw.complete || raw.destroyed) pending.delete(id)
      if (raw.complete || raw.destroyed || !isLate) continue
      pending.delete(id)
      if (answer.headersSent) raw.destroy()
      else refuse(raw, id)
    }
  }

  app.addHook('onRequest', async ({ raw, id }, reply) => {
    if (hasBody(raw)) pending.set(id, { raw, answer: reply.raw, since: now() })
  })
  app.addHook('onResponse', async ({ raw, id }) => {
    if (raw.complete) pending.delete(id)
  })
  const timer = setInterval(endLate, CHECK_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return { endLate }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
