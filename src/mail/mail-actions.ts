import type { Deps, TxDeps } from '../db/deps.ts'
import { newId } from '../lib/ids.ts'
import { insertMail, listMails, type MailRow } from './mail-store.ts'

/** `html`: the same as `text`. `unsubscribeUrl`: takes the POST by which a mail program refuses further mail (RFC 8058). */
export type MailContent = { subject: string; text: string; html?: string; unsubscribeUrl?: string }
export type Mail = MailContent & { id: string; to: string; date: Date }

/**
 * Writes a mail in the transaction of what it tells of; it leaves after the commit, or is kept where there is no mail
 * server. `to` null sends it to nobody in the same time: an answer must not tell whether an email is known.
 */
export async function sendMail(deps: TxDeps, { to, ...content }: MailContent & { to: string | null }): Promise<void> {
  const now = deps.realClock.now()
  const isSent = deps.settings.mailServer !== null
  await insertMail(deps.sql, {
    id: newId({ clock: deps.realClock, random: deps.random }),
    recipient: to,
    contentSealed: deps.keyRing.seal(JSON.stringify(content), 'mail'),
    status: isSent ? 'PENDING' : 'KEPT',
    nextAttemptAt: isSent ? now : null,
    createdAt: now,
  })
  if (isSent) deps.afterCommit(deps.wake)
}

const MAILS_SHOWN = 100

/** The latest mails that can be opened, newest first. */
export async function getMails(deps: Deps): Promise<Mail[]> {
  const rows = await listMails(deps.sql, MAILS_SHOWN)
  return rows.flatMap((row) => {
    try {
      return openMail(deps, row)
    } catch (err) {
      deps.log.error({ err, mail: row.id }, 'mail cannot be opened')
      return []
    }
  })
}

export function openMail({ keyRing }: Pick<Deps, 'keyRing'>, row: MailRow): Mail {
  const content = JSON.parse(keyRing.openText(row.contentSealed, 'mail')) as MailContent
  return { id: row.id, to: row.recipient, ...content, date: row.createdAt }
}
