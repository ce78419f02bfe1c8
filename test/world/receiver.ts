import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDirect } from './books.ts'

type Lifetime = { after(end: () => Promise<void> | void): void }

export type Receiver = Awaited<ReturnType<typeof startReceivers>>

/** The outcome of an attempt: 200, 500, or a closed connection. */
type Answer = 'taken' | 'error' | 'cut'

/**
 * The receivers of all users' webhooks, each with its own path. The event and the number of the attempt determine the attempts that fail,
 * so that the order of the webhooks does not matter.
 */
export async function startReceivers(t: Lifetime, seed: number) {
  /** The statuses of each payment that were reported to a user, in order: `user payment`. */
  const told = new Map<string, string[]>()
  /** The attempts of each event for each user: `user event`. `takenAt`: the number of the attempt that it took, or 0. */
  const attempts = new Map<string, { count: number; takenAt: number }>()
  /** Events that came again after a user had taken them. */
  const repeated: { event: string; takenAt: number; problem: string }[] = []
  /** The bytes of each event, as they came first. */
  const bodies = new Map<string, string>()
  const problems: string[] = []
  let isReliable = false

  function receive(user: string, event: string, body: string): Answer {
    const key = `${user} ${event}`
    const known = attempts.get(key) ?? { count: 0, takenAt: 0 }
    attempts.set(key, known)
    known.count++
    if ((bodies.get(event) ?? body) !== body) problems.push(`${user} was told ${event} in other bytes`)
    bodies.set(event, body)
    const { id, status, type } = JSON.parse(body)
    const { takenAt } = known
    if (takenAt > 0)
      repeated.push({ event, takenAt, problem: `${user} was told again about ${id} ${status}, which it had taken` })
    if (type === 'CHECK' && known.count === 1) note(`${user} ${id}`, status)
    const draw = createHash('sha256').update(`${seed} ${key} ${known.count}`).digest().readUInt8(0)
    const answer = isReliable || draw > 60 ? 'taken' : draw > 30 ? 'error' : 'cut'
    known.takenAt = answer === 'taken' ? known.count : 0
    return answer
  }

  /** Checks that every change is reported once and in order. */
  function note(key: string, status: string): void {
    const before = told.get(key) ?? []
    const all = [...before, status]
    if (!isDirect(before.at(-1) ?? 'UNPAID', status)) problems.push(`${key} was told ${all.join(', ')}`)
    told.set(key, all)
  }

  const base = `/${randomUUID()}/` // a former test's server can have had the same port
  const server = createServer((request, response) => {
    const { url = '' } = request
    if (!url.startsWith(base)) return void response.writeHead(404).end()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const event = String(request.headers['webhook-id'])
      const answer = receive(url.slice(base.length), event, Buffer.concat(chunks).toString())
      if (answer === 'cut') response.destroy()
      else response.writeHead(answer === 'taken' ? 200 : 500).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    told,
    bodies,
    problems,
    repeated,
    urlOf: (user: string) => `${origin}${base}${user}`,
    /** A reliable receiver accepts each webhook at the first attempt. */
    become: (kind: 'reliable' | 'careless') => {
      isReliable = kind === 'reliable'
    },
  }
}
