import type { Actor } from '../../audit/audit-actions.ts'
import type { AuditAction } from '../../audit/audit-rules.ts'
import type { TxDeps } from '../../db/deps.ts'
import { insertMessage } from './outbox-store.ts'

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
