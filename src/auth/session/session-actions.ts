import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/audit-actions.ts'
import { ApiError } from '../../core/errors.ts'
import type { Deps, TxDeps } from '../../db/deps.ts'
import { type Authenticate, type Caller, type Origin, originOf } from '../../http/caller.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { shouldRecordUse } from '../../lib/concurrency/last-use.ts'
import { newId, newSecret } from '../../lib/ids.ts'
import { hashSecret } from '../../lib/secret.ts'
import { findOwnerRow, type Owner } from '../owner/owner-store.ts'
import { SESSION_DAYS, SESSION_IDLE_HOURS, sessionCookieName, sessionCookieOptions } from './session-rules.ts'
import {
  deleteSession,
  deleteSessionByToken,
  deleteSessions,
  findSession,
  insertSession,
  listSessions,
  type SessionRow,
  updateLastSeen,
} from './session-store.ts'

const HOUR_MS = DAY_MS / 24

/** Authenticates the session cookie of a browser. */
export const createSessionAuthenticator =
  (deps: Deps): Authenticate =>
  async (request) => {
    const caller = await findCaller(deps, request)
    if (!caller) throw new ApiError('not_signed_in')
    return caller
  }

export const hasSessionCookie = (deps: Pick<Deps, 'settings'>, request: FastifyRequest): boolean =>
  tokenOf(deps, request) !== null

/** The signed-in owner of a browser, or null. */
export async function findCaller(deps: Deps, request: FastifyRequest): Promise<Caller | null> {
  const token = tokenOf(deps, request)
  const now = deps.realClock.now()
  const session = token && (await findSession(deps.sql, hashSecret(token), now))
  if (!session) return null
  if (shouldRecordUse(session.lastSeenAt, now)) {
    await updateLastSeen(deps.sql, hashSecret(token), { now, idleHours: SESSION_IDLE_HOURS, days: SESSION_DAYS })
  }
  return {
    platformId: session.platformId,
    userId: session.platformId,
    isOwner: true,
    credential: { kind: 'session', id: session.id, provedAt: session.provedAt },
    origin: originOf(request),
  }
}

/** An owner in the form that pages show, or null for an unknown id. */
export const findOwner = (deps: Pick<TxDeps, 'sql'>, platformId: string): Promise<Owner | null> =>
  findOwnerRow(deps.sql, platformId)

export type NewSession = { id: string; token: string }

/** Starts a session of an owner and ends the browser's previous session. */
export async function startSession(
  deps: TxDeps,
  { platformId, origin, previousToken }: { platformId: string; origin: Origin; previousToken: string | null },
): Promise<NewSession> {
  if (previousToken !== null) await deleteSessionByToken(deps.sql, hashSecret(previousToken))
  const session = { id: newId({ clock: deps.realClock, random: deps.random }), token: newSecret(deps) }
  const now = deps.realClock.now()
  await insertSession(deps.sql, hashSecret(session.token), {
    ...origin,
    platformId,
    id: session.id,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + SESSION_IDLE_HOURS * HOUR_MS),
  })
  return session
}

/** The session token in the cookie, or null. */
export function tokenOf({ settings }: Pick<Deps, 'settings'>, request: FastifyRequest): string | null {
  return request.cookies[sessionCookieName(settings)] || null
}

/** Sets the session cookie. */
export function setSessionCookie({ settings }: Pick<Deps, 'settings'>, reply: FastifyReply, token: string): void {
  const maxAge = (SESSION_DAYS * DAY_MS) / 1000
  reply.setCookie(sessionCookieName(settings), token, { ...sessionCookieOptions(settings), maxAge })
}

export function clearSessionCookie({ settings }: Pick<Deps, 'settings'>, reply: FastifyReply): void {
  reply.clearCookie(sessionCookieName(settings), sessionCookieOptions(settings))
}

/** Ends the session of this browser, if any. */
export async function signOut(
  deps: TxDeps,
  { token, origin }: { token: string | null; origin: Origin },
): Promise<void> {
  const session = token === null ? null : await deleteSessionByToken(deps.sql, hashSecret(token))
  if (!session) return
  const { platformId, id } = session
  await recordAudit(deps, { platformId, userId: platformId, credential: { kind: 'session', id }, origin }, 'sign_out')
}

export const getSessions = (deps: Deps, { platformId }: Caller): Promise<SessionRow[]> =>
  listSessions(deps.sql, platformId, deps.realClock.now())

/** Ends one session of the owner. @throws ApiError session_not_found */
export async function endSession(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  const isEnded = await deleteSession(deps.sql, { platformId: caller.platformId, id })
  if (!isEnded) throw new ApiError('session_not_found')
  await recordAudit(deps, caller, 'session_ended', id)
}

/** Ends every session of the owner, including this one. */
export async function endSessions(deps: TxDeps, caller: Caller): Promise<void> {
  await deleteSessions(deps.sql, { platformId: caller.platformId, exceptId: null })
  await recordAudit(deps, caller, 'sessions_ended')
}
