import { ApiError } from '../core/errors.ts'
import type { TxDeps } from '../db/deps.ts'
import { clockOf } from '../db/platform-clock.ts'
import type { Caller } from '../http/caller.ts'
import { addDays, DAY_MS } from '../lib/clock.ts'
import { newSecret } from '../lib/ids.ts'
import { hashSecret } from '../lib/secret.ts'
import { isEmail } from '../lib/text/email.ts'
import { redepositRefusal } from '../payment/deposit/deposit-actions.ts'
import { isSender, lockVisiblePayment } from '../payment/payment-actions.ts'
import { expectedOn } from '../payment/payment-rules.ts'
import type { PaymentRow } from '../payment/payment-types.ts'
import { legsOf } from '../rail/leg-actions.ts'
import { stopOf } from '../user/user-lock-actions.ts'
import { claimMail, mailRecipient } from './recipient-mail-actions.ts'
import { insertWaitingInvitation } from './recipient-mail-store.ts'
import { type Notice, type NoticeFacts, noticeMail, noticeOf } from './recipient-notice-rules.ts'
import { MAILS_A_DAY } from './recipient-rules.ts'
import {
  deleteLinks,
  findInvitedPayment,
  findPaymentLink,
  type Invited,
  insertLink,
  type LinkRow,
  markInvited,
  updateSentAt,
} from './recipient-store.ts'

/** The mail of a sender that is stopped is looked at again after so long. */
const STOPPED_RETRY_MS = 60 * 60 * 1_000

/** What somebody outside is told of a payment, as it is now. */
type PendingNotice = { invited: Invited; notice: Notice; facts: Omit<NoticeFacts, 'url'> }

/** What is true of a payment now, not when its mail fell due. Null: there is nothing to tell. */
export async function findPendingNotice(deps: TxDeps, invited: Invited): Promise<PendingNotice | null> {
  const { sender, amountCents, platformId, paymentId } = invited
  const plain = { sender, amountCents, rail: null, returnCode: null, canBeDeposited: true, expectedAt: null }
  if (invited.status === 'UNPAID') {
    return { invited, notice: 'invited', facts: { ...plain, chooseUntil: invited.expiresAt } }
  }
  const payment = await findInvitedPayment(deps.sql, invited)
  if (!payment) return null
  const clock = await clockOf(deps, platformId)
  const isDepositable = await canBeDeposited({ ...deps, clock }, payment)
  const legs = await legsOf(deps, { platformId, subjectId: paymentId })
  const notice = noticeOf(payment, { legs, canBeDeposited: isDepositable })
  const { rail, returnCode, depositedAt, refundAt: chooseUntil } = payment
  const expected = rail && depositedAt && expectedOn({ rail, depositedAt })
  const expectedAt = expected && expected > clock.now() ? expected : null
  const facts = { ...plain, rail, returnCode, canBeDeposited: isDepositable, chooseUntil, expectedAt }
  return notice && { invited, notice, facts }
}

/**
 * Mails somebody outside about a payment, with a link to it. A mail above a limit waits until the next day, one of a
 * sender that is suspended for an hour, and one of a sender that is closed is not sent. A mail that the recipient refuses
 * is not sent either, and one to an owner of another platform neither: the sender gets the same answers.
 */
export async function sendNotice(
  deps: TxDeps,
  baseUrl: string,
  { invited, notice, facts }: PendingNotice,
  { endsLinks = notice === 'invited' }: { endsLinks?: boolean } = {},
): Promise<void> {
  const { platformId, senderId: userId } = invited
  const stop = await stopOf(deps, [{ platformId, userId }])
  if (stop?.standing === 'CLOSED') return
  if (stop) {
    const nextTry = new Date(deps.realClock.now().getTime() + STOPPED_RETRY_MS)
    await insertWaitingInvitation(deps.sql, invited, nextTry)
    return
  }
  const { outcome } = await claimMail(deps, invited)
  if (outcome === 'limited' || outcome === 'delayed') {
    await insertWaitingInvitation(deps.sql, invited, nextDay(deps.realClock.now()))
    return
  }
  // A recipient that refuses mail keeps the link that it has; one with an account here finds the payment there.
  if (outcome !== 'send' || invited.hasAccount) return
  const token = newSecret(deps)
  const previous = await (endsLinks ? deleteLinks : findPaymentLink)(deps.sql, invited)
  await insertLink(deps.sql, hashSecret(token), previous ?? newLink(deps, invited))
  const mail = noticeMail(notice, { ...facts, url: `${baseUrl}/pay/${token}` })
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
  const { platformId } = payment
  const platformDeps = { ...deps, clock: await clockOf(deps, platformId) }
  if (!isEmail(payment.recipient) || !(await canBeDeposited(platformDeps, payment)))
    throw new ApiError('not_notifiable')
  await countNotification(deps, { ...payment, paymentId })
  if (payment.recipientPlatformId === platformId) return // A user of the platform, which knows it.
  const pending = await findPendingNotice(deps, await markInvited(deps.sql, { platformId, paymentId }))
  if (pending) await sendNotice(deps, baseUrl, pending, { endsLinks: true })
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
export const canBeDeposited = async (deps: TxDeps, payment: PaymentRow): Promise<boolean> =>
  payment.status === 'UNPAID' || (payment.status === 'FAILED' && (await redepositRefusal(deps, payment)) === null)
