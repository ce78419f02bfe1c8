import type { Sql } from '../db/connect.ts'
import { afterPosition, containsPattern, type Paging, type SortKey, sortOrder, sortValue } from '../db/paging.ts'
import type { AuditAction, AuditActor } from './audit-rules.ts'

export type AuditEntry = {
  platformId: string
  id: string
  action: AuditAction
  actor: AuditActor
  actorId: string | null
  userId: string | null
  subject: string | null
  address: string | null
  userAgent: string | null
  createdAt: Date
}

/** The entry waits to be sealed (audit-chain-actions.ts). */
export async function insertAuditEntry(sql: Sql, entry: AuditEntry): Promise<void> {
  await sql`
    with entry as (
      insert into audit_entries (
        platform_id, id, action, actor, actor_id, user_id, subject, address, user_agent, created_at
      )
      values (
        ${entry.platformId}, ${entry.id}, ${entry.action}, ${entry.actor}, ${entry.actorId}, ${entry.userId},
        ${entry.subject}, ${entry.address}, ${entry.userAgent}, ${entry.createdAt}
      )
    )
    insert into audit_unsealed (platform_id, entry_id)
    values (${entry.platformId}, ${entry.id})
  `
}

export type ListedAuditEntry = AuditEntry & { sortValue: string }

export type AuditFilter = { platformId: string; q: string | undefined }

const sortKey: SortKey = { expression: 'created_at', type: 'timestamptz' }

/** One row more than the page has. */
export async function listAuditEntries(sql: Sql, filter: AuditFilter, paging: Paging): Promise<ListedAuditEntry[]> {
  return sql<ListedAuditEntry[]>`
    select
      platform_id, id, action, actor, actor_id, user_id, subject, address, user_agent, created_at,
      ${sortValue(sql, sortKey)} as sort_value
    from audit_entries
    where ${listed(sql, filter)} ${afterPosition(sql, paging, sortKey, 'id')}
    order by ${sortOrder(sql, paging, sortKey, 'id')}
    limit ${paging.limit + 1}
    offset ${paging.offset}
  `
}

export async function countAuditEntries(sql: Sql, filter: AuditFilter): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total
    from audit_entries
    where ${listed(sql, filter)}
  `
  return row?.total ?? 0
}

function listed(sql: Sql, { platformId, q }: AuditFilter) {
  const search = q ? containsPattern(q) : null
  return sql`
    platform_id = ${platformId}
    ${search ? sql`and (action ilike ${search} or subject ilike ${search} or address ilike ${search})` : sql``}
  `
}
