import { type Actor, recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransactionOrRefused } from '../../foundation/db/transaction.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { recordAuditOnOtherPlatform } from '../payment/outbox/outbox-actions.ts'
import type { PaymentKey } from '../payment/payment-types.ts'
import { isLinkExpired, type Linked, type LinkVisit, lockLinked, refuseWrongPin } from './recipient-link-actions.ts'
import { claimPayment } from './recipient-store.ts'

/**
 * Moves the payment of a link into the account of the signed-in person, who deposits it there from then on. A payment can move only until
 * its payee has chosen how to be paid. A second claim of the same platform does nothing. Refusals that count as attempts are returned, not
 * thrown.
 *
 * The transaction writes only to the sender's platform. A message makes the account's platform create its copy.
 *
 * @throws ApiError link_not_found, too_many_tries, wrong_pin, payment_expired, own_recipient, not_claimable
 */
export const claimLinked = (deps: Deps, caller: Caller, visit: LinkVisit): Promise<string> =>
  inTransactionOrRefused(deps, async (tx) => {
    const linked = await lockLinked(tx, visit)
    if (linked instanceof ApiError) return linked
    const { id, recipientId, recipientPlatformId } = linked.payment
    if (recipientId === caller.userId && recipientPlatformId === caller.platformId) return id
    return (await refuseWrongPin(linked, visit.pin)) ?? claim(linked, caller)
  })

/** Claims the payment. @returns the id of the payment. @throws ApiError payment_expired, own_recipient, not_claimable */
async function claim(linked: Linked, caller: Caller): Promise<string> {
  const { deps, payment } = linked
  const { platformId, id: paymentId, senderId } = payment
  if (isLinkExpired(linked)) throw new ApiError('payment_expired')
  if (caller.platformId === platformId && caller.userId === senderId) throw new ApiError('own_recipient')
  if (!(await claimPayment(deps.sql, { platformId, paymentId }, { user: caller, by: 'link' })))
    throw new ApiError('not_claimable')
  deps.afterCommit(deps.wake)
  await recordClaim(deps, { platformId, paymentId }, caller, 'link')
  return paymentId
}

/** Records on the account's platform that a payment was added to the account. */
export async function recordClaim(
  deps: TxDeps,
  { platformId, paymentId }: PaymentKey,
  actor: Actor,
  by: 'link' | 'address',
): Promise<void> {
  const entry = { action: 'payment_claimed', subject: `${paymentId} by ${by}` } as const
  if (actor.platformId === platformId) await recordAudit(deps, actor, entry.action, entry.subject)
  else await recordAuditOnOtherPlatform(deps, { platformId, subjectId: paymentId, actor, ...entry })
}
