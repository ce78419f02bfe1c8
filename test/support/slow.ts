import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

// Work that usually happens at the same time happens in another order if SLOW_STATEMENTS is set: statements, answers of PostgreSQL and
// answers of receivers then wait at random, each at most this number of milliseconds.

const LONGEST_MS = Number(process.env.SLOW_STATEMENTS ?? 0)

/** One of this many waits. If all did, they would keep their order. */
const ONE_OF = 4

export async function waitAtRandom(): Promise<void> {
  if (LONGEST_MS > 0 && Math.random() * ONE_OF < 1) await sleep(Math.random() * LONGEST_MS)
}

/** Starts a proxy for PostgreSQL, if SLOW_STATEMENTS is set. @returns leads a URL of the server through the proxy */
export async function slowDown(databaseUrl: string): Promise<(url: string) => string> {
  if (LONGEST_MS === 0) return (url) => url
  const { hostname: host, port } = new URL(databaseUrl)
  const listener = createServer({ noDelay: true }, (client) => {
    const server = connect({ host, port: Number(port), noDelay: true })
    void forward(client, server)
    void forward(server, client)
  })
  listener.unref().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const slowPort = String((listener.address() as AddressInfo).port)
  return (url) => Object.assign(new URL(url), { port: slowPort }).href
}

async function forward(from: Socket, to: Socket): Promise<void> {
  try {
    for await (const chunk of from) {
      await waitAtRandom()
      to.write(chunk)
    }
  } catch {
    // the connection is broken
  } finally {
    to.destroySoon()
  }
}
