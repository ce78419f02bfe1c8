import type { Sql } from '../../../foundation/db/connect.ts'

/** Marks an issued check as stopped. @returns whether the leg is an issued check. Legs of other checks are left unchanged */
export async function markStopped(
  sql: Sql,
  { platformId, id }: { platformId: string; id: string },
  stoppedAt: Date,
): Promise<boolean> {
  const result = await sql`
    update paper_checks
    set stopped_at = coalesce(stopped_at, ${stoppedAt})
    where platform_id = ${platformId} and leg_id = ${id}
  `
  return result.count === 1
}
