import type { TxDeps } from '../db/deps.ts'
import { newId } from '../lib/ids.ts'
import { requireWebhookUrl } from './webhook-rules.ts'
import { removeWebhookUri, upsertWebhookUri } from './webhook-store.ts'

/** Sets the webhook_uri of a user, or removes it with null. @throws ApiError invalid_request */
export async function setWebhookUri(
  deps: TxDeps,
  user: { platformId: string; userId: string },
  text: string | null,
): Promise<void> {
  const { platformId, userId } = user
  const now = deps.clock.now()
  if (text === null) return removeWebhookUri(deps.sql, { platformId, userId, now })
  const url = requireWebhookUrl(text, 'developer.webhook_uri', { allowsLocal: deps.settings.allowsLocalWebhooks })
  await upsertWebhookUri(deps.sql, { platformId, userId, id: newId(deps), url, now })
}
