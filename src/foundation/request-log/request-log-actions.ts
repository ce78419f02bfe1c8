import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../core/errors.ts'
import type { Deps } from '../db/deps.ts'
import type { IdRange, Paging, Position } from '../db/paging.ts'
import { inTransaction } from '../db/transaction.ts'
import { isDatabaseDown } from '../db/trouble.ts'
import type { Caller, Credential } from '../http/caller.ts'
import { requestPath, writtenPath } from '../http/route.ts'
import { lowestIdOf, timeOfId } from '../lib/ids.ts'
import { MAX_BODY_BYTES, maskBody } from './request-body-rules.ts'
import { idAtStart, isAboutPayment, isLogged, oldestShown, slotOf } from './request-log-rules.ts'
import {
  findRequest,
  findWindowEnd,
  insertRequests,
  type LoggedRequest,
  listRequests,
  type RequestFilter,
} from './request-log-store.ts'
import { findKeepsBodies, shareKeepsBodies } from './request-setting-store.ts'

const WRITE_EVERY_MS = 500
/**
 * The maximum number of requests that wait to be logged. Further ones are dropped and counted, because writing a row takes about a tenth of
 * the work of a payment.
 */
const MAX_WAITING = 1_000

/** The maximum number of requests that one page of the list searches. */
const WINDOW = 20_000

/** Writes answered requests to the request log in the background. */
export type RequestLog = {
  /** Notes an answered request, without waiting. */
  note(request: FastifyRequest, reply: FastifyReply): void
  /** Writes the waiting requests and stops. */
  end(): Promise<void>
}

/** `body`: the parsed body, or undefined if there is none or it is too long. */
type Waiting = LoggedRequest & { platformId: string; body: unknown }

/**
 * Creates a request log. Requests wait in memory, and one connection at a time writes them, so that the log does not slow down requests.
 * If too many wait or the database is unavailable, the newest ones are dropped.
 */
export function createRequestLog(deps: Deps): RequestLog {
  let waiting: Waiting[] = []
  let writing: Promise<void> | null = null
  const timer = setInterval(() => void write(), WRITE_EVERY_MS)
  timer.unref()

  const write = (): Promise<void> => {
    writing ??= writeAll().finally(() => {
      writing = null
    })
    return writing
  }

  async function writeAll(): Promise<void> {
    // Each platform and day has its own statement, because no transaction may span two platforms.
    const groups = Map.groupBy(waiting, ({ platformId, id }) => `${slotOf(timeOfId(id))} ${platformId}`)
    const done = new Set<Waiting>()
    for (const group of groups.values()) {
      try {
        await writeGroup(deps, group)
      } catch (error) {
        if (isDatabaseDown(error)) break
        deps.log.warn({ err: error }, 'requests are missing in the request log')
        for (const _ of group) deps.meter.requestNotLogged()
      }
      for (const request of group) done.add(request)
    }
    waiting = waiting.filter((request) => !done.has(request))
  }

  return {
    note: (request, reply) => {
      const { caller, method } = request
      const path = requestPath(request.url)
      // Requests without a caller belong to no platform, and those of our own pages that only read are not logged.
      if (!caller || !isLogged({ kind: caller.credential.kind, method, path })) return
      if (waiting.length < MAX_WAITING) waiting.push(loggedRequest(request, reply, path))
      else deps.meter.requestNotLogged()
    },
    end: async () => {
      clearInterval(timer)
      await writing
      await write()
    },
  }
}

async function writeGroup(deps: Deps, group: readonly Waiting[]): Promise<void> {
  const [{ platformId, id }] = group as [Waiting]
  const place = { platformId, slot: slotOf(timeOfId(id)) }
  if (group.every(({ body }) => body === undefined)) {
    await insertRequests(
      deps.sql,
      place,
      group.map((request) => ({ ...request, bodySealed: null })),
    )
    return
  }
  await inTransaction(deps, async ({ sql }) => {
    const keepsBodies = await shareKeepsBodies(sql, platformId)
    const rows = group.map((request) => ({ ...request, bodySealed: keepsBodies ? sealBody(deps, request.body) : null }))
    await insertRequests(sql, place, rows)
  })
}

const sealBody = ({ keyRing }: Deps, body: unknown): Buffer | null =>
  body === undefined ? null : keyRing.seal(JSON.stringify(maskBody(body)), 'request body')

function loggedRequest(request: FastifyRequest, reply: FastifyReply, path: string): Waiting {
  const { caller, method } = request
  return {
    platformId: caller.platformId,
    id: request.id,
    userId: caller.userId,
    credentialKind: caller.credential.kind,
    credentialId: credentialIdOf(caller.credential),
    method,
    path: keptPath(request, path),
    status: reply.statusCode,
    code: request.errorCode ?? null,
    durationMs: Math.round(reply.elapsedTime),
    address: caller.origin.address,
    paymentId: isAboutPayment(path) ? paymentOf(request) : null,
    body: shortBodyOf(request),
  }
}

function shortBodyOf({ body, headers }: FastifyRequest): unknown {
  if (body === undefined || body === null) return undefined
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  return length > 0 && length <= MAX_BODY_BYTES ? body : undefined
}

/** The maximum length of a stored path. An unknown URL can have any length and contain characters that PostgreSQL cannot store. */
const MAX_PATH_LENGTH = 500

const keptPath = ({ url, is404 }: FastifyRequest, path: string): string =>
  (is404 ? writtenPath(url) : path).slice(0, MAX_PATH_LENGTH)

function credentialIdOf(credential: Credential): string {
  if (credential.kind === 'session') return credential.loginId
  return credential.kind === 'token' ? credential.applicationId : credential.id
}

const paymentOf = ({ params, answerStart }: FastifyRequest): string | null =>
  (params as { id?: string } | undefined)?.id ?? idAtStart(answerStart ?? '')

export type RequestPage = {
  rows: LoggedRequest[]
  next: Position | null
  /** If the page ended before it was full, the time of the oldest request that was searched. Otherwise null. */
  searchedTo: Date | null
}

export type RequestSearch = IdRange & Pick<RequestFilter, 'status' | 'path' | 'key'> & { id: string | null }

export type DetailedRequest = LoggedRequest & { body: string | null }

/**
 * Returns a request of the last seven days. `body` is masked JSON. It is null if the platform did not keep it, and for callers that cannot
 * read payments.
 *
 * @throws ApiError request_not_found
 */
export async function getRequest(deps: Deps, caller: Caller, id: string): Promise<DetailedRequest> {
  const { platformId, permissions } = caller
  const fromId = lowestIdOf(oldestShown(deps.realClock.now()))
  const found = await findRequest(deps.sql, { platformId, id, fromId })
  if (!found) throw new ApiError('request_not_found')
  const isShown = permissions.has('read') && (await findKeepsBodies(deps.sql, platformId))
  return {
    ...found,
    body: isShown && found.bodySealed ? deps.keyRing.openText(found.bodySealed, 'request body') : null,
  }
}

/** Lists the requests of the last seven days, newest first. */
export async function getRequests(
  deps: Deps,
  { platformId }: Caller,
  { id, ...search }: RequestSearch,
  { limit, after }: Paging,
): Promise<RequestPage> {
  const oldest = lowestIdOf(oldestShown(deps.realClock.now()))
  const range = id === null ? search : { fromId: id, untilId: idAfter(id) }
  const fromId = range.fromId === null || range.fromId < oldest ? oldest : range.fromId
  const filter = { ...search, ...range, platformId, fromId }
  const rows = await listRequests(deps.sql, filter, { window: WINDOW, limit: limit + 1, after })
  const page = rows.slice(0, limit)
  const last = page.at(-1)?.id
  if (rows.length > limit && last) return { rows: page, next: { value: last, id: last }, searchedTo: null }
  const end = await findWindowEnd(deps.sql, filter, { window: WINDOW, after })
  if (end === null) return { rows, next: null, searchedTo: null }
  return { rows, next: { value: end, id: end }, searchedTo: timeOfId(end) }
}

const idAfter = (id: string): string => (BigInt(`0x${id}`) + 1n).toString(16).padStart(32, '0')
