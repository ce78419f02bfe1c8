import { WebhookError } from './core/errors.ts'
import type { WebhookBody } from './generated/types.ts'

type HeaderRecord = Readonly<Record<string, string | readonly string[] | undefined>>

export type VerifyOptions = {
  /** The maximum age of a webhook in seconds, and the maximum distance in the future. Default: 300. */
  toleranceSeconds?: number
  /**
   * Remembers the id of a verified webhook until a time, and returns false if it was remembered before. The id of an event is the same for each
   * attempt, so that a repeated event is recognized.
   */
  remember?: (id: string, until: Date) => boolean | Promise<boolean>
  /**
   * `standard` (default): the signature of Standard Webhooks, which covers the id and the time. `nonce`: the header `signature`, for
   * receivers that get only this header. It does not cover a time, so it needs `remember` to recognize a replay.
   */
  scheme?: 'standard' | 'nonce'
  /** For tests. */
  now?: Date
}

/** An authentic webhook. */
export type VerifiedWebhook = {
  /** The id of the event, the same for each attempt. With the scheme `nonce`, the nonce of this attempt. */
  webhookId: string
  /** The time of this attempt. Null with the scheme `nonce`. */
  sentAt: Date | null
  /** Grows with each event of an object: an event with a smaller number than the last one is old. Not covered by the signature. */
  sequence: number | null
  event: WebhookBody
}

/**
 * Verifies a webhook and returns its event.
 *
 * @param rawBody the body as it arrived, before anything parses it
 * @param headers of the request, from Node.js or a web framework
 * @param keys the `webhook_key`, or several of them, in any form: the text of the key, or `whsec_…`
 * @throws WebhookError if it is not authentic, too old, or was remembered before
 */
async function verify(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: Headers | HeaderRecord,
  keys: string | readonly string[],
  { toleranceSeconds = 300, remember, scheme = 'standard', now = new Date() }: VerifyOptions = {},
): Promise<VerifiedWebhook> {
  const body = typeof rawBody === 'string' ? new TextEncoder().encode(rawBody) : new Uint8Array(rawBody)
  const secrets = (typeof keys === 'string' ? [keys] : keys).map(secretOf)
  const read = (name: string) => readHeader(headers, name)
  const check = scheme === 'nonce' ? verifyNonce : verifyStandard
  const { webhookId, sentAt } = await check({ body, read, secrets, toleranceSeconds, now })
  const event = parseEvent(body)
  const until = new Date(now.getTime() + Math.max(toleranceSeconds, REPEATED_SECONDS) * 1_000)
  // After the verification: a forged request must not make the real one look repeated.
  if (remember && !(await remember(webhookId, until))) throw new WebhookError('The webhook was received before.')
  const sequence = Number(read('webhook-sequence') ?? Number.NaN)
  return { webhookId, sentAt, sequence: Number.isSafeInteger(sequence) ? sequence : null, event }
}

export const webhooks = { verify } as const

/** The service repeats an event that was not acknowledged for 17 hours. */
const REPEATED_SECONDS = 24 * 60 * 60

type Given = {
  body: Uint8Array
  read: (name: string) => string | null
  secrets: readonly Uint8Array[]
  toleranceSeconds: number
  now: Date
}

type Verified = Pick<VerifiedWebhook, 'webhookId' | 'sentAt'>

async function verifyStandard({ body, read, secrets, toleranceSeconds, now }: Given): Promise<Verified> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(read)
  if (!id || !timestamp || !signatures)
    throw new WebhookError('The headers webhook-id, webhook-timestamp and webhook-signature are missing.')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('The header webhook-timestamp is not a time.')
  const given = signatures
    .split(' ')
    .flatMap((text) => (text.startsWith('v1,') ? (fromBase64(text.slice(3)) ?? []) : []))
  if (!(await isSignedBy(secrets, given, join(`${id}.${timestamp}.`, body))))
    throw new WebhookError('No key has made the signature of this webhook.')
  const sentAt = new Date(Number(timestamp) * 1_000)
  if (Math.abs(now.getTime() - sentAt.getTime()) > toleranceSeconds * 1_000)
    throw new WebhookError(`The webhook was sent at ${sentAt.toISOString()}, more than ${toleranceSeconds} s from now.`)
  return { webhookId: id, sentAt }
}

async function verifyNonce({ body, read, secrets }: Given): Promise<Verified> {
  const [, nonce, hex] = /^nonce=(\d{1,40}),signature=([0-9a-f]{64})$/.exec(read('signature') ?? '') ?? []
  if (nonce === undefined || hex === undefined) throw new WebhookError('The header signature is missing or invalid.')
  const given = Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
  if (!(await isSignedBy(secrets, [given], join(body, nonce))))
    throw new WebhookError('No key has made the signature of this webhook.')
  return { webhookId: nonce, sentAt: null }
}

/** `verify` of Web Crypto takes the same time for each wrong signature. */
async function isSignedBy(
  secrets: readonly Uint8Array[],
  signatures: readonly Uint8Array[],
  message: Uint8Array,
): Promise<boolean> {
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', plain(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ])
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', key, plain(signature), plain(message))) return true
    }
  }
  return false
}

/** Web Crypto takes no view of a shared buffer. */
const plain = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

function secretOf(key: string): Uint8Array {
  const secret = key.startsWith('whsec_') ? fromBase64(key.slice(6)) : new TextEncoder().encode(key)
  if (!secret?.length) throw new WebhookError('The webhook key is empty or invalid.')
  return secret
}

function readHeader(headers: Headers | HeaderRecord, name: string): string | null {
  if (typeof headers.get === 'function') return (headers as Headers).get(name)
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? []
  return typeof value === 'string' ? value : (value?.[0] ?? null)
}

function parseEvent(body: Uint8Array): WebhookBody {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    throw new WebhookError('The body of the webhook is not JSON.')
  }
}

function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function join(...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const bytes = parts.map((part) => (typeof part === 'string' ? new TextEncoder().encode(part) : part))
  const joined = new Uint8Array(bytes.reduce((length, part) => length + part.length, 0))
  let end = 0
  for (const part of bytes) {
    joined.set(part, end)
    end += part.length
  }
  return joined
}
