import type { FastifyReply } from 'fastify'
import type { Clock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'

type Bucket = { tokens: number; filledAt: number }

/** Buckets that are full again are dropped when there are more than this. */
const MAX_BUCKETS = 50_000

/** A token bucket for each credential, in the memory of this process. */
export function createRateLimit(options: { perSecond: number; burst: number; clock: Clock }) {
  const buckets = new Map<string, Bucket>()

  function dropFullBuckets(now: number) {
    for (const [key, bucket] of buckets) {
      if (bucket.tokens + ((now - bucket.filledAt) / 1000) * options.perSecond >= options.burst) buckets.delete(key)
    }
  }

  /** Takes one token and says in `RateLimit-*` what is left. @throws ApiError rate_limited */
  return (credential: string, reply: FastifyReply): void => {
    const now = options.clock.now().getTime()
    let bucket = buckets.get(credential)
    if (!bucket) {
      if (buckets.size >= MAX_BUCKETS) dropFullBuckets(now)
      bucket = { tokens: options.burst, filledAt: now }
      buckets.set(credential, bucket)
    }
    const refill = (Math.max(0, now - bucket.filledAt) / 1000) * options.perSecond
    bucket.tokens = Math.min(options.burst, bucket.tokens + refill)
    bucket.filledAt = now
    const isAllowed = bucket.tokens >= 1
    if (isAllowed) bucket.tokens -= 1
    reply.header('ratelimit-limit', options.burst)
    reply.header('ratelimit-remaining', Math.floor(bucket.tokens))
    reply.header('ratelimit-reset', Math.ceil((options.burst - bucket.tokens) / options.perSecond))
    if (isAllowed) return
    reply.header('retry-after', Math.ceil((1 - bucket.tokens) / options.perSecond))
    throw new ApiError('rate_limited')
  }
}
