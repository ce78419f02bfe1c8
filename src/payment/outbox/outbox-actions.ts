import type { Actor } from '../../audit/audit-actions.ts'
import type { AuditAction } from '../../audit/audit-rules.ts'
import type { TxDeps } from '../../db/deps.ts'
import { insertMessage } from './outbox-store.ts'

/** A payout that arrived on a virtual card, or went back. */
export type CardContent = { card_id: string; type: 'LOAD' | 'RETURN'; cents: number; name: string }

export type AuditContent = { actor: Actor; action: AuditAction; subject: string }

/** Records an audit entry on the platform of the actor, which is not the payment's. */
export const recordAuditElsewhere = (
  deps: TxDeps,
  { platformId, paymentId, actor, action, subject }: AuditContent & { platformId: string; paymentId: string },
): Promise<void> => {
  const { userId, credential, origin } = actor
  const content = { actor: { platformId: actor.platformId, userId, credential, origin }, action, subject }
  deps.afterCommit(deps.wake)
  return insertMessage(deps.sql, {
    platformId,
    targetPlatformId: actor.platformId,
    kind: 'audited',
    subjectId: paymentId,
    content,
  })
}

/** Moves money to or from a virtual card of another platform. */
export const moveCardElsewhere = (
  deps: TxDeps,
  { platformId, targetPlatformId, paymentId }: { platformId: string; targetPlatformId: string; paymentId: string },
  content: CardContent,
): Promise<void> => {
  deps.afterCommit(deps.wake)
  return insertMessage(deps.sql, { platformId, targetPlatformId, kind: 'card_moved', subjectId: paymentId, content })
}
