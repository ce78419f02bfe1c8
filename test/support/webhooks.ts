import { createHmac } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import type { Pool } from '../../src/foundation/db/connect.ts'
import type { Api } from './api.ts'
import type { Received } from './receiver.ts'
import { addBank, addVerifiedBank, type TestService, type TestUser } from './service.ts'

/** Sets the webhook URL of a user. Null: none. */
export async function setWebhook(user: Api, url: string | null): Promise<void> {
  const { status, text } = await user.put('/v3/user', { developer: { webhook_uri: url } })
  if (status !== 200) throw new Error(`no webhook was set: ${text}`)
}

/** The key that signs webhooks for the URL of a user. */
export async function readWebhookKey(user: Api): Promise<string> {
  const { body } = await user.post('/v3/user/api_key', { name: 'to see the webhook key' })
  return body.webhook_key
}

export type Sender = TestUser & { bankId: string }

/** A user that can send checks. */
export async function newSender({ newUser }: TestService, owner?: Api): Promise<Sender> {
  const user = await newUser(undefined, owner)
  return { ...user, bankId: await addVerifiedBank(user) }
}

/** A user with a bank for deposits. */
export async function newPayee({ newUser }: TestService, owner?: Api): Promise<Sender> {
  const user = await newUser(undefined, owner)
  return { ...user, bankId: await addBank(user) }
}

/**
 * Implements specification.md 7.3 like a receiver: header fields, nonce after the body, HMAC-SHA-256 in hex,
 * comparison.
 */
export function isAuthentic({ headers, body }: Pick<Received, 'headers' | 'body'>, key: string): boolean {
  const [, nonce, signature] = /^nonce=([0-9]+),signature=([0-9a-f]{64})$/.exec(String(headers.signature)) ?? []
  const message = body + nonce
  return createHmac('sha256', key).update(message, 'utf8').digest('hex') === signature
}

export const nonceOf = ({ headers }: Received): string => /nonce=([0-9]+)/.exec(String(headers.signature))?.[1] ?? ''

export type AttemptRow = {
  number: number
  startedAt: Date
  durationMs: number
  outcome: string
  httpStatus: number | null
  error: string | null
}

/** All attempts for the endpoint of a user, oldest first. */
export async function attemptsOf(sql: Pool, userId: string): Promise<AttemptRow[]> {
  return sql<AttemptRow[]>`
    select number, started_at, duration_ms, outcome, http_status, error
    from delivery_attempts a
    join endpoints e on e.platform_id = a.platform_id and e.id = endpoint_id
    where user_id = ${userId}
    order by started_at, number
  `
}

export async function deliveryStatuses(sql: Pool, userId: string): Promise<string[]> {
  const rows = await sql<{ status: string }[]>`
    select status
    from deliveries
    join endpoints e on e.platform_id = deliveries.platform_id and e.id = endpoint_id
    where user_id = ${userId}
    order by position
  `
  return rows.map(({ status }) => status)
}

/**
 * A receiver that is not an HTTP server. It handles each connection with `treat`.
 * @returns its URL without the scheme
 */
export async function startTcpReceiver(t: TestContext, treat: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    treat(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `//127.0.0.1:${(server.address() as { port: number }).port}/hook`
}
