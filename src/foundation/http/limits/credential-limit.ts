import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../lib/network.ts'
import type { Limit, RateLimits } from './rate-limit.ts'

/** Limits how often an address can send bad credentials. It runs before they reach the database. */
export type CredentialLimit = {
  /** Refuses a request from an address with too many bad credentials. @throws ApiError rate_limited */
  refuse(request: FastifyRequest, reply: FastifyReply): void
  failed(request: FastifyRequest): void
  worked(request: FastifyRequest): void
}

/** The maximum number of remembered credentials that worked. */
const MAX_REMEMBERED = 10_000

/**
 * Creates the limit. Credentials that worked before are not limited, so that a client with a wrong key does not block other clients at its
 * address.
 */
export function limitBadCredentials(limits: RateLimits, limit: Limit): CredentialLimit {
  const remembered = new Set<string>()
  let haveFailed = false
  const countedFor = ({ ip }: FastifyRequest) => ({ key: `failures ${networkOf(ip)}`, limit })

  return {
    refuse: (request, reply) => {
      if (!haveFailed || limits.hasLeft(countedFor(request)) || remembered.has(digestOf(request))) return
      limits.take([countedFor(request)], reply)
    },
    failed: (request) => {
      haveFailed = true
      limits.charge(countedFor(request))
    },
    worked: (request) => {
      // Credentials are remembered only after the first failure.
      if (!haveFailed) return
      const digest = digestOf(request)
      if (remembered.has(digest)) return
      for (const oldest of remembered) {
        if (remembered.size < MAX_REMEMBERED) break
        remembered.delete(oldest)
      }
      remembered.add(digest)
    },
  }
}

const digestOf = ({ headers }: FastifyRequest): string =>
  createHash('sha256')
    .update(headers.authorization ?? headers.cookie ?? '')
    .digest('base64')
