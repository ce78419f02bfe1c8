import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/**
 * The time during which a closing server still accepts requests, in milliseconds. It waits at least `min`. If connections are busy, it
 * waits up to `max` for their last requests.
 */
const LAST_REQUESTS_MS = { min: 50, max: 250 }
/** The time that the server then waits for headers, in milliseconds. A connection without data for this time counts as idle. */
const SILENCE_MS = 1_000

/**
 * Closes connections without interrupting requests. First, each answer announces that its connection closes. Then, no new requests are
 * accepted. Idle connections and incomplete requests do not delay the close.
 */
export function endConnectionsWhenClosing(app: FastifyInstance): void {
  const connections = new Set<Socket>()
  const answering = new Set<Socket>()
  /** The time of the last answer on each open connection. Its client may already be sending the next request. */
  const answeredAt = new Map<Socket, number>()
  let isClosing = false
  app.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => {
      connections.delete(socket)
      answering.delete(socket)
      answeredAt.delete(socket)
    })
  })
  app.addHook('onRequest', async ({ raw }) => void answering.add(raw.socket))
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async ({ raw }) => {
    answering.delete(raw.socket)
    answeredAt.set(raw.socket, performance.now())
    if (isClosing) raw.socket.end()
  })
  async function lastRequests(): Promise<void> {
    const beginAt = performance.now()
    const isBusy = ([socket, at]: [Socket, number]) => !answering.has(socket) && beginAt - at < SILENCE_MS
    const busy = [...answeredAt].filter(isBusy).map(([socket]) => socket)
    await sleep(LAST_REQUESTS_MS.min)
    const isSilent = (socket: Socket) => (answeredAt.get(socket) ?? beginAt) < beginAt && !answering.has(socket)
    while (performance.now() - beginAt < LAST_REQUESTS_MS.max && busy.some(isSilent)) await sleep(10)
  }
  app.addHook('preClose', async () => {
    isClosing = true
    if (connections.size > 0) await lastRequests()
    const destroySilent = () => {
      for (const socket of connections) if (!answering.has(socket)) socket.destroy()
    }
    setTimeout(destroySilent, SILENCE_MS).unref()
  })
}
