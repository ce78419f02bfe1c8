import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long a closing server still accepts requests, and how long it then waits for their headers. */
const LAST_REQUESTS_MS = 50
const SILENCE_MS = 1_000

/**
 * Closes connections without interrupting a request: first each answer says that it is the last one of its connection, then no
 * new requests are accepted. Idle and half-sent requests do not delay the close.
 */
export function endConnectionsWhenClosing(app: FastifyInstance): void {
  const connections = new Set<Socket>()
  const answering = new Set<Socket>()
  let isClosing = false
  app.server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => {
      connections.delete(socket)
      answering.delete(socket)
    })
  })
  app.addHook('onRequest', async ({ raw }) => void answering.add(raw.socket))
  app.addHook('onSend', async (_request, reply) => {
    if (isClosing) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async ({ raw }) => {
    answering.delete(raw.socket)
    if (isClosing) raw.socket.end()
  })
  app.addHook('preClose', async () => {
    isClosing = true
    if (connections.size > 0) await sleep(LAST_REQUESTS_MS)
    const destroySilent = () => {
      for (const socket of connections) if (!answering.has(socket)) socket.destroy()
    }
    setTimeout(destroySilent, SILENCE_MS).unref()
  })
}
