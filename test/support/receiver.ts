import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitAtRandom } from './slow.ts'
import { waitUntil } from './wait-until.ts'

/** `from`: the address of the sender. */
export type Received = { headers: IncomingHttpHeaders; body: string; at: number; from: string }

/** A real webhook receiver. */
export type Receiver = {
  url: string
  received: Received[]
  /** The answer from now on. Null: no answer. */
  answer: number | null | ((response: ServerResponse) => void)
  /** The parsed bodies. */
  events(): { id: string; status: string; type: string; deposit_option?: string }[]
  /** Waits until `count` webhooks have arrived. */
  waitFor(count: number): Promise<void>
}

export async function startReceiver(t: { after(end: () => void): void }): Promise<Receiver> {
  const path = `/hook/${randomUUID()}` // a former test's server can have had the same port
  const server = createServer((request, response) => {
    if (request.url !== path) return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      await waitAtRandom()
      receiver.received.push({
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        at: Date.now(),
        from: request.socket.remoteAddress ?? '',
      })
      const { answer } = receiver
      if (typeof answer === 'function') answer(response)
      else if (answer !== null) response.writeHead(answer).end()
    })
  })
  await listenAmongReceivers(server)
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const receiver: Receiver = {
    url: `http://localhost:${(server.address() as AddressInfo).port}${path}`,
    received: [],
    answer: 200,
    events: () => receiver.received.map(({ body }) => JSON.parse(body)),
    waitFor: (count) => waitUntil(`${count} webhooks arrive`, () => receiver.received.length >= count),
  }
  return receiver
}

/**
 * Listens at a port of a range that only receivers use. A service can still send a webhook when its receiver has closed. Another receiver
 * refuses it because of its path. For other servers even a request that they refuse is an event, with an id.
 */
async function listenAmongReceivers(server: Server): Promise<void> {
  while (!server.listening) {
    server.listen(randomInt(10_000, 20_000), '127.0.0.1')
    await once(server, 'listening').catch((error) => {
      if (error.code !== 'EADDRINUSE') throw error
    })
  }
}
