import { Type } from 'typebox'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { shortList } from '../../../foundation/http/list/short-list.ts'
import { del, post, type Route } from '../../../foundation/http/route.ts'
import { calendarDate, closed, id, idParams, named, nullable, text } from '../../../foundation/http/schema.ts'
import { visibleUser } from '../user-actions.ts'
import { MASKED_SECRET } from '../user-rules.ts'
import type { UserKey } from '../user-store.ts'
import type { UserHooks } from '../user-types.ts'
import {
  type ApiKeyAuthenticator,
  addApiKey,
  addApiKeyForUser,
  getApiKeys,
  type KeyOptions,
  type NewApiKey as MadeApiKey,
  readWebhookKey,
  revokeApiKey,
  revokeApiKeyOfUser,
} from './api-key-actions.ts'
import type { ApiKeyRow } from './api-key-store.ts'

const tag = 'API keys'
const own = { access: 'user', permission: 'keys', tag } as const
const ofUser = { access: 'owner', permission: 'users', tag } as const

const NewApiKey = named('ApiKeyRequest', {
  name: Type.Optional(nullable(text(1, 180))),
  expiration_date: Type.Optional(nullable(calendarDate)),
})

const ApiKey = named('ApiKey', {
  id: Type.String({ description: 'The API key' }),
  name: nullable(Type.String()),
  expiration_date: nullable(Type.String()),
  secret: Type.String({ description: 'The masked API secret' }),
})

const CreatedApiKey = named('CreatedApiKey', {
  id: Type.String({ description: 'The API key' }),
  secret: Type.String({ description: 'The API secret. It is shown only once.' }),
  name: nullable(Type.String()),
  expiration_date: nullable(Type.String()),
  webhook_key: Type.String({ description: 'The key that signs this user’s webhooks' }),
})

/** Removes a key from this process's cache. */
type Forget = ApiKeyAuthenticator['forget']

export const apiKeyRoutes = (hooks: UserHooks, { forget }: { forget: Forget }): Route[] => [
  ...keyRoutes,
  revocationRoute(hooks, forget),
  userRevocationRoute(forget),
]

const keyRoutes: Route[] = [
  shortList(
    '/v3/user/api_key',
    {
      ...own,
      operationId: 'listApiKeys',
      summary: 'List your API keys',
      description: 'Lists the user’s API keys. Secrets are masked.',
    },
    {
      sort: 'DATE',
      items: { api_keys: ApiKey },
      read: async (deps, { caller }) => (await getApiKeys(deps, caller)).map((row) => ({ ...row, id: row.key })),
      show: (key) => keyAnswer(key),
    },
  ),

  post(
    '/v3/user/api_key',
    {
      ...own,
      operationId: 'createApiKey',
      summary: 'Create an API key',
      description:
        'Creates another API key for the user. The secret is shown only once. The answer also contains the key that signs this user’s webhooks.',
      body: NewApiKey,
      status: 201,
      answer: CreatedApiKey,
      answersSecret: true,
    },
    async (deps, { caller, body }) => {
      const options = optionsOf(body)
      return createdAnswer(deps, caller, options, await addApiKey(deps, caller, options))
    },
  ),

  post(
    '/v3/user/:id/api_key',
    {
      ...ofUser,
      operationId: 'createUserApiKey',
      summary: 'Create an API key for a user',
      description: 'Creates an API key for a user of your platform, for example when the user has lost its key.',
      errors: ['user_not_found'],
      params: idParams,
      body: NewApiKey,
      status: 201,
      answer: CreatedApiKey,
      answersSecret: true,
    },
    async (deps, { caller, params, body }) => {
      const user = visibleUser(caller, params.id)
      const options = optionsOf(body)
      return createdAnswer(deps, user, options, await addApiKeyForUser(deps, caller, { user, ...options }))
    },
  ),
]

const revocationRoute = ({ findBusyReason }: UserHooks, forget: Forget): Route =>
  del(
    '/v3/user/api_key/:id',
    {
      ...own,
      needsStepUp: true,
      operationId: 'revokeApiKey',
      summary: 'Revoke an API key',
      description:
        'Revokes an API key immediately. You cannot revoke the last key of a user that has money or payments.',
      errors: ['api_key_not_found', 'last_api_key', 'shared_by_all'],
      params: idParams,
      status: 204,
    },
    async (deps, { caller, params }) => {
      await revokeApiKey(deps, caller, { key: params.id, findBusyReason })
      deps.afterCommit(() => forget({ keys: [params.id] }))
    },
  )

const userRevocationRoute = (forget: Forget): Route =>
  del(
    '/v3/user/:id/api_key/:key',
    {
      ...ofUser,
      needsStepUp: true,
      operationId: 'revokeUserApiKey',
      summary: 'Revoke an API key of a user',
      description:
        'Revokes an API key of a user of your platform immediately, also the last one. Create another one for the user if it has none.',
      errors: ['user_not_found', 'api_key_not_found', 'shared_by_all'],
      params: closed({ id, key: id }),
      status: 204,
    },
    async (deps, { caller, params }) => {
      await revokeApiKeyOfUser(deps, caller, { user: visibleUser(caller, params.id), key: params.key })
      deps.afterCommit(() => forget({ keys: [params.key] }))
    },
  )

const keyAnswer = ({ key, name, expirationDate }: ApiKeyRow) => ({
  id: key,
  name,
  expiration_date: expirationDate,
  secret: MASKED_SECRET,
})

const optionsOf = (body: { name?: string | null; expiration_date?: string | null }): KeyOptions => ({
  name: body.name ?? null,
  expirationDate: body.expiration_date ?? null,
})

const createdAnswer = async (
  deps: TxDeps,
  user: UserKey,
  { name, expirationDate }: KeyOptions,
  { key, secret }: MadeApiKey,
) => ({
  id: key,
  secret,
  name,
  expiration_date: expirationDate,
  webhook_key: await readWebhookKey(deps, user),
})
