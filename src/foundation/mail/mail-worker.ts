import { setTimeout as sleep } from 'node:timers/promises'
import { SpanKind } from '@opentelemetry/api'
import type { Transporter } from 'nodemailer'
import type { MailServer } from '../core/environment.ts'
import type { BackgroundStep } from '../db/background/background-step.ts'
import type { Deps } from '../db/deps.ts'
import { type Isolation, isolate } from '../db/isolation.ts'
import { isDatabaseDown } from '../db/trouble.ts'
import { addDays } from '../lib/clock.ts'
import { neutralLines, plainText } from '../lib/text/plain-text.ts'
import { inSpan } from '../lib/trace/trace.ts'
import { type Mail, openMail } from './mail-actions.ts'
import { MAIL_DELAYS_SECONDS, MAIL_SENT_WITHIN_DAYS } from './mail-rules.ts'
import {
  claimDueMails,
  type DueMail,
  failOldMails,
  listDueMails,
  listLateMails,
  updateMailStatus,
} from './mail-store.ts'

const MAILS_PER_PASS = 10
const MAILS_GIVEN_UP_PER_PASS = 1_000
const CONNECTIONS = 2
const TIMEOUTS_MS = { dnsTimeout: 5_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
/** The time limit of a whole batch. It is far below the first retry delay, so that a mail is not sent again while it is being sent. */
const DEADLINE_MS = 20_000

/** A connection to the mail server. `verify` connects and signs in, and sends no mail. */
export type Mailer = { send(mail: Mail): Promise<void>; verify(): Promise<void>; close(): void }

export function createMailer(server: MailServer): Mailer {
  const options = transportOptions(server)
  let transport: Promise<Transporter> | null = null
  // Loads the library with the first mail, because most processes send none.
  const open = () => {
    transport ??= import('nodemailer').then(({ createTransport }) => createTransport(options))
    return transport
  }
  return {
    send: async ({ to, subject, text, html, unsubscribeUrl }) => {
      const headers = unsubscribeUrl ? unsubscribeHeaders(unsubscribeUrl) : {}
      await (await open()).sendMail({
        from: server.from,
        to: { name: '', address: to },
        subject: plainText(subject),
        text: neutralLines(text),
        ...(html && { html: neutralLines(html) }),
        attachDataUrls: true, // mail programs show only attached pictures
        headers,
      })
    },
    verify: async () => void (await (await open()).verify()),
    close: () => void transport?.then((open) => open.close()).catch(() => {}),
  }
}

function transportOptions({ url, allowsPlaintext }: MailServer) {
  const { protocol, hostname, port, username, password } = new URL(url)
  return {
    pool: true,
    maxConnections: CONNECTIONS,
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port && { port: Number(port) }),
    secure: protocol === 'smtps:',
    // Without STARTTLS, the connection fails before the password is sent. An attacker may have removed the server's offer.
    requireTLS: !allowsPlaintext,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...TIMEOUTS_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as const
}

/** Returns the headers that make mail programs show an unsubscribe button (RFC 2369, 3.2 and RFC 8058, 3.1). */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': { prepared: true, value: `<${url}>` },
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
})

export const mailStep: BackgroundStep<{ mailer: Mailer | null }> = {
  name: 'send mail',
  run: async (deps, { mailer }) => (mailer ? sendDueMails(deps, mailer) : 0),
  isWoken: true,
}

/** One pass: sends due mail. @returns the number of attempts */
export async function sendDueMails(deps: Deps, mailer: Mailer): Promise<number> {
  const isolation = isolate(deps, mailStep.name)
  await giveUpLateMails(deps, isolation)
  const due = await claimMails(deps, isolation)
  await Promise.all(due.map((mail) => isolation.run(unitOf(mail.id), () => attempt(deps, mailer, mail))))
  return due.length
}

/** Returns the unit of a mail for isolation. It has no platform, because the mail of a sign-up belongs to none yet. */
const unitOf = (id: string) => ({ platformId: null, kind: 'mail', id })

async function giveUpLateMails({ sql, realClock }: Deps, isolation: Isolation): Promise<void> {
  const now = realClock.now()
  const late = { now, before: addDays(now, -MAIL_SENT_WITHIN_DAYS) }
  await isolation.runAllOrEach({
    kind: 'late mail',
    all: (skipped) => failOldMails(sql, late, { skipped }),
    units: async (skipped) =>
      (await listLateMails(sql, late, { skipped, limit: MAILS_GIVEN_UP_PER_PASS })).map((id) => ({
        platformId: null,
        kind: 'late mail',
        id,
      })),
    one: ({ id }) => failOldMails(sql, late, { id }),
  })
}

/** Claims all due mails at once. If that fails, claims them one at a time. */
async function claimMails({ sql, realClock }: Deps, isolation: Isolation): Promise<DueMail[]> {
  const due = {
    now: realClock.now(),
    delaysSeconds: MAIL_DELAYS_SECONDS,
    limit: MAILS_PER_PASS,
    skipped: isolation.skipped(),
  }
  try {
    return await claimDueMails(sql, due)
  } catch (error) {
    if (isDatabaseDown(error)) throw error
  }
  const claimed: DueMail[] = []
  for (const id of await listDueMails(sql, due)) {
    claimed.push(...((await isolation.run(unitOf(id), () => claimDueMails(sql, due, id))) ?? []))
  }
  return claimed
}

/**
 * Attempts to send a mail.
 *
 * @throws Error if the mail cannot be decrypted or its result cannot be stored. It is then retried like a refused mail
 */
async function attempt(deps: Deps, mailer: Mailer, row: DueMail): Promise<void> {
  const mail = openMail(deps, row)
  try {
    await inSpan('mail send', { kind: SpanKind.CLIENT }, () => withDeadline(mailer.send(mail)))
  } catch (error) {
    // The error message is not logged, because a mail server may quote the mail in it.
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    const message = code === 'ETLS' ? NO_TLS : 'mail not sent'
    deps.log.warn({ mail: row.id, attempt: row.attemptCount, code, responseCode }, message)
    if (row.attemptCount > MAIL_DELAYS_SECONDS.length) await updateMailStatus(deps.sql, row, 'FAILED')
    return
  }
  await updateMailStatus(deps.sql, row, 'SENT')
}

const NO_TLS =
  'mail not sent: no TLS with the mail server. Use smtps:// or a server with STARTTLS, or set SMTP_ALLOW_PLAINTEXT'

/** Limits the time of sending, so that a server that answers very slowly does not block the pass. */
async function withDeadline(sending: Promise<void>): Promise<void> {
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
