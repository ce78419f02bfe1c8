import type { FastifyReply } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import type { Clock } from '../../lib/clock.ts'

/** A token bucket. It allows `burst` requests at once, and `perSecond` on average. */
export type Limit = { perSecond: number; burst: number }

/** A limit that a request counts against. `key` identifies the bucket. */
export type Counted = { key: string; limit: Limit }

type Bucket = { tokens: number; filledAt: number; limit: Limit }

const MAX_BUCKETS = 50_000
/** The interval between removals of full buckets. */
const SWEEP_MS = 1_000

export type RateLimits = {
  /**
   * Takes a token from each bucket, or from none if one is empty. The `RateLimit-*` headers describe the bucket with the fewest tokens.
   *
   * @throws ApiError rate_limited
   */
  take(counted: readonly Counted[], reply: FastifyReply): void
  /** Takes a token if the bucket has one, and otherwise does nothing. */
  charge(counted: Counted): void
  hasLeft(counted: Counted): boolean
}

/** Creates the token buckets of one environment, in memory. */
export function createRateLimits(clock: Clock): RateLimits {
  const buckets = new Map<string, Bucket>()
  let sweptAt = Number.NEGATIVE_INFINITY

  function bucketOf({ key, limit }: Counted, now: number): Bucket {
    let bucket = buckets.get(key)
    if (!bucket) {
      if (buckets.size >= MAX_BUCKETS) makeRoom(now)
      bucket = { tokens: limit.burst, filledAt: now, limit }
      buckets.set(key, bucket)
    }
    fill(bucket, now)
    return bucket
  }

  /** Removes all full buckets. If there are none, removes the oldest bucket. */
  function makeRoom(now: number): void {
    if (now - sweptAt >= SWEEP_MS) {
      sweptAt = now
      for (const [key, bucket] of buckets) {
        fill(bucket, now)
        if (bucket.tokens >= bucket.limit.burst) buckets.delete(key)
      }
    }
    if (buckets.size < MAX_BUCKETS) return
    for (const key of buckets.keys()) return void buckets.delete(key)
  }

  return {
    take: (counted, reply) => {
      const now = clock.now().getTime()
      const taken = counted.map((one) => bucketOf(one, now))
      const nearest = taken.reduce((a, b) => (b.tokens < a.tokens ? b : a))
      const { limit } = nearest
      const isAllowed = nearest.tokens >= 1
      if (isAllowed) for (const bucket of taken) bucket.tokens -= 1
      reply.header('ratelimit-limit', limit.burst)
      reply.header('ratelimit-remaining', Math.floor(nearest.tokens))
      reply.header('ratelimit-reset', Math.ceil((limit.burst - nearest.tokens) / limit.perSecond))
      if (isAllowed) return
      reply.header('retry-after', Math.ceil((1 - nearest.tokens) / limit.perSecond))
      throw new ApiError('rate_limited')
    },
    charge: (counted) => {
      const bucket = bucketOf(counted, clock.now().getTime())
      bucket.tokens = Math.max(0, bucket.tokens - 1)
    },
    hasLeft: (counted) => bucketOf(counted, clock.now().getTime()).tokens >= 1,
  }
}

function fill(bucket: Bucket, now: number): void {
  const { perSecond, burst } = bucket.limit
  bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.filledAt) / 1000) * perSecond)
  bucket.filledAt = now
}
