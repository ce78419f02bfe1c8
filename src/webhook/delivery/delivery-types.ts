import type { EndpointKey } from '../endpoint/webhook-store.ts'
import type { BodyFormat, EventType } from '../event/event-rules.ts'

export type EndpointKind = 'webhook_uri' | 'application' | 'endpoint' | 'listener'

/** A leased endpoint: its URL, the keys that sign its webhooks, and its health. */
export type LeasedEndpoint = EndpointKey & {
  kind: EndpointKind
  url: string
  bodyFormat: BodyFormat
  isSlow: boolean
  failingSince: Date | null
  webhookKeySealed: Buffer
  previousWebhookKeySealed: Buffer | null
  webhookKeyRotatedAt: Date | null
}

/**
 * The lease of an endpoint, with the endpoint's state when the lease was taken or renewed. `endsAt` is on the clock of
 * `performance.now()`.
 */
export type Lease = { endpoint: LeasedEndpoint; endsAt: number }

export type DueDelivery = EndpointKey & {
  eventId: string
  type: EventType
  subjectId: string
  attemptCount: number
  /** The number of attempts before the last replay. A replay starts the retry schedule again. */
  attemptsBefore: number
  /** The thin body. */
  body: string
  /** The full body that an earlier attempt sent. Null for thin bodies, and before the first attempt. */
  fullBodySealed: Buffer | null
  /** The time at which the event was created, by the clock of the platform. */
  eventAt: Date
  /** The number of the event among the events of its object. It increases with each event. */
  sequence: number
  /** The milliseconds by which the platform's clock is ahead of real time. */
  offsetMs: number
}
