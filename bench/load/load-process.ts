import { randomBytes } from 'node:crypto'
import { answerParent } from '../support/helper.ts'
import { createSamples } from '../support/samples.ts'
import { type Connection, openConnection } from './connection.ts'
import type { LoadJob, LoadResult } from './load-job.ts'

// The load generator, in its own process.

const methods = { run }
export type LoadMethods = typeof methods
answerParent(methods)

async function run(job: LoadJob): Promise<LoadResult> {
  const samples = createSamples()
  const statuses: Record<number, number> = {}
  const nextRequest = requestsOf(job)
  const begin = performance.now() + 1000 * job.leadInSeconds
  const end = begin + 1000 * job.seconds
  const note = (sentAt: number, status: number) => {
    const now = performance.now()
    if (now < begin || now >= end) return
    statuses[status] = (statuses[status] ?? 0) + 1
    if (isDone(status)) samples.add(now - sentAt)
  }
  await (job.perSecond === undefined ? closedLoop : openLoop)(job, { end, nextRequest, note })
  return { measured: samples.measurement(job.seconds), statuses }
}

const isDone = (status: number) => status >= 200 && status < 300

type Loop = { end: number; nextRequest: () => string; note: (sentAt: number, status: number) => void }

/** Each connection sends its next request after an answer. */
async function closedLoop(
  { url, connections, maxRequests = Infinity }: LoadJob,
  { end, nextRequest, note }: Loop,
): Promise<void> {
  const address = addressOf(url)
  let sentCount = 0
  const loop = (connection: Connection) =>
    new Promise<void>((resolve) => {
      const next = () => {
        const sentAt = performance.now()
        if (sentAt >= end || sentCount++ >= maxRequests) return resolve()
        connection.send(nextRequest(), (status) => {
          note(sentAt, status)
          next()
        })
      }
      next()
    })
  const open = Array.from({ length: connections }, () => openConnection(address))
  await Promise.all(open.map(loop))
  for (const connection of open) connection.close()
}

/** Sends requests when they are due, on any free connection. Time spent waiting for a connection counts. */
async function openLoop(job: LoadJob, { end, nextRequest, note }: Loop): Promise<void> {
  const { connections, perSecond = 1 } = job
  const address = addressOf(job.url)
  const open = Array.from({ length: connections }, () => openConnection(address))
  const free = [...open]
  const waiting: number[] = []
  const start = performance.now()
  let dueCount = 0

  function send(connection: Connection, dueAt: number) {
    connection.send(nextRequest(), (status) => {
      note(dueAt, status)
      const next = waiting.shift()
      if (next === undefined || performance.now() >= end) free.push(connection)
      else send(connection, next)
    })
  }

  function sendWhatIsDue(now: number) {
    for (; dueCount < ((now - start) / 1000) * perSecond; dueCount++) {
      const dueAt = start + (1000 * dueCount) / perSecond
      const connection = free.pop()
      if (connection) send(connection, dueAt)
      else waiting.push(dueAt)
    }
  }

  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now()
      if (now < end) return sendWhatIsDue(now)
      clearInterval(timer)
      resolve()
    }, 1)
  })
  for (const connection of open) connection.close()
}

function addressOf(url: string) {
  const { hostname, port } = new URL(url)
  return { host: hostname === 'localhost' ? '127.0.0.1' : hostname, port: Number(port) }
}

/** Visits targets in an order that is unrelated to their creation. */
function requestsOf({ url, targets, hasIdempotencyKeys }: LoadJob): () => string {
  const { host } = new URL(url)
  const made = targets.map(({ method, path, headers, body }) => {
    const given = { host, ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) }
    const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`)
    return { head: `${method} ${path} HTTP/1.1\r\n${lines.join('')}`, body: body ?? '' }
  })
  const keyPrefix = randomBytes(12).toString('hex')
  const step = coprimeStep(made.length)
  let count = 0
  return () => {
    const { head, body } = made[(count * step) % made.length] as (typeof made)[number]
    count++
    return hasIdempotencyKeys ? `${head}idempotency-key: ${keyPrefix}-${count}\r\n\r\n${body}` : `${head}\r\n${body}`
  }
}

/** A step that visits every target before it repeats one. */
function coprimeStep(length: number): number {
  const isCoprime = (step: number) => greatestCommonDivisor(step, length) === 1
  let step = Math.max(1, Math.floor(length * 0.618))
  while (!isCoprime(step)) step++
  return step
}

const greatestCommonDivisor = (a: number, b: number): number => (b === 0 ? a : greatestCommonDivisor(b, a % b))
