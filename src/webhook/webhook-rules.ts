import { createHmac } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { fieldError } from '../lib/errors.ts'

const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]']

/**
 * A URL to which webhooks may go: HTTPS at a public address, and where the environment allows it, this machine.
 *
 * @returns the URL as it is stored
 * @throws ApiError invalid_request
 */
export function requireWebhookUrl(text: string, field: string, { allowsLocal }: { allowsLocal: boolean }): string {
  const url = URL.parse(text)
  if (!url || url.username !== '' || url.password !== '') {
    throw fieldError('invalid_request', field, 'must be an absolute URL without a user name')
  }
  const isLocal = LOCAL_HOSTS.includes(url.hostname)
  if (allowsLocal && isLocal && ['http:', 'https:'].includes(url.protocol)) return url.href
  if (url.protocol !== 'https:') {
    const alternative = allowsLocal ? ' (http is possible for localhost)' : ''
    throw fieldError('invalid_request', field, `must be an https URL${alternative}`)
  }
  if (isLocal || url.hostname.endsWith('.localhost') || isPrivateAddress(url.hostname)) {
    throw fieldError('invalid_request', field, 'must have a public address')
  }
  return url.href
}

function isPrivateAddress(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) && ipaddr.process(address).range() !== 'unicast'
}

/** The `signature` header of spec 6.2: HMAC-SHA-256 over the body with the nonce behind it, as hex. */
export function signatureHeader({ body, nonce, key }: { body: string; nonce: string; key: string }): string {
  const digest = createHmac('sha256', key).update(body).update(nonce).digest('hex')
  return `nonce=${nonce},signature=${digest}`
}

/** The three headers of Standard Webhooks, whose secret is `whsec_` + base64 of the key's text (api.md 7). */
export function standardWebhookHeaders({ id, body, key, now }: { id: string; body: string; key: string; now: Date }) {
  const timestamp = Math.floor(now.getTime() / 1000).toString()
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
