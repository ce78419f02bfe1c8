import { ApiError } from '../../foundation/core/errors.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { addDays, businessDate, DAY_MS } from '../../foundation/lib/clock.ts'
import { newSecret } from '../../foundation/lib/ids.ts'
import { hashSecret } from '../../foundation/lib/secret.ts'
import { isEmail } from '../../foundation/lib/text/email.ts'
import { legsOf } from '../../money/rail/leg-actions.ts'
import { findStoppedUser } from '../../people/user/user-lock-actions.ts'
import { redepositRefusal } from '../payment/deposit/deposit-actions.ts'
import { calendarNow, expectedDay } from '../payment/expected-day-rules.ts'
import { recordMail } from '../payment/history/timeline-actions.ts'
import { lockSentPayment } from '../payment/payment-actions.ts'
import type { PaymentRow } from '../payment/payment-types.ts'
import { claimMail, mailRecipient } from './recipient-mail-actions.ts'
import { insertWaitingInvitation } from './recipient-mail-store.ts'
import { insertAddressed } from './recipient-match-store.ts'
import { type Notice, type NoticeFacts, noticeMail, noticeOf } from './recipient-notice-rules.ts'
import { logoUrl, MAILS_A_DAY, REMINDER_DAYS } from './recipient-rules.ts'
import {
  delayMultiInvitation,
  deleteLinks,
  findInvitedPayment,
  findLogo,
  findPaymentLink,
  type Invited,
  insertLink,
  type LinkRow,
  markInvited,
  markMultiInvited,
  updateSentAt,
} from './recipient-store.ts'

/** The milliseconds after which the mail of a suspended sender is tried again. */
const STOPPED_RETRY_MS = 60 * 60 * 1_000

/** A notice about a payment for a payee without an account. */
type PendingNotice = { invited: Invited; notice: Notice; facts: Omit<NoticeFacts, 'url'> }

/** Finds the notice for the current status of a payment, which may have changed after its mail became due. Returns null if none is sent. */
export async function findPendingNotice(deps: TxDeps, invited: Invited): Promise<PendingNotice | null> {
  const { sender, amountCents, platformId, paymentId, isDepositor } = invited
  const plain = {
    sender,
    amountCents,
    isDepositor,
    rail: null,
    returnCode: null,
    canBeDeposited: true,
    arrivesOn: null,
    timeZone: deps.settings.timeZone,
  }
  if (invited.status === 'UNPAID') {
    return { invited, notice: 'invited', facts: { ...plain, chooseUntil: invited.expiresAt } }
  }
  const payment = await findInvitedPayment(deps.sql, invited)
  if (!payment) return null
  const clock = await clockOf(deps, platformId)
  const isDepositable = isDepositor && (await canBeDeposited({ ...deps, clock }, payment))
  const legs = await legsOf(deps, { platformId, subjectId: paymentId })
  const notice = noticeOf(payment, { legs, canBeDeposited: isDepositable })
  const { rail, returnCode, refundAt: chooseUntil } = payment
  const expected = expectedDay(payment, calendarNow(deps))
  const arrivesOn = expected && expected > businessDate(clock.now(), deps.settings.timeZone) ? expected : null
  const facts = { ...plain, rail, returnCode, canBeDeposited: isDepositable, chooseUntil, arrivesOn }
  return notice && { invited, notice, facts }
}

/** Finds the notice of a payment whose mail is due. A payee who has a link and has not chosen gets a reminder. */
export async function findDueNotice(deps: TxDeps, invited: Invited): Promise<PendingNotice | null> {
  const pending = await findPendingNotice(deps, invited)
  if (pending?.notice !== 'invited' || invited.position !== 0) return pending
  const isReminder = (await findPaymentLink(deps.sql, invited)) !== null
  return isReminder ? { ...pending, notice: 'reminder' } : pending
}

/**
 * Mails a notice with a link to a payee without an account. Above a limit, the mail waits until the next day. If the sender is suspended,
 * it waits an hour. The mail is dropped if the sender is closed, the recipient refuses mail, or the recipient owns another platform.
 */
export async function sendNotice(
  deps: TxDeps,
  baseUrl: string,
  { invited, notice, facts }: PendingNotice,
  { endsLinks = notice === 'invited' }: { endsLinks?: boolean } = {},
): Promise<void> {
  const { platformId, senderId: userId } = invited
  const stop = await findStoppedUser(deps, [{ platformId, userId }])
  if (stop?.standing === 'CLOSED') return
  if (stop) {
    const nextTry = new Date(deps.realClock.now().getTime() + STOPPED_RETRY_MS)
    await delayMail(deps, invited, nextTry)
    return
  }
  if (!invited.hasAccount) {
    const { paymentId: subjectId, recipient: email } = invited
    await insertAddressed(deps.sql, { platformId, subjectId, kind: 'payment', email })
  }
  const { outcome } = await claimMail(deps, invited)
  if (outcome === 'limited' || outcome === 'delayed') {
    await delayMail(deps, invited, nextDay(deps.realClock.now()))
    return
  }
  // A recipient who refuses mail keeps the current link. A recipient with an account sees the payment there.
  if (outcome !== 'send' || invited.hasAccount) return
  const token = newSecret(deps)
  const previous = await (endsLinks ? deleteLinks : findPaymentLink)(deps.sql, invited)
  await insertLink(deps.sql, hashSecret(token), previous ?? newLink(deps, invited))
  const mail = noticeMail(notice, { ...facts, url: `${baseUrl}/pay/${token}` })
  const logo = logoUrl(await findLogo(deps.sql, invited))
  await mailRecipient(deps, baseUrl, { to: invited.recipient, ...mail, brand: { name: invited.sender, logo } })
  if (notice === 'invited' && invited.position === 0) {
    await delayMail(deps, invited, addDays(deps.realClock.now(), REMINDER_DAYS))
  }
}

const delayMail = ({ sql }: TxDeps, invited: Invited, dueAt: Date): Promise<void> =>
  (invited.position === 0 ? insertWaitingInvitation : delayMultiInvitation)(sql, invited, dueAt)

/** Creates a link. The first mail is counted when the payment is created, so that the sender cannot see whether it had to wait. */
function newLink(deps: TxDeps, { platformId, paymentId, position, expiresAt, createdAt }: LinkedTo): LinkRow {
  const now = deps.realClock.now()
  const toldAt = createdAt < now ? createdAt : now
  return { platformId, paymentId, position, wrongPins: 0, lockedUntil: null, sentAt: [toldAt], expiresAt }
}

type LinkedTo = Pick<Invited, 'platformId' | 'paymentId' | 'position' | 'expiresAt' | 'createdAt'>

/** Returns the start of the next day (UTC). */
const nextDay = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS)

/**
 * Mails the recipient again at the request of the sender or the owner of its platform. The response does not reveal whether the recipient
 * has an account here, or whether a limit delays the mail.
 *
 * @throws ApiError payment_not_found, not_the_sender, not_notifiable, notify_limit_reached
 */
export async function notifyRecipient(
  deps: TxDeps,
  caller: Caller,
  { paymentId, baseUrl }: { paymentId: string; baseUrl: string },
): Promise<void> {
  const payment = await lockSentPayment(deps, caller, paymentId)
  const { platformId } = payment
  const platformDeps = { ...deps, clock: await clockOf(deps, platformId) }
  if (payment.kind === 'MULTI') return notifyMulti(platformDeps, { payment, baseUrl })
  if (!isEmail(payment.recipient) || !(await canBeDeposited(platformDeps, payment)))
    throw new ApiError('not_notifiable')
  await countNotification(deps, { ...payment, paymentId, position: 0 })
  await recordMail(platformDeps, { platformId, paymentId }, 'notify')
  if (payment.recipientPlatformId === platformId) return // A user of the platform sees the payment there and needs no mail.
  const pending = await findPendingNotice(deps, await markInvited(deps.sql, { platformId, paymentId }))
  if (pending) await sendNotice(deps, baseUrl, pending, { endsLinks: true })
}

/** Mails each recipient without an account again. `deps` has the clock of the payment's platform. */
async function notifyMulti(
  deps: TxDeps,
  { payment, baseUrl }: { payment: PaymentRow; baseUrl: string },
): Promise<void> {
  const { platformId, id: paymentId } = payment
  const several = await markMultiInvited(deps.sql, { platformId, paymentId })
  if (several.length === 0 || !(await canBeDeposited(deps, payment))) throw new ApiError('not_notifiable')
  await recordMail(deps, { platformId, paymentId }, 'notify')
  // Sorted in the same way as in the worker, so that the mail counters are always locked in the same order.
  for (const invited of several.toSorted((one, other) => (one.recipient < other.recipient ? -1 : 1))) {
    await countNotification(deps, invited)
    const pending = await findPendingNotice(deps, invited)
    if (pending) await sendNotice(deps, baseUrl, pending, { endsLinks: true })
  }
}

/**
 * Mails the recipient again, and returns whether that was possible. @throws ApiError payment_not_found, not_the_sender
 */
export async function mailLinkAgain(...given: Parameters<typeof notifyRecipient>): Promise<boolean> {
  try {
    await notifyRecipient(...given)
    return true
  } catch (error) {
    if (error instanceof ApiError && ['not_notifiable', 'notify_limit_reached'].includes(error.code)) return false
    throw error
  }
}

/**
 * Counts a mail when the sender requests it, for every kind of recipient. The mail is not counted again when it is sent, possibly days later.
 * Otherwise, the limit would reveal the delay.
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
  else await insertLink(deps.sql, hashSecret(newSecret(deps)), counted) // a link whose token is unknown, which only stores the count
}

/** Returns whether the recipient can still choose where the money goes. */
export const canBeDeposited = async (deps: TxDeps, payment: PaymentRow): Promise<boolean> =>
  payment.status === 'UNPAID' || (payment.status === 'FAILED' && (await redepositRefusal(deps, payment)) === null)
