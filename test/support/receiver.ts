import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `from`: the address of the sender. */
export type Received = { headers: IncomingHttpHeaders; body: string; at: number; from: string }

/** A real webhook receiver. */
export type Receiver = {
  url: string
  received: Received[]
  /** The answer from now on; null: no answer. */
  answer: number | null | ((response: ServerResponse) => void)
  /** The parsed bodies. */
  events(): { id: string; status: string; type: string; deposit_option?: string }[]
  /** Waits until `count` webhooks have arrived. */
  waitFor(count: number, timeoutMs?: number): Promise<void>
}

export async function startReceiver(t: { after(end: () => void): void }): Promise<Receiver> {
  const arrivals = new EventTarget()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      receiver.received.push({
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        at: Date.now(),
        from: request.socket.remoteAddress ?? '',
      })
      arrivals.dispatchEvent(new Event('arrival'))
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
    url: `http://localhost:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: 200,
    events: () => receiver.received.map(({ body }) => JSON.parse(body)),
    waitFor: async (count, timeoutMs = 5_000) => {
      const deadline = AbortSignal.timeout(timeoutMs)
      while (receiver.received.length < count) {
        await new Promise<void>((resolve, reject) => {
          arrivals.addEventListener('arrival', () => resolve(), { once: true })
          deadline.addEventListener('abort', () =>
            reject(new Error(`${receiver.received.length} of ${count} webhooks arrived in ${timeoutMs} ms`)),
          )
        })
      }
    },
  }
  return receiver
}
