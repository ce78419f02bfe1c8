import { Type } from 'typebox'
import { post, type Route } from '../../../foundation/http/route.ts'
import { closed, noFields } from '../../../foundation/http/schema.ts'
import { formatDateTime } from '../../../foundation/lib/clock.ts'
import { renewWebhookKey } from './webhook-key-actions.ts'

export const webhookKeyRoutes: Route[] = [
  post(
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
  ),
]
