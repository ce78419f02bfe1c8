import { Type } from 'typebox'
import { list } from '../../foundation/http/list/list.ts'
import { get, type Route } from '../../foundation/http/route.ts'
import { closed, idParams, nullable, oneOf } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { getApiKeys } from './api-key/api-key-actions.ts'
import { getUser, getUserPage, visibleUser } from './user-actions.ts'
import { userSorts } from './user-rules.ts'
import { USER_STATUSES, type UserStatus } from './user-status.ts'

const userFields = {
  id: Type.String(),
  user_id: nullable(Type.String()),
  name: Type.String(),
  status: oneOf(USER_STATUSES),
  date: Type.String(),
}

/** Routes for the pages of users, in addition to their profiles. */
export const userPageRoutes: Route[] = [
  list(
    '/web/v1/users',
    {
      access: 'session',
      permission: 'read',
      tag: 'Users',
      summary: 'List the users of the platform with their statuses',
    },
    {
      sorts: userSorts,
      filters: { status: Type.Optional(oneOf(USER_STATUSES)) },
      items: { users: closed(userFields) },
      hasNumbers: false,
      read: (deps, { filter, paging }) => getUserPage(deps, { ...filter, paging }),
      show: (user) => userAnswer(user),
    },
  ),

  get(
    '/web/v1/users/:id',
    {
      access: 'session',
      permission: 'read',
      tag: 'Users',
      summary: 'Retrieve a user with its API keys',
      params: idParams,
      answer: closed({
        ...userFields,
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
      const user = await getUser(deps, key)
      const keys = await getApiKeys(deps, key)
      return {
        ...userAnswer(user),
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

type AnsweredUser = { id: string; externalId: string | null; name: string; status: UserStatus; createdAt: Date }

const userAnswer = ({ id, externalId, name, status, createdAt }: AnsweredUser) => ({
  ...{ id, user_id: externalId, name, status },
  date: formatDateTime(createdAt),
})
