import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { clockOf } from '../../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { OutsideFirst, OutsideTransaction } from '../../../foundation/http/outside-transaction.ts'
import { readSignatureImage } from '../../../people/user/user-actions.ts'
import { findStoppedUser, holdActiveUser } from '../../../people/user/user-lock-actions.ts'
import { requireSignatureImage } from '../../../people/user/user-rules.ts'
import { recordAuditElsewhere } from '../outbox/outbox-actions.ts'
import { findKeyElsewhere, isRecipient, isSender, lockPaymentElsewhere } from '../payment-actions.ts'
import { listRecipients, type PaymentRecipientRow } from '../payment-recipient-store.ts'
import type { PaymentRow } from '../payment-types.ts'
import { applyRecipientEvent } from './depositor-actions.ts'

type Endorsement = { paymentId: string; name: string; signature: string | null }

/**
 * Endorses a payment, so that another recipient can deposit it.
 *
 * @throws ApiError payment_not_found, not_the_recipient, user_not_active, not_endorsable, invalid_signature_image, overloaded,
 * rate_limited
 * @throws OutsideFirst for a signature, which waits in a queue to be decoded
 * @throws OutsideTransaction for a payment from another platform
 */
export async function endorsePayment(
  deps: TxDeps,
  caller: Caller,
  { signature, ...endorsement }: Endorsement,
): Promise<void> {
  if (signature !== null) requireSignatureImage(signature)
  const { paymentId } = endorsement
  const { recipient } = await lockEndorsable(deps, caller, paymentId)
  const decode = async (outside: Deps) => (signature === null ? null : readSignatureImage(outside, caller, signature))
  const record = (tx: TxDeps, image: Buffer | null) => recordEndorsement(tx, caller, { ...endorsement, image })
  if (recipient.platformId !== caller.platformId) {
    throw new OutsideTransaction(async (outside) => {
      const image = await decode(outside)
      await inTransaction(outside, (tx) => record(tx, image))
    })
  }
  if (signature === null) return record(deps, null)
  throw new OutsideFirst(async (outside) => {
    const image = await decode(outside)
    return (tx) => record(tx, image)
  })
}

async function recordEndorsement(
  deps: TxDeps,
  caller: Caller,
  { paymentId, name, image }: { paymentId: string; name: string; image: Buffer | null },
): Promise<void> {
  const { recipient, clock } = await lockEndorsable(deps, caller, paymentId)
  await applyEndorsement({ ...deps, clock }, recipient, { name, image })
  const { platformId } = recipient
  if (platformId === caller.platformId) return recordAudit(deps, caller, 'payment_endorsed', paymentId)
  const entry = { actor: caller, action: 'payment_endorsed', subject: paymentId } as const
  await recordAuditElsewhere(deps, { platformId, subjectId: paymentId, ...entry })
}

/** @throws ApiError not_endorsable */
export async function applyEndorsement(
  deps: TxDeps,
  recipient: PaymentRecipientRow,
  { name, image }: { name: string; image: Buffer | null },
): Promise<void> {
  const signatureSealed = image && deps.keyRing.seal(image, 'user signature')
  const endorsement = { name, signatureSealed, at: deps.clock.now() }
  if (!(await applyRecipientEvent(deps, recipient, 'endorse', endorsement))) throw new ApiError('not_endorsable')
}

/** Whether a recipient can still endorse a payment. `deps` has the clock of its platform. */
export const canEndorse = ({ clock }: Pick<TxDeps, 'clock'>, payment: PaymentRow, { status }: PaymentRecipientRow) =>
  payment.status === 'UNPAID' && payment.expiresAt > clock.now() && status === 'WAITING'

/**
 * Locks a payment that waits for its deposit, and returns the recipient that the caller is, with the clock of the platform. A caller of
 * another platform is read without a lock.
 */
async function lockEndorsable(deps: TxDeps, caller: Caller, paymentId: string) {
  const own = { platformId: caller.platformId, paymentId }
  const payment = await lockPaymentElsewhere(deps, caller, (await findKeyElsewhere(deps, own)) ?? own)
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
