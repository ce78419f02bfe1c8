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
 * @returns whether a limit of the platform stopped it
 * @throws ApiError notify_limit_reached
 */
export async function invite(deps: TxDeps, baseUrl: string, invited: Invited): Promise<{ isLimited: boolean }> {
  const { platformId, senderId: userId } = invited
  if (await stopOf(deps, [{ platformId, userId }])) {
    const nextTry = new Date(deps.realClock.now().getTime() + STOPPED_RETRY_MS)
    await insertWaitingInvitation(deps.sql, invited, nextTry)
    return { isLimited: false }
  }
  const { outcome } = await claimMail(deps, invited)
  if (outcome === 'limited' || outcome === 'delayed') {
    await insertWaitingInvitation(deps.sql, invited, nextDay(deps.realClock.now()))
    return { isLimited: outcome === 'limited' }
  }
  const token = newSecret(deps)
  await replaceLink(deps, invited, { tokenHash: hashSecret(token), isSent: outcome === 'send' })
  if (outcome === 'send') {
    const mail = invitationMail({ ...invited, link: `${baseUrl}/pay/${token}` })
    await mailRecipient(deps, baseUrl, { to: invited.recipient, ...mail })
  }
  return { isLimited: false }
}

/** A link that was not sent leaves the previous one as it is: its recipient has it. */
async function replaceLink(
  deps: TxDeps,
  { platformId, paymentId, expiresAt }: Invited,
  { tokenHash, isSent }: { tokenHash: Buffer; isSent: boolean },
): Promise<void> {
  const now = deps.realClock.now()
  const previous = await deleteLink(deps.sql, { platformId, paymentId })
  const sentLately = previous?.sentAt.filter((at) => at > addDays(now, -1)) ?? []
  if (sentLately.length >= MAILS_A_DAY) throw new ApiError('notify_limit_reached')
  await insertLink(deps.sql, isSent ? tokenHash : (previous?.tokenHash ?? tokenHash), {
    platformId,
    paymentId,
    wrongPins: previous?.wrongPins ?? 0,
    lockedUntil: previous?.lockedUntil ?? null,
    sentAt: [...sentLately, now],
    expiresAt,
  })
}

/** When a new day begins (UTC). */
const nextDay = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS)

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
  const { isLimited } = await invite(deps, baseUrl, await markInvited(deps.sql, { platformId, paymentId }))
  if (isLimited) throw new ApiError('notify_limit_reached', { message: MAIL_LIMIT_MESSAGE })
}

const MAIL_LIMIT_MESSAGE = 'The daily limit of emails to recipients is reached. Try again tomorrow (UTC).'

/** Whether it can still be said where the money of a payment goes. */
export const canBeTaken = async (deps: TxDeps, payment: PaymentRow): Promise<boolean> =>
  payment.status === 'UNPAID' || (payment.status === 'FAILED' && (await redepositRefusal(deps, payment)) === null)
