import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import { listPlatformsWith, type PlatformTurn } from '../../foundation/db/cluster/list-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { notSkipped } from '../../foundation/db/skipped.ts'
import { emailHash } from '../../foundation/lib/text/email.ts'

/** A payment or an invoice to a person without an account. */
export type Addressed = { platformId: string; subjectId: string; kind: 'payment' | 'invoice' }

/** Stores the address of a payment or an invoice, and requests the search for its account. */
export async function insertAddressed(
  sql: Sql,
  { platformId, subjectId, kind, email }: Addressed & { email: string },
): Promise<void> {
  await sql`
    insert into recipient_addresses (email_hash, platform_id, subject_id, kind, due)
    values (${emailHash(email)}, ${platformId}, ${subjectId}, ${kind}, 1)
    on conflict do nothing
  `
}

/** Requests the search for everything that was sent to newly verified addresses, and marks these addresses as handled. */
export async function askForNewAddresses(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    ${allPlatforms('finds work')}
    with known as (
      update receiving_addresses
      set is_new = false
      where email_hash in (
        select email_hash
        from receiving_addresses
        where is_new
        limit ${limit}
      )
      returning email_hash, verified_at
    ),
    asked as (
      update recipient_addresses a
      set due = a.due + 1
      from known k
      where a.email_hash = k.email_hash and k.verified_at is not null
    )
    select count(*)::integer as count
    from known
  `
  return row?.count ?? 0
}

/** Lists platforms with payments or invoices to search for, sorted by id, after `after`. */
export const listMatchingPlatforms = (sql: Sql, turn: PlatformTurn): Promise<string[]> =>
  listPlatformsWith(sql, 'recipient_addresses', { ...turn, where: sql`due > 0`, id: sql`subject_id` })

/**
 * A requested search. `due` is the value of its counter when it was read. `accountPlatformId` is the platform that verified the address, or
 * null.
 */
export type DueMatch = Addressed & { emailHash: Buffer; due: number; accountPlatformId: string | null }

export async function listDueMatches(
  sql: Sql,
  { platformId, limit, except }: { platformId: string; limit: number; except: string[] },
): Promise<DueMatch[]> {
  return sql<DueMatch[]>`
    select a.platform_id, a.subject_id, a.kind, a.email_hash, a.due, r.platform_id as account_platform_id
    from recipient_addresses a
    left join receiving_addresses r on r.email_hash = a.email_hash and r.verified_at is not null
    where a.platform_id = ${platformId} and a.due > 0
      ${notSkipped(sql, { platformIds: [], ids: except }, { platformId: null, id: sql`a.subject_id` })}
    order by a.subject_id
    limit ${limit}
  `
}

/** Ends a search that found no account, unless it was requested again after it was read. */
export async function waitForAddress(
  sql: Sql,
  { emailHash: hash, platformId, subjectId, due }: DueMatch,
): Promise<void> {
  await sql`
    update recipient_addresses
    set due = 0
    where email_hash = ${hash} and platform_id = ${platformId} and subject_id = ${subjectId} and due = ${due}
  `
}

/** Deletes the stored address of a payment or an invoice that was moved into its account. */
export async function deleteAddressed(sql: Sql, { emailHash: hash, platformId, subjectId }: DueMatch): Promise<void> {
  await sql`
    delete from recipient_addresses
    where email_hash = ${hash} and platform_id = ${platformId} and subject_id = ${subjectId}
  `
}
