import { Type } from 'typebox'
import { ApiError } from '../../foundation/core/errors.ts'
import { list } from '../../foundation/http/list/list.ts'
import { del, post, type Route } from '../../foundation/http/route.ts'
import { closed, idParams, named, nothing, text, visible } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import type { ApiKeyAuthenticator } from './api-key/api-key-actions.ts'
import { addUser, deleteUser, getUsers, visibleUser } from './user-actions.ts'
import { MASKED_SECRET, userSorts } from './user-rules.ts'
import type { ListedUser as ListedUserRow } from './user-store.ts'
import type { UserHooks } from './user-types.ts'

const tag = 'Users'

const NewUser = closed({ user_id: text(2, 80, { ...visible, format: 'name' }), name: text(2, 180, visible) })

const CreatedUser = named('CreatedUser', {
  id: Type.String(),
  user_id: Type.String(),
  key: Type.String({ description: 'The API key of the user' }),
  secret: Type.String({ description: 'The API secret of the user. It is shown only once.' }),
})

const ListedUser = named('ListedUser', {
  id: Type.String(),
  user_id: Type.String(),
  name: Type.String(),
  key: Type.String({ description: 'The oldest API key. Empty if all keys are revoked.' }),
  secret: Type.String({ description: 'The masked API secret' }),
  date: Type.String(),
})

export const userRoutes = (hooks: UserHooks, { forget }: Pick<ApiKeyAuthenticator, 'forget'>): Route[] => [
  post(
    '/v3/user',
    {
      access: 'owner',
      permission: 'users',
      tag,
      operationId: 'createUser',
      summary: 'Create a user',
      description:
        'Creates a user for one of your customers. The answer contains the user’s API key and secret. The secret is shown only once. The user starts UNVERIFIED and becomes PENDING once its profile is complete enough.',
      errors: ['user_id_taken'],
      body: NewUser,
      status: 201,
      answer: CreatedUser,
      answersSecret: true,
    },
    async (deps, { caller, body }) => {
      const externalId = body.user_id.trim()
      const { id, apiKey } = await addUser(deps, caller, { externalId, name: body.name })
      return { id, user_id: externalId, key: apiKey.key, secret: apiKey.secret }
    },
  ),

  list(
    '/v3/user/list',
    {
      access: 'owner',
      permission: 'read',
      tag,
      operationId: 'listUsers',
      summary: 'List the users of your platform',
      description: 'Lists the users that you created, newest first. `q` searches names and user_ids.',
    },
    {
      sorts: userSorts,
      items: { users: ListedUser },
      read: (deps, { filter, paging }) => getUsers(deps, { ...filter, paging }),
      show: (user) => listedUserAnswer(user),
    },
  ),

  del(
    '/v3/user/:id',
    {
      access: 'user',
      permission: 'users',
      tag,
      operationId: 'deleteUser',
      summary: 'Delete a user',
      description:
        'Deletes a user with its banks, wallets and API keys. You cannot delete a user that has money, debts or payments in progress. The message says which.',
      errors: ['owner_only', 'user_not_found', 'user_is_owner', 'user_busy'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => {
      const user = visibleUser(caller, params.id)
      if (!caller.isOwner) throw new ApiError('owner_only')
      const endedKeys = await deleteUser(deps, caller, user, hooks)
      deps.afterCommit(() => forget({ keys: endedKeys }))
    },
  ),
]

const listedUserAnswer = ({ id, externalId, name, key, createdAt }: ListedUserRow) => ({
  id,
  user_id: externalId,
  name,
  key: key ?? '',
  secret: MASKED_SECRET,
  date: formatDateTime(createdAt),
})
