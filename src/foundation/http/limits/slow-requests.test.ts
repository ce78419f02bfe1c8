import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import Fastify from 'fastify'
import { answerClientError } from '../client-error.ts'
import { endSlowRequests } from './slow-requests.ts'

test('a request ends when its body has not arrived after 30 seconds, even if it was already answered', async (t) => {
  let now = 0
  const app = Fastify({ forceCloseConnections: true })
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  const refuse: Parameters<typeof endSlowRequests>[1]['refuse'] = ({ socket }, id) =>
    answerClientError(late, socket, id)
  const slow = endSlowRequests(app, { refuse, now: () => now })
  app.post('/read', async () => 'read')
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(401).send('no') }, async () => 'never')
  await app.listen({ port: 0 })
  t.after(() => app.close())
  const { port } = app.server.address() as AddressInfo

  const open = async (path: string, body: string) => {
    const socket = connect(port, '127.0.0.1')
    t.after(async () => void socket.destroy())
    const requested = once(app.server, 'request')
    socket.write(`POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\n${body}`)
    await requested
    return { socket, answered: once(socket, 'data'), closed: closing(socket) }
  }
  const waiting = await open('/read', 'a')
  const refused = await open('/refused', 'a')
  const whole = await open('/read', 'abcde')
  await Promise.all([refused.answered, whole.answered])

  now = 29_999
  slow.endLate()
  waiting.socket.write('b')
  now = 30_000
  slow.endLate()
  const [answer, afterRefusal] = await Promise.all([waiting.closed, refused.closed])
  assert.match(answer, /^HTTP\/1.1 408 /)
  assert.match(answer, /"code":"request_timeout"/)
  assert.match(afterRefusal, /^HTTP\/1.1 401 /)
  whole.socket.write('POST /read HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 1\r\n\r\na')
  const [again] = await once(whole.socket, 'data')
  assert.match(String(again), /^HTTP\/1.1 200 /)
})

/** Returns everything that arrives until the other side closes the connection. */
async function closing(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}
