import type { Sql } from '../../foundation/db/connect.ts'

/** Returns whether the operator has answered the question in a note about a payment or bank after a restore. */
export async function wasReviewed(
  sql: Sql,
  { platformId, subjectId, since, note }: { platformId: string; subjectId: string; since: Date; note: string },
): Promise<boolean> {
  const [row] = await sql<{ wasReviewed: boolean }[]>`
    select exists (
      select 1
      from exceptions e
      join legs l on l.platform_id = e.platform_id and l.id = e.leg_id
      where e.platform_id = ${platformId} and e.kind = 'maybe_at_bank' and e.closed_at >= ${since}
        and l.subject_id = ${subjectId} and e.note = ${note}
    ) as was_reviewed
  `
  return row?.wasReviewed ?? false
}
