import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * A free port below the range for outgoing connections: one of those could take the port while PostgreSQL restarts,
 * even a connection of the service to that port.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000)
    if (await canListen(port)) return port
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
