import type { Attempt, Delivery, DeliveryStatus, EventType, Outcome } from '../../answers.ts'
import { hostOf } from '../../shown/host-of.ts'
import { invoiceStatusWords } from '../invoices/invoice-badge.tsx'
import { paymentStatusWords } from '../payments/payment-words.ts'

export const statusWords: Record<DeliveryStatus, string> = {
  PENDING: 'Pending',
  DELIVERED: 'Delivered',
  FAILED: 'Failed',
}

type Result = { outcome: Outcome; status: number | null; duration_ms: number; error: string | null }

const outcomes: Record<Outcome, (result: Result) => string> = {
  acknowledged: ({ status, duration_ms }) =>
    `Your server acknowledged the event with status ${status} after ${duration_ms} ms.`,
  rejected: ({ status, duration_ms }) =>
    `Your server responded with status ${status} after ${duration_ms} ms. Respond with a 2xx status to acknowledge an event.`,
  timed_out: () => 'Your server did not respond within 10 seconds.',
  unreachable: () => 'Your server could not be reached.',
}

/** The result of an attempt as a sentence, with the technical reason if there is one. */
export function outcomeWords(result: Result): string {
  const words = outcomes[result.outcome](result)
  return result.error === null ? words : `${words.replace(/\.$/, '')} (${result.error}).`
}

const shortOutcomes: Record<Outcome, string> = {
  acknowledged: 'Acknowledged',
  rejected: 'Rejected',
  timed_out: 'Timed out',
  unreachable: 'Unreachable',
}

export const shortOutcome = ({ outcome }: Pick<Attempt, 'outcome'>): string => shortOutcomes[outcome]

export const nameOf = ({ name, url }: { name: string | null; url: string }): string => name ?? hostOf(url)

export const deliveryId = ({ event, endpoint }: Delivery): string => `${event}/${endpoint}`

/** Returns the status in an event's body. */
export function statusOfBody(body: string): string {
  try {
    return String(JSON.parse(body).status ?? '')
  } catch {
    return ''
  }
}

/** Returns the name of the status in an event's body, as on the pages of payments and invoices. Otherwise `In review` for IN_REVIEW. */
export function eventStatusText({ type, body }: { type: EventType; body: string }): string {
  const code = statusOfBody(body)
  const known: Record<string, string> =
    type === 'INVOICE' ? invoiceStatusWords : type === 'CHECK' ? paymentStatusWords : {}
  if (known[code] !== undefined) return known[code]
  const status = code.toLowerCase().replaceAll('_', ' ')
  return status.charAt(0).toUpperCase() + status.slice(1)
}
