import type { TxDeps } from '../../foundation/db/deps.ts'
import { recordException } from '../../foundation/exception/exception-actions.ts'
import { holdLeg, type LegHandlers, lockLeg } from './leg-actions.ts'
import type { LegKey } from './leg-store.ts'

/**
 * Holds a waiting leg that cannot be sent until somebody corrects something, with an exception for the operator. When the exception is
 * closed, the leg is tried again.
 */
export async function refuseLeg(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg: key, kind, note }: { leg: LegKey; kind: 'order_refused' | 'leg_unsendable'; note: string },
): Promise<void> {
  const leg = await lockLeg(tx, handlers, key)
  if (leg?.status !== 'WAITING' || leg.heldAt) return
  await holdLeg(tx, leg, note)
  const { platformId, purpose, subjectId, id: legId, userId, cents } = leg
  const paymentId = purpose === 'micro_deposit' ? null : subjectId
  await recordException(tx, { platformId, kind, paymentId, legId, userId, cents, note })
}
