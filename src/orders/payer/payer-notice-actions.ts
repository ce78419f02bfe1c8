import { type Actor, recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { addDays, businessDate, DAY_MS } from '../../foundation/lib/clock.ts'
import { newSecret } from '../../foundation/lib/ids.ts'
import { hashSecret } from '../../foundation/lib/secret.ts'
import type { InvoiceKey } from '../../payments/invoice-status/invoice-change-store.ts'
import { claimMail, mailRecipient } from '../../payments/recipient/recipient-mail-actions.ts'
import { keepAddress } from '../../payments/recipient/recipient-match-actions.ts'
import { logoUrl, MAILS_A_DAY } from '../../payments/recipient/recipient-rules.ts'
import { findStoppedUser, lockCaller } from '../../people/user/user-lock-actions.ts'
import { getInvoice } from '../invoice/invoice-actions.ts'
import { REMINDER_DAYS } from '../invoice/invoice-rules.ts'
import { invoiceMail, LINK_DAYS } from './payer-rules.ts'
import {
  type DueReminder,
  delayInvoiceNotice,
  findPayee,
  insertInvoiceLink,
  type NotifiedInvoice,
  requestInvoiceNotice,
  updateReminder,
} from './payer-store.ts'

/** The milliseconds after which the mail of a suspended sender is tried again. */
const STOPPED_RETRY_MS = 60 * 60 * 1_000

/**
 * Mails the recipient about an invoice. A person without an account gets a new link, and the owner of another platform signs in. Earlier
 * links still work. Above a limit, the mail waits until the next day. While the sender is suspended, it waits an hour. It is dropped if the
 * invoice is no longer UNPAID.
 */
export async function sendInvoiceNotice(deps: TxDeps, baseUrl: string, invoice: NotifiedInvoice): Promise<void> {
  const { platformId, id, senderId, recipient, status, notice, amountCents, dueDate, terms, items } = invoice
  if (status !== 'UNPAID') return
  const stop = await findStoppedUser(deps, [{ platformId, userId: senderId }])
  if (stop?.standing === 'CLOSED') return
  const now = deps.realClock.now()
  if (stop) {
    await delayInvoiceNotice(deps.sql, invoice, { notice, at: new Date(now.getTime() + STOPPED_RETRY_MS) })
    return
  }
  const hasAccount = invoice.recipientPlatformId !== null
  if (!hasAccount) await keepAddress(deps, { platformId, subjectId: id, kind: 'invoice', email: recipient })
  const { outcome } = await claimMail(deps, { platformId, paymentId: id, recipient })
  if (outcome === 'limited' || outcome === 'delayed') {
    await delayInvoiceNotice(deps.sql, invoice, { notice, at: nextDay(now) })
    return
  }
  const payee = await findPayee(deps.sql, invoice)
  if (outcome !== 'send' || !payee) return
  const url = hasAccount ? `${baseUrl}/invoices/${id}` : await newLink(deps, { baseUrl, invoice, now })
  const clock = await clockOf(deps, platformId)
  const today = businessDate(clock.now(), deps.settings.timeZone)
  const facts = { sender: payee.name, amountCents, url, hasAccount, today, dueDate, terms, items }
  const mail = invoiceMail(notice, facts)
  const brand = { name: payee.name, logo: logoUrl(payee.logo) }
  await mailRecipient(deps, baseUrl, { to: recipient, ...mail, brand })
}

async function newLink(
  deps: TxDeps,
  { baseUrl, invoice, now }: { baseUrl: string; invoice: NotifiedInvoice; now: Date },
): Promise<string> {
  const token = newSecret(deps)
  const expiresAt = addDays(now, LINK_DAYS)
  const link = { platformId: invoice.platformId, invoiceId: invoice.id, expiresAt, isViewOnly: false }
  await insertInvoiceLink(deps.sql, hashSecret(token), link)
  return `${baseUrl}/invoice/${token}`
}

/** Returns the start of the next day (UTC). */
const nextDay = (now: Date): Date => new Date(Math.floor(now.getTime() / DAY_MS + 1) * DAY_MS)

/** Makes the mail of a reminder due, at the time of the platform. Then schedules the next reminder, unless this was the last one. */
export async function remindPayer(deps: TxDeps, reminder: DueReminder): Promise<void> {
  const days = REMINDER_DAYS[reminder.reminders + 1]
  const nextAt = days === undefined ? null : addDays(reminder.dueAt, days)
  const isDue = await updateReminder(deps.sql, reminder, { nextAt, noticeAt: deps.realClock.now() })
  if (isDue) deps.afterCommit(deps.wake)
}

/**
 * Mails the recipient again at the sender's request. Such mails count toward the same limit as mails about payments.
 *
 * @throws ApiError invoice_not_found, not_the_sender, not_notifiable, notify_limit_reached
 */
export async function notifyPayer(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  await lockCaller(deps, caller)
  const invoice = await getInvoice(deps, caller, id)
  if (invoice.direction !== 'OUTGOING') throw new ApiError('not_the_sender')
  await requestMail(deps, caller, invoice)
}

/** Schedules a requested mail at once. @throws ApiError not_notifiable, notify_limit_reached */
export async function requestMail(deps: TxDeps, actor: Actor, invoice: InvoiceKey): Promise<void> {
  const now = deps.realClock.now()
  const outcome = await requestInvoiceNotice(deps.sql, invoice, { now, maxADay: MAILS_A_DAY - 1 })
  if (outcome === 'none') throw new ApiError('not_notifiable', { message: NOT_NOTIFIABLE })
  if (outcome === 'limited') throw new ApiError('notify_limit_reached')
  await recordAudit(deps, actor, 'invoice_reminded', invoice.id)
  deps.afterCommit(deps.wake)
}

const NOT_NOTIFIABLE = 'Only unpaid invoices to an email outside can be mailed again.'
