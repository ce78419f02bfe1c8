import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** How long a server that is to close still takes requests, and how long after that it waits for their headers. */
const FAREWELL_MS = 50
const SILENCE_MS = 1_000

/**
 * Ends connections without cutting a request off: for a moment clients are told with each answer that it is the last one
 * of its connection, then nothing new is taken. What is silent or half sent does not keep the server from closing.
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
    if (connections.size > 0) await sleep(FAREWELL_MS)
    const destroySilent = () => {
      for (const socket of connections) if (!answering.has(socket)) socket.destroy()
    }
    setTimeout(destroySilent, SILENCE_MS).unref()
  })
}
