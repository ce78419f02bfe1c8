import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { addDays } from '../../../foundation/lib/clock.ts'
import { newKey } from '../../../foundation/lib/ids.ts'
import { lockCaller } from '../user-lock-actions.ts'
import { rotateWebhookKey } from '../user-store.ts'

export { changeWebhookUri, getWebhookUri } from '../../../webhook/endpoint/webhook-actions.ts'
export { sendTestEvent } from '../../../webhook/endpoint/webhook-test-actions.ts'

/**
 * Replaces a user's webhook signing key. The previous key also signs for 24 hours of real time (webhook/endpoint/signing-key-actions.ts).
 * Older keys stop at once.
 *
 * @throws ApiError unauthorized
 */
export async function renewWebhookKey(
  deps: TxDeps,
  caller: Caller,
): Promise<{ webhookKey: string; previousKeyExpiresAt: Date }> {
  await lockCaller(deps, caller)
  const webhookKey = newKey(deps)
  const rotatedAt = deps.realClock.now()
  await rotateWebhookKey(deps.sql, caller, {
    webhookKeySealed: deps.keyRing.seal(webhookKey, 'webhook key'),
    rotatedAt,
  })
  await recordAudit(deps, caller, 'webhook_key_rotated', caller.userId)
  return { webhookKey, previousKeyExpiresAt: addDays(rotatedAt, 1) }
}
