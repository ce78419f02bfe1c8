import { formatDollars } from '../../foundation/core/money.ts'
import { formatLongDate, longBusinessDate, timeZoneWords } from '../../foundation/lib/clock.ts'
import { quotedText } from '../../foundation/lib/text/plain-text.ts'
import type { MailPart } from '../../foundation/mail/mail-rules.ts'
import { isInFlight } from '../../money/rail/leg-status.ts'
import type { LegRow } from '../../money/rail/leg-store.ts'
import type { Rail } from '../../money/rail/rail-rules.ts'
import type { ReturnCode } from '../../money/rail/return-code-rules.ts'
import { isPaper } from '../../money/rail/simulated-rail-rules.ts'
import type { PaymentStatus } from '../payment/payment-status.ts'

/** The mail notices to a payee without an account. */
export type Notice =
  | 'invited' //         the recipient can choose how to get paid
  | 'reminder' // a reminder, because nobody has chosen yet
  | 'on_its_way' // the payee chose an account, and the money is being collected
  | 'paid' // the money was sent to the payee's account
  | 'check_mailed' //    the check is in the mail
  | 'account_needed' // the payout was returned, and the payee can choose another account
  | 'address_needed' // the mailed check was returned, and the payee can choose again
  | 'not_collected' //   the sender's bank did not pay, and nothing was sent
  | 'check_stopped' //   the recipient's check will not be paid
  | 'undeliverable' //   the payout was returned and cannot be sent again
  | 'returned' // the money was returned to the sender
  | 'expired' // nobody chose before the payment expired

type Movement = { status: PaymentStatus; rail: Rail | null }
type NoticeContext = { legs: readonly LegRow[]; canBeDeposited: boolean }

/** Returns whether the money goes to an account outside Remit. */
const isTransfer = (rail: Rail | null) => rail !== null && rail !== 'WALLET' && !isPaper(rail)

const hasCheck = ({ rail }: Movement) => rail === 'PRINT'

/** The notice for each status. Null: the payee caused the change, already knows about it, or has the money. */
const noticesByStatus: Record<PaymentStatus, (payment: Movement, context: NoticeContext) => Notice | null> = {
  UNPAID: () => 'invited',
  IN_PROCESS: ({ rail }) => (isTransfer(rail) ? 'on_its_way' : null),
  PRINTED: () => null,
  EXPIRED: ({ rail }) => (rail === null ? 'expired' : null), // the date is printed on a check
  MAILED: () => 'check_mailed',
  PAID: ({ rail }) => (isTransfer(rail) ? 'paid' : null),
  REFUNDED: () => 'returned',
  VOID: (payment, { legs }) => (hasCheck(payment) || isStoppedPaper(legs.findLast(isPush)) ? 'check_stopped' : null),
  FAILED: (payment, context) => noticeOfFailure(payment, context),
}

/** Returns the current notice of a payment. `legs` are sorted oldest first. */
export const noticeOf = (payment: Movement, context: NoticeContext): Notice | null =>
  noticesByStatus[payment.status](payment, context)

function noticeOfFailure(payment: Movement, { legs, canBeDeposited }: NoticeContext): Notice | null {
  const leg = legs.at(-1)
  if (leg?.purpose === 'payment_refund') return null // the refund does not concern the payee
  if (leg && isPush(leg)) {
    if (leg.status === 'RETURNED') return noticeOfReturn(leg, canBeDeposited)
    if (isStoppedPaper(leg)) return 'check_stopped'
    if (isInFlight(leg.status) || leg.status === 'SETTLED') return null // The payee has the money, and the sender owes it to the operator.
  }
  return hasCheck(payment) ? 'check_stopped' : 'not_collected'
}

function noticeOfReturn({ rail }: LegRow, canBeDeposited: boolean): Notice {
  if (!canBeDeposited) return 'undeliverable'
  return rail === 'MAIL' ? 'address_needed' : 'account_needed'
}

const isPush = ({ purpose }: LegRow) => purpose === 'payment_push'

const isStoppedPaper = (leg: LegRow | undefined): boolean =>
  leg !== undefined &&
  isPaper(leg.rail) &&
  (leg.status === 'STOPPING' || (leg.status === 'CANCELLED' && leg.sentAt !== null))

/**
 * The facts in a mail. The sender's name is quoted, because anybody can sign up under any name. The mail contains no other text from the
 * sender.
 */
export type NoticeFacts = {
  sender: string
  amountCents: number
  rail: Rail | null
  returnCode: ReturnCode | null
  canBeDeposited: boolean
  /** Whether this payee chooses the account. Of several payees, only one does. */
  isDepositor: boolean
  /** The end of the time in which the payee can choose how to be paid. Null: there is no limit. */
  chooseUntil: Date | null
  /** The day on which the money should arrive. Null: unknown, or the day has passed. */
  arrivesOn: string | null
  /** The time zone of the business. */
  timeZone: string
  /** The URL of the payment's page. */
  url: string
}

export type NoticeMail = { subject: string; parts: MailPart[] }

const KEEP =
  'Anyone with this link can choose where the money goes, so do not forward this email. If you don’t know the sender, ignore it.'
const ASK = 'Ask the sender for a new payment.'
const OR_BACK = 'After that, the money goes back to the sender.'

type Words = {
  payment: string
  check: string
  reason: string
  arrival: string
  view: MailPart
  /** Writes the link, its expiry date, and a warning. */
  choose(label: string, afterDate?: string): MailPart[]
}

const noticeMails: Record<Notice, (words: Words, facts: NoticeFacts) => NoticeMail> = {
  invited: ({ payment, choose }) => ({
    subject: `You have a ${payment}`,
    parts: [
      `You have a ${payment}. Choose how you want to get paid:`,
      ...choose('Choose how to get paid', 'You don’t need an account.'),
    ],
  }),
  reminder: ({ payment, choose }) => ({
    subject: `Reminder: you have a ${payment}`,
    parts: [
      `You still have a ${payment}. Choose how you want to get paid:`,
      ...choose('Choose how to get paid', 'You don’t need an account.'),
    ],
  }),
  on_its_way: ({ payment, arrival, view }, facts) => ({
    subject: `Your ${payment} is on its way`,
    parts: [
      `Your ${payment} is on its way ${destinationWords(facts)}.${arrival}`,
      'If you didn’t choose this, tell the sender right away.',
      view,
    ],
  }),
  paid: ({ payment, arrival, view }, facts) => ({
    subject: `Your ${payment} was paid`,
    parts: [`Your ${payment} was sent ${destinationWords(facts)}.${arrival}`, view],
  }),
  check_mailed: ({ check, arrival, view }) => ({
    subject: `Your ${check} is in the mail`,
    parts: [`Your ${check} was mailed to you.${arrival}`, view],
  }),
  account_needed: ({ payment, reason, choose }) => ({
    subject: `Choose another account for your ${payment}`,
    parts: [
      `Your ${payment} was returned: ${reason}. Choose another account:`,
      ...choose('Choose another account', OR_BACK),
    ],
  }),
  address_needed: ({ check, reason, choose }) => ({
    subject: `Your ${check} was returned`,
    parts: [
      `Your ${check} was returned: ${reason}. Choose how you want to get paid instead:`,
      ...choose('Choose how to get paid', OR_BACK),
    ],
  }),
  not_collected: ({ payment, choose, view }, { canBeDeposited }) => ({
    subject: `Your ${payment} did not go through`,
    parts: [
      `Your ${payment} did not go through because the sender’s bank declined it.`,
      ...(canBeDeposited ? ['You can request it again:', ...choose('Request payment again')] : [ASK, view]),
    ],
  }),
  check_stopped: ({ check, view }) => ({
    subject: `Do not deposit your ${check}`,
    parts: [`Your ${check} was stopped. Your bank will not pay it. ${ASK}`, view],
  }),
  undeliverable: ({ payment, view }) => ({
    subject: `Your ${payment} did not go through`,
    parts: [`Your ${payment} was returned and cannot be sent again. ${ASK}`, view],
  }),
  expired: ({ payment, view }) => ({
    subject: `Your ${payment} expired`,
    parts: [`Your ${payment} expired because nobody chose how to get paid in time. ${ASK}`, view],
  }),
  returned: ({ payment, view }) => ({
    subject: `Your ${payment} went back to the sender`,
    parts: [`Your ${payment} could not be delivered and went back to the sender. ${ASK}`, view],
  }),
}

/** Renders the mail of a notice. */
export function noticeMail(notice: Notice, facts: NoticeFacts): NoticeMail {
  const { url, chooseUntil, arrivesOn, timeZone } = facts
  const from = `${formatDollars(facts.amountCents)} from ${quotedText(facts.sender)}`
  const words: Words = {
    payment: `payment of ${from}`,
    check: `check for ${from}`,
    reason: reasonOf(facts),
    arrival: arrivesOn ? ` It should arrive by ${formatLongDate(new Date(arrivesOn))}.` : '',
    view: { label: 'View payment', url },
    choose: (label, afterDate = '') => [
      { label, url },
      ...(chooseUntil
        ? [
            `You have until ${longBusinessDate(chooseUntil, timeZone)} (${timeZoneWords(timeZone)}). ${afterDate}`.trim(),
          ]
        : []),
      KEEP,
    ],
  }
  return noticeMails[notice](words, facts)
}

const destinations: Partial<Record<Rail, string>> = {
  INSTANT: 'to your card',
  PAYPAL: 'to your PayPal account',
  VENMO: 'to your Venmo account',
  INTERAC: 'by Interac e-Transfer',
  WIRE: 'by wire',
  SWIFT: 'by wire',
}
const destinationWords = ({ rail, isDepositor }: NoticeFacts): string =>
  isDepositor ? ((rail && destinations[rail]) ?? 'to your bank account') : 'to the account that another payee chose'

const returnReasons: Partial<Record<ReturnCode, string>> = {
  R02: 'the bank account is closed',
  R03: 'the bank has no such account',
  R04: 'the account number is invalid',
  R16: 'the bank account is frozen',
  R20: 'the bank account does not accept this kind of payment',
  '04': 'the card was declined',
  '05': 'the card’s bank declined it',
  A: 'the address is incomplete or wrong',
  B: 'the post office could not find you at the address',
  C: 'the mail was refused',
}

const reasonOf = ({ returnCode, rail }: NoticeFacts): string =>
  (returnCode && returnReasons[returnCode]) ??
  (rail === 'MAIL' ? 'the check could not be delivered' : 'the account did not accept it')
