import { recordAudit } from '../../audit/audit-actions.ts'
import type { TxDeps } from '../../db/deps.ts'
import type { Caller } from '../../http/caller.ts'
import { addDays } from '../../lib/clock.ts'
import { newKey } from '../../lib/ids.ts'
import { lockCaller } from '../user-lock-actions.ts'
import { rotateWebhookKey } from '../user-store.ts'

/**
 * Gives a user a new key that signs its webhooks. The one before signs beside it for 24 hours of real time
 * (webhook/endpoint/signing-key-actions.ts); one before that ends at once.
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
