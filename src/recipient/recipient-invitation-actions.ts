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
import {
  deleteLink,
  findPaymentLink,
  type Invited,
  insertLink,
  type LinkRow,
  markInvited,
  updateSentAt,
} from './recipient-store.ts'

/** The mail of a sender that is stopped is looked at again after so long. */
const STOPPED_RETRY_MS = 60 * 60 * 1_000

/**
 * Sends somebody outside the link to a payment. The previous link ends, and its wrong PINs count on. A mail above a limit
 * waits until the next day, one of a sender that is stopped for an hour. A mail that the recipient refuses is not sent,
 * and the sender gets the same answers.
 */
export async function invite(deps: TxDeps, baseUrl: string, invited: Invited): Promise<void> {
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
  if (outcome !== 'send') return // The recipient keeps the link that it has.
  const token = newSecret(deps)
  const previous = await deleteLink(deps.sql, invited)
  await insertLink(deps.sql, hashSecret(token), previous ?? newLink(deps, invited))
  const mail = invitationMail({ ...invited, link: `${baseUrl}/pay/${token}` })
  await mailRecipient(deps, baseUrl, { to: invited.recipient, ...mail })
}

/** A payment was told of once, when it was made: the sender cannot see whether that mail had to wait. */
function newLink(deps: TxDeps, { platformId, paymentId, expiresAt, createdAt }: LinkedTo): LinkRow {
  const now = deps.realClock.now()
  const toldAt = createdAt < now ? createdAt : now
  return { platformId, paymentId, wrongPins: 0, lockedUntil: null, sentAt: [toldAt], expiresAt }
}

type LinkedTo = Pick<Invited, 'platformId' | 'paymentId' | 'expiresAt' | 'createdAt'>

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
  await invite(deps, baseUrl, await markInvited(deps.sql, { platformId, paymentId }))
}

/**
 * Counts a mail when the sender asks for it, before anything depends on who the recipient is. It is not counted again
 * when it leaves, which may be days later: the limit would show that it had to wait.
 *
 * @throws ApiError notify_limit_reached
 */
async function countNotification(deps: TxDeps, payment: LinkedTo): Promise<void> {
  const now = deps.realClock.now()
  const link = await findPaymentLink(deps.sql, payment)
  const { sentAt, ...others } = link ?? newLink(deps, payment)
  const recent = sentAt.filter((at) => at > addDays(now, -1))
  if (recent.length >= MAILS_A_DAY) throw new ApiError('notify_limit_reached')
  const counted = { ...others, sentAt: [...recent, now] }
  if (link) await updateSentAt(deps.sql, counted)
  else await insertLink(deps.sql, hashSecret(newSecret(deps)), counted) // Nobody has this one: it keeps the count.
}

/** Whether it can still be said where the money of a payment goes. */
export const canBeTaken = async (deps: TxDeps, payment: PaymentRow): Promise<boolean> =>
  payment.status === 'UNPAID' || (payment.status === 'FAILED' && (await redepositRefusal(deps, payment)) === null)
