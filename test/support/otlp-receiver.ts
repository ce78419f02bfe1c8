import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** A span in the JSON format of OTLP. Times are text: nanoseconds since 1970. */
export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  links?: { traceId: string; spanId: string }[]
  status: { code?: number; message?: string }
}

type Request = { resourceSpans: { resource: unknown; scopeSpans: { spans: ReceivedSpan[] }[] }[] }

/** A trace collector: it accepts OTLP over HTTP as JSON and stores every span. Other requests get 404. */
export async function startOtlpReceiver(t: { after(end: () => void): void }) {
  const requests: Request[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST' || request.url !== '/v1/traces') return void response.writeHead(404).end()
    requests.push((await json(request)) as Request)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () =>
      requests.flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    /** All received data, as text. */
    text: () => JSON.stringify(requests),
  }
}
