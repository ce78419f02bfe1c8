import type { Attempt, Delivery, DeliveryStatus, EventType, Outcome } from '../../answers.ts'
import { hostOf } from '../../shown/host-of.ts'
import { invoiceStatusWords } from '../invoices/invoice-badge.tsx'
import { paymentStatusWords } from '../payments/payment-words.ts'

type TypeWords = { type: EventType; plural: string; about: string; event: string; subject: string }

/** Texts for each event type: the subscription, an event, and its subject. */
export const eventTypes: TypeWords[] = [
  {
    type: 'CHECK',
    plural: 'Payments',
    about: 'A payment changes status, such as paid or failed',
    event: 'Payment changed',
    subject: 'Payment',
  },
  {
    type: 'INVOICE',
    plural: 'Invoices',
    about: 'An invoice changes status, such as paid or unpaid again',
    event: 'Invoice changed',
    subject: 'Invoice',
  },
  {
    type: 'BANK',
    plural: 'Bank accounts',
    about: 'A bank account changes status, such as verified',
    event: 'Bank account changed',
    subject: 'Bank account',
  },
  {
    type: 'USER',
    plural: 'Users',
    about: 'A user changes status, such as verified or suspended',
    event: 'User changed',
    subject: 'User',
  },
  {
    type: 'PREFUND_ACCOUNT',
    plural: 'Wallet balances',
    about: 'Money enters or leaves a wallet',
    event: 'Wallet balance changed',
    subject: 'Wallet',
  },
  {
    type: 'CHECKBOOK',
    plural: 'Checkbooks',
    about: 'A book of blank checks changes status, such as mailed',
    event: 'Checkbook changed',
    subject: 'Checkbook',
  },
  {
    type: 'SUBSCRIPTION',
    plural: 'Recurring payments',
    about: 'A recurring payment was not made, or was canceled',
    event: 'Recurring payment changed',
    subject: 'Recurring payment',
  },
  {
    type: 'MAIL',
    plural: 'Mail',
    about: 'A mailbox receives a letter',
    event: 'Mail received',
    subject: 'Mail',
  },
]

/** Returns the texts of a type. Unknown types, of a newer service, keep their own name. */
export const wordsOfType = (type: EventType): TypeWords =>
  eventTypes.find((words) => words.type === type) ?? { type, plural: type, about: '', event: type, subject: 'Object' }

const paymentWords: Record<string, string> = {
  IN_PROCESS: 'in process',
  PAID: 'paid',
  FAILED: 'failed',
  PRINTED: 'printed',
  VOID: 'voided',
  EXPIRED: 'expired',
  MAILED: 'mailed',
  REFUNDED: 'refunded',
}

/** The title of an event, such as `Payment paid`. */
export const eventTitle = ({ type, payment }: Pick<Delivery, 'type' | 'payment'>): string =>
  payment === null ? wordsOfType(type).event : `Payment ${paymentWords[payment.status] ?? payment.status}`

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
