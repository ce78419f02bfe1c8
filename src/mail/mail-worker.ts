import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Deps } from '../db/deps.ts'
import { sweepOldRows } from '../db/old-rows.ts'
import { addDays } from '../lib/clock.ts'
import type { MailServer } from '../lib/environment.ts'
import { type Mail, openMail } from './mail-actions.ts'
import { MAIL_DELAYS_SECONDS, MAIL_KEPT_DAYS, MAIL_SENT_WITHIN_DAYS } from './mail-rules.ts'
import { claimDueMails, type DueMail, failOldMails, oldMails, updateMailStatus } from './mail-store.ts'

const MAILS_PER_PASS = 10
const MAILS_SWEPT_PER_PASS = 1_000
const CONNECTIONS = 2
const TIMEOUTS_MS = { dnsTimeout: 5_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
/** All of them together, well below the first delay: no mail is tried again while it is being sent. */
const DEADLINE_MS = 20_000

/** How mail leaves. */
export type Postman = { send(mail: Mail): Promise<void>; close(): void }

export function createPostman({ url, from }: MailServer): Postman {
  const { protocol, hostname, port, username, password } = new URL(url)
  const transport = createTransport({
    pool: true,
    maxConnections: CONNECTIONS,
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port && { port: Number(port) }),
    secure: protocol === 'smtps:',
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...TIMEOUTS_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async ({ to, subject, text }) => {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    },
    close: () => transport.close(),
  }
}

/** One pass: sends mail that is due. @returns how many attempts it made */
export async function sendDueMails(deps: Deps, postman: Postman): Promise<number> {
  const now = deps.realClock.now()
  await failOldMails(deps.sql, { now, before: addDays(now, -MAIL_SENT_WITHIN_DAYS) })
  const claim = { now, delaysSeconds: MAIL_DELAYS_SECONDS, limit: MAILS_PER_PASS }
  const due = await claimDueMails(deps.sql, claim)
  await Promise.all(due.map((mail) => attempt(deps, postman, mail)))
  return due.length
}

async function attempt(deps: Deps, postman: Postman, mail: DueMail): Promise<void> {
  try {
    await inTime(postman.send(openMail(deps, mail)))
  } catch (error) {
    // Not the message: a mail server may repeat in it what it was sent.
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    deps.log.warn({ mail: mail.id, attempt: mail.attemptCount, code, responseCode }, 'mail not sent')
    if (mail.attemptCount > MAIL_DELAYS_SECONDS.length) await updateMailStatus(deps.sql, mail, 'FAILED')
    return
  }
  await updateMailStatus(deps.sql, mail, 'SENT')
}

/** A server that sends a byte now and then keeps nobody waiting. */
async function inTime(sending: Promise<void>): Promise<void> {
  const end = new AbortController()
  const late = sleep(DEADLINE_MS, undefined, { signal: end.signal }).then(() => {
    throw Object.assign(new Error('not sent in time'), { code: 'DEADLINE' })
  })
  try {
    await Promise.race([sending, late])
  } finally {
    end.abort()
  }
}

/** One pass: deletes mail that is old. @returns how many it deleted */
export const sweepMails = (deps: Deps): Promise<number> =>
  sweepOldRows(deps, 'sweep mail', oldMails, {
    before: addDays(deps.realClock.now(), -MAIL_KEPT_DAYS),
    limit: MAILS_SWEPT_PER_PASS,
  })
