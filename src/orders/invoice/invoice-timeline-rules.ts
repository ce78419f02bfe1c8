import { addDays } from '../../foundation/lib/clock.ts'
import type { InvoiceStatus } from '../../payments/invoice-status/invoice-status.ts'
import { REMINDER_DAYS } from './invoice-rules.ts'

/** The events of a timeline. `mail` is the first mail to the recipient, `remind` each later one, by schedule or by request. */
export const INVOICE_EVENTS = ['send', 'mail', 'remind', 'begin_payment', 'pay', 'fail_payment', 'void'] as const

/** Something that happened to an invoice, by the clock of the platform. */
export type InvoiceEntry = { event: (typeof INVOICE_EVENTS)[number]; at: Date; paymentId: string | null }

/** The facts from which the timeline of an invoice is made. */
export type InvoiceStory = {
  invoice: { status: InvoiceStatus; createdAt: Date; updatedAt: Date }
  /** Null for a reader who may not see mails. `requested` lists the times, in real time, of reminders that the sender asked for. */
  mails: { isMailed: boolean; reminders: number; requested: readonly Date[] } | null
  /** The payments, earliest first. `id` is null if the reader cannot read the payment. */
  payments: readonly { id: string | null; createdAt: Date; paidAt: Date | null; endedAt: Date | null }[]
}

/** The timeline of an invoice, in order. */
export function invoiceTimeline({ invoice, mails, payments }: InvoiceStory): InvoiceEntry[] {
  const { status, createdAt, updatedAt } = invoice
  const entry = (event: InvoiceEntry['event'], at: Date, paymentId: string | null = null) => ({ event, at, paymentId })
  const reminders = mails ? [...remindersOf(createdAt, mails.reminders), ...mails.requested] : []
  const entries = [
    entry('send', createdAt),
    ...(mails?.isMailed ? [entry('mail', createdAt)] : []),
    // Where the clock was moved, the real time of a reminder can be before the invoice.
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

/** Whether the last payment is the one that pays the invoice, also if the debit of that payment came back after the payout. */
const isPaidBy = (status: InvoiceStatus): boolean => status === 'IN_PROCESS' || status === 'PAID'

/** When the first reminders were due. */
function remindersOf(createdAt: Date, count: number): Date[] {
  let at = createdAt
  return REMINDER_DAYS.slice(0, count).map((days) => {
    at = addDays(at, days)
    return at
  })
}
