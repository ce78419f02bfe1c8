import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { fullBody } from '../delivery/full-body-rules.ts'
import { type Lines, type PostResult, postWebhook } from '../delivery/webhook-post-actions.ts'
import type { BodyFormat } from '../event/event-rules.ts'
import { getEndpoint } from './endpoint-actions.ts'
import { openSigningKeys } from './signing-key-actions.ts'
import { findSealedKeys, findWebhookUri, type KeyHolder } from './webhook-store.ts'

export type TestResult = PostResult & { durationMs: number; body: string }

/** Sends a test event to the webhook_uri of a user and waits for the answer. @throws ApiError no_webhook_url */
export async function sendTestEvent(deps: Deps, lines: Lines, user: KeyHolder): Promise<TestResult> {
  const url = await findWebhookUri(deps.sql, user)
  if (url === null) throw new ApiError('no_webhook_url')
  return sendTest(deps, lines, { url, bodyFormat: 'THIN', user })
}

/**
 * Sends a test event to an endpoint of the caller's platform, even to a disabled one, and waits for the answer.
 *
 * @throws ApiError endpoint_not_found
 */
export async function sendTestToEndpoint(
  deps: Deps,
  lines: Lines,
  { caller, endpointId }: { caller: Caller; endpointId: string },
): Promise<TestResult> {
  const { url, bodyFormat, platformId } = await getEndpoint(deps, caller, endpointId)
  return sendTest(deps, lines, { url, bodyFormat, user: { platformId, userId: platformId } })
}

/** Sends a test event, signed like any other. The event is not stored and not retried, and its id belongs to no payment. */
async function sendTest(
  deps: Deps,
  lines: Lines,
  { url, bodyFormat, user }: { url: string; bodyFormat: BodyFormat; user: KeyHolder },
): Promise<TestResult> {
  const sealed = await findSealedKeys(deps.sql, user)
  if (!sealed) throw new ApiError('unauthorized')
  const eventId = newId(deps)
  const thinBody = JSON.stringify({ id: newId(deps), status: 'PAID', type: 'TEST', deposit_option: 'ACH' })
  const body =
    bodyFormat === 'THIN' ? thinBody : fullBody(thinBody, { eventId, eventAt: deps.clock.now(), object: null })
  const begin = performance.now()
  const result = await postWebhook(
    deps,
    lines,
    { url, ...openSigningKeys(deps, sealed) },
    { eventId, body, order: null },
  )
  return { ...result, durationMs: Math.round(performance.now() - begin), body }
}
