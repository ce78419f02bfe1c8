import { Type } from 'typebox'
import { ApiError } from '../../foundation/core/errors.ts'
import { linkNextPage, listQuery, pageNumbers, pageNumbersSchema, pagingOf } from '../../foundation/http/list-query.ts'
import { del, get, post, type Route } from '../../foundation/http/route.ts'
import { closed, idParams, named, nothing, text, visible } from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { addUser, deleteUser, getUsers, type UserDependents, visibleUser } from './user-actions.ts'
import { MASKED_SECRET, userSorts } from './user-rules.ts'
import type { ListedUser } from './user-store.ts'

const tag = 'Users'

const NewUser = closed({ user_id: text(2, 80, { ...visible, format: 'name' }), name: text(2, 180, visible) })

const CreatedUser = named('CreatedUser', {
  id: Type.String(),
  user_id: Type.String(),
  key: Type.String({ description: 'The API key of the user' }),
  secret: Type.String({ description: 'The API secret of the user. It is shown only once.' }),
})

const Users = closed({
  users: Type.Array(
    named('ListedUser', {
      id: Type.String(),
      user_id: Type.String(),
      name: Type.String(),
      key: Type.String({ description: 'The oldest API key. Empty if all keys are revoked.' }),
      secret: Type.String({ description: 'Masked' }),
      date: Type.String(),
    }),
  ),
  ...pageNumbersSchema,
})

/** Functions of folders above this one that users depend on. Wired in all-routes.ts. */
export type UserLinks = { dependents: UserDependents; forgetApiKeys(changed: { keys: string[] }): void }

export const userRoutes = (links: UserLinks): Route[] => [
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

  get(
    '/v3/user/list',
    {
      access: 'owner',
      permission: 'read',
      tag,
      operationId: 'listUsers',
      summary: 'List the users of your platform',
      description: 'Lists the users that you created, newest first. `q` searches names and user_ids.',
      query: listQuery(Object.keys(userSorts), {}),
      answer: Users,
    },
    async (deps, { caller, query, request, reply }) => {
      const paging = pagingOf(query, '-DATE', userSorts)
      const { rows, next, total } = await getUsers(deps, { platformId: caller.platformId, q: query.q, paging })
      linkNextPage(deps, { request, reply }, paging, next)
      return { users: rows.map(listedUserAnswer), ...(total !== null && pageNumbers(paging, total)) }
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
      const endedKeys = await deleteUser(deps, caller, user, links.dependents)
      deps.afterCommit(() => links.forgetApiKeys({ keys: endedKeys }))
    },
  ),
]

const listedUserAnswer = ({ id, externalId, name, key, createdAt }: ListedUser) => ({
  id,
  user_id: externalId,
  name,
  key: key ?? '',
  secret: MASKED_SECRET,
  date: formatDateTime(createdAt),
})
