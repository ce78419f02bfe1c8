import type { RequestListener } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Certificate } from './certificates.ts'

/** A real HTTPS server at an address of this machine, until the test ends. */
export async function startHttps(
  t: { after(end: () => Promise<void>): void },
  { certificate, address, answer }: { certificate: Certificate; address: string; answer: RequestListener },
): Promise<{ server: Server; port: number }> {
  const server = createServer(certificate, answer)
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  t.after(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { server, port: (server.address() as AddressInfo).port }
}
