import { formatDollars } from '../../foundation/core/money.ts'
import type { SortType } from '../../foundation/db/paging.ts'
import { addDays, formatLongDate } from '../../foundation/lib/clock.ts'
import { plainText } from '../../foundation/lib/text/plain-text.ts'
import { type MailPart, mailBody } from '../../foundation/mail/mail-rules.ts'
import type { PostalAddress } from '../../payments/payment/payment-rules.ts'
import type { GivenLine } from '../../payments/payment/payment-types.ts'
import type { SubscriptionState } from './subscription-status.ts'

export const INTERVALS = ['WEEKLY', 'MONTHLY'] as const
export type Interval = (typeof INTERVALS)[number]

export const MAX_DURATION = 52

/** The maximum number of active subscriptions of a user. */
export const MAX_ACTIVE_SUBSCRIPTIONS = 1_000

/** The maximum number of days until the first run: fifty years. */
export const MAX_DAYS_AHEAD = 18_262

/** The highest run number that can be skipped in advance. */
export const MAX_SKIPPED_RUN = 10_000

/** The hour (UTC) of all runs. */
const RUN_HOUR = 16

/** The fields of an order that are stored as JSON, because only its payment uses them. */
export type SubscriptionDetails = {
  recipient: string | PostalAddress
  remittance_advice?: GivenLine[] | string | null
}

/** `payee`: the user whom the recipient named at creation, if it named one. */
export type StoredDetails = SubscriptionDetails & { payee?: { platformId: string; userId: string } }

/** The sort fields of the list. */
export const subscriptionSorts = {
  TYPE: 'text',
  AMOUNT: 'bigint',
  DATE: 'timestamptz',
  DESCRIPTION: 'text',
} as const satisfies Record<string, SortType>

export type SubscriptionSort = keyof typeof subscriptionSorts

type Schedule = { startDate: string; interval: Interval }

/** Returns the time of a run. Runs are numbered from 1. In a month that lacks the day of the start, the run is on the last day. */
export function runAt({ startDate, interval }: Schedule, run: number): Date {
  const start = new Date(`${startDate}T00:00:00Z`)
  const day = interval === 'WEEKLY' ? addDays(start, 7 * (run - 1)) : addMonths(start, run - 1)
  day.setUTCHours(RUN_HOUR)
  return day
}

/** Adds months to the start date and not to the previous run. After a short month, runs are therefore on the original day again. */
function addMonths(start: Date, months: number): Date {
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, month, Math.min(start.getUTCDate(), lastDay)))
}

/** Returns the run after `run`. Returns null if `run` is the last one. */
export function nextRun(
  schedule: Schedule & { duration: number | null },
  run: number,
): { run: number; at: Date } | null {
  const next = run + 1
  return schedule.duration !== null && next > schedule.duration ? null : { run: next, at: runAt(schedule, next) }
}

/** Returns the next runs, at most `limit`. */
export function runsAhead(
  row: Schedule & { duration: number | null; state: SubscriptionState; nextRun: number; skipped: readonly number[] },
  limit: number,
): { number: number; at: Date; isSkipped: boolean }[] {
  if (row.state !== 'ACTIVE') return []
  const last = Math.min(row.duration ?? MAX_SKIPPED_RUN, row.nextRun + limit - 1)
  const numbers = Array.from({ length: Math.max(0, last - row.nextRun + 1) }, (_, index) => row.nextRun + index)
  return numbers.map((number) => ({ number, at: runAt(row, number), isSkipped: row.skipped.includes(number) }))
}

/** Returns whether a subscription is created too late on its first day, so that its first run is skipped. */
export const misses = (schedule: Schedule, createdAt: Date): boolean => runAt(schedule, 1) < createdAt

/** The payee, the amount and the interval of an autopay authorization. */
type Agreement = { payeeName: string; amountCents: number; interval: Interval }

/** Returns the text to which a user agrees by turning autopay on. */
export function autopayText({ payeeName, amountCents, interval }: Agreement): string {
  const often = interval === 'WEEKLY' ? 'each week' : 'each month'
  return `I authorize this service to pay ${formatDollars(amountCents)} to ${payeeName} ${often} from my default bank account, when ${payeeName} sends an invoice of this subscription, until I revoke this authorization. I can revoke it at any time, and it does not apply to invoices that are sent afterward.`
}

type Content = { subject: string; text: string; html: string }

/** The link to a page in a mail, or null if the base URL is not known. */
type Linked = { url: string | null }

const mail = (subject: string, parts: MailPart[]): Content => ({ subject, ...mailBody(parts) })

const link = (url: string | null, label: string): MailPart[] => (url === null ? [] : [{ label, url }])

/** Renders the mail with the copy of an authorization. */
export const autopayMail = ({ text, day, url }: Linked & { text: string; day: string }): Content =>
  mail('You allowed recurring payments', [
    `On ${day} you agreed to this authorization:`,
    plainText(text),
    'Keep this copy. To revoke the authorization, turn off automatic payment.',
    ...link(url, 'View recurring payment'),
  ])

/** Renders the mail about an autopay payment that was refused. */
export const failedAutopayMail = ({ payeeName, amountCents, message, url }: FailedAutopay): Content =>
  mail(`A recurring payment of ${formatDollars(amountCents)} was not made`, [
    `The invoice of ${formatDollars(amountCents)} from ${plainText(payeeName)} was not paid.`,
    `Reason: ${message}`,
    'Pay the invoice yourself:',
    ...link(url, 'View invoice'),
  ])

type FailedAutopay = Linked & { payeeName: string; amountCents: number; message: string }

/** Renders the mail about a run that was refused. */
export function failedRunMail({ type, name, amountCents, at, next, message, url }: FailedRun): Content {
  const noun = type === 'INVOICE' ? 'invoice' : 'payment'
  const what = `The recurring ${noun} of ${formatDollars(amountCents)} to ${plainText(name)} on ${formatLongDate(at)}`
  const outlook = next ? `The next one follows on ${formatLongDate(next)}.` : 'It was the last one.'
  return mail(`A recurring ${noun} of ${formatDollars(amountCents)} was not made`, [
    `${what} was not made.`,
    `Reason: ${message}`,
    outlook,
    ...link(url, `View recurring ${noun}`),
  ])
}

type FailedRun = Linked & {
  type: 'CHECK' | 'INVOICE'
  name: string
  amountCents: number
  at: Date
  next: Date | null
  message: string
}
