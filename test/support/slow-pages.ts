import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { seedFrom } from './seed.ts'

// Slow pages, off by default. They find pages that show a part before all of its data have come, and tests that read a page too early.

/** The longest delay of a call in milliseconds. */
const SLOW_CALLS_MS = Number(process.env.SLOW_CALLS ?? 0)
/** The factor by which the processor is slower for a page. */
const SLOW_CPU = Number(process.env.SLOW_CPU ?? 1)
const seed = seedFrom('SLOW_SEED')
if (SLOW_CALLS_MS > 0) console.log(`SLOW_CALLS=${SLOW_CALLS_MS} SLOW_SEED=${seed}`)

/** Makes all pages of a context slow, as the switches say. */
export function slowDown(context: BrowserContext): void {
  if (SLOW_CALLS_MS === 0 && SLOW_CPU === 1) return
  context.on('page', (page) => void slowDownPage(page).catch(() => {})) // the page can close at any time
}

async function slowDownPage(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page)
  if (SLOW_CPU > 1) await client.send('Emulation.setCPUThrottlingRate', { rate: SLOW_CPU })
  if (SLOW_CALLS_MS === 0) return
  const delayOf = delays()
  const drawn = new Map<string, ReturnType<typeof delayOf>>()
  client.on('Fetch.requestPaused', async ({ requestId, networkId = requestId, request, ...answer }) => {
    const isAnswered = answer.responseStatusCode !== undefined || answer.responseErrorReason !== undefined
    const delay = drawn.get(networkId) ?? delayOf(`${request.method} ${request.url}`)
    if (isAnswered) drawn.delete(networkId)
    else drawn.set(networkId, delay)
    if (isAnswered === delay.isAfter) await sleep(delay.ms)
    await client.send('Fetch.continueRequest', { requestId }).catch((error) => {
      const hasLeft = /Invalid InterceptionId|closed/.test(String(error))
      if (!hasLeft) console.log(`${request.url} was not continued: ${error}`)
    })
  })
  // Without documents, scripts and the stream of events.
  const calls = (['Fetch', 'XHR'] as const).flatMap((resourceType) =>
    (['Request', 'Response'] as const).map((requestStage) => ({ urlPattern: '*', resourceType, requestStage })),
  )
  await client.send('Fetch.enable', { patterns: calls })
}

/** Draws the delays of the calls of a page: before the call is sent, or before its answer is handed over. Ids in addresses do not matter. */
function delays(): (call: string) => { ms: number; isAfter: boolean } {
  const counts = new Map<string, number>()
  return (call) => {
    const name = call.replace(/^(\w+) https?:\/\/[^/]+/, '$1 ').replaceAll(/[0-9a-f-]{32,}|[\w-]{40}/g, 'ID')
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const drawn = createHash('sha256').update(`${seed} ${name} ${count}`).digest()
    return { ms: (drawn.readUInt32BE(0) / 2 ** 32) * SLOW_CALLS_MS, isAfter: drawn.readUInt8(4) % 2 === 1 }
  }
}
