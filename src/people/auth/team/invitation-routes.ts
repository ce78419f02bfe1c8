import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { ROLES } from '../../../foundation/core/permission-rules.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { type Caller, originOf } from '../../../foundation/http/caller.ts'
import { del, get, post, type Route } from '../../../foundation/http/route.ts'
import { closed, email, idParams, nothing, nullable, oneOf, text, visible } from '../../../foundation/http/schema.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { readKnownDevice, setDeviceCookie } from '../login/device-actions.ts'
import { MAX_PASSWORD_LENGTH } from '../login/password-rules.ts'
import { findCaller, getSignedIn, setSessionCookie, tokenOf } from '../session/session-actions.ts'
import { acceptInvitation, getInvitations, invite, readInvitation, revokeInvitation } from './invitation-actions.ts'

const tag = 'Invitations'
const inviting = { access: 'session', permission: 'team', tag } as const
const invited = { access: 'anyone', transaction: 'none', tag } as const

/** The token of an invitation. It is in the body, because proxies log paths. */
const token = text(1, 64)

const Invitations = closed({
  invitations: Type.Array(
    closed({
      id: Type.String(),
      email: Type.String(),
      role: oneOf(ROLES),
      invited_by: Type.String(),
      date: Type.String(),
      expires: Type.String(),
    }),
  ),
})

const Invitation = closed({
  platform: Type.String(),
  invited_by: Type.String(),
  email: Type.String(),
  role: oneOf(ROLES),
  expires: Type.String(),
  has_login: Type.Boolean(),
  signed_in_as: nullable(Type.String()),
})

type Links = { baseUrl: () => string }

export const invitationRoutes = (links: Links): Route[] => [...teamInvitationRoutes(links), ...personRoutes]

/** Routes for the members who invite. */
const teamInvitationRoutes = ({ baseUrl }: Links): Route[] => [
  get(
    '/web/v1/invitation',
    { ...inviting, summary: 'List the open invitations', answer: Invitations },
    async (deps, { caller }) => ({
      invitations: (await getInvitations(deps, caller)).map((invitation) => ({
        id: invitation.id,
        email: invitation.email,
        role: invitation.role,
        invited_by: invitation.inviterName,
        date: formatDateTime(invitation.createdAt),
        expires: formatDateTime(invitation.expiresAt),
      })),
    }),
  ),

  post(
    '/web/v1/invitation',
    {
      ...inviting,
      needsStepUp: true,
      summary: 'Invite a person',
      body: closed({ email, role: oneOf(ROLES) }),
      status: 201,
      answer: nothing,
    },
    async (deps, { caller, body }) => invite(deps, caller, { ...body, baseUrl: baseUrl() }),
  ),

  del(
    '/web/v1/invitation/:id',
    {
      ...inviting,
      needsStepUp: true,
      summary: 'Revoke an invitation',
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => revokeInvitation(deps, caller, params.id),
  ),
]

/** Routes for the invited person. */
const personRoutes: Route[] = [
  post(
    '/web/v1/invitation/read',
    {
      ...invited,
      summary: 'Retrieve an invitation',
      body: closed({ token }),
      answer: Invitation,
    },
    async (deps, { body, request }) => {
      const invitation = await readInvitation(deps, body.token)
      const caller = await findCaller(deps, request)
      const person = caller && (await getSignedIn(deps, caller))
      return {
        platform: invitation.platformName,
        invited_by: invitation.inviterName,
        email: invitation.email,
        role: invitation.role,
        expires: formatDateTime(invitation.expiresAt),
        has_login: invitation.hasLogin,
        signed_in_as: person?.email ?? null,
      }
    },
  ),

  post(
    '/web/v1/invitation/accept',
    {
      ...invited,
      summary: 'Accept an invitation and sign in',
      body: closed({
        token,
        name: Type.Optional(text(2, 180, visible)),
        password: Type.Optional(text(1, MAX_PASSWORD_LENGTH)),
        code: Type.Optional(text(1, 40)),
      }),
      answer: closed({ second_factor: Type.Boolean() }),
    },
    async (deps, { body, request, reply }) => {
      const accepted = await acceptInvitation(deps, {
        token: body.token,
        name: body.name,
        password: body.password,
        code: body.code,
        ...(await browserOf(deps, request, body.token)),
      })
      if (accepted.token !== null) {
        setSessionCookie(deps, reply, accepted.token)
        setDeviceCookie(deps, reply, accepted.email)
      }
      return { second_factor: accepted.token === null }
    },
  ),
]

async function browserOf(deps: Deps, request: FastifyRequest, token: string) {
  const caller: Caller | null = await findCaller(deps, request)
  const { email: invited } = await readInvitation(deps, token)
  return {
    caller,
    device: readKnownDevice(deps, request, invited),
    origin: originOf(request),
    previousToken: tokenOf(deps, request),
  }
}
