import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { failPendingDeliveries } from '../delivery/delivery-store.ts'
import { requireWebhookUrl } from '../delivery/webhook-rules.ts'
import { DELIVERIES_FAILED_AT_ONCE } from './endpoint-rules.ts'
import {
  type EndpointKey,
  findWebhookUri,
  type KeyHolder,
  listApplicationUrls,
  removeApplicationUrl,
  removeWebhookUri,
  upsertApplicationUrl,
  upsertWebhookUri,
} from './webhook-store.ts'

/** Sets the webhook_uri of a user, or removes it with null. @throws ApiError invalid_request */
export async function setWebhookUri(
  deps: TxDeps,
  { platformId, userId }: KeyHolder,
  text: string | null,
): Promise<void> {
  const now = deps.clock.now()
  if (text === null) return failPending(deps, await removeWebhookUri(deps.sql, { platformId, userId, now }))
  const url = requireWebhookUrl(text, 'developer.webhook_uri', deps.settings)
  await upsertWebhookUri(deps.sql, { platformId, userId, id: newId(deps), url, now })
}

/** Fails the pending deliveries of removed endpoints. */
async function failPending(deps: TxDeps, endpoints: EndpointKey[]): Promise<void> {
  for (const endpoint of endpoints) await failPendingDeliveries(deps.sql, endpoint, DELIVERIES_FAILED_AT_ONCE)
}

/** Sets or removes the webhook_uri of a caller. The audit trail contains only the host, because the rest of a URL may contain a secret. */
export async function changeWebhookUri(deps: TxDeps, caller: Caller, text: string | null): Promise<void> {
  await setWebhookUri(deps, caller, text)
  await recordAudit(deps, caller, 'webhook_uri_changed', text && new URL(text).host)
}

export const getWebhookUri = (deps: Deps, user: KeyHolder): Promise<string | null> => findWebhookUri(deps.sql, user)

/**
 * Sets the URL that receives the events of the payments that an application created, or removes it with null. Webhooks are signed with the
 * owner's key.
 *
 * @throws ApiError invalid_request
 */
export async function setApplicationUrl(
  deps: TxDeps,
  { platformId, applicationId }: { platformId: string; applicationId: string },
  text: string | null,
): Promise<void> {
  const now = deps.clock.now()
  if (text === null) return failPending(deps, await removeApplicationUrl(deps.sql, { platformId, applicationId, now }))
  const url = requireWebhookUrl(text, 'webhook_url', deps.settings)
  await upsertApplicationUrl(deps.sql, { platformId, applicationId, id: newId(deps), url, now })
}

/** Returns the webhook URLs of a platform's applications, by application id. */
export async function getApplicationUrls(deps: Pick<TxDeps, 'sql'>, platformId: string): Promise<Map<string, string>> {
  const rows = await listApplicationUrls(deps.sql, platformId)
  return new Map(rows.map(({ applicationId, url }) => [applicationId, url]))
}
