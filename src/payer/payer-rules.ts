import { formatDollars } from '../core/money.ts'
import { formatDateTime } from '../lib/clock.ts'
import { quotedText } from '../lib/text/plain-text.ts'
import type { MailPart } from '../mail/mail-rules.ts'

/** How many bank accounts one person can try for an invoice. */
export const MAX_ACCOUNTS = 5

/** How long a link to an invoice works. */
export const LINK_DAYS = 365

/** How long a link works that an account opened: long enough for micro-deposits. */
export const OPENED_LINK_DAYS = 14

/** Mails to a person outside about an invoice. */
export type InvoiceNotice =
  | 'SENT' //      there is an invoice
  | 'REMINDER' //  it is not paid yet
  | 'RETURNED' //  its payment did not go through

/** `hasAccount`: the recipient is a user of another platform. */
export type InvoiceFacts = { sender: string; amountCents: number; url: string; hasAccount: boolean }

const PRIVATE = 'Keep this link to yourself. It shows the invoice and can be used to pay it.'
const OPTIONAL = 'If you did not expect this invoice, ask the sender before you pay.'

const NO_ACCOUNT = 'Pay it from your bank account. You don’t need to sign up'
const SIGN_IN = 'Sign in to pay it'

const notices: Record<InvoiceNotice, (invoice: string, how: string) => { subject: string; text: string }> = {
  SENT: (invoice, how) => ({
    subject: `You have an ${invoice}`,
    text: `You have an ${invoice}. ${how}:`,
  }),
  REMINDER: (invoice, how) => ({
    subject: `Reminder: an ${invoice} is unpaid`,
    text: `An ${invoice} is still unpaid. ${how}:`,
  }),
  RETURNED: (invoice) => ({
    subject: `Your payment of an ${invoice} did not go through`,
    text: `Your payment of an ${invoice} did not go through, and the invoice is unpaid again. You can pay it from another account:`,
  }),
}

/** The mail of a notice. The sender's only words are its name, in quotes: anybody can sign up under any name. */
export function invoiceMail(
  notice: InvoiceNotice,
  { sender, amountCents, url, hasAccount }: InvoiceFacts,
): { subject: string; parts: MailPart[] } {
  const how = hasAccount ? SIGN_IN : NO_ACCOUNT
  const { subject, text } = notices[notice](`invoice for ${formatDollars(amountCents)} from ${quotedText(sender)}`, how)
  return { subject, parts: [text, { label: 'View invoice', url }, ...(hasAccount ? [] : [PRIVATE]), OPTIONAL] }
}

/** What a payer agrees to. */
export type Debit = {
  payee: string
  amountCents: number
  number: string
  /** The holder of the account. */
  name: string
  accountLast4: string
}

/** The text of a single authorization over the internet (Nacha Operating Rules, 2.3.2: who, how much, when, how to revoke). */
export const authorizationText = ({ payee, amountCents, number, name, accountLast4 }: Debit): string =>
  `I, ${name}, authorize this service to debit ${formatDollars(amountCents)} once from my bank account ending in ${accountLast4}, on or after today, to pay invoice ${number} of ${payee}. This authorization is for this payment only. I can revoke it before the debit is sent by contacting ${payee}.`

/** The copy of an authorization. */
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
