import type { Sql } from './connect.ts'

/**
 * Returns the email address of a platform's first owner, to whom mail about the platform is sent. Returns null for a platform without
 * members.
 */
export async function findOwnerEmail(sql: Sql, platformId: string): Promise<string | null> {
  const [row] = await sql<{ email: string | null }[]>`select owner_email_v1(${platformId}) as email`
  return row?.email ?? null
}

/** Adds the owner's email address to rows. Reads it for each platform, because on a cluster one statement cannot read all. */
export async function withOwnerEmails<Row extends { platformId: string }>(
  sql: Sql,
  rows: Row[],
): Promise<(Row & { ownerEmail: string | null })[]> {
  const platformIds = [...new Set(rows.map(({ platformId }) => platformId))]
  const emails = new Map<string, string | null>()
  for (const platformId of platformIds) emails.set(platformId, await findOwnerEmail(sql, platformId))
  return rows.map((row) => ({ ...row, ownerEmail: emails.get(row.platformId) ?? null }))
}
