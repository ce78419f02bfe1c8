import { Type } from 'typebox'
import { PERMISSIONS, permissionsOf, ROLES } from '../../../foundation/core/permission-rules.ts'
import { del, get, post, put, type Route } from '../../../foundation/http/route.ts'
import { closed, id, idParams, nothing, nullable, oneOf } from '../../../foundation/http/schema.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { clearSessionCookie } from '../session/session-actions.ts'
import { getPlatforms, setUpPlatform, switchPlatform } from './platform-actions.ts'
import {
  changeRole,
  getTeam,
  type ListedMember,
  leaveTeam,
  type MemberHooks,
  removeMember,
  setTwoFactorRule,
} from './team-actions.ts'
import { MAX_TEAM, mayManage } from './team-rules.ts'

const tag = 'Team'
const managing = { access: 'session', permission: 'team', needsStepUp: true, tag } as const
const own = { access: 'session', permission: 'self', tag } as const
const apiKeys = Type.Array(closed({ id: Type.String(), name: nullable(Type.String()) }))

const madeKeys = Type.Array(
  closed({
    id: Type.String(),
    name: nullable(Type.String()),
    user: nullable(closed({ id: Type.String(), name: Type.String() })),
  }),
)

const Team = closed({
  members: Type.Array(
    closed({
      id: Type.String(),
      name: Type.String(),
      email: Type.String(),
      role: oneOf(ROLES),
      is_this: Type.Boolean(),
      has_two_factor: Type.Boolean(),
      may_manage: Type.Boolean(),
      joined: Type.String(),
      last_seen: nullable(Type.String()),
      api_keys: apiKeys,
    }),
  ),
  roles: Type.Array(
    closed({ role: oneOf(ROLES), permissions: Type.Array(oneOf(PERMISSIONS)), may_give: Type.Boolean() }),
  ),
  two_factor_required: Type.Boolean(),
  limit: Type.Integer(),
})

export const teamRoutes = (hooks: MemberHooks): Route[] => [
  ...memberRoutes,
  ...departureRoutes(hooks),
  ...platformRoutes,
]

const memberRoutes: Route[] = [
  get(
    '/web/v1/team',
    { access: 'session', permission: 'team', tag, summary: 'List the members of the platform', answer: Team },
    async (deps, { caller }) => {
      const { members, requiresTwoFactor } = await getTeam(deps, caller)
      const { credential, permissions } = caller
      const own = credential.kind === 'session' ? credential.loginId : null
      return {
        members: members.map((member) => ({
          ...memberAnswer(member),
          is_this: member.loginId === own,
          may_manage: mayManage(permissions, member.role),
        })),
        roles: ROLES.map((role) => ({
          role,
          permissions: [...permissionsOf(role, deps.settings.name)],
          may_give: mayManage(permissions, role),
        })),
        two_factor_required: requiresTwoFactor,
        limit: MAX_TEAM,
      }
    },
  ),

  put(
    '/web/v1/team/:id',
    {
      ...managing,
      summary: 'Change the role of a member',
      params: idParams,
      body: closed({ role: oneOf(ROLES) }),
      answer: nothing,
    },
    async (deps, { caller, params, body }) => changeRole(deps, caller, { loginId: params.id, role: body.role }),
  ),
]

const departureRoutes = (hooks: MemberHooks): Route[] => [
  del(
    '/web/v1/team/:id',
    {
      ...managing,
      summary: 'Remove a member',
      params: idParams,
      answer: closed({ api_keys: madeKeys }),
    },
    async (deps, { caller, params }) => ({
      api_keys: await removeMember(deps, caller, { loginId: params.id, ...hooks }),
    }),
  ),

  post(
    '/web/v1/team/leave',
    {
      ...own,
      needsStepUp: true,
      summary: 'Leave the platform',
      status: 201,
      answer: nothing,
    },
    async (deps, { caller, reply }) => {
      await leaveTeam(deps, caller, hooks)
      clearSessionCookie(deps, reply)
    },
  ),
]

const platformRoutes: Route[] = [
  put(
    '/web/v1/team/policy',
    {
      access: 'session',
      permission: 'policy',
      needsStepUp: true,
      tag,
      summary: 'Require two-factor authentication of the members',
      body: closed({ two_factor_required: Type.Boolean() }),
      answer: nothing,
    },
    async (deps, { caller, body }) => setTwoFactorRule(deps, caller, body.two_factor_required),
  ),

  get(
    '/web/v1/platforms',
    {
      ...own,
      summary: 'List your platforms',
      answer: closed({
        platforms: Type.Array(
          closed({ id: Type.String(), name: Type.String(), role: oneOf(ROLES), is_this: Type.Boolean() }),
        ),
      }),
    },
    async (deps, { caller }) => ({
      platforms: (await getPlatforms(deps, caller)).map(({ platformId, name, role }) => ({
        id: platformId,
        name,
        role,
        is_this: platformId === caller.platformId,
      })),
    }),
  ),

  post(
    '/web/v1/platforms/switch',
    {
      ...own,
      summary: 'Switch to another of your platforms',
      body: closed({ platform: id }),
      status: 201,
      answer: nothing,
    },
    async (deps, { caller, body }) => switchPlatform(deps, caller, body.platform),
  ),

  post(
    '/web/v1/platforms/set-up',
    {
      access: 'session',
      permission: 'accounts',
      tag,
      summary: 'Show a payee the pages of a platform',
      status: 201,
      answer: nothing,
    },
    async (deps, { caller }) => setUpPlatform(deps, caller),
  ),
]

const memberAnswer = (member: ListedMember) => ({
  id: member.loginId,
  name: member.name,
  email: member.email,
  role: member.role,
  has_two_factor: member.hasTwoFactor,
  joined: formatDateTime(member.joinedAt),
  last_seen: member.lastSeenAt && formatDateTime(member.lastSeenAt),
  api_keys: member.apiKeys,
})
