import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'

/** An entry or order at the bank, or a check at the printer, that is not assigned to a payment. `name`: its number or id. */
export type UnassignedMovement = {
  medium: 'entry' | 'order' | 'check'
  name: string
  fileId: string
  fileName: string
  cents: number
  /** The receiver ID of an entry, or the id of the payment of a check. An order names only its leg. */
  reference: string | null
  recoveredAt: Date
  /** Whether the operator has closed the case about it. */
  isDecided: boolean
}

const descriptions = { payouts: ['PAYMENT'], refunds: ['REFUND'], debits: ['PAYMENT', 'RETRY PYMT'] }

/** What something that the bank or the printer has does for a payment. */
export type Movements = 'payouts' | 'refunds' | 'debits'

/**
 * Lists all payouts, refunds or debits that the bank or the printer has, and that are not assigned to a payment. An entry that the bank has
 * rejected or returned, or that was recalled, has moved no money. The tables are of no platform, so a request may read them.
 */
export const listUnassignedMovements = (sql: Sql, what: Movements = 'payouts'): Promise<UnassignedMovement[]> =>
  sql<UnassignedMovement[]>`
    select m.medium, m.name, m.file_id, x.name as file_name, m.cents, m.reference, x.created_at as recovered_at,
      exists (
        select
        from bank_cases b
        where b.inbound_file_id = m.file_id and b.kind = 'payment_missing' and b.event = m.name and b.closed_by is not null
      ) as is_decided
    from (
      select 'entry' as medium, e.trace_number as name, e.file_id, e.cents, e.receiver_id as reference
      from ach_recovered_entries e
      join ach_entries n on n.file_id = e.file_id and n.trace_number = e.trace_number
      join ach_files f on f.id = e.file_id
      where e.matched_at is null and n.recalled_at is null and not n.is_rejected and e.direction = ${what === 'debits' ? 'debit' : 'credit'}
        and e.description = any (${descriptions[what]}) and not exists (
        select
        from ach_set_aside s
        join bank_cases b on b.inbound_file_id = s.inbound_file_id and b.line = s.line
        where s.trace_number = e.trace_number and b.kind = 'entry_unread' and b.source = 'ach' and b.leg_id is null
          and b.created_at >= f.creation_date::timestamp at time zone 'UTC'
      )
      union all
      select 'order', replace(leg_id::text, '-', ''), file_id, cents, null
      from recovered_orders
      where ${what} = 'payouts' and matched_at is null and rejected_at is null
      union all
      select 'check', number::text, file_id, cents, payment_id::text
      from recovered_checks
      where ${what} = 'payouts' and matched_at is null
    ) m
    join exchanges x on x.id = m.file_id
    where x.status in ('WRITTEN', 'TRANSMITTED', 'ACCEPTED')
    order by x.created_at, m.name
  `

/** A leg that waits, and may have a movement of its direction and amount. `subjectId`: the lowest of several such legs. */
export type WaitingMovement = { direction: string; cents: number; subjectId: string }

/**
 * Lists the legs on all rails that wait for a file, or for the operator, and have the direction and amount of a movement. Leaves out those of
 * stopped users, who may never send again. In this form, the condition uses the partial indexes legs_file_at and legs_held.
 */
export const listWaitingMovements = (
  sql: Sql,
  movements: readonly { direction: string; cents: number }[],
): Promise<WaitingMovement[]> =>
  sql<WaitingMovement[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select direction, cents, min(replace(subject_id::text, '-', '')) as subject_id
    from legs
    where status = 'WAITING' and stopped_by is null and (file_at is not null and held_at is null or held_at is not null)
      and (direction, cents) in (
        select *
        from unnest(
          ${movements.map(({ direction }) => direction)}::text[],
          ${movements.map(({ cents }) => String(cents))}::bigint[]
        )
      )
    group by direction, cents
  `

/** Assigns a movement to a payment on another rail. @returns false if it was assigned already */
export async function markMovementMatched(
  sql: Sql,
  { medium, name, fileId }: UnassignedMovement,
  matchedAt: Date,
): Promise<boolean> {
  const tables = {
    entry: sql`ach_recovered_entries`,
    order: sql`recovered_orders`,
    check: sql`recovered_checks`,
  }
  const names = { entry: sql`trace_number`, order: sql`replace(leg_id::text, '-', '')`, check: sql`number::text` }
  return sql`
    update ${tables[medium]}
    set matched_at = ${matchedAt}
    where file_id = ${fileId} and ${names[medium]} = ${name} and matched_at is null
  `.anyRow()
}

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
