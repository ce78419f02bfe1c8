import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { networkOf } from '../../lib/network.ts'
import type { Limit, RateLimits } from './rate-limit.ts'

/** Slows an address that sends bad credentials, before they reach the database. */
export type CredentialLimit = {
  /** @throws ApiError rate_limited */
  refuse(request: FastifyRequest, reply: FastifyReply): void
  failed(request: FastifyRequest): void
  worked(request: FastifyRequest): void
}

/** The number of working credentials to remember. */
const MAX_REMEMBERED = 10_000

/** Credentials that worked before are not limited, so that one client with a wrong key does not block others at its address. */
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
      // Not needed before the first failure.
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
