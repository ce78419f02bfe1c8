import type { Sql } from '../db/connect.ts'
import { afterPosition, containing, type Paging, type SortKey, sortOrder, sortValue } from '../db/paging.ts'
import type { AuditAction, AuditActor } from './audit-rules.ts'

export type AuditEntry = {
  platformId: string
  id: string
  action: AuditAction
  actor: AuditActor
  actorId: string | null
  userId: string | null
  /** The person who acted. */
  loginId: string | null
  subject: string | null
  address: string | null
  userAgent: string | null
  createdAt: Date
}

/** Inserts an entry and queues it for sealing. */
export async function insertAuditEntry(sql: Sql, entry: AuditEntry): Promise<void> {
  await sql`
    with entry as (
      insert into audit_entries (
        platform_id, id, action, actor, actor_id, user_id, login_id, subject, address, user_agent,
        created_at
      )
      values (
        ${entry.platformId}, ${entry.id}, ${entry.action}, ${entry.actor}, ${entry.actorId}, ${entry.userId},
        ${entry.loginId}, ${entry.subject}, ${entry.address}, ${entry.userAgent}, ${entry.createdAt}
      )
    )
    insert into audit_unsealed (platform_id, entry_id)
    values (${entry.platformId}, ${entry.id})
  `
}

export type ListedAuditEntry = AuditEntry & { sortValue: string }

export type AuditFilter = { platformId: string; q: string | undefined }

const sortKey: SortKey = { expression: 'created_at', type: 'timestamptz' }

/** Lists audit entries. Returns one row more than the page holds. */
export async function listAuditEntries(sql: Sql, filter: AuditFilter, paging: Paging): Promise<ListedAuditEntry[]> {
  return sql<ListedAuditEntry[]>`
    select
      platform_id, id, action, actor, actor_id, user_id, login_id, subject, address, user_agent, created_at,
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

const listed = (sql: Sql, { platformId, q }: AuditFilter) =>
  sql`platform_id = ${platformId} ${containing(sql, q, ['action', 'subject', 'address'])}`

/** An object with a display name. `createdAt` is set only for an API key without a name. */
export type NamedThing = { id: string; name: string; amountCents: number | null; createdAt: Date | null }

/** Finds display names for the ids of people, and of a platform's users, API keys, applications, accounts and payments. */
export async function findNames(sql: Sql, platformId: string, ids: readonly string[]): Promise<NamedThing[]> {
  return sql<NamedThing[]>`
    select id, coalesce(business_name, name) as name, null::bigint as amount_cents, null::timestamptz as created_at
    from users
    where platform_id = ${platformId} and id = any(${ids}::uuid[])
    union all
    select key, coalesce(name, 'API key'), null, case when name is null then created_at end
    from api_keys
    where platform_id = ${platformId} and key = any(${ids}::uuid[])
    union all
    select id, name, null, null
    from applications
    where platform_id = ${platformId} and id = any(${ids}::uuid[])
    union all
    select id, coalesce(name, 'routing number ' || routing), null, null
    from banks
    where platform_id = ${platformId} and id = any(${ids}::uuid[])
    union all
    select id, coalesce(name, 'Wallet'), null, null
    from wallets
    where platform_id = ${platformId} and id = any(${ids}::uuid[])
    union all
    select id, name, amount_cents, null
    from payments
    where platform_id = ${platformId} and id = any(${ids}::uuid[])
    union all
    select id, name, amount_cents, null
    from approvals
    where platform_id = ${platformId} and id = any(${ids}::uuid[])
    union all
    select id, name, amount_cents, null
    from invoices
    where platform_id = ${platformId} and id = any(${ids}::uuid[])
    union all
    select id, name, amount_cents, null
    from subscriptions
    where platform_id = ${platformId} and id = any(${ids}::uuid[])
    union all
    select id, name || ' (' || email || ')', null, null
    from logins
    where id = any(${ids}::uuid[]) and id <> ${platformId}
    order by name, id
  `
}

/** Lists the times at which mails about an invoice were requested, earliest first, in real time. */
export async function listTimesOfReminders(sql: Sql, platformId: string, subject: string): Promise<Date[]> {
  const rows = await sql<{ createdAt: Date }[]>`
    select created_at
    from audit_entries
    where platform_id = ${platformId} and subject = ${subject} and action = 'invoice_reminded'
    order by created_at
  `
  return rows.map(({ createdAt }) => createdAt)
}
