import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { isShared } from '../../foundation/core/demo-rules.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import type { ReturnCode } from '../../money/rail/return-code-rules.ts'
import {
  findKeyOnOtherPlatform,
  lockReadablePayment,
  lockVisiblePayment,
} from '../../payments/payment/payment-actions.ts'
import type { PaymentStatus } from '../../payments/payment/payment-status.ts'
import type { PaymentRow } from '../../payments/payment/payment-types.ts'
import { simulateEvent } from '../../payments/payment/simulate-event-actions.ts'
import { forceUserStatus } from '../../people/user/user-actions.ts'
import { lockUser } from '../../people/user/user-lock-actions.ts'
import { isActive, type UserStatus } from '../../people/user/user-status.ts'
import { paymentTriggers } from './trigger-rules.ts'

const DEFAULT_RETURN_CODE: ReturnCode = 'R01'

/**
 * Moves a payment to a status through all events that lead there, including their webhooks.
 *
 * @throws ApiError payment_not_found, status_not_reachable
 */
export async function triggerPayment(
  deps: TxDeps,
  caller: Caller,
  { paymentId, ...wanted }: Trigger & { paymentId: string },
): Promise<void> {
  return trigger(deps, await lockVisiblePayment(deps, caller, paymentId), wanted)
}

/** Moves a payment from another platform to a status, in a transaction of that platform. Returns null for other payments. */
export async function triggerPaymentOfOtherPlatform(
  deps: Deps,
  caller: Caller,
  { paymentId, ...wanted }: Trigger & { paymentId: string },
): Promise<(() => Promise<object>) | null> {
  const key = await findKeyOnOtherPlatform(deps, { platformId: caller.platformId, paymentId })
  if (!key) return null
  return async () => {
    await inTransaction(deps, async (tx) => trigger(tx, await lockReadablePayment(tx, caller, key), wanted))
    return {}
  }
}

type Trigger = { status: PaymentStatus; returnCode: ReturnCode | undefined }

async function trigger(deps: TxDeps, locked: PaymentRow, { status, returnCode }: Trigger): Promise<void> {
  let payment = locked
  const steps = paymentTriggers[payment.status]?.[status]
  if (!steps) throw notReachable(payment.status, status)
  const isFailing = steps.some(([event]) => event === 'fail')
  if (returnCode && !isFailing) {
    throw new ApiError('status_not_reachable', {
      message: 'options.return_code is allowed only when the payment fails.',
      fields: { 'options.return_code': ['is allowed only when the payment fails'] },
    })
  }
  const clock = await clockOf(deps, payment.platformId)
  for (const [event, rail] of steps) {
    const next = await simulateEvent({ ...deps, clock }, payment, {
      event,
      ...(rail && { rail }),
      ...(event === 'fail' && {
        returnCode: returnCode ?? DEFAULT_RETURN_CODE,
        // R01 means that the pull failed. Otherwise the push failed, so there is money to refund.
        isPullReturned: returnCode === 'R01' && status === 'FAILED',
      }),
    })
    if (!next) throw notReachable(payment.status, status)
    payment = next
  }
}

function notReachable(from: string, to: string): ApiError {
  const problem = `cannot be reached from ${from}`
  return new ApiError('status_not_reachable', { message: `${to} ${problem}.`, fields: { status: [problem] } })
}

/**
 * Moves the caller to any status. The demo's owner always stays active, because everybody shares it.
 *
 * @throws ApiError status_not_reachable
 */
export async function triggerUser(deps: TxDeps, caller: Caller, status: UserStatus): Promise<void> {
  await lockUser(deps, caller)
  if (isShared(deps.settings, { platformId: caller.userId }) && !isActive(status)) {
    const problem = 'is not possible for the owner of the demo because everyone shares it'
    throw new ApiError('status_not_reachable', { message: `${status} ${problem}.`, fields: { status: [problem] } })
  }
  await forceUserStatus(deps, caller, status)
  await recordAudit(deps, caller, 'user_status_triggered', `${caller.userId} ${status}`)
}
