import type { FastifyRequest } from 'fastify'
import { ApiError } from '../../core/errors.ts'
import type { Deps, TxDeps } from '../../db/deps.ts'
import { inTransaction } from '../../db/transaction.ts'
import { canonicalJson } from '../../lib/text/canonical-json.ts'
import { type Caller, memberOf } from '../caller.ts'
import {
  type ClaimOutcome,
  claimIdempotencyKey,
  type IdempotencyClaim,
  recordIdempotentAnswer,
} from './idempotency-store.ts'

/** The answer to a POST, in the form in which it is sent and stored. */
export type StoredAnswer = { status: number; text: string; isReplayed: boolean }

/**
 * Returns the claim of an Idempotency-Key, with digests by each master key of the ring. Returns null for a request without an
 * Idempotency-Key. An Idempotency-Key belongs to the caller, the method and the path. The two path prefixes of banks count as the same path
 * (specification.md 1.6).
 */
export function idempotencyClaim(deps: Deps, request: FastifyRequest, caller: Caller): IdempotencyClaim | null {
  const { keyRing } = deps
  const scope = idempotencyScope(request, caller)
  if (scope === null) return null
  const body = canonicalJson(request.body)
  const digestsBy = (id: string) => ({
    key: keyRing.digestHex(scope, 'idempotency key', id),
    fingerprint: keyRing.digestHex(body, 'idempotency fingerprint', id),
  })
  const digests = Object.fromEntries(keyRing.ids.map((id) => [id, digestsBy(id)]))
  return { platformId: caller.platformId, digests, now: deps.realClock.now() }
}

/** Returns the text whose digest identifies an Idempotency-Key, without the body. @throws ApiError invalid_idempotency_key */
export function idempotencyScope(request: FastifyRequest, caller: Caller): string | null {
  const key = idempotencyKeyOf(request)
  return key === null ? null : [scopeOf(caller), request.method, canonicalAddress(request), key].join('\n')
}

/**
 * Returns the Idempotency-Key of a request. Every POST checks it, even if the key has no effect.
 *
 * @throws ApiError invalid_idempotency_key
 */
export function idempotencyKeyOf({ headers, raw }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  // Node joins the values of a repeated header, so the number of values must be checked.
  if ((raw.headersDistinct['idempotency-key']?.length ?? 0) > 1) {
    throw new ApiError('invalid_idempotency_key', { fields: { 'idempotency-key': ['can be given only once'] } })
  }
  if (typeof key !== 'string' || !/^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(key)) {
    throw new ApiError('invalid_idempotency_key', { fields: { 'idempotency-key': ['has an invalid format'] } })
  }
  return key
}

/**
 * Returns the owner of an Idempotency-Key: a user, an application that acts for it, or a member. These do not share keys, because a
 * recorded answer can contain a secret that another one has no permission to read.
 */
function scopeOf({ userId, credential }: Caller): string {
  if (credential.kind === 'token') return `${userId} ${credential.applicationId}`
  const member = memberOf({ credential })
  return member ? `${userId} ${member}` : userId
}

/** Returns the route and its ids, in a form that does not depend on how the path was written. */
function canonicalAddress({ routeOptions, params }: FastifyRequest): string {
  const ids = Object.values(params as Record<string, string>).join(' ')
  return `${routeOptions.url?.replace('/v3/account/bank', '/v3/bank')} ${ids}`
}

/** Runs requests with the same key one at a time, within this process. */
export type OneAtATime = <T>(claim: IdempotencyClaim | null, run: () => Promise<T>) => Promise<T>

export function createOneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>()
  return async (claim, run) => {
    if (!claim) return run()
    const key = Object.values(claim.digests)[0]?.key as string
    const mine = (last.get(key) ?? Promise.resolve()).then(run, run)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}

type AnswerOptions = { status: number; isSecret: boolean; isInTransaction: boolean }

/**
 * The Idempotency-Key of a request that changes another platform, in a transaction of that platform. The change commits with a record of the
 * key there. If the process crashes before it records the answer, the repeated request finds that the change was made. Without a key, nothing
 * is recorded.
 */
export type KeyElsewhere = {
  /** Returns whether an earlier request has made its change. @throws ApiError idempotency_key_in_use, idempotency_key_reused */
  isUsed(tx: TxDeps, platformId: string): Promise<boolean>
  /** Records the key in the transaction of the change. @throws ApiError idempotency_key_in_use */
  record(tx: TxDeps, platformId: string): Promise<void>
}

const keyElsewhere = (claim: IdempotencyClaim | null): KeyElsewhere => ({
  isUsed: async (tx, platformId) => claim !== null && (await keptAnswer(tx, { ...claim, platformId })) !== null,
  record: async (tx, platformId) => {
    if (!claim) return
    const own = { ...claim, platformId }
    const found = await claimIdempotencyKey(tx.sql, own)
    if (found.outcome !== 'new') throw new ApiError('idempotency_key_in_use')
    await recordIdempotentAnswer(tx.sql, { ...own, ...found }, { status: 204, text: '', sealed: null })
  },
})

/** `prepare` runs outside of a transaction, and its result is passed to `work`. It is null if nothing needs to be prepared. */
type Work = {
  prepare: ((key: KeyElsewhere) => Promise<object>) | null
  work: (deps: Deps | TxDeps, prepared: object | null) => Promise<string | ApiError>
}

/**
 * Does the work and records its answer. If the Idempotency-Key was used before, returns the recorded answer instead. A refusal is thrown
 * and not recorded, so that the key can be used again.
 *
 * @param options.isInTransaction whether one transaction contains the work and the record. Otherwise, the work runs outside of a
 * transaction
 * @throws ApiError idempotency_key_in_use, idempotency_key_reused
 */
export async function answerOnce(
  deps: Deps,
  claim: IdempotencyClaim | null,
  options: AnswerOptions,
  { prepare, work }: Work,
): Promise<StoredAnswer | ApiError> {
  const { isInTransaction } = options
  if (!isInTransaction || prepare) {
    const kept = claim && (await inTransaction(deps, (tx) => keptAnswer(tx, claim)))
    if (kept) return kept
  }
  const prepared = prepare && (await prepare(keyElsewhere(claim)))
  if (isInTransaction) return inTransaction(deps, (tx) => claimAndRecord(tx, claim, options, () => work(tx, prepared)))
  const text = await work(deps, prepared)
  if (claim) return inTransaction(deps, (tx) => claimAndRecord(tx, claim, options, async () => text))
  return newAnswer(text, options)
}

const newAnswer = (text: string | ApiError, { status }: AnswerOptions): StoredAnswer | ApiError =>
  text instanceof ApiError ? text : { status, text, isReplayed: false }

async function claimAndRecord(
  tx: TxDeps,
  claim: IdempotencyClaim | null,
  options: AnswerOptions,
  work: () => Promise<string | ApiError>,
): Promise<StoredAnswer | ApiError> {
  if (!claim) return newAnswer(await work(), options)
  const found = await claimIdempotencyKey(tx.sql, claim)
  if (found.outcome !== 'new') return replay(tx, found)
  const text = await work()
  if (text instanceof ApiError) return text
  const { status, isSecret } = options
  const sealed = isSecret ? tx.keyRing.seal(text, 'idempotency answer') : null
  await recordIdempotentAnswer(tx.sql, { ...claim, ...found }, { status, text: isSecret ? null : text, sealed })
  return newAnswer(text, options)
}

/** Returns the recorded answer of an Idempotency-Key, or null if the key is new. */
async function keptAnswer(tx: TxDeps, claim: IdempotencyClaim): Promise<StoredAnswer | null> {
  const found = await claimIdempotencyKey(tx.sql, claim)
  return found.outcome === 'new' ? null : replay(tx, found)
}

/** Returns the recorded answer. @throws ApiError idempotency_key_in_use, idempotency_key_reused */
function replay(deps: TxDeps, found: ClaimOutcome): StoredAnswer {
  if (found.outcome !== 'new' && found.outcome !== 'replayed') throw new ApiError(found.outcome)
  const text = found.answerSealed
    ? deps.keyRing.openText(found.answerSealed, 'idempotency answer')
    : (found.answer as string)
  return { status: found.status, text, isReplayed: true }
}
