import type { EnvironmentName } from '../core/environment.ts'
import { formatDollars } from '../core/money.ts'
import { type MailPart, mailBody } from '../mail/mail-rules.ts'
import { APPROVAL_DAYS } from './approval-rules.ts'
import type { ApprovalOutcome } from './approval-status.ts'

type Content = { subject: string; text: string; html: string }

/** What a mail tells of an approval. `url`: the page, or null if the address of the service is not set. */
type Item = { platform: string; amountCents: number; name: string; url: string | null }

const mail = (subject: string, parts: (MailPart | null)[]): Content => ({
  subject,
  ...mailBody(parts.filter((part) => part !== null)),
})

const link = (url: string | null, label: string): MailPart[] =>
  url === null ? [] : ['Open this page:', { label, url }]

/** The mail to those who can release what somebody has prepared. */
export const newApprovalMail = (
  name: EnvironmentName,
  { platform, amountCents, name: payee, url }: Item,
  preparedBy: string,
): Content =>
  mail(`${formatDollars(amountCents)} to ${payee} waits for approval on Remit ${name}`, [
    `${preparedBy} prepared a payment of ${formatDollars(amountCents)} to ${payee} for ${platform}.`,
    'It is not sent until somebody releases it.',
    ...link(url, 'Review the payment'),
    `It expires in ${APPROVAL_DAYS} days.`,
  ])

/** The mail to the one who prepared a payment that has ended. */
export const endedApprovalMail = (
  name: EnvironmentName,
  { platform, amountCents, name: payee, url }: Item,
  { outcome, by, reason }: { outcome: ApprovalOutcome; by: string | null; reason?: string },
): Content => {
  const what = `payment of ${formatDollars(amountCents)} to ${payee} for ${platform}`
  const words = {
    RELEASED: { subject: 'was released', text: `${by} released your ${what}.` },
    REJECTED: { subject: 'was rejected', text: `${by} rejected your ${what}.` },
    EXPIRED: {
      subject: 'has expired',
      text: `Nobody released your ${what} for ${APPROVAL_DAYS} days, so it has expired.`,
    },
    VOIDED: { subject: 'was voided', text: `Your ${what} was voided.` },
  }[outcome]
  return mail(`${formatDollars(amountCents)} to ${payee} ${words.subject} on Remit ${name}`, [
    words.text,
    reason === undefined ? null : `Reason: ${reason}`,
    ...link(url, 'Open approvals'),
  ])
}
