import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Connection, ProcessorContract } from '../../src/foundation/core/connections.ts'
import { temporaryFolder } from './process.ts'
import { waitAtRandom } from './slow.ts'

type Lifetime = { after(end: () => Promise<void>): void }

export const ADAPTER_KEY = 'key-of-a-test-adapter'
export const EVENT_KEY = 'event-key-of-a-test-adapter'

/** A connection to an adapter, with its secrets in files. */
export async function adapterConnection(
  t: Lifetime,
  { id = 'cards', url, ...terms }: { id?: string; url: string; answerMs?: number } & Partial<ProcessorContract>,
): Promise<Connection> {
  const folder = await temporaryFolder(t)
  const [keyFile, eventKeyFile] = [join(folder, 'key'), join(folder, 'event-key')]
  await writeFile(keyFile, `${ADAPTER_KEY}\n`, { mode: 0o600 })
  await writeFile(eventKeyFile, `${EVENT_KEY}\n`, { mode: 0o600 })
  const {
    answerMs = 60_000,
    centsPerOrder = null,
    centsPerDay = null,
    caseAfterMs = 3_600_000,
    returnDays = 60,
  } = terms
  const contract = { centsPerOrder, centsPerDay, caseAfterMs, returnDays }
  return {
    id,
    transport: { type: 'https', url, answerMs },
    timeZone: 'America/New_York',
    holidays: [],
    expected: null,
    accounts: [],
    ach: null,
    checks: null,
    iso20022: null,
    statements: null,
    virtualAccounts: null,
    processor: { type: 'adapter', keyFile, eventKeyFile, ...contract },
  }
}

/** Starts the reference adapter of `examples/adapter/`. @returns its URL */
export async function startReferenceAdapter(t: Lifetime): Promise<string> {
  const path = fileURLToPath(new URL('../../examples/adapter/adapter.mjs', import.meta.url))
  const child = spawn(process.execPath, [path], {
    env: { ADAPTER_KEY, EVENT_KEY, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(async () => {
    const ended = once(child, 'exit')
    child.kill()
    await ended
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/\S+/.exec(line) ?? []
    if (url) return url
  }
  throw new Error('the adapter has ended')
}

/** An order in JSON. */
type OrderBody = Record<string, unknown> & { reference: string }

/** A request that an adapter received. */
export type Asked = {
  method: string
  path: string
  headers: IncomingMessage['headers']
  body: OrderBody | null
}

type Answer = { status: number; body?: unknown; headers?: Record<string, string> } | 'hang' | 'cut'

/**
 * An adapter whose answers the test decides. It keeps its orders by reference. `play`: decides about one request, or
 * returns null for the usual answer. `hang`: sends no answer. `cut`: closes the connection.
 */
export async function startScriptedAdapter(t: Lifetime) {
  const asked: Asked[] = []
  const orders = new Map<string, OrderBody>()
  const script: { play: (request: Asked) => Answer | null } = { play: () => null }
  const base = `/${randomUUID()}` // a former test's server can have had the same port
  const server = createServer(async (request, response) => {
    const { url = '' } = request
    if (!url.startsWith(`${base}/`)) return reply(request, response, { status: 404 })
    const text = Buffer.concat(await request.toArray()).toString()
    const one = {
      method: request.method ?? '',
      path: url.slice(base.length),
      headers: request.headers,
      body: text === '' ? null : JSON.parse(text),
    }
    asked.push(one)
    await waitAtRandom()
    reply(request, response, script.play(one) ?? usual(one))
  })
  const usual = ({ method, path, body }: Asked): Answer => {
    if (method === 'POST' && path === '/orders' && body) {
      const known = orders.get(body.reference)
      const order = known ?? { id: `order-${orders.size + 1}`, status: 'submitted', ...body }
      orders.set(body.reference, order)
      return { status: known ? 200 : 201, body: order }
    }
    const order = orders.get(path.split('/')[2] ?? '')
    if (order && path.endsWith('/cancel') && isOpen(order)) order.status = 'canceled'
    return order ? { status: 200, body: order } : { status: 404, body: { error: { code: 'not_found' } } }
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${base}`, asked, orders, script }
}

const isOpen = ({ status }: OrderBody): boolean => status === 'submitted' || status === 'accepted'

function reply(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (answer === 'hang') return
  if (answer === 'cut') return void request.socket.destroy()
  response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
  response.end(answer.body === undefined ? '' : JSON.stringify(answer.body))
}
