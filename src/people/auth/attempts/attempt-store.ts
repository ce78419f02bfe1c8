import type { Sql } from '../../../foundation/db/connect.ts'
import type { Renewal } from '../../../foundation/db/digests.ts'
import { ATTEMPT_DELAYS_SECONDS, ATTEMPTS_FORGOTTEN_HOURS } from './attempt-rules.ts'

/**
 * Counts an attempt, unless the delay after earlier attempts is not over. One statement counts simultaneous attempts correctly. Free
 * attempts cause no delay, even if two write their times in reverse order.
 *
 * @returns whether the attempt is allowed
 */
export async function countAttempt(sql: Sql, subjectDigest: Buffer, now: Date, free: number): Promise<boolean> {
  const rows = await sql`
    insert into tries as t (subject_digest, count, allowed_at, forgotten_at)
    values (${subjectDigest}, 1, 'epoch', ${now}::timestamptz + make_interval(hours => ${ATTEMPTS_FORGOTTEN_HOURS}))
    on conflict (subject_digest) do update
    set
      count = case when t.forgotten_at <= ${now} then 1 else t.count + 1 end,
      allowed_at = coalesce(
        ${now}::timestamptz + make_interval(
          secs => case when t.forgotten_at > ${now} then
            (${ATTEMPT_DELAYS_SECONDS}::int[])[least(t.count + 2 - ${free}::int, ${ATTEMPT_DELAYS_SECONDS.length}::int)]
          end
        ),
        'epoch'
      ),
      forgotten_at = excluded.forgotten_at
    where t.allowed_at <= ${now} or t.forgotten_at <= ${now}
    returning 1
  `
  return rows.length > 0
}

export async function findNextAttemptAt(sql: Sql, subjectDigest: Buffer): Promise<Date | null> {
  const [row] = await sql<{ allowedAt: Date }[]>`
    select allowed_at
    from tries
    where subject_digest = ${subjectDigest}
  `
  return row?.allowedAt ?? null
}

export async function decrementAttempts(sql: Sql, subjectDigest: Buffer, free: number): Promise<void> {
  await sql`
    update tries
    set count = count - 1, allowed_at = case when count - 1 < ${free} then 'epoch' else allowed_at end
    where subject_digest = ${subjectDigest} and count > 0
  `
}

export async function renewAttempts(sql: Sql, { former, present }: Renewal): Promise<void> {
  await sql`
    update tries
    set subject_digest = ${present}
    where subject_digest = ${former}
  `
}

export async function deleteAttempts(sql: Sql, subjectDigest: Buffer): Promise<void> {
  await sql`
    delete from tries
    where subject_digest = ${subjectDigest}
  `
}
