import { createHmac } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { fieldError } from '../lib/errors.ts'
import { isLocalHost } from '../lib/local-host.ts'

/**
 * A URL to which webhooks may go: HTTPS at a public address, and where the environment allows it, this machine.
 *
 * @returns the URL as it is stored
 * @throws ApiError invalid_request
 */
export function requireWebhookUrl(text: string, field: string, { allowsLocal }: { allowsLocal: boolean }): string {
  const problem = webhookUrlProblem(text, { allowsLocal })
  if (problem !== null) throw fieldError('invalid_request', field, problem)
  return new URL(text).href
}

/** Why no webhook may go to a URL, or null when it may. */
export function webhookUrlProblem(text: string, { allowsLocal }: { allowsLocal: boolean }): string | null {
  const url = URL.parse(text)
  if (url?.username !== '' || url.password !== '') return 'must be an absolute URL without a user name'
  const isLocal = isLocalHost(url)
  if (allowsLocal && isLocal && ['http:', 'https:'].includes(url.protocol)) return null
  if (url.protocol !== 'https:') return `must be an https URL${allowsLocal ? ' (http is possible for localhost)' : ''}`
  const isPrivate = isLocal || /(^|\.)localhost\.?$/.test(url.hostname) || isPrivateAddress(url.hostname)
  return isPrivate ? 'must have a public address' : null
}

/** Whether a host is an address that is not one of the open Internet: a private network, this machine, multicast. */
export function isPrivateAddress(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, '')
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
