import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { clockOf } from '../../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import type { KeyElsewhere } from '../../../foundation/http/idempotency/idempotency.ts'
import { readSignatureImage } from '../../../people/user/user-actions.ts'
import { findStoppedUser, holdActiveUser } from '../../../people/user/user-lock-actions.ts'
import { requireSignatureImage } from '../../../people/user/user-rules.ts'
import { recordAuditOnOtherPlatform } from '../outbox/outbox-actions.ts'
import { findKeyOnOtherPlatform, isRecipient, isSender, lockReadablePayment } from '../payment-actions.ts'
import { listRecipients, type PaymentRecipientRow } from '../payment-recipient-store.ts'
import type { PaymentRow } from '../payment-types.ts'
import { applyRecipientEvent } from './depositor-actions.ts'

/**
 * Endorses a payment, so that another recipient can deposit it.
 *
 * @param endorsement.image the signature, which was decoded
 * @throws ApiError payment_not_found, not_the_recipient, user_not_active, not_endorsable
 */
export async function endorsePayment(
  deps: TxDeps,
  caller: Caller,
  { paymentId, name, image }: { paymentId: string; name: string; image: Buffer | null },
): Promise<void> {
  const { recipient, clock } = await lockEndorsable(deps, caller, paymentId)
  await applyEndorsement({ ...deps, clock }, recipient, { name, image })
  const { platformId } = recipient
  if (platformId === caller.platformId) return recordAudit(deps, caller, 'payment_endorsed', paymentId)
  const entry = { actor: caller, action: 'payment_endorsed', subject: paymentId } as const
  await recordAuditOnOtherPlatform(deps, { platformId, subjectId: paymentId, ...entry })
}

/**
 * Decodes the signature of an endorsement. If the payment is from another platform, endorses it in a transaction of that platform. Returns
 * null if neither is necessary.
 *
 * @throws ApiError those of `endorsePayment`, and invalid_signature_image, overloaded, rate_limited
 */
export async function prepareEndorsement(
  deps: Deps,
  caller: Caller,
  { paymentId, name, signature }: { paymentId: string; name: string; signature: string | null },
): Promise<((idempotencyKey: KeyElsewhere) => Promise<{ image: Buffer | null; isEndorsed: boolean }>) | null> {
  const elsewhere = await findKeyOnOtherPlatform(deps, { platformId: caller.platformId, paymentId })
  if (signature === null && !elsewhere) return null
  return async (idempotencyKey) => {
    if (signature !== null) requireSignatureImage(signature)
    if (elsewhere && (await inTransaction(deps, (tx) => idempotencyKey.isUsed(tx, elsewhere.platformId))))
      return { image: null, isEndorsed: true }
    await inTransaction(deps, (tx) => lockEndorsable(tx, caller, paymentId))
    const image = signature === null ? null : await readSignatureImage(deps, caller, signature)
    if (elsewhere)
      await inTransaction(deps, async (tx) => {
        await endorsePayment(tx, caller, { paymentId, name, image })
        await idempotencyKey.record(tx, elsewhere.platformId)
      })
    return { image, isEndorsed: elsewhere !== null }
  }
}

/** Applies an endorsement. @throws ApiError not_endorsable */
export async function applyEndorsement(
  deps: TxDeps,
  recipient: PaymentRecipientRow,
  { name, image }: { name: string; image: Buffer | null },
): Promise<void> {
  const signatureSealed = image && deps.keyRing.seal(image, 'user signature')
  const endorsement = { name, signatureSealed, at: deps.clock.now() }
  if (!(await applyRecipientEvent(deps, recipient, 'endorse', endorsement))) throw new ApiError('not_endorsable')
}

/** Returns whether a recipient can still endorse a payment. `deps` has the clock of its platform. */
export const canEndorse = ({ clock }: Pick<TxDeps, 'clock'>, payment: PaymentRow, { status }: PaymentRecipientRow) =>
  payment.status === 'UNPAID' && payment.expiresAt > clock.now() && status === 'WAITING'

/**
 * Locks a payment that waits for its deposit. Returns the caller's place among the recipients, with the clock of the platform. A caller of
 * another platform is read without a lock.
 */
async function lockEndorsable(deps: TxDeps, caller: Caller, paymentId: string) {
  const own = { platformId: caller.platformId, paymentId }
  const payment = await lockReadablePayment(deps, caller, (await findKeyOnOtherPlatform(deps, own)) ?? own)
  const { platformId } = payment
  const recipients = await listRecipients(deps.sql, { platformId, paymentId })
  const recipient = recipients.find(({ userId }) => userId === caller.userId)
  if (!recipient) {
    const isRefused = recipients.length > 0 || (isSender(caller, payment) && !isRecipient(caller, payment))
    throw new ApiError(isRefused ? 'not_the_recipient' : 'not_endorsable')
  }
  const isHere = platformId === caller.platformId
  const isActive = isHere ? await holdActiveUser(deps, caller) : (await findStoppedUser(deps, [caller])) === null
  if (!isActive) throw new ApiError('user_not_active')
  const clock = await clockOf(deps, platformId)
  if (!canEndorse({ clock }, payment, recipient)) throw new ApiError('not_endorsable')
  return { recipient, clock }
}
