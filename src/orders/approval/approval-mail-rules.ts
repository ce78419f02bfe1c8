import type { EnvironmentName } from '../../foundation/core/environment.ts'
import { formatDollars } from '../../foundation/core/money.ts'
import { plainText } from '../../foundation/lib/text/plain-text.ts'
import { type MailPart, mailBody } from '../../foundation/mail/mail-rules.ts'
import { APPROVAL_DAYS } from './approval-rules.ts'
import type { ApprovalOutcome } from './approval-status.ts'

type Content = { subject: string; text: string; html: string }

/** The facts in a mail about an approval. Only a batch has `rows`. `url` is its page, or null if the base URL is not set. */
type Item = { platform: string; amountCents: number; name: string; rows: number | null; url: string | null }

const mail = ({ platform }: Item, subject: string, parts: (MailPart | null)[]): Content => ({
  subject,
  ...mailBody(
    parts.filter((part) => part !== null),
    { brand: { name: platform, logo: null } },
  ),
})

const link = (url: string | null, label: string): MailPart[] => (url === null ? [] : [{ label, url }])

/**
 * Describes an approval: “Rent” of 12 payments, or a payment to “Ann”. The name is quoted, because the preparer chooses it, and it must not
 * look like text of the service.
 */
function words({ amountCents, name: given, rows }: Item) {
  const name = plainText(given)
  return rows === null
    ? {
        subject: `${formatDollars(amountCents)} to ${name}`,
        text: `payment of ${formatDollars(amountCents)} to ${name}`,
      }
    : {
        subject: `${formatDollars(amountCents)} in the batch ${name}`,
        text: `batch ${name} with ${rows} ${rows === 1 ? 'payment' : 'payments'} and a total of ${formatDollars(amountCents)}`,
      }
}

/** Renders the mail to the people who can release a prepared payment. */
export const newApprovalMail = (name: EnvironmentName, item: Item, preparedBy: string): Content =>
  mail(item, `${words(item).subject} waits for approval on Remit ${name}`, [
    `${preparedBy} prepared ${item.rows === null ? 'a' : 'the'} ${words(item).text} for ${item.platform}.`,
    'It is not sent until somebody releases it.',
    ...link(item.url, item.rows === null ? 'Review the payment' : 'Review the batch'),
    `It expires in ${APPROVAL_DAYS} days.`,
  ])

/** Renders the mail to the preparer about the end of an approval. */
export const endedApprovalMail = (
  name: EnvironmentName,
  item: Item,
  { outcome, by, reason }: { outcome: ApprovalOutcome; by: string | null; reason?: string },
): Content => {
  const what = `${words(item).text} for ${item.platform}`
  const ending = {
    RELEASED: { subject: 'was released', text: `${by} released your ${what}.` },
    REJECTED: { subject: 'was rejected', text: `${by} rejected your ${what}.` },
    EXPIRED: {
      subject: 'has expired',
      text: `Nobody released your ${what} for ${APPROVAL_DAYS} days, so it has expired.`,
    },
    VOIDED: { subject: 'was voided', text: `Your ${what} was voided.` },
  }[outcome]
  return mail(item, `${words(item).subject} ${ending.subject} on Remit ${name}`, [
    ending.text,
    reason === undefined ? null : `Reason: ${plainText(reason)}`,
    ...link(item.url, 'Open approvals'),
  ])
}
