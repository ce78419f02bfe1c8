import { Type } from 'typebox'
import { pageNumbersSchema, pageOfShortList, shortListQuery } from '../http/list-query.ts'
import { del, get, post, type Route } from '../http/route.ts'
import { calendarDate, closed, idParams, nullable, text } from '../http/schema.ts'
import { type ApiKeyAuthenticator, addApiKey, getApiKeys, readWebhookKey, revokeApiKey } from './api-key-actions.ts'
import { MASKED_SECRET } from './user-rules.ts'

const tag = 'API keys'

const NewApiKey = closed({
  name: Type.Optional(nullable(text(1, 180))),
  expiration_date: Type.Optional(nullable(calendarDate)),
})

const ApiKeys = closed({
  api_keys: Type.Array(
    closed({
      id: Type.String({ description: 'The API key' }),
      name: nullable(Type.String()),
      expiration_date: nullable(Type.String()),
      secret: Type.String({ description: 'Masked' }),
    }),
  ),
  ...pageNumbersSchema,
})

const CreatedApiKey = closed({
  id: Type.String({ description: 'The API key' }),
  secret: Type.String({ description: 'The API secret. It is shown here and never again.' }),
  name: nullable(Type.String()),
  expiration_date: nullable(Type.String()),
  webhook_key: Type.String({ description: 'The key that signs the webhooks of this user' }),
})

export const apiKeyRoutes = ({ forget }: ApiKeyAuthenticator): Route[] => [
  get(
    '/v3/user/api_key',
    { access: 'user', tag, summary: 'List the API keys of the user', query: shortListQuery, answer: ApiKeys },
    async (deps, { caller, query }) => {
      const keys = (await getApiKeys(deps, caller)).map(({ key, name, expirationDate }) => ({
        id: key,
        name,
        expiration_date: expirationDate,
        secret: MASKED_SECRET,
      }))
      const { rows, numbers } = pageOfShortList(keys, query)
      return { api_keys: rows, ...numbers }
    },
  ),

  post(
    '/v3/user/api_key',
    {
      access: 'user',
      tag,
      summary: 'Make another API key for the user',
      body: NewApiKey,
      status: 201,
      answer: CreatedApiKey,
      answersSecret: true,
    },
    async (deps, { caller, body }) => {
      const options = { name: body.name ?? null, expirationDate: body.expiration_date ?? null }
      const { key, secret } = await addApiKey(deps, caller, options)
      return {
        id: key,
        secret,
        name: options.name,
        expiration_date: options.expirationDate,
        webhook_key: await readWebhookKey(deps, caller),
      }
    },
  ),

  del(
    '/v3/user/api_key/:id',
    { access: 'user', tag, summary: 'Revoke an API key', params: idParams, status: 204 },
    async (deps, { caller, params }) => {
      await revokeApiKey(deps, caller, params.id)
      deps.afterCommit(() => forget([params.id]))
    },
  ),
]
