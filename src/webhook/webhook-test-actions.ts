import type { Deps } from '../db/deps.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { type Lines, type PostResult, postWebhook } from './webhook-post-actions.ts'
import { findWebhookUri, type Holder } from './webhook-store.ts'

export type TestResult = PostResult & { durationMs: number; body: string }

/**
 * Sends one event to the webhook_uri of a user and waits for the answer. It is signed like any other; its id is that of
 * no payment, and it is not sent again.
 *
 * @throws ApiError no_webhook_url
 */
export async function sendTestEvent(
  deps: Deps,
  lines: Lines,
  { user, webhookKey }: { user: Holder; webhookKey: string },
): Promise<TestResult> {
  const url = await findWebhookUri(deps.sql, user)
  if (url === null) throw new ApiError('no_webhook_url')
  const body = JSON.stringify({ id: newId(deps), status: 'PAID', type: 'TEST', deposit_option: 'ACH' })
  const begin = performance.now()
  const result = await postWebhook(deps, lines, { url, webhookKey }, { eventId: newId(deps), body })
  return { ...result, durationMs: Math.round(performance.now() - begin), body }
}
