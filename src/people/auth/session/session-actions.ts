import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import { permissionsOfPerson } from '../../../foundation/core/permission-rules.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { type Authenticate, type Caller, type Origin, originOf, personOf } from '../../../foundation/http/caller.ts'
import { DAY_MS } from '../../../foundation/lib/clock.ts'
import { shouldRecordUse } from '../../../foundation/lib/concurrency/last-use.ts'
import { newId, newSecret } from '../../../foundation/lib/ids.ts'
import { hashSecret } from '../../../foundation/lib/secret.ts'
import { findPerson, type Person } from '../login/login-store.ts'
import { findMembership, type MemberKey, type Membership, updatePlatformUse } from '../team/member-store.ts'
import {
  SESSION_DAYS,
  SESSION_IDLE_HOURS,
  sessionCookieName,
  sessionCookieOptions,
  UNATTENDED_HEADER,
} from './session-rules.ts'
import {
  deleteSession,
  deleteSessionByToken,
  deleteSessions,
  findSession,
  insertSession,
  listLiveSessions,
  listSessions,
  type MemberSession,
  type SessionRow,
  updateLastSeen,
} from './session-store.ts'

const HOUR_MS = DAY_MS / 24

/** Creates the authenticator for the session cookie of a browser. */
export const createSessionAuthenticator =
  (deps: Deps): Authenticate =>
  async (request) => {
    const caller = await findCaller(deps, request)
    if (!caller) throw new ApiError('not_signed_in')
    return caller
  }

export const hasSessionCookie = (deps: Pick<Deps, 'settings'>, request: FastifyRequest): boolean =>
  tokenOf(deps, request) !== null

/** Returns the signed-in person of a browser as a caller that acts as the owner of the platform. Returns null without a session. */
export async function findCaller(deps: Deps, request: FastifyRequest): Promise<Caller | null> {
  return (await findOpenSession(deps, request))?.caller ?? null
}

/**
 * Returns the signed-in person of a browser, and when the session ends if it is not used again. A request by the person extends the
 * session.
 */
export async function findOpenSession(
  deps: Deps,
  request: FastifyRequest,
): Promise<{ caller: Caller; expiresAt: Date } | null> {
  const token = tokenOf(deps, request)
  const now = deps.realClock.now()
  const session = token && (await findSession(deps.sql, hashSecret(token), now))
  if (!session) return null
  const caller = callerOf(deps, session, request)
  if (!isAttended(request) || !shouldRecordUse(session.lastSeenAt, now)) return { caller, expiresAt: session.expiresAt }
  const use = { now, idleHours: SESSION_IDLE_HOURS, days: SESSION_DAYS }
  return { caller, expiresAt: (await updateLastSeen(deps.sql, hashSecret(token), use)) ?? session.expiresAt }
}

const isAttended = ({ routeOptions, headers }: FastifyRequest): boolean =>
  routeOptions.config.isUnattended !== true && headers[UNATTENDED_HEADER] === undefined

function callerOf(deps: Deps, session: MemberSession, request: FastifyRequest): Caller {
  return {
    platformId: session.platformId,
    userId: session.platformId,
    isOwner: true,
    permissions: permissionsOfPerson(session, deps.settings.name),
    credential: {
      kind: 'session',
      id: session.id,
      loginId: session.loginId,
      provedAt: session.provedAt,
      role: session.role,
      mustEnroll: session.mustEnroll,
    },
    origin: originOf(request),
  }
}

/** A signed-in person and the platform of the session, as pages show them. */
export type SignedIn = Person & Membership & { platformId: string }

/** Returns the signed-in person with the platform, or null if the person is no longer a member. */
export async function getSignedIn(deps: Pick<TxDeps, 'sql'>, caller: Caller): Promise<SignedIn | null> {
  const { platformId } = caller
  const loginId = personOf(caller)
  const person = await findPerson(deps.sql, loginId)
  const membership = await findMembership(deps.sql, { platformId, loginId })
  return person && membership && { ...person, platformId, ...membership }
}

export type NewSession = { id: string; token: string }

/** Starts a session of a member and ends the browser's previous session. */
export async function startSession(
  deps: TxDeps,
  { platformId, loginId, origin, previousToken }: MemberKey & { origin: Origin; previousToken: string | null },
): Promise<NewSession> {
  if (previousToken !== null) await deleteSessionByToken(deps.sql, hashSecret(previousToken))
  const session = { id: newId({ clock: deps.realClock, random: deps.random }), token: newSecret(deps) }
  const now = deps.realClock.now()
  await insertSession(deps.sql, hashSecret(session.token), {
    ...origin,
    platformId,
    loginId,
    id: session.id,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + SESSION_IDLE_HOURS * HOUR_MS),
  })
  await updatePlatformUse(deps.sql, { platformId, loginId }, now)
  return session
}

/** Returns the session token from the cookie, or null. */
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

/** Ends the session of this browser, if it has one. */
export async function signOut(
  deps: TxDeps,
  { token, origin }: { token: string | null; origin: Origin },
): Promise<void> {
  const session = token === null ? null : await deleteSessionByToken(deps.sql, hashSecret(token))
  if (!session) return
  const { platformId, loginId, id } = session
  const credential = { kind: 'session', id, loginId } as const
  await recordAudit(deps, { platformId, userId: platformId, credential, origin }, 'sign_out')
}

/** Returns which of these sessions are still open on the platform. */
export async function liveSessions(
  { sql, realClock }: Deps,
  platformId: string,
  sessions: readonly { id: string; loginId: string }[],
): Promise<Set<string>> {
  const loginIds = [...new Set(sessions.map(({ loginId }) => loginId))]
  const ids = sessions.map(({ id }) => id)
  const live = await listLiveSessions(sql, platformId, { loginIds, ids, now: realClock.now() })
  return new Set(live.map(({ id }) => id))
}

export const getSessions = (deps: Deps, caller: Caller): Promise<SessionRow[]> =>
  listSessions(deps.sql, personOf(caller), deps.realClock.now())

/** Ends one session of the person, on any platform. @throws ApiError session_not_found */
export async function endSession(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  const isEnded = await deleteSession(deps.sql, { loginId: personOf(caller), id })
  if (!isEnded) throw new ApiError('session_not_found')
  await recordAudit(deps, caller, 'session_ended', id)
}

/** Ends every session of the person, including this one. */
export async function endSessions(deps: TxDeps, caller: Caller): Promise<void> {
  await deleteSessions(deps.sql, { loginId: personOf(caller), exceptId: null })
  await recordAudit(deps, caller, 'sessions_ended')
}
