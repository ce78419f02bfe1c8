import type { Deps, TxDeps } from '../db/deps.ts'
import { addDays } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import { asciiEmail } from '../lib/text/email.ts'
import { MAIL_SENT_WITHIN_DAYS } from './mail-rules.ts'
import { insertMail, listMails, type MailRow } from './mail-store.ts'

/**
 * The content of a mail. `html` has the same content as `text`. `unsubscribeUrl` accepts the one-click POST of mail programs (RFC 8058).
 */
export type MailContent = { subject: string; text: string; html?: string; unsubscribeUrl?: string }
export type Mail = MailContent & { id: string; to: string; date: Date }

/**
 * Writes a mail in the transaction that causes it. It is sent after the commit, or kept if there is no mail server. If `to` is null,
 * nothing is sent, but the call takes equally long, so that it does not reveal whether an email is registered. `isAwaited`: a person waits
 * for this mail, so it is sent before all others.
 */
export async function sendMail(
  deps: TxDeps,
  { to, isAwaited = false, ...content }: MailContent & { to: string | null; isAwaited?: boolean },
): Promise<void> {
  const now = deps.realClock.now()
  // Other mail is at most this overdue, so this mail comes first.
  const dueAt = isAwaited ? addDays(now, -MAIL_SENT_WITHIN_DAYS) : now
  const isSent = deps.settings.mailServer !== null
  await insertMail(deps.sql, {
    id: newId({ clock: deps.realClock, random: deps.random }),
    recipient: to && (asciiEmail(to) ?? to),
    contentSealed: deps.keyRing.seal(JSON.stringify(content), 'mail'),
    status: isSent ? 'PENDING' : 'KEPT',
    nextAttemptAt: isSent ? dueAt : null,
    createdAt: now,
  })
  if (isSent) deps.afterCommit(deps.wake)
}

/** Returns the URL of an owner's page, or null for other users, who have no pages. */
export const ownerPageUrl = (
  { pageUrl }: Pick<Deps, 'pageUrl'>,
  { platformId, userId }: { platformId: string; userId: string },
  path: string,
): string | null => (userId === platformId ? pageUrl(path) : null)

const MAILS_SHOWN = 100

/** Lists the latest mails that can be decrypted, newest first. */
export async function getMails(deps: Deps): Promise<Mail[]> {
  const rows = await listMails(deps.sql, MAILS_SHOWN)
  return rows.flatMap((row) => {
    try {
      return openMail(deps, row)
    } catch (err) {
      deps.log.error({ err, mail: row.id }, 'mail cannot be decrypted')
      return []
    }
  })
}

export function openMail({ keyRing }: Pick<Deps, 'keyRing'>, row: MailRow): Mail {
  const content = JSON.parse(keyRing.openText(row.contentSealed, 'mail')) as MailContent
  return { id: row.id, to: row.recipient, ...content, date: row.createdAt }
}
