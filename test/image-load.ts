import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { publishedOwner } from '../src/foundation/core/demo-rules.ts'
import { startDemo } from './load/demo.ts'
import { png } from './support/images.ts'

// Sends concurrent images with the published key of the demo, and measures the effect on other callers:
//
//   npm run image-load -- --images 400
//
// The service is a separate process, with an embedded PostgreSQL.

const { values: options } = parseArgs({ options: { images: { type: 'string', default: '400' } } })
const count = Number(options.images)

const MAX_P99_MS = 200
const MEMORY_SECONDS = 60
const MAX_GROWTH_MIB = 64

function say(what: string, figure: string, isRight = true): boolean {
  console.log(`  ${isRight ? '✔' : '✖'} ${what}: ${figure}`)
  return isRight
}

const { key, secret } = publishedOwner.published.apiKey
const headers = { authorization: `${key}:${secret}`, 'content-type': 'application/json' }

const folder = await mkdtemp(join(tmpdir(), 'remit-image-load-'))
await chmod(folder, 0o711) // so that the user who runs PostgreSQL for root can pass through
async function run(demo: Awaited<ReturnType<typeof startDemo>>): Promise<boolean> {
  const post = (path: string, body: object) =>
    fetch(`${demo.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const bank = await post('/v3/bank', { routing: '021000021', account: '4815162342', type: 'CHECKING' })
  const { id: account } = (await bank.json()) as { id: string }
  await post('/v3/bank/release', { account })
  await post('/v3/bank/verify', { account, amount_1: 0.07, amount_2: 0.15 })
  const image = png(2_828, 2_828)
  const order = {
    amount: 1,
    name: 'Grace Hopper',
    recipient: 'grace@example.net',
    attachment: image.toString('base64'),
  }
  // The first payment and the first minute warm up the program.
  await post('/v3/check/digital', { ...order, attachment: png(10, 10).toString('base64') })
  for (let number = 0; number < 500; number++) await fetch(`${demo.url}/healthz`)
  await sleep(2_000)
  const before = memoryOf(demo.pid)

  const begin = performance.now()
  const images = Array.from({ length: count }, async () => (await post('/v3/check/digital', order)).status)
  let isDone = false
  const statuses = Promise.all(images).finally(() => {
    isDone = true
  })
  const latencies: number[] = []
  let peak = before
  while (!isDone) {
    const askedAt = performance.now()
    await fetch(`${demo.url}/healthz`)
    latencies.push(performance.now() - askedAt)
    peak = {
      service: Math.max(peak.service, memoryOf(demo.pid).service),
      all: Math.max(peak.all, memoryOf(demo.pid).all),
    }
    await sleep(10)
  }
  const seconds = (performance.now() - begin) / 1000
  const answers = Object.entries(Object.groupBy(await statuses, (status) => status))
  latencies.sort((a, b) => a - b)
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] as number
  const figures = [0.5, 0.9, 0.99].map((share) => `p${share * 100} ${at(share).toFixed(0)} ms`)
  await sleep(MEMORY_SECONDS * 1000)
  const after = memoryOf(demo.pid)
  return [
    say(`${count} images of ${Math.round(image.length / 1000)} kB`, `${seconds.toFixed(1)} s`),
    say('answers', answers.map(([status, some]) => `${status} × ${some?.length}`).join(', ')),
    say(
      `/healthz meanwhile, ${latencies.length} times`,
      `${figures.join(', ')}, max ${at(1).toFixed(0)} ms`,
      at(0.99) < MAX_P99_MS,
    ),
    say('memory before', inMib(before)),
    say('at most', inMib(peak)),
    say(`${MEMORY_SECONDS} s after`, inMib(after), after.all < before.all + MAX_GROWTH_MIB),
  ].every(Boolean)
}

type Memory = { service: number; all: number }

const inMib = ({ service, all }: Memory) => `service ${service.toFixed(0)} MiB, with its helpers ${all.toFixed(0)} MiB`

/** The resident memory of the service alone, and with the Node.js processes that it started. */
function memoryOf(pid: number): Memory {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isHelper(name, pid))
  const service = residentMiB(String(pid))
  return { service, all: children.reduce((sum, child) => sum + residentMiB(child), service) }
}

function isHelper(name: string, parent: number): boolean {
  try {
    const isChild =
      readFileSync(`/proc/${name}/stat`, 'latin1')
        .replace(/^.*\) /, '')
        .split(' ')[1] === String(parent)
    return isChild && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes('drawing-process')
  } catch {
    return false
  }
}

function residentMiB(pid: string): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]) * 4_096) / 2 ** 20
  } catch {
    return 0
  }
}

const demo = await startDemo(folder)
let isKept = false
try {
  isKept = await run(demo)
} finally {
  await demo.end()
  await rm(folder, { recursive: true, force: true })
}
console.log(isKept ? '\nall promises kept' : '\nA PROMISE WAS BROKEN')
process.exitCode = isKept ? 0 : 1
