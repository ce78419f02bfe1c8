import type { Sql } from '../db/connect.ts'
import { NOTHING_SKIPPED, notSkipped, type Skipped } from '../db/skipped.ts'
import type { MailStatus } from './mail-rules.ts'

export type MailRow = { id: string; recipient: string; contentSealed: Buffer; createdAt: Date }

/** Stores a mail. Without a recipient, nothing is stored, but the statement takes equally long. */
export async function insertMail(
  sql: Sql,
  mail: Omit<MailRow, 'recipient'> & { recipient: string | null; status: MailStatus; nextAttemptAt: Date | null },
): Promise<void> {
  await sql`
    insert into mails (id, recipient, content_sealed, status, next_attempt_at, created_at)
    select
      ${mail.id}::uuid, ${mail.recipient}::text, ${mail.contentSealed}::bytea, ${mail.status}::text,
      ${mail.nextAttemptAt}::timestamptz, ${mail.createdAt}::timestamptz
    where ${mail.recipient}::text is not null
  `
}

export async function listMails(sql: Sql, limit: number): Promise<MailRow[]> {
  return sql<MailRow[]>`
    select id, recipient, content_sealed, created_at
    from mails
    order by created_at desc, id desc
    limit ${limit}
  `
}

/** A mail to send. `attemptCount` includes the attempt that is about to start. */
export type DueMail = MailRow & { attemptCount: number }

type Due = { now: Date; skipped: Skipped; limit: number }

const dueIds = (sql: Sql, { now, skipped, limit }: Due) => sql`
  select id
  from mails
  where status = 'PENDING' and next_attempt_at <= ${now} ${notSkipped(sql, skipped, { platformId: null })}
  order by next_attempt_at
  limit ${limit}
`

export async function listDueMails(sql: Sql, due: Due): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`${dueIds(sql, due)}`
  return rows.map(({ id }) => id)
}

/**
 * Claims due mail, or one given mail, and sets the time of the next attempt. Claimed before sending, so a crash repeats a mail
 * instead of losing it.
 */
export async function claimDueMails(
  sql: Sql,
  { delaysSeconds, ...due }: Due & { delaysSeconds: number[] },
  only?: string,
): Promise<DueMail[]> {
  return sql<DueMail[]>`
    update mails
    set
      attempt_count = attempt_count + 1,
      next_attempt_at = ${due.now}::timestamptz + make_interval(
        secs => (${delaysSeconds}::int[])[least(attempt_count + 1, ${delaysSeconds.length}::int)]
      )
    where id in (
      ${
        only === undefined
          ? dueIds(sql, due)
          : sql`select id from mails where id = ${only} and status = 'PENDING' and next_attempt_at <= ${due.now}`
      }
      for update skip locked
    )
    returning id, recipient, content_sealed, attempt_count, created_at
  `
}

/** Records the result of an attempt, unless another worker has already started the next attempt. */
export async function updateMailStatus(
  sql: Sql,
  { id, attemptCount }: DueMail,
  status: 'SENT' | 'FAILED',
): Promise<void> {
  await sql`
    update mails
    set status = ${status}, next_attempt_at = null
    where id = ${id} and status = 'PENDING' and attempt_count = ${attemptCount}
  `
}

type Late = { now: Date; before: Date }

const isLate = (sql: Sql, { now, before }: Late) =>
  sql`status = 'PENDING' and next_attempt_at <= ${now} and created_at < ${before}`

/** @returns the number of due mails written before `before` that are given up: all, or one of them */
export async function failOldMails(
  sql: Sql,
  late: Late,
  { skipped = NOTHING_SKIPPED, id }: { skipped?: Skipped; id?: string | undefined } = {},
): Promise<number> {
  const result = await sql`
    update mails
    set status = 'FAILED', next_attempt_at = null
    where ${isLate(sql, late)} ${notSkipped(sql, skipped, { platformId: null })} ${id ? sql`and id = ${id}` : sql``}
  `
  return result.count
}

export async function listLateMails(
  sql: Sql,
  late: Late,
  { skipped, limit }: { skipped: Skipped; limit: number },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from mails
    where ${isLate(sql, late)} ${notSkipped(sql, skipped, { platformId: null })}
    order by next_attempt_at
    limit ${limit}
  `
  return rows.map(({ id }) => id)
}
