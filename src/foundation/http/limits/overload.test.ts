import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import Fastify from 'fastify'
import { noMeter } from '../../core/meter.ts'
import { createLog } from '../../lib/log.ts'
import { endConnectionsWhenClosing } from '../closing.ts'
import { post } from '../route.ts'
import { type RefuseOverload, refuseUnderOverload } from './overload.ts'
import { endSlowRequests } from './slow-requests.ts'

test('the connection of a refused request is used again, and ends when a body does not arrive', async (t) => {
  const { app, connection, slowRequests, wait } = await startOverloaded(t)
  const accepted = once(app.server, 'connection')
  const { send } = await connection()
  const [served] = (await accepted) as [Socket]
  assert.match(await send('abcde'), /^HTTP\/1.1 503 /)
  assert.match(await send('ab'), /^HTTP\/1.1 503 /)
  wait(29_999)
  slowRequests.endLate()
  assert.equal(served.destroyed, false)
  wait(1)
  slowRequests.endLate()
  assert.equal(served.destroyed, true)
})

test('a closing server passes requests to Fastify, which announces the end of the connection', async (t) => {
  const { app, connection, closing } = await startOverloaded(t)
  const { send } = await connection()
  const closed = app.close()
  await closing.started
  assert.match(await send('abcde'), /^HTTP\/1.1 200 .*\r\nconnection: close\r\n/is)
  closing.finish()
  await closed
})

async function startOverloaded(t: TestContext) {
  let time = 0
  let refuses: RefuseOverload = () => false
  const app = Fastify({
    forceCloseConnections: true,
    return503OnClosing: false,
    serverFactory: (handle) =>
      createServer((request, response) => {
        if (!refuses(request, response)) handle(request, response)
      }),
  })
  const slowRequests = endSlowRequests(app, { refuse: ({ socket }) => socket.destroy(), now: () => time })
  const spec = { access: 'anyone', tag: 'Test', summary: 'Is overloaded', isOverloaded: () => true } as const
  refuses = refuseUnderOverload(
    app,
    { log: createLog('silent'), meter: noMeter, settings: { baseUrl: null } },
    { routes: [post('/busy', spec, async () => null)], newRequestId: () => '1', slowRequests },
  )
  endConnectionsWhenClosing(app)
  app.post('/busy', async () => 'accepted')
  const [started, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.addHook('preClose', async () => {
    started.resolve()
    await finished.promise
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  t.after(async () => {
    finished.resolve()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo

  async function connection() {
    const socket = connect(port, '127.0.0.1')
    t.after(async () => void socket.destroy())
    const send = async (body: string) => {
      socket.write(`POST /busy HTTP/1.1\r\nhost: a\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\n${body}`)
      const [answer] = await once(socket, 'data')
      return String(answer)
    }
    return { send }
  }
  const wait = (milliseconds: number) => {
    time += milliseconds
  }
  return { app, slowRequests, connection, wait, closing: { started: started.promise, finish: finished.resolve } }
}
