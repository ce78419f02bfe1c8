import type { EnvironmentName, EnvironmentSettings } from '../core/environment.ts'
import { escapeHtml } from '../lib/text/html.ts'
import { unlinkedText } from '../lib/text/plain-text.ts'

export type MailStatus = 'KEPT' | 'PENDING' | 'SENT' | 'FAILED'

/** Seconds between the attempts to send a mail: four hours in total. After that, the mail has failed. */
export const MAIL_DELAYS_SECONDS = [60, 120, 300, 900, 1_800, 3_600, 7_200]

/** The age in days above which mail is not sent, because its content may be outdated. */
export const MAIL_SENT_WITHIN_DAYS = 1
export const MAIL_KEPT_DAYS = 30

/** Returns whether pages show kept mail. They do so only if no real mail is sent. */
export const isMailShown = ({ showsMail, mailServer }: EnvironmentSettings): boolean => showsMail && mailServer === null

/** A part of a mail: a paragraph, a link on its own line, or rows of a label and a value. The last row is the total. */
export type MailPart = string | { label: string; url: string } | { rows: readonly (readonly [string, string])[] }

/** The sender that a mail names. `logo` is a data URL. It is attached to the mail, so that opening the mail sends no request. */
export type MailBrand = { name: string; logo: string | null }

/** The maximum length of a logo, as a data URL. Longer logos are left out, because each mail contains a copy. */
const MAX_LOGO_LENGTH = 64 * 1024

// Mail programs that ignore the style block show the light colors.
const DARK = `@media (prefers-color-scheme: dark) {
.page { background: #0f1418 !important }
.card { background: #171c20 !important; border-color: #2b3238 !important; color: #e6eaed !important }
.muted, .muted a { color: #9aa5b0 !important }
.logo { background: #fff }
}`

/** Renders the same content as plain text and as HTML. The brand comes first. `footer` comes last, in a smaller font. */
export function mailBody(
  parts: readonly MailPart[],
  { footer = [], brand = null }: { footer?: readonly MailPart[]; brand?: MailBrand | null } = {},
): { text: string; html: string } {
  const text = [...parts, ...footer].map((part, index, all) => `${textPart(part, all[index - 1])}\n`).join('\n')
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;padding:24px 16px;background:#f5f7f9;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div class="card" style="max-width:32rem;margin:0 auto;padding:24px 24px 8px;border:1px solid #dde3e8;border-radius:12px;background:#fff;color:#1b2126">
${[...(brand ? [brandPart(brand)] : []), ...parts.map((part) => htmlPart(part, { space: 16, link: BUTTON }))].join('\n')}
</div>
<div class="muted" style="max-width:32rem;margin:16px auto 0;padding:0 24px;font-size:13px;color:#5d6772">
${footer.map((part) => htmlPart(part, { space: 4, link: 'color:#5d6772' })).join('\n')}
</div>
</body>
</html>
`
  return { text, html }
}

/** Renders a mail from the service itself. */
export const serviceMail = (name: EnvironmentName, subject: string, ...parts: MailPart[]) => ({
  subject,
  ...mailBody(parts, { brand: { name: `Remit ${name}`, logo: null } }),
})

/** Renders the brand. The name is shown as unlinked text, because anyone can sign up under any name. */
function brandPart({ name, logo }: MailBrand): string {
  const shown = escapeHtml(unlinkedText(name))
  if (logo === null || logo.length > MAX_LOGO_LENGTH)
    return `<p style="margin:0 0 16px;font-size:18px;font-weight:600">${shown}</p>`
  return `<p style="margin:0 0 16px"><img class="logo" src="${escapeHtml(logo)}" alt="${shown}" style="max-width:200px;max-height:48px;border-radius:4px"></p>`
}

/** Renders a part as text. A paragraph that ends in a colon introduces the link that follows it. */
function textPart(part: MailPart, before: MailPart | undefined): string {
  if (typeof part === 'string') return part
  if ('rows' in part) return part.rows.map(([label, value]) => `${label}: ${value}`).join('\n')
  const isIntroduced = typeof before === 'string' && before.endsWith(':')
  return isIntroduced ? part.url : `${part.label}:\n${part.url}`
}

const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#0c5f80;color:#fff;text-decoration:none'

/** Renders a part as HTML. `space`: the pixels below it, because mail programs have different margins. */
function htmlPart(part: MailPart, { space, link }: { space: number; link: string }): string {
  if (typeof part === 'object' && 'rows' in part) return rowsPart(part.rows, space)
  const content =
    typeof part === 'string'
      ? escapeHtml(part)
      : `<a href="${escapeHtml(part.url)}" style="${link}">${escapeHtml(part.label)}</a>`
  return `<p style="margin:0 0 ${space}px">${content}</p>`
}

function rowsPart(rows: readonly (readonly [string, string])[], space: number): string {
  const cells = rows.map(([label, value], index) => {
    const weight = index === rows.length - 1 ? ';font-weight:600' : ''
    const cell = (text: string, style: string) => `<td style="padding:4px 0;${style}${weight}">${escapeHtml(text)}</td>`
    const end = 'text-align:right;white-space:nowrap;vertical-align:top'
    return `<tr>${cell(label, 'padding-right:16px')}${cell(value, end)}</tr>`
  })
  return `<table role="presentation" style="width:100%;margin:0 0 ${space}px;border-collapse:collapse">${cells.join('')}</table>`
}
