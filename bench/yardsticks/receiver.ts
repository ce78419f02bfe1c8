import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../support/helper.ts'

// Receives, acknowledges and counts webhooks.

const methods = { listen, expect, received }
export type Receiver = typeof methods
answerParent(methods)

let ids = new Set<string>()
let times: number[] = []
let expected = 0
let onAll: (() => void) | null = null

async function listen(): Promise<string> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume()
    request.once('end', () => {
      response.end('ok')
      note(String(request.headers['webhook-id']) + request.url)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

function note(id: string): void {
  if (ids.has(id)) return
  ids.add(id)
  times.push(performance.now())
  if (ids.size >= expected) onAll?.()
}

/** Starts counting. */
function expect(count: number): void {
  expected = count
  ids = new Set()
  times = []
}

/** Waits until the expected number has arrived. @returns the seconds from the first to the last */
async function received({ timeoutSeconds }: { timeoutSeconds: number }): Promise<{ count: number; seconds: number }> {
  if (ids.size < expected) {
    await new Promise<void>((resolve) => {
      onAll = resolve
      setTimeout(resolve, 1000 * timeoutSeconds).unref()
    })
  }
  return { count: times.length, seconds: ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000 }
}
