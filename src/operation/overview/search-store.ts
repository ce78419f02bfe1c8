import type { Sql } from '../../foundation/db/connect.ts'
import type { PaymentStatus } from '../../payments/payment/payment-status.ts'
import type { Lookup } from './search-rules.ts'

export type FoundPayment = {
  id: string
  name: string
  number: string
  amountCents: number
  status: PaymentStatus
  createdAt: Date
}

/** Finds payments for each meaning of the text, and returns the newest ones. Each search reads a short range of an index. */
export async function findPayments(
  sql: Sql,
  platformId: string,
  { words, number, cents, ids }: Lookup,
  limit: number,
): Promise<FoundPayment[]> {
  const prefix = (kind: string, text: string) => sql`
    union all (
      select payment_id as id
      from search_terms
      where platform_id = ${platformId} and kind = ${kind} and term >= ${text} and term < ${text} || chr(1114111)
      order by term, payment_id
      limit ${limit}
    )
  `
  return sql<FoundPayment[]>`
    select p.id, p.name, p.number, p.amount_cents, p.status, p.created_at
    from payments p
    where p.platform_id = ${platformId} and p.id in (
      (
        select id
        from payments
        where platform_id = ${platformId} and id >= ${ids?.first ?? null}::uuid and id <= ${ids?.last ?? null}::uuid
        order by id
        limit ${limit}
      )
      ${prefix('name', words)}
      ${prefix('email', words)}
      ${number === null ? sql`` : prefix('number', number)}
      union all (
        select payment_id
        from search_terms
        where platform_id = ${platformId} and kind = 'amount' and term = ${String(cents ?? '')}
        order by term desc, payment_id desc
        limit ${limit}
      )
    )
    order by p.id desc
    limit ${limit}
  `
}

export type Progress = { fromId: string; toId: string; isComplete: boolean; nextAt: Date }

/**
 * Requests the search terms of a platform: inserts its progress row, or stores the time of the request there. Never waits for a running
 * pass.
 */
export async function requestSearchTerms(
  sql: Sql,
  platformId: string,
  { id, realNow }: { id: string; realNow: Date },
): Promise<void> {
  const [known] = await sql<{ isRecent: boolean }[]>`
    select wanted_at > ${realNow}::timestamptz - interval '1 minute' as is_recent
    from search_progress
    where platform_id = ${platformId}
  `
  if (!known) {
    await sql`
      insert into search_progress (platform_id, from_id, to_id, is_complete, wanted_at, next_at)
      values (${platformId}, ${id}, ${id}, false, ${realNow}, ${realNow})
      on conflict do nothing
    `
  } else if (!known.isRecent) {
    await sql`
      with free as (select platform_id from search_progress where platform_id = ${platformId} for update skip locked)
      update search_progress p set wanted_at = ${realNow} from free where p.platform_id = free.platform_id
    `
  }
}

export async function findSearchProgress(sql: Sql, platformId: string): Promise<Progress | null> {
  const [row] = await sql<Progress[]>`
    select from_id, to_id, is_complete, next_at from search_progress where platform_id = ${platformId}
  `
  return row ?? null
}

/**
 * Locks the progress until the end of the transaction. Returns null while another process reads payments, or if there is no progress row.
 */
export async function lockSearchProgress(sql: Sql, platformId: string): Promise<Progress | null> {
  const [row] = await sql<Progress[]>`
    select from_id, to_id, is_complete, next_at
    from search_progress
    where platform_id = ${platformId}
    for update skip locked
  `
  return row ?? null
}

export async function updateSearchProgress(sql: Sql, platformId: string, progress: Progress): Promise<void> {
  await sql`
    update search_progress
    set from_id = ${progress.fromId}, to_id = ${progress.toId}, is_complete = ${progress.isComplete},
      next_at = ${progress.nextAt}
    where platform_id = ${platformId}
  `
}

export type ReadSpan = { count: number; firstId: string | null; lastId: string | null }

/** Stores the search terms of payments from an id on, or of payments before an id, newest first. */
export async function insertSearchTerms(
  sql: Sql,
  platformId: string,
  { id, isForward, limit }: { id: string; isForward: boolean; limit: number },
): Promise<ReadSpan> {
  const [row] = await sql<ReadSpan[]>`
    select
      count(*)::int as count, (array_agg(replace(id::text, '-', '') order by id))[1] as first_id,
      (array_agg(replace(id::text, '-', '') order by id desc))[1] as last_id
    from (
      select id
      from payments
      where platform_id = ${platformId} and ${isForward ? sql`id >= ${id}::uuid` : sql`id < ${id}::uuid`}
      order by id ${sql.unsafe(isForward ? 'asc' : 'desc')}
      limit ${limit}
    ) span
  `
  const { firstId, lastId } = row as ReadSpan
  if (firstId === null) return row as ReadSpan
  await sql`
    insert into search_terms (platform_id, kind, term, payment_id)
    select p.platform_id, t.kind, t.term, p.id
    from (
      select
        platform_id, id, lower(left(name, 180)) as name, lower(left(recipient, 180)) as recipient, lower(number) as number,
        amount_cents
      from payments
      where platform_id = ${platformId} and id between ${firstId}::uuid and ${lastId}::uuid
    ) p
    cross join lateral (
      select 'name' as kind, regexp_replace(p.name, '\\s+', ' ', 'g') as term
      union select 'name', word from regexp_split_to_table(p.name, '\\s+') word
      union all select 'email', p.recipient where position('@' in p.recipient) > 0
      union all select 'number', p.number
      union all select 'amount', p.amount_cents::text
    ) t
    where t.term <> ''
    on conflict do nothing
  `
  return row as ReadSpan
}
