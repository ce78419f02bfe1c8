import { RETRY_DELAYS_SECONDS } from '../delivery/delivery-status.ts'

/** The maximum number of endpoints of an owner. */
export const MAX_ENDPOINTS = 50

/** The number of deliveries that a request marks as FAILED when an endpoint is disabled or removed. A background step marks the rest. */
export const DELIVERIES_FAILED_AT_ONCE = 5_000

export const ENDPOINT_STATUSES = ['ENABLED', 'DISABLED'] as const
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number]

/** The reasons why an endpoint is disabled: by its owner, because it answered 410, or because it failed for too long. */
export const DISABLED_REASONS = ['OWNER', 'GONE', 'FAILING'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export const endpointStatus = ({ disabledAt }: { disabledAt: Date | null }): EndpointStatus =>
  disabledAt ? 'DISABLED' : 'ENABLED'

const SCHEDULE_MS = RETRY_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds, 0) * 1000

/**
 * Returns the time from which a disabled endpoint may have missed events. It is one retry schedule before the first failure, because older
 * deliveries were still pending at that time. It is rounded down to seconds, as in the API.
 */
export function missedSince({ disabledAt, failingSince }: { disabledAt: Date; failingSince: Date | null }): Date {
  const begin = Math.min(disabledAt.getTime(), failingSince?.getTime() ?? Number.POSITIVE_INFINITY)
  return new Date(Math.floor((begin - SCHEDULE_MS) / 1000) * 1000)
}
