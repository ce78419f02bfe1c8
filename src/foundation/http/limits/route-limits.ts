import type { Counted, Limit } from './rate-limit.ts'

/**
 * Limits of single routes for each user, in addition to the limits of all requests. Routes with the same limit share a bucket. The limits
 * of sign-ins exist because institutions lock accounts and block services after too many of them.
 */
const ROUTE_LIMITS = {
  institution_login: { perSecond: 1 / 30, burst: 20 },
} as const satisfies Record<string, Limit>

export type RouteLimit = keyof typeof ROUTE_LIMITS

export const limitOfRoute = (
  name: RouteLimit,
  { platformId, userId }: { platformId: string; userId: string },
): Counted => ({ key: `${name} ${platformId} ${userId}`, limit: ROUTE_LIMITS[name] })
