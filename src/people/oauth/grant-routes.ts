import { Type } from 'typebox'
import { SCOPES } from '../../foundation/core/scope.ts'
import { del, get, type Route } from '../../foundation/http/route.ts'
import { closed, idParams, nothing, nullable, oneOf } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { getGrants, revokeGrant } from './grant-actions.ts'

const common = { access: 'session', permission: 'keys', tag: 'Connected applications' } as const

const Grants = closed({
  grants: Type.Array(
    closed({
      id: Type.String(),
      application: closed({ name: Type.String(), site: Type.String() }),
      scope: oneOf(SCOPES),
      date: Type.String(),
      last_used: nullable(Type.String()),
    }),
  ),
})

export const grantRoutes: Route[] = [
  get(
    '/web/v1/grants',
    { ...common, summary: 'List authorized applications', answer: Grants },
    async (deps, { caller }) => {
      const grants = await getGrants(deps, caller)
      return {
        grants: grants.map((grant) => ({
          id: grant.id,
          application: { name: grant.applicationName, site: grant.applicationSite },
          scope: grant.scope,
          date: formatDateTime(grant.createdAt),
          last_used: grant.lastUsedAt && formatDateTime(grant.lastUsedAt),
        })),
      }
    },
  ),

  del(
    '/web/v1/grants/:id',
    {
      ...common,
      summary: 'Disconnect an application',
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => revokeGrant(deps, caller, params.id),
  ),
]
