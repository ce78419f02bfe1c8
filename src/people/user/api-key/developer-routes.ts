import { Type } from 'typebox'
import { get, post, put, type Route } from '../../../foundation/http/route.ts'
import { closed, noFields, nothing, nullable, oneOf, text } from '../../../foundation/http/schema.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { OUTCOMES } from '../../../webhook/delivery/delivery-status.ts'
import type { Lines } from '../../../webhook/delivery/webhook-post-actions.ts'
import { MASKED_WEBHOOK_KEY } from '../user-rules.ts'
import { getApiKeysWithCreators } from './api-key-actions.ts'
import { changeWebhookUri, getWebhookUri, renewWebhookKey, sendTestEvent } from './developer-actions.ts'

const tag = 'Developer settings'
const common = { access: 'session', permission: 'developers', tag } as const

export const developerRoutes = (lines: Lines): Route[] => [...settingsRoutes(lines), webhookUrlRoute, webhookKeyRoute]

/** Returns the routes that only the developer settings page uses. */
const settingsRoutes = (lines: Lines): Route[] => [
  get(
    '/web/v1/developer',
    {
      ...common,
      summary: 'Retrieve the webhook settings and source addresses',
      answer: closed({
        webhook_url: nullable(Type.String()),
        signing_key: Type.String({ description: 'The masked key that signs webhooks' }),
        source_addresses: Type.Array(Type.String()),
        allows_local_webhooks: Type.Boolean(),
      }),
    },
    async (deps, { caller }) => ({
      webhook_url: await getWebhookUri(deps, caller),
      signing_key: MASKED_WEBHOOK_KEY,
      source_addresses: deps.settings.webhookSourceAddresses,
      allows_local_webhooks: deps.settings.allowsLocalWebhooks,
    }),
  ),

  get(
    '/web/v1/api-keys',
    {
      access: 'session',
      permission: 'keys',
      tag,
      summary: 'List API keys with their last use',
      answer: closed({
        api_keys: Type.Array(
          closed({
            id: Type.String(),
            name: nullable(Type.String()),
            expiration_date: nullable(Type.String()),
            date: Type.String(),
            last_used: nullable(Type.String()),
            created_by: nullable(closed({ name: Type.String(), is_member: Type.Boolean() })),
          }),
        ),
      }),
    },
    async (deps, { caller }) => ({
      api_keys: (await getApiKeysWithCreators(deps, caller)).map((row) => ({
        id: row.key,
        name: row.name,
        expiration_date: row.expirationDate,
        date: formatDateTime(row.createdAt),
        last_used: row.lastUsedAt && formatDateTime(row.lastUsedAt),
        created_by: row.creatorName === null ? null : { name: row.creatorName, is_member: row.creatorRole !== null },
      })),
    }),
  ),

  post(
    '/web/v1/webhook-test',
    {
      ...common,
      transaction: 'none',
      summary: 'Send a test event to the webhook URL',
      body: noFields,
      status: 201,
      answer: closed({
        outcome: oneOf(OUTCOMES),
        http_status: nullable(Type.Integer()),
        duration_ms: Type.Integer(),
        error: nullable(Type.String()),
        body: Type.String(),
      }),
    },
    async (deps, { caller }) => {
      const { outcome, httpStatus, durationMs, error, body } = await sendTestEvent(deps, lines, caller)
      return { outcome, http_status: httpStatus, duration_ms: durationMs, error, body }
    },
  ),
]

/** Sets the webhook URL for members who may not change the profile with `PUT /v3/user`. */
const webhookUrlRoute = put(
  '/web/v1/developer',
  {
    ...common,
    summary: 'Set the webhook URL of the platform',
    body: closed({ developer: closed({ webhook_uri: nullable(text(1, 256)) }) }),
    answer: nothing,
  },
  (deps, { caller, body }) => changeWebhookUri(deps, caller, body.developer.webhook_uri),
)

const webhookKeyRoute = post(
  '/v3/webhook/key',
  {
    access: 'user',
    permission: 'developers',
    tag: 'Webhooks',
    operationId: 'rotateWebhookKey',
    summary: 'Rotate the webhook key',
    description:
      'Replaces the key that signs the user’s webhooks. For 24 hours the previous key still signs the header `signature`, and `webhook-signature` contains one signature for each key.',
    body: noFields,
    status: 201,
    answer: closed({
      webhook_key: Type.String({ description: 'The new key' }),
      previous_key_expires: Type.String({ description: 'When the previous key stops signing' }),
    }),
    answersSecret: true,
  },
  async (deps, { caller }) => {
    const { webhookKey, previousKeyExpiresAt } = await renewWebhookKey(deps, caller)
    return { webhook_key: webhookKey, previous_key_expires: formatDateTime(previousKeyExpiresAt) }
  },
)
