import { Type } from 'typebox'
import { get, type Route } from '../http/route.ts'
import { closed, idParams, nullable, oneOf } from '../http/schema.ts'
import { formatDateTime } from '../lib/clock.ts'
import { getApiKeys } from './api-key/api-key-actions.ts'
import { getUser, visibleUser } from './user-actions.ts'
import { USER_STATUSES } from './user-status.ts'

/** What the page of a user shows beside its profile. */
export const userPageRoutes: Route[] = [
  get(
    '/web/v1/users/:id',
    {
      access: 'session',
      permission: 'read',
      tag: 'Users',
      summary: 'Retrieve a user with its API keys',
      params: idParams,
      answer: closed({
        id: Type.String(),
        user_id: nullable(Type.String()),
        name: Type.String(),
        status: oneOf(USER_STATUSES),
        date: Type.String(),
        api_keys: Type.Array(
          closed({
            id: Type.String(),
            name: nullable(Type.String()),
            expiration_date: nullable(Type.String()),
            last_used: nullable(Type.String()),
          }),
        ),
      }),
    },
    async (deps, { caller, params }) => {
      const key = visibleUser(caller, params.id)
      const { id, externalId, name, status, createdAt } = await getUser(deps, key)
      const keys = await getApiKeys(deps, key)
      return {
        ...{ id, user_id: externalId, name, status },
        date: formatDateTime(createdAt),
        api_keys: keys.map((row) => ({
          id: row.key,
          name: row.name,
          expiration_date: row.expirationDate,
          last_used: row.lastUsedAt && formatDateTime(row.lastUsedAt),
        })),
      }
    },
  ),
]
