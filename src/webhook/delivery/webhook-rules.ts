import { createHmac, hash } from 'node:crypto'
import { isIP } from 'node:net'
import { fieldError } from '../../foundation/core/errors.ts'
import { isLocalHost } from '../../foundation/lib/local-host.ts'
import { type AddressSettings, isAllowedAddress } from './address-rules.ts'

const MAX_URL_LENGTH = 2_048

/**
 * Checks that webhooks may be sent to a URL: HTTPS at a public address or, if the environment allows it, this machine. The addresses
 * behind a host name are checked each time a webhook is sent, because they can change.
 *
 * @returns the URL in the form to store
 * @throws ApiError invalid_request
 */
export function requireWebhookUrl(text: string, field: string, settings: AddressSettings): string {
  const problem = webhookUrlProblem(text, settings)
  if (problem !== null) throw fieldError('invalid_request', field, problem)
  return new URL(text).href
}

/** Explains why webhooks may not be sent to a URL. Returns null if they may. */
export function webhookUrlProblem(text: string, settings: AddressSettings): string | null {
  const url = URL.parse(text)
  if (url?.username !== '' || url.password !== '') return 'must be an absolute URL without a username or password'
  if (url.href.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters once encoded`
  if (url.port === '0') return 'must have a port from 1 to 65535'
  const { allowsLocalWebhooks } = settings
  const isLocalUrl = isLocalHost(url)
  if (allowsLocalWebhooks && isLocalUrl && ['http:', 'https:'].includes(url.protocol)) return null
  if (url.protocol !== 'https:')
    return `must be an https URL${allowsLocalWebhooks ? ' (http is allowed for localhost)' : ''}`
  const address = hostOf(url)
  const isRefused = isIP(address)
    ? !isAllowedAddress(address, settings, { isLocalUrl })
    : /(^|\.)localhost\.*$/.test(url.hostname)
  return isRefused ? 'must point to a public address' : null
}

/** Returns the host of a URL. An IPv6 address has no brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/** Returns the `signature` header of specification.md 7.3: HMAC-SHA-256 of the body followed by the nonce, in hex. */
export function signatureHeader({ body, nonce, key }: { body: string; nonce: string; key: string }): string {
  const digest = createHmac('sha256', key).update(body).update(nonce).digest('hex')
  return `nonce=${nonce},signature=${digest}`
}

/** The keys that sign for one receiver. `previousWebhookKey` is null except during a rotation. */
export type SigningKeys = { webhookKey: string; previousWebhookKey: string | null }

/** An event to send. `order`: when the event was created, and its number among the events of its object. It is null for a test event. */
export type SentEvent = { eventId: string; body: string; order: { eventAt: Date; sequence: number } | null }

/**
 * Returns the headers of a webhook, with names in lower case. During a rotation, `signature` is made with the previous key, because it has
 * room for one signature, and `webhook-signature` contains both (specification.md 7.3).
 *
 * @param now in real time, because receivers refuse the times of a platform's moved clock
 */
export function webhookHeaders(
  { eventId, body, order, nonce, now }: SentEvent & { nonce: string; now: Date },
  { webhookKey, previousWebhookKey }: SigningKeys,
): Record<string, string> {
  const keys = previousWebhookKey === null ? [webhookKey] : [webhookKey, previousWebhookKey]
  return {
    'content-type': 'application/json',
    'user-agent': 'Remit-Webhooks/1',
    signature: signatureHeader({ body, nonce, key: previousWebhookKey ?? webhookKey }),
    ...standardWebhookHeaders({ id: eventId, body, keys, now }),
    'webhook-key-id': keys.map(keyId).join(' '),
    ...(order && {
      'webhook-event-time': `${order.eventAt.toISOString().slice(0, 19)}Z`,
      'webhook-sequence': String(order.sequence),
    }),
  }
}

/** Identifies a signing key without revealing it, for receivers of several users: 16 hex digits of its SHA-256. */
const keyId = (key: string): string => hash('sha256', key).slice(0, 16)

/** Returns the three headers of Standard Webhooks. Their secret is `whsec_` + base64 of the key's text (specification.md 7.3). */
function standardWebhookHeaders({ id, body, keys, now }: { id: string; body: string; keys: string[]; now: Date }) {
  const timestamp = Math.floor(now.getTime() / 1000).toString()
  const message = `${id}.${timestamp}.${body}`
  const signatures = keys.map((key) => `v1,${createHmac('sha256', key).update(message).digest('base64')}`)
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

const MAX_RETRY_AFTER_SECONDS = 86_400

/**
 * Reads a `Retry-After` header: a number of seconds or an HTTP date (RFC 9110, 10.2.3).
 *
 * @returns seconds from now, at most a day, or null if it cannot be read
 */
export function retryAfterSeconds(header: string | undefined, { now }: { now: Date }): number | null {
  const text = header?.trim() ?? ''
  const seconds = /^\d{1,15}$/.test(text) ? Number(text) : secondsUntil(text, now)
  return seconds === null ? null : Math.min(Math.max(seconds, 0), MAX_RETRY_AFTER_SECONDS)
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

function secondsUntil(text: string, now: Date): number | null {
  const time = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : Math.ceil((time - now.getTime()) / 1000)
}
