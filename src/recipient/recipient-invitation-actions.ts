import type { TxDeps } from '../db/deps.ts'
import type { Caller } from '../http/caller.ts'
import { addDays } from '../lib/clock.ts'
import { isEmail } from '../lib/email.ts'
import { ApiError } from '../lib/errors.ts'
import { newSecret } from '../lib/ids.ts'
import { hashSecret } from '../lib/secret.ts'
import { sendMail } from '../mail/mail-actions.ts'
import { redepositRefusal } from '../payment/deposit-actions.ts'
import { isSender, lockVisiblePayment } from '../payment/payment-actions.ts'
import type { PaymentRow } from '../payment/payment-store.ts'
import { invitationMail, MAILS_A_DAY } from './recipient-rules.ts'
import { deleteLink, type Invited, insertLink, markInvited } from './recipient-store.ts'

/**
 * Sends somebody outside the link to a payment. The one before, if there was one, is good no more: its wrong PINs count
 * on.
 *
 * @throws ApiError notify_limit_reached
 */
export async function invite(deps: TxDeps, baseUrl: string, invited: Invited): Promise<void> {
  const { platformId, paymentId, recipient, expiresAt } = invited
  const now = deps.realClock.now()
  const previous = await deleteLink(deps.sql, invited)
  const sentLately = previous?.sentAt.filter((at) => at > addDays(now, -1)) ?? []
  if (sentLately.length >= MAILS_A_DAY) throw new ApiError('notify_limit_reached')
  const token = newSecret(deps)
  await insertLink(deps.sql, hashSecret(token), {
    platformId,
    paymentId,
    wrongPins: previous?.wrongPins ?? 0,
    lockedUntil: previous?.lockedUntil ?? null,
    sentAt: [...sentLately, now],
    expiresAt,
  })
  await sendMail(deps, { to: recipient, ...invitationMail({ ...invited, link: `${baseUrl}/pay/${token}` }) })
}

/**
 * The sender has the email sent again.
 *
 * @throws ApiError payment_not_found, not_the_sender, not_notifiable, notify_limit_reached
 */
export async function notifyRecipient(
  deps: TxDeps,
  caller: Caller,
  { paymentId, baseUrl }: { paymentId: string; baseUrl: string },
): Promise<void> {
  const payment = await lockVisiblePayment(deps, caller, paymentId)
  if (!isSender(caller, payment)) throw new ApiError('not_the_sender')
  const isOutside = payment.recipientId === null && isEmail(payment.recipient)
  if (!isOutside || !(await canBeTaken(deps, payment))) throw new ApiError('not_notifiable')
  const { platformId } = payment
  await invite(deps, baseUrl, await markInvited(deps.sql, { platformId, paymentId }))
}

/** Whether it can still be said where the money of a payment goes. */
export const canBeTaken = async (deps: TxDeps, payment: PaymentRow): Promise<boolean> =>
  payment.status === 'UNPAID' || (payment.status === 'FAILED' && (await redepositRefusal(deps, payment)) === null)
