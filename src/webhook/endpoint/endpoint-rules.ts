import { RETRY_DELAYS_SECONDS } from '../delivery/delivery-status.ts'

/** The maximum number of endpoints of an owner. */
export const MAX_ENDPOINTS = 50

/** How many deliveries a request fails at once when an endpoint ends. A background step fails the rest. */
export const DELIVERIES_FAILED_AT_ONCE = 5_000

export const ENDPOINT_STATUSES = ['ENABLED', 'DISABLED'] as const
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number]

/** Why an endpoint is disabled: by its owner, because it answered 410, or because it failed for too long. */
export const DISABLED_REASONS = ['OWNER', 'GONE', 'FAILING'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export const endpointStatus = ({ disabledAt }: { disabledAt: Date | null }): EndpointStatus =>
  disabledAt ? 'DISABLED' : 'ENABLED'

const SCHEDULE_MS = RETRY_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds, 0) * 1000

/**
 * The start of the time for which a disabled endpoint missed events: one retry schedule before it began to fail, because
 * deliveries that old were still pending then. Rounded to seconds, as in the API.
 */
export function missedSince({ disabledAt, failingSince }: { disabledAt: Date; failingSince: Date | null }): Date {
  const begin = Math.min(disabledAt.getTime(), failingSince?.getTime() ?? Number.POSITIVE_INFINITY)
  return new Date(Math.floor((begin - SCHEDULE_MS) / 1000) * 1000)
}
