import { ApiError } from '../../../foundation/core/errors.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { clockOf } from '../../../foundation/db/platform-clock.ts'
import { businessDate } from '../../../foundation/lib/clock.ts'
import { applyLegEvent, createLeg, type LegHandler, legsOf } from '../../../money/rail/leg-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { lockPayments } from '../payment-store.ts'
import type { PaymentRow } from '../payment-types.ts'
import { findOwnCheckOf, markPaidByScan, type OwnCheckKey } from './own-check-store.ts'
import { keyOf } from './payment-money-actions.ts'

/**
 * Returns whether a payment is a scanned check that this service issued. The account of its drawer belongs to the operator, so its money
 * never goes back there.
 */
export const isOwnCheck = async (deps: Pick<TxDeps, 'sql'>, payment: PaymentRow): Promise<boolean> =>
  payment.kind === 'SCANNED' && (await findOwnCheckOf(deps.sql, keyOf(payment))) !== null

/**
 * Pays out a scanned check that this service issued. The payment for which it was issued becomes PAID, and the money of that payment funds
 * the deposit. No account is debited, and the check is put on the next list of stopped checks.
 *
 * @returns false if another bank's check was scanned @throws ApiError not_depositable: it was voided, has expired or was paid
 */
export async function payOutOwnCheck(deps: TxDeps, handler: LegHandler, payment: PaymentRow): Promise<boolean> {
  const own = payment.kind === 'SCANNED' ? await findOwnCheckOf(deps.sql, keyOf(payment)) : null
  if (!own) return false
  await cash(deps, handler, own)
  const leg = await createLeg(deps, {
    ...{ platformId: payment.platformId, subjectId: payment.id, cents: payment.amountCents },
    ...{ purpose: 'payment_pull', userId: payment.senderId, accountId: payment.fundingId },
    ...{ rail: 'MAIL', direction: 'debit' },
  })
  let funded: LegRow | null = leg
  for (const event of ['send', 'settle', 'trust'] as const) {
    funded = funded && (await applyLegEvent(deps, handler, funded, event))
  }
  if (funded?.status !== 'TRUSTED') throw new ApiError('not_depositable')
  return true
}

async function cash(deps: TxDeps, handler: LegHandler, own: OwnCheckKey): Promise<void> {
  const { platformId, paymentId, legId } = own
  const there = { ...deps, clock: await clockOf(deps, platformId) }
  await lockPayments(deps.sql, platformId, [paymentId])
  const leg = (await legsOf(deps, { platformId, subjectId: paymentId })).find(({ id }) => id === legId)
  const isOut = leg && !leg.heldAt && (leg.status === 'SENT' || leg.status === 'ACCEPTED')
  if (!isOut || !(await applyLegEvent(there, handler, leg, 'settle'))) {
    throw new ApiError('not_depositable', {
      message: 'This check was stopped, has expired or was paid already. Ask its sender for a new one.',
    })
  }
  const now = there.clock.now()
  await markPaidByScan(deps.sql, own, { paidOn: businessDate(now, deps.settings.timeZone), stoppedAt: now })
}
