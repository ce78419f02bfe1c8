import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long a closing server accepts requests: at least, and at most while busy connections have not sent their last one. */
const LAST_REQUESTS_MS = { min: 50, max: 250 }
/** How long it then waits for headers. A connection that was silent this long is idle. */
const SILENCE_MS = 1_000

/**
 * Closes connections without interrupting a request: first each answer says that it is the last one of its connection, then no
 * new requests are accepted. Idle and half-sent requests do not delay the close.
 */
export function endConnectionsWhenClosing(app: FastifyInstance): void {
  const connections = new Set<Socket>()
  const answering = new Set<Socket>()
  /** When a connection that stays open had its last answer. Its client may be sending the next request already. */
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
