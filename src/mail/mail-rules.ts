import type { EnvironmentSettings } from '../core/environment.ts'
import { escapeHtml } from '../lib/text/html.ts'

export type MailStatus = 'KEPT' | 'PENDING' | 'SENT' | 'FAILED'

/** Seconds between attempts to send a mail, four hours in total. Then the mail has failed. */
export const MAIL_DELAYS_SECONDS = [60, 120, 300, 900, 1_800, 3_600, 7_200]

/** Older mail is not sent, because its content may be outdated. */
export const MAIL_SENT_WITHIN_DAYS = 1
export const MAIL_KEPT_DAYS = 30

/** Kept mail is shown only where no real mail is sent. */
export const isMailShown = ({ showsMail, mailServer }: EnvironmentSettings): boolean => showsMail && mailServer === null

/** A paragraph, or a link on a line of its own. */
export type MailPart = string | { label: string; url: string }

/** Renders the same content as plain text and as HTML. `footer` follows in a smaller font. */
export function mailBody(parts: readonly MailPart[], footer: readonly MailPart[] = []): { text: string; html: string } {
  const text = [...parts, ...footer].map((part, index, all) => `${textPart(part, all[index - 1])}\n`).join('\n')
  const html = `<!doctype html>
<html lang="en">
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:#1b2126">
<div style="max-width:32rem;margin:0 auto">
${parts.map((part) => htmlPart(part, BUTTON)).join('\n')}
<div style="margin-top:32px;font-size:13px;color:#5d6772">
${footer.map((part) => htmlPart(part, 'color:#5d6772')).join('\n')}
</div>
</div>
</body>
</html>
`
  return { text, html }
}

/** A paragraph that ends in a colon introduces the link that follows it. */
function textPart(part: MailPart, before: MailPart | undefined): string {
  if (typeof part === 'string') return part
  const isIntroduced = typeof before === 'string' && before.endsWith(':')
  return isIntroduced ? part.url : `${part.label}:\n${part.url}`
}

const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#0c5f80;color:#fff;text-decoration:none'

const htmlPart = (part: MailPart, linkStyle: string): string =>
  typeof part === 'string'
    ? `<p>${escapeHtml(part)}</p>`
    : `<p><a href="${escapeHtml(part.url)}" style="${linkStyle}">${escapeHtml(part.label)}</a></p>`
