import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { failPendingDeliveries } from '../delivery/delivery-store.ts'
import { requireWebhookUrl } from '../delivery/webhook-rules.ts'
import { DELIVERIES_FAILED_AT_ONCE } from './endpoint-rules.ts'
import {
  findWebhookUri,
  type KeyHolder,
  listApplicationUrls,
  removeWebhookUrl,
  type UrlHolder,
  upsertWebhookUrl,
} from './webhook-store.ts'

/**
 * Sets the webhook URL of a user or an application, or removes it with null. An application's URL receives the events of the payments that
 * it created, signed with the owner's key.
 *
 * @throws ApiError invalid_request
 */
export async function setWebhookUrl(deps: TxDeps, holder: UrlHolder, text: string | null): Promise<void> {
  const now = deps.clock.now()
  if (text === null) {
    const removed = await removeWebhookUrl(deps.sql, holder, now)
    for (const endpoint of removed) await failPendingDeliveries(deps.sql, endpoint, DELIVERIES_FAILED_AT_ONCE)
  } else {
    const field = 'userId' in holder ? 'developer.webhook_uri' : 'webhook_url'
    const url = requireWebhookUrl(text, field, deps.settings)
    await upsertWebhookUrl(deps.sql, holder, { id: newId(deps), url, now })
  }
}

/** Sets or removes the webhook_uri of a caller. The audit trail contains only the host, because the rest of a URL may contain a secret. */
export async function changeWebhookUri(deps: TxDeps, caller: Caller, text: string | null): Promise<void> {
  await setWebhookUrl(deps, caller, text)
  await recordAudit(deps, caller, 'webhook_uri_changed', text && new URL(text).host)
}

export const getWebhookUri = (deps: Deps, user: KeyHolder): Promise<string | null> => findWebhookUri(deps.sql, user)

/** Returns the webhook URLs of a platform's applications, by application id. */
export async function getApplicationUrls(deps: Pick<TxDeps, 'sql'>, platformId: string): Promise<Map<string, string>> {
  const rows = await listApplicationUrls(deps.sql, platformId)
  return new Map(rows.map(({ applicationId, url }) => [applicationId, url]))
}
