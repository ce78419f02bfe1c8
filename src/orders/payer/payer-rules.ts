import { formatDollars } from '../../foundation/core/money.ts'
import { formatDateTime, formatLongDate } from '../../foundation/lib/clock.ts'
import { quotedText } from '../../foundation/lib/text/plain-text.ts'
import type { MailPart } from '../../foundation/mail/mail-rules.ts'
import { type InvoiceItem, totalsOfItems } from '../invoice/invoice-items-rules.ts'
import type { InvoiceTerms } from '../invoice/invoice-terms-rules.ts'

/** The maximum number of bank accounts that a person can try for an invoice. */
export const MAX_ACCOUNTS = 5

/** The days for which a link to an invoice works. */
export const LINK_DAYS = 365

/** The days for which a link from an account works, which is long enough for micro-deposits. */
export const OPENED_LINK_DAYS = 14

/** The mails to a recipient about an invoice. */
export type InvoiceNotice =
  | 'SENT' // a new invoice
  | 'REMINDER' // a reminder, because it is not paid yet
  | 'RETURNED' // its payment was returned

/** The facts in a mail about an invoice. `hasAccount`: whether the recipient is a user of another platform. */
export type InvoiceFacts = InvoiceTerms & {
  sender: string
  amountCents: number
  url: string
  hasAccount: boolean
  /** The current day of the business. */
  today: string
}

const PRIVATE = 'Keep this link to yourself. It shows the invoice and can be used to pay it.'
const OPTIONAL = 'If you did not expect this invoice, ask the sender before you pay.'

const NO_ACCOUNT = 'Pay it from your bank account. You don’t need to sign up:'
const SIGN_IN = 'Sign in to pay it:'
const OTHER_ACCOUNT = 'You can pay it from another account:'

const notices: Record<InvoiceNotice, (invoice: string) => { subject: string; text: string; how?: string }> = {
  SENT: (invoice) => ({
    subject: `You have an ${invoice}`,
    text: `You have an ${invoice}.`,
  }),
  REMINDER: (invoice) => ({
    subject: `Reminder: an ${invoice} is unpaid`,
    text: `An ${invoice} is still unpaid.`,
  }),
  RETURNED: (invoice) => ({
    subject: `Your payment of an ${invoice} did not go through`,
    text: `Your payment of an ${invoice} did not go through, and the invoice is unpaid again.`,
    how: OTHER_ACCOUNT,
  }),
}

/** Renders a mail. Texts of the sender are quoted and never become links, because anybody can sign up under any name. */
export function invoiceMail(
  notice: InvoiceNotice,
  { sender, amountCents, url, hasAccount, today, ...terms }: InvoiceFacts,
): { subject: string; parts: MailPart[] } {
  const invoice = `invoice for ${formatDollars(amountCents)} from ${quotedText(sender)}`
  const { subject, text, how = hasAccount ? SIGN_IN : NO_ACCOUNT } = notices[notice](invoice)
  const due = terms.dueDate === null ? '' : ` ${dueSentence(terms.dueDate, today)}`
  const details = detailParts(terms)
  const intro = details.length > 0 ? [text + due, ...details, how] : [`${text}${due} ${how}`]
  return { subject, parts: [...intro, { label: 'View invoice', url }, ...(hasAccount ? [] : [PRIVATE]), OPTIONAL] }
}

const dueSentence = (dueDate: string, today: string): string =>
  `It ${dueDate < today ? 'was' : 'is'} due on ${formatLongDate(new Date(dueDate))}.`

/** The maximum number of invoice lines in a mail. The page shows all of them. */
const MAX_MAILED_ITEMS = 10
const MAX_MAILED_TERMS = 200

function detailParts({ items, terms }: InvoiceTerms): MailPart[] {
  const shownTerms = terms === null ? [] : [`Terms: ${quotedText(terms, MAX_MAILED_TERMS)}`]
  return [...(items ? [{ rows: itemRows(items) }] : []), ...shownTerms]
}

function itemRows(items: readonly InvoiceItem[]): [string, string][] {
  const { lines, taxCents, totalCents } = totalsOfItems(items)
  const shown = items.slice(0, MAX_MAILED_ITEMS)
  const left = items.length - shown.length
  const leftCents = lines.slice(MAX_MAILED_ITEMS).reduce((sum, { netCents }) => sum + netCents, 0)
  return [
    ...shown.map((item, index): [string, string] => [itemWords(item), formatDollars(lines[index]?.netCents ?? 0)]),
    ...(left > 0
      ? [[left === 1 ? '1 more line' : `${left} more lines`, formatDollars(leftCents)] as [string, string]]
      : []),
    ...(taxCents > 0 ? [['Tax', formatDollars(taxCents)] as [string, string]] : []),
    ['Total', formatDollars(totalCents)],
  ]
}

const itemWords = ({ description, quantityThousandths, unitPriceCents }: InvoiceItem): string =>
  `${quotedText(description)}, ${quantityThousandths / 1_000} × ${formatDollars(unitPriceCents)}`

/** The debit that a payer authorizes. */
export type Debit = {
  payee: string
  amountCents: number
  number: string
  /** The holder of the account. */
  name: string
  accountLast4: string
}

/** Returns the text of a single authorization over the internet (Nacha Operating Rules, 2.3.2: who, how much, when, how to revoke). */
export const authorizationText = ({ payee, amountCents, number, name, accountLast4 }: Debit): string =>
  `I, ${name}, authorize this service to debit ${formatDollars(amountCents)} once from my bank account ending in ${accountLast4}, on or after today, to pay invoice ${number} of ${payee}. This authorization is for this payment only. I can revoke it before the debit is sent by contacting ${payee}.`

/** Renders the mail with the copy of an authorization. */
export const authorizationMail = ({
  text,
  at,
  sender,
  url,
}: {
  text: string
  at: Date
  sender: string
  url: string | null
}): { subject: string; parts: MailPart[] } => ({
  subject: `You authorized a payment to ${quotedText(sender)}`,
  parts: [
    `On ${formatDateTime(at)} (UTC) you agreed to this authorization:`,
    text,
    'Keep this copy. If you did not agree to it, tell your bank.',
    ...(url ? [{ label: 'View invoice', url }] : []),
  ],
})
