import type { Deps } from '../../foundation/db/deps.ts'
import { DAY_MS } from '../../foundation/lib/clock.ts'
import type { SigningKeys } from '../delivery/webhook-rules.ts'

export type SealedKeys = {
  webhookKeySealed: Buffer
  previousWebhookKeySealed: Buffer | null
  webhookKeyRotatedAt: Date | null
}

/** Opens the current signing keys. They include the previous key for 24 hours of real time after a rotation. */
export function openSigningKeys(
  { keyRing, realClock }: Pick<Deps, 'keyRing' | 'realClock'>,
  { webhookKeySealed, previousWebhookKeySealed, webhookKeyRotatedAt }: SealedKeys,
): SigningKeys {
  const open = (sealed: Buffer) => keyRing.openText(sealed, 'webhook key')
  const isRotating = webhookKeyRotatedAt !== null && realClock.now().getTime() < webhookKeyRotatedAt.getTime() + DAY_MS
  return {
    webhookKey: open(webhookKeySealed),
    previousWebhookKey: isRotating && previousWebhookKeySealed ? open(previousWebhookKeySealed) : null,
  }
}
