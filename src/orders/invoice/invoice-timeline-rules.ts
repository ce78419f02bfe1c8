import { addDays } from '../../foundation/lib/clock.ts'
import type { InvoiceStatus } from '../../payments/invoice-status/invoice-status.ts'
import { REMINDER_DAYS } from './invoice-rules.ts'

/**
 * The events of a timeline. `mail` is the first mail to the recipient. `remind` is a later mail, either scheduled or requested by the
 * sender.
 */
export const INVOICE_EVENTS = ['send', 'mail', 'remind', 'begin_payment', 'pay', 'fail_payment', 'void'] as const

/** An event of an invoice, with its time on the clock of the platform. */
export type InvoiceEntry = { event: (typeof INVOICE_EVENTS)[number]; at: Date; paymentId: string | null }

/** The facts from which the timeline of an invoice is derived. */
export type InvoiceStory = {
  invoice: { status: InvoiceStatus; createdAt: Date; updatedAt: Date }
  /**
   * The mails about the invoice, or null for a reader who may not see them. `requested` lists the times, in real time, of reminders that
   * the sender requested.
   */
  mails: { isMailed: boolean; reminders: number; requested: readonly Date[] } | null
  /** The payments, earliest first. `id` is null if the reader may not read the payment. */
  payments: readonly { id: string | null; createdAt: Date; paidAt: Date | null; endedAt: Date | null }[]
}

/** Returns the timeline of an invoice, in order. */
export function invoiceTimeline({ invoice, mails, payments }: InvoiceStory): InvoiceEntry[] {
  const { status, createdAt, updatedAt } = invoice
  const entry = (event: InvoiceEntry['event'], at: Date, paymentId: string | null = null) => ({ event, at, paymentId })
  const reminders = mails ? [...remindersOf(createdAt, mails.reminders), ...mails.requested] : []
  const entries = [
    entry('send', createdAt),
    ...(mails?.isMailed ? [entry('mail', createdAt)] : []),
    // Reminders have real times. On a platform with a moved clock, such a time can be earlier than the creation of the invoice.
    ...reminders.map((at) => entry('remind', at < createdAt ? createdAt : at)),
    ...payments.flatMap(({ id, createdAt: begunAt, paidAt, endedAt }, index) => [
      entry('begin_payment', begunAt, id),
      ...(paidAt ? [entry('pay', paidAt, id)] : []),
      ...(endedAt && !(isPaidBy(status) && index === payments.length - 1) ? [entry('fail_payment', endedAt, id)] : []),
    ]),
    ...(status === 'VOID' ? [entry('void', updatedAt)] : []),
  ]
  return entries.toSorted((one, other) => one.at.getTime() - other.at.getTime())
}

/** Returns whether the last payment pays the invoice. This stays true if the debit of that payment is returned after the payout. */
const isPaidBy = (status: InvoiceStatus): boolean => status === 'IN_PROCESS' || status === 'PAID'

/** Returns the times at which the first reminders were due. */
function remindersOf(createdAt: Date, count: number): Date[] {
  let at = createdAt
  return REMINDER_DAYS.slice(0, count).map((days) => {
    at = addDays(at, days)
    return at
  })
}
