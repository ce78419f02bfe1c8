import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** The maximum time in which a request body must arrive. The time is checked every `CHECK_MS`. */
const BODY_TIMEOUT_MS = 30_000
const CHECK_MS = 5_000

type Watched = { id: string; raw: IncomingMessage; answer: ServerResponse }

export type SlowRequests = {
  /** Checks all watched requests now, in addition to the regular checks. */
  endLate(): void
  /** Starts to watch a request. It is ended if its body is late. */
  watch(request: Watched): void
}

/** `refuse` answers a request whose body is late, and closes its connection */
type Options = { refuse(request: IncomingMessage, requestId: string): void; now?: () => number }

/**
 * Ends requests whose body does not arrive in time, even if they were already answered. Node's `requestTimeout` would send a 408 even
 * after an answer.
 */
export function endSlowRequests(
  app: FastifyInstance,
  { refuse, now = () => performance.now() }: Options,
): SlowRequests {
  const pending = new Map<string, Omit<Watched, 'id'> & { since: number }>()
  const watch = ({ id, raw, answer }: Watched) => void pending.set(id, { raw, answer, since: now() })

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
    if (hasBody(raw)) watch({ id, raw, answer: reply.raw })
  })
  app.addHook('onResponse', async ({ raw, id }) => {
    if (raw.complete) pending.delete(id)
  })
  const timer = setInterval(endLate, CHECK_MS).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return { endLate, watch }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
