import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import type { Metrics } from './metrics.ts'

export type MetricsServer = { url: string; stop(): Promise<void> }

/** Serves `/metrics` on its own port, so that a proxy in front of the service does not expose it. @throws StartProblem */
export async function serveMetrics(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer(async (request, reply) => {
    if (request.url?.split('?')[0] !== '/metrics') return void reply.writeHead(404).end()
    if (request.method !== 'GET') return void reply.writeHead(405, { allow: 'GET' }).end()
    const text = await metrics.text()
    reply.writeHead(200, { 'content-type': metrics.contentType }).end(text)
  })
  server.listen(port, host)
  await once(server, 'listening').catch((error) => {
    throw new StartProblem(
      `Cannot serve metrics on ${host}:${port} (${error.code}). Check REMIT_METRICS_HOST and REMIT_METRICS_PORT.`,
    )
  })
  const { port: actualPort } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
