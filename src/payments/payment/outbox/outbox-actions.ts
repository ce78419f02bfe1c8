import type { Actor } from '../../../foundation/audit/audit-actions.ts'
import type { AuditAction } from '../../../foundation/audit/audit-rules.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import type { ReturnedLeg } from '../../../money/bank/bank-block-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { insertMessage, type MessageKind, type NewMessage } from './outbox-store.ts'

/** A payout that a virtual card received, or that was returned from it. */
export type CardContent = { card_id: string; type: 'LOAD' | 'RETURN'; cents: number; name: string }

export type AuditContent = { actor: Actor; action: AuditAction; subject: string }

/** Records an audit entry on the platform of the actor, if the payment or invoice belongs to another platform. */
export const recordAuditOnOtherPlatform = (
  deps: TxDeps,
  {
    platformId,
    subjectId,
    kind = 'audited',
    actor,
    action,
    subject,
  }: AuditContent & { platformId: string; subjectId: string; kind?: 'audited' | 'invoice_audited' },
): Promise<void> => {
  const { userId, credential, origin } = actor
  const content = { actor: { platformId: actor.platformId, userId, credential, origin }, action, subject }
  return tell(deps, { platformId, targetPlatformId: actor.platformId, kind, subjectId, content })
}

/** A message about an invoice that has a row on another platform. */
export type InvoiceMessage = Omit<NewMessage, 'kind'> & { kind: 'invoice_created' | 'invoice_voided' }

/** Creates or voids the row of an invoice on the platform of its recipient. */
export const sendInvoiceMessage = (deps: TxDeps, message: InvoiceMessage): Promise<void> => tell(deps, message)

/** A message about a change of a subscription that has a row on another platform. */
export type SubscriptionMessage = Omit<NewMessage, 'kind'> & { kind: 'subscription_changed' | 'autopay_changed' }

export const sendSubscriptionMessage = (deps: TxDeps, message: SubscriptionMessage): Promise<void> =>
  tell(deps, message)

function tell(deps: TxDeps, message: NewMessage): Promise<void> {
  deps.afterCommit(deps.wake)
  return insertMessage(deps.sql, message)
}

/** Moves money to or from a virtual card of another platform. */
export const sendCardMovement = (
  deps: TxDeps,
  { platformId, targetPlatformId, paymentId }: { platformId: string; targetPlatformId: string; paymentId: string },
  content: CardContent,
): Promise<void> => tell(deps, { platformId, targetPlatformId, kind: 'card_moved', subjectId: paymentId, content })

type BankKey = { platformId: string; bankId: string }

/** Notifies another platform that a leg to one of its accounts was returned, which blocks the account. */
export const sendAccountReturn = (
  deps: TxDeps,
  { leg, bank, returned }: { leg: LegRow; bank: BankKey; returned: ReturnedLeg },
): Promise<void> => send(deps, leg, bank, 'account_returned', { bankId: bank.bankId, ...returned })

/** Notifies another platform of the correction of one of its accounts. */
export const sendAccountCorrection = (
  deps: TxDeps,
  { leg, bank, content }: { leg: LegRow; bank: BankKey; content: object },
): Promise<void> => send(deps, leg, bank, 'account_corrected', { bankId: bank.bankId, ...content })

function send(deps: TxDeps, leg: LegRow, bank: BankKey, kind: MessageKind, content: object): Promise<void> {
  const { platformId, subjectId } = leg
  return tell(deps, { platformId, targetPlatformId: bank.platformId, kind, subjectId, content })
}
