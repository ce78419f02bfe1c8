import type { Sql } from '../db/connect.ts'
import type { OldRows } from '../db/old-rows.ts'
import type { MailStatus } from './mail-rules.ts'

export type MailRow = { id: string; recipient: string; contentSealed: Buffer; createdAt: Date }

/** Without a recipient nothing is written, which takes as long as writing it. */
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

/** `attemptCount` includes the attempt that is about to be made. */
export type DueMail = MailRow & { attemptCount: number }

/**
 * Takes mail that is due, and sets when it is tried again: claimed before sending, so that a crash repeats a mail instead
 * of losing it.
 */
export async function claimDueMails(
  sql: Sql,
  { now, delaysSeconds, limit }: { now: Date; delaysSeconds: number[]; limit: number },
): Promise<DueMail[]> {
  return sql<DueMail[]>`
    update mails
    set
      attempt_count = attempt_count + 1,
      next_attempt_at = ${now}::timestamptz + make_interval(
        secs => (${delaysSeconds}::int[])[least(attempt_count + 1, ${delaysSeconds.length}::int)]
      )
    where id in (
      select id
      from mails
      where status = 'PENDING' and next_attempt_at <= ${now}
      order by next_attempt_at
      limit ${limit}
      for update skip locked
    )
    returning id, recipient, content_sealed, attempt_count, created_at
  `
}

/** The end of an attempt, unless another worker has begun the next one. */
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

/** @returns how many mails, due but written before `before`, are given up */
export async function failOldMails(sql: Sql, { now, before }: { now: Date; before: Date }): Promise<number> {
  const result = await sql`
    update mails
    set status = 'FAILED', next_attempt_at = null
    where status = 'PENDING' and next_attempt_at <= ${now} and created_at < ${before}
  `
  return result.count
}

export const oldMails: OldRows = { table: 'mails', key: ['id'], unit: 'id', age: 'created_at' }
