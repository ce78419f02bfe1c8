/** What an endpoint can ask for, and what `type` in the body of its webhooks says (specification.md 7.4). */
export const EVENT_TYPES = ['CHECK', 'INVOICE', 'BANK', 'USER', 'PREFUND_ACCOUNT'] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** What an endpoint asks for that does not say. */
export const DEFAULT_EVENT_TYPES: readonly EventType[] = ['CHECK', 'INVOICE']

/** Events, their deliveries and the attempts are kept for this time. */
export const EVENTS_KEPT_DAYS = 30

/** The body of a webhook about the status of a bank or a user, fixed when the event is made. */
export const statusEventBody = ({ id, status, type }: { id: string; status: string; type: 'BANK' | 'USER' }): string =>
  JSON.stringify({ id, status, type })
