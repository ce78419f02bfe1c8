import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from './child.ts'

// A webhook receiver that counts. A body is {"id": subject, "number": of the event, "sequence": within its subject}.

/** While set, paths that begin with /hang get no answer. */
const hanging = { isHanging: true }

/** The number of arrivals of each event at each path. */
let arrivals = new Map<string, number>()
/** The highest sequence of each subject that has arrived. */
let lastOfSubject = new Map<string, number>()
let misordered = 0
/** The time of the first arrival of each event, by its number. */
let arrivedAt: number[] = []
let firstAt = 0
let lastAt = 0
let total = 0

function take(path: string, eventId: string, body: string) {
  const at = performance.timeOrigin + performance.now()
  const { id, number, sequence } = JSON.parse(body) as { id: string; number: number; sequence: number }
  const key = `${path} ${eventId}`
  const count = (arrivals.get(key) ?? 0) + 1
  arrivals.set(key, count)
  firstAt ||= at
  total++
  lastAt = at
  if (count > 1) return
  arrivedAt[number] = at
  const subject = `${path} ${id}`
  if (sequence < (lastOfSubject.get(subject) ?? 0)) misordered++
  else lastOfSubject.set(subject, sequence)
}

const server = createServer((request, response) => {
  const path = request.url as string
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (path.startsWith('/hang') && hanging.isHanging) return
    take(path, String(request.headers['webhook-id']), Buffer.concat(chunks).toString())
    response.writeHead(200, { 'content-length': 2 }).end('ok')
  })
})
server.keepAliveTimeout = 60_000

const methods = {
  listen: () =>
    new Promise<number>((resolve) => {
      server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 }, () =>
        resolve((server.address() as AddressInfo).port),
      )
    }),
  forget: () => {
    arrivals = new Map()
    lastOfSubject = new Map()
    arrivedAt = []
    misordered = 0
    total = 0
    firstAt = 0
  },
  counts: () => ({ total, unique: arrivals.size, duplicates: total - arrivals.size, misordered, firstAt, lastAt }),
  arrivedAt: () => arrivedAt,
}

export type ReceiverMethods = typeof methods

answer(methods)
