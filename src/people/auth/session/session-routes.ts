import { Type } from 'typebox'
import { del, get, post, type Route } from '../../../foundation/http/route.ts'
import { closed, idParams, nothing, nullable, text } from '../../../foundation/http/schema.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { MAX_PASSWORD_LENGTH } from '../login/password-rules.ts'
import { confirmOwner } from './confirmation-actions.ts'
import { clearSessionCookie, endSession, endSessions, getSessions } from './session-actions.ts'

const common = { access: 'session', permission: 'self', tag: 'Sessions' } as const

const Sessions = closed({
  sessions: Type.Array(
    closed({
      id: Type.String(),
      is_this: Type.Boolean(),
      date: Type.String(),
      last_seen: Type.String(),
      address: Type.String(),
      user_agent: nullable(Type.String()),
    }),
  ),
})

export const sessionRoutes: Route[] = [
  post(
    '/web/v1/step-up',
    {
      ...common,
      transaction: 'none',
      summary: 'Confirm your identity with the password or a code',
      body: closed({
        password: Type.Optional(text(1, MAX_PASSWORD_LENGTH)),
        code: Type.Optional(text(1, 40)),
      }),
      status: 201,
      answer: nothing,
    },
    async (deps, { caller, body }) => confirmOwner(deps, caller, body),
  ),

  get('/web/v1/sessions', { ...common, summary: 'List your sessions', answer: Sessions }, async (deps, { caller }) => {
    const sessions = await getSessions(deps, caller)
    return {
      sessions: sessions.map((session) => ({
        id: session.id,
        is_this: session.id === caller.credential.id,
        date: formatDateTime(session.createdAt),
        last_seen: formatDateTime(session.lastSeenAt),
        address: session.address,
        user_agent: session.userAgent,
      })),
    }
  }),

  del(
    '/web/v1/sessions/:id',
    { ...common, summary: 'End a session', params: idParams, answer: nothing },
    async (deps, { caller, params, reply }) => {
      await endSession(deps, caller, params.id)
      if (params.id === caller.credential.id) clearSessionCookie(deps, reply)
    },
  ),

  del(
    '/web/v1/sessions',
    { ...common, summary: 'Sign out everywhere', answer: nothing },
    async (deps, { caller, reply }) => {
      await endSessions(deps, caller)
      clearSessionCookie(deps, reply)
    },
  ),
]
