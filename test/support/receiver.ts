import { randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
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
