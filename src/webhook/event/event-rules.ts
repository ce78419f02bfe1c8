/** Event types that an endpoint can subscribe to, and the `type` in webhook bodies (specification.md 7.4). */
export const EVENT_TYPES = ['CHECK', 'INVOICE', 'BANK', 'USER', 'PREFUND_ACCOUNT'] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** The default event types of an endpoint. */
export const DEFAULT_EVENT_TYPES: readonly EventType[] = ['CHECK', 'INVOICE']

/** How long events, deliveries and attempts are kept. */
export const EVENTS_KEPT_DAYS = 30

/** The webhook body of a bank's or a user's status, fixed when the event is created. */
export const statusEventBody = ({ id, status, type }: { id: string; status: string; type: 'BANK' | 'USER' }): string =>
  JSON.stringify({ id, status, type })
