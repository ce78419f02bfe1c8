import type { TxDeps } from '../db/deps.ts'
import type { Caller } from '../http/caller.ts'
import { addDays, DAY_MS } from '../lib/clock.ts'
import { isEmail } from '../lib/email.ts'
import { ApiError } from '../lib/errors.ts'
import { newSecret } from '../lib/ids.ts'
import { hashSecret } from '../lib/secret.ts'
import { redepositRefusal } from '../payment/deposit-actions.ts'
import { isSender, lockVisiblePayment } from '../payment/payment-actions.ts'
import type { PaymentRow } from '../payment/payment-store.ts'
import { stopOf } from '../user/user-lock-actions.ts'
import { claimMail, mailRecipient } from './recipient-mail-actions.ts'
import { insertWaitingInvitation } from './recipient-mail-store.ts'
import { invitationMail, MAILS_A_DAY } from './recipient-rules.ts'
import { deleteLink, type Invited, insertLink, markInvited } from './recipient-store.ts'

/** The mail of a sender that is stopped is looked at again after so long. */
const STOPPED_RETRY_MS = 60 * 60 * 1_000

/**
 * Sends somebody outside the link to a payment. The previous link ends, and its wrong PINs count on. A mail above a limit
 * waits until the next day, one of a sender that is stopped for an hour. A mail that the recipient refuses changes nothing but the counters, so that nobody can tell.
 *
 * @throws ApiError notify_limit_reached
 */
export async function invite(
  deps: TxDeps,
  baseUrl: string,
  invited: Invited,
  { isCounted }: { isCounted: boolean },
): Promise<void> {
  const { platformId, senderId: userId } = invited
  if (await stopOf(deps, [{ platformId, userId }])) {
    const nextTry = new Date(deps.realClock.now().getTime() + STOPPED_RETRY_MS)
    await insertWaitingInvitation(deps.sql, invited, nextTry)
    return
  }
  const { outcome } = await claimMail(deps, invited)
  if (outcome === 'limited' || outcome === 'delayed') {
    await insertWaitingInvitation(deps.sql, invited, nextDay(deps.realClock.now()))
    return
  }
  const token = newSecret(deps)
  await replaceLink(deps, invited, { tokenHash: hashSecret(token), isSent: outcome === 'send', isCounted })
  if (outcome === 'send') {
    const mail = invitationMail({ ...invited, link: `${baseUrl}/pay/${token}` })
    await mailRecipient(deps, baseUrl, { to: invited.recipient, ...mail })
  }
}

/** A link that was not sent leaves the previous one as it is: its recipient has it. */
async function replaceLink(
  deps: TxDeps,
  { platformId, paymentId, expiresAt }: Pick<Invited, 'platformId' | 'paymentId' | 'expiresAt'>,
  { tokenHash, isSent, firstAt, isCounted }: { tokenHash: Buffer; isSent: boolean; firstAt?: Date; isCounted: boolean },
): Promise<void> {
  const now = deps.realClock.now()
  const previous = await deleteLink(deps.sql, { platformId, paymentId })
  const sentAt = (previous?.sentAt ?? (firstAt ? [firstAt] : [])).filter((at) => at > addDays(now, -1))
  if (!isCounted && sentAt.length >= MAILS_A_DAY) throw new ApiError('notify_limit_reached')
  await insertLink(deps.sql, isSent ? tokenHash : (previous?.tokenHash ?? tokenHash), {
    platformId,
    paymentId,
    wrongPins: previous?.wrongPins ?? 0,
    lockedUntil: previous?.lockedUntil ?? null,
    sentAt: isCounted ? sentAt : [...sentAt, now],
    expiresAt,
  })
}

/** When a new day begins (UTC). */
const nextDay = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS)

/**
 * The sender has the email sent again. The answer does not tell whether the recipient has an account here, nor whether a
 * limit of the platform makes the mail wait.
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
  if (!isEmail(payment.recipient) || !(await canBeTaken(deps, payment))) throw new ApiError('not_notifiable')
  const { platformId } = payment
  await countNotification(deps, { ...payment, paymentId })
  if (payment.recipientId !== null) return // It finds the payment in its account.
  await invite(deps, baseUrl, await markInvited(deps.sql, { platformId, paymentId }), { isCounted: true })
}

/** Counted before it is looked who the recipient is. Until then a payment was told of once, when it was made. */
async function countNotification(
  deps: TxDeps,
  payment: Pick<Invited, 'platformId' | 'paymentId' | 'expiresAt'> & { createdAt: Date },
): Promise<void> {
  const now = deps.realClock.now()
  const firstAt = payment.createdAt < now ? payment.createdAt : now
  await replaceLink(deps, payment, { tokenHash: hashSecret(newSecret(deps)), isSent: false, firstAt, isCounted: false })
}

/** Whether it can still be said where the money of a payment goes. */
export const canBeTaken = async (deps: TxDeps, payment: PaymentRow): Promise<boolean> =>
  payment.status === 'UNPAID' || (payment.status === 'FAILED' && (await redepositRefusal(deps, payment)) === null)
