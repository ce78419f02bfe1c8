/** The event types to which an endpoint can subscribe, and the values of `type` in webhook bodies (specification.md 7.4). */
export const EVENT_TYPES = [
  'CHECK',
  'INVOICE',
  'BANK',
  'USER',
  'PREFUND_ACCOUNT',
  'CHECKBOOK',
  'SUBSCRIPTION',
  'MAIL',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** The default event types of an endpoint. */
export const DEFAULT_EVENT_TYPES: readonly EventType[] = ['CHECK', 'INVOICE']

/** The formats of a webhook body. `THIN`: the id, type and status of the object. `FULL`: also the whole object. */
export const BODY_FORMATS = ['THIN', 'FULL'] as const

export type BodyFormat = (typeof BODY_FORMATS)[number]

/** The days for which events, deliveries and attempts are kept. */
export const EVENTS_KEPT_DAYS = 30

/** The types of events that report the status of an object other than a payment, an invoice or a wallet. */
export type StatusEventType = 'BANK' | 'USER' | 'CHECKBOOK' | 'SUBSCRIPTION' | 'MAIL'

/** Returns the webhook body of a status event. It is stored with the event and never changes. */
export const statusEventBody = ({ id, status, type, mailbox }: StatusSubject): string =>
  JSON.stringify({ id, status, type, ...(mailbox !== undefined && { mailbox }) })

/** The object of a status event. `mailbox`: the mailbox of a piece of mail. */
export type StatusSubject = { type: StatusEventType; id: string; status: string; mailbox?: string }
