/** Event types that an endpoint can subscribe to, and the `type` in webhook bodies (specification.md 7.4). */
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

/** How long events, deliveries and attempts are kept. */
export const EVENTS_KEPT_DAYS = 30

/** What has a status of its own, besides payments. */
export type StatusEventType = 'BANK' | 'USER' | 'CHECKBOOK' | 'SUBSCRIPTION' | 'MAIL'

/** The webhook body of a status, fixed when the event is created. */
export const statusEventBody = ({ id, status, type, mailbox }: StatusSubject): string =>
  JSON.stringify({ id, status, type, ...(mailbox !== undefined && { mailbox }) })

/** `mailbox`: the mailbox of a piece of mail. */
export type StatusSubject = { type: StatusEventType; id: string; status: string; mailbox?: string }
