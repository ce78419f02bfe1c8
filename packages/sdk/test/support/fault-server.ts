import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { Remit, type RemitOptions } from '../../src/index.ts'

/** A request that arrived. `ended` resolves when its connection is free or gone. */
export type Received = {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
  closed: Promise<void>
}

type Exchange = { request: IncomingMessage; response: ServerResponse; commit(): string }

/** The treatment of one request. */
export type Fault = (exchange: Exchange) => void

const json = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}) =>
  void response
    .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-1', ...headers })
    .end(text)

const problem = (code: string) => JSON.stringify({ message: `It is ${code}.`, error: `It is ${code}.`, code })

export const faults = {
  none: ({ response, commit }) => json(response, 201, commit()),
  resetBeforeCommit: ({ request }) => void request.socket.destroy(),
  resetAfterCommit: ({ request, commit }) => {
    commit()
    request.socket.destroy()
  },
  stillRunning: ({ response }) => json(response, 409, problem('idempotency_key_in_use')),
  rateLimited: ({ response }) => json(response, 429, problem('rate_limited'), { 'retry-after': '0' }),
  limitedForAnHour: ({ response }) => json(response, 429, problem('rate_limited'), { 'retry-after': '3600' }),
  overloaded: ({ response }) => json(response, 503, problem('overloaded')),
  /** The beginning of a body, without the rest. */
  slowBody: ({ response, commit }) => {
    const text = commit()
    response.writeHead(201, { 'content-type': 'application/json', 'content-length': String(text.length) })
    response.write(text.slice(0, 5))
  },
  halfJson: ({ response, commit }) => json(response, 201, commit().slice(0, -5)),
  redirect: ({ response }) =>
    void response.writeHead(307, { location: 'http://localhost:9/v3/check/digital' }).end('moved'),
  /** A page of a proxy that never ends, so that only a canceled body frees its connection. */
  html502: ({ response }) => {
    response.writeHead(502, { 'content-type': 'text/html' })
    response.write('<h1>Bad Gateway</h1>')
  },
  silence: () => {},
} satisfies Record<string, Fault>

/** Starts a server that creates one payment for each Idempotency-Key, and treats requests in the given way, in turn. */
export async function startFaultServer(t: TestContext, ...given: Fault[]) {
  const received: Received[] = []
  const payments = new Map<string, string>()
  const base = `/${randomUUID()}` // a former test's server can have had the same port
  const server = createServer(async (request, response) => {
    if (!request.url?.startsWith(`${base}/`)) return void response.writeHead(404).end()
    const closed = new Promise<void>((resolve) => response.on('close', resolve))
    let body = ''
    for await (const chunk of request) body += chunk
    const { method = '', headers } = request
    received.push({ method, url: request.url.slice(base.length), headers, body, closed })
    const key = String(headers['idempotency-key'] ?? `without a key ${received.length}`)
    const commit = () => {
      const payment = payments.get(key) ?? JSON.stringify({ id: `payment-${payments.size + 1}`, status: 'UNPAID' })
      payments.set(key, payment)
      return payment
    }
    const fault = given.shift() ?? faults.none
    fault({ request, response, commit })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`
  const client = (options: RemitOptions = {}) => new Remit({ baseUrl, key: 'key-1', secret: 'secret-1', ...options })
  return { baseUrl, received, payments, client, faults: given }
}
