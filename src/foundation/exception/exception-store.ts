import { allPlatforms } from '../db/cluster/all-platforms.ts'
import type { Sql } from '../db/connect.ts'
import { withOwnerEmails } from '../db/owner-emails.ts'
import type { ExceptionKind } from './exception-rules.ts'

export type ExceptionRow = {
  platformId: string
  id: string
  kind: ExceptionKind
  paymentId: string | null
  legId: string | null
  userId: string | null
  cents: number | null
  note: string
  createdAt: Date
  closedAt: Date | null
  resolution: string | null
  /** The operator's name, or null if the exception is open. */
  closedBy: string | null
}

const columns = (sql: Sql) => sql`
  platform_id, id, kind, payment_id, leg_id, user_id, cents, note, created_at, closed_at, resolution, closed_by
`

/** Records an exception. @returns false if the leg already has an open exception of this kind */
export async function insertException(sql: Sql, row: ExceptionRow): Promise<boolean> {
  const result = await sql`
    insert into exceptions (${columns(sql)})
    values (
      ${row.platformId}, ${row.id}, ${row.kind}, ${row.paymentId}, ${row.legId}, ${row.userId}, ${row.cents},
      ${row.note}, ${row.createdAt}, ${row.closedAt}, ${row.resolution}, ${row.closedBy}
    )
    on conflict (platform_id, kind, leg_id) where closed_at is null and leg_id is not null do nothing
  `
  return result.count === 1
}

/** Lists exceptions, oldest first. `platformId` limits the list to one platform. Without a limit, lists all of them. */
export async function listExceptions(
  sql: Sql,
  { platformId, includesClosed, limit }: { platformId: string | null; includesClosed: boolean; limit: number | null },
): Promise<(ExceptionRow & { ownerEmail: string | null })[]> {
  const exceptions = await sql<ExceptionRow[]>`
    ${allPlatforms('serves the operator')}
    select
      ${columns(sql)}
    from exceptions
    where (${includesClosed} or closed_at is null)
      and (${platformId}::uuid is null or platform_id = ${platformId}::uuid)
    order by created_at, id
    limit ${limit}
  `
  return withOwnerEmails(sql, exceptions)
}

/** Locks an exception until the end of the transaction. */
export async function lockException(sql: Sql, id: string): Promise<ExceptionRow | null> {
  const [found] = await sql<{ platformId: string }[]>`
    ${allPlatforms('serves the operator')}
    select platform_id
    from exceptions
    where id = ${id}
  `
  if (!found) return null
  const [row] = await sql<ExceptionRow[]>`
    select ${columns(sql)}
    from exceptions
    where platform_id = ${found.platformId} and id = ${id}
    for update
  `
  return row ?? null
}

/** Closes an exception. @returns false if it was already closed */
export async function updateExceptionClosed(
  sql: Sql,
  { platformId, id }: Pick<ExceptionRow, 'platformId' | 'id'>,
  { resolution, closedBy, closedAt }: { resolution: string; closedBy: string; closedAt: Date },
): Promise<boolean> {
  const result = await sql`
    update exceptions
    set resolution = ${resolution}, closed_by = ${closedBy}, closed_at = ${closedAt}
    where platform_id = ${platformId} and id = ${id} and closed_at is null
  `
  return result.count === 1
}

/** The subject of exceptions: a payment, or legs of one payment or bank. */
export type ExceptionSubject = { paymentId: string } | { legIds: readonly string[] }

/** Returns whether a payment, or one of these legs, has an open exception of one of these kinds. */
export async function hasOpenException(
  sql: Sql,
  { platformId, kinds, ...about }: { platformId: string; kinds: readonly ExceptionKind[] } & ExceptionSubject,
): Promise<boolean> {
  const isAbout =
    'paymentId' in about
      ? sql`payment_id = ${about.paymentId}`
      : sql`leg_id = any (${about.legIds as string[]}::uuid[])`
  const rows = await sql`
    select
    from exceptions
    where platform_id = ${platformId} and ${isAbout} and kind = any (${kinds as ExceptionKind[]}) and closed_at is null
    limit 1
  `
  return rows.length > 0
}
