import { RETRY_DELAYS_SECONDS } from '../delivery/delivery-status.ts'

/** An owner has at most so many endpoints. */
export const MAX_ENDPOINTS = 50

/** How much a request gives up at once when an endpoint ends; what is more is given up in the background. */
export const DELIVERIES_FAILED_AT_ONCE = 5_000

export const ENDPOINT_STATUSES = ['ENABLED', 'DISABLED'] as const
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number]

/** Why an endpoint is disabled: its owner wished it, it answered 410, or it has failed for too long. */
export const DISABLED_REASONS = ['OWNER', 'GONE', 'FAILING'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export const endpointStatus = ({ disabledAt }: { disabledAt: Date | null }): EndpointStatus =>
  disabledAt ? 'DISABLED' : 'ENABLED'

const SCHEDULE_MS = RETRY_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds, 0) * 1000

/**
 * The time from which on the events are that an endpoint missed because it failed and was then disabled: what was on its
 * way when that began is at most one schedule of retries older. To the second, as the API says it.
 */
export function missedSince({ disabledAt, failingSince }: { disabledAt: Date; failingSince: Date | null }): Date {
  const begin = Math.min(disabledAt.getTime(), failingSince?.getTime() ?? Number.POSITIVE_INFINITY)
  return new Date(Math.floor((begin - SCHEDULE_MS) / 1000) * 1000)
}
