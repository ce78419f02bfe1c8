import type { CallDeps } from '../processor/https-call-actions.ts'
import { CallFailed } from '../processor/https-call-actions.ts'
import type { EventSubject, PostedEvent } from '../processor/processor-types.ts'
import { callPaypal, type PaypalAddress } from './paypal-client-actions.ts'

/** The headers of a notification, with the names of their values in the verification request. */
const SIGNATURE_HEADERS = {
  'paypal-auth-algo': 'auth_algo',
  'paypal-cert-url': 'cert_url',
  'paypal-transmission-id': 'transmission_id',
  'paypal-transmission-sig': 'transmission_sig',
  'paypal-transmission-time': 'transmission_time',
} as const

/**
 * Checks a notification of PayPal. PayPal itself verifies the signature, for the exact bytes of the body.
 *
 * @returns the order that it concerns, or the reason why it is refused
 */
export async function readPaypalEvent(
  deps: CallDeps,
  address: PaypalAddress,
  { event: { headers, body }, webhookId }: { event: PostedEvent; webhookId: string },
): Promise<EventSubject | 'unsigned' | 'wrong_signature' | 'unreadable'> {
  const signature = Object.entries(SIGNATURE_HEADERS).map(([header, name]) => [name, headers[header]] as const)
  if (signature.some(([, value]) => value === undefined)) return 'unsigned'
  const subject = subjectOf(body)
  if (subject === undefined) return 'unreadable'
  const given = JSON.stringify({ ...Object.fromEntries(signature), webhook_id: webhookId })
  const request = `${given.slice(0, -1)},"webhook_event":${body}}`
  try {
    const path = '/v1/notifications/verify-webhook-signature'
    const { status, json } = await callPaypal(deps, address, { method: 'POST', path, body: request })
    const isGenuine = status === 200 && (json as { verification_status?: unknown })?.verification_status === 'SUCCESS'
    return isGenuine ? subject : 'wrong_signature'
  } catch (error) {
    if (error instanceof CallFailed) return 'wrong_signature' // PayPal posts it again, and the service reads the state of orders anyway
    throw error
  }
}

/** Returns the batch that a notification names. Null: it concerns none of our orders. Undefined: it is not JSON. */
function subjectOf(body: string): EventSubject | undefined {
  try {
    const { resource } = (JSON.parse(body) ?? {}) as { resource?: Record<string, unknown> }
    const batchId = resource?.payout_batch_id ?? (resource?.batch_header as Record<string, unknown>)?.payout_batch_id
    return typeof batchId === 'string' ? { processorId: batchId } : null
  } catch {
    return undefined
  }
}
