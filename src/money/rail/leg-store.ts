import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import { listPlatformsWith } from '../../foundation/db/cluster/list-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { RequestActor } from '../../foundation/db/deps.ts'
import { NOTHING_SKIPPED, notSkipped, type Skipped } from '../../foundation/db/skipped.ts'
import type { LegEvent, LegStatus, RailEvent } from './leg-status.ts'
import type { Rail } from './rail-rules.ts'
import type { ReturnCode } from './return-code-rules.ts'
import type { SimulatedOutcome } from './simulated-rail-rules.ts'

export type LegPurpose = 'payment_pull' | 'payment_push' | 'payment_refund' | 'micro_deposit'

/** One movement of money on one rail: a debit pulls, a credit pushes. */
export type LegRow = {
  platformId: string
  id: string
  purpose: LegPurpose
  /** The payment or the bank that the leg belongs to. */
  subjectId: string
  userId: string
  /** The bank or the destination. Null for paper, and for a leg that the sandbox simulated. */
  accountId: string | null
  rail: Rail
  direction: 'debit' | 'credit'
  cents: number
  status: LegStatus
  nextEvent: RailEvent | null
  nextAt: Date | null
  /** The cut-off at which the leg goes into a file, or null if it waits for none. */
  fileAt: Date | null
  /** The outcome that the sandbox simulates, or null for the normal outcome. */
  fate: SimulatedOutcome | null
  returnCode: ReturnCode | null
  sentAt: Date | null
  settledAt: Date | null
  /** When the leg was held for the operator, or null. */
  heldAt: Date | null
  /** The user whose suspension or closure prevents the leg from being sent, or null. */
  stoppedBy: string | null
}

export type LegKey = Pick<LegRow, 'platformId' | 'id'>

const columns = (sql: Sql) => sql`
  platform_id, id, purpose, subject_id, user_id, account_id, rail, direction, cents, status, next_event, next_at,
  file_at, fate, return_code, sent_at, settled_at, held_at, stopped_by
`

/** Inserts a leg. A new leg of a held payment is also held. */
export async function insertLeg(sql: Sql, leg: Omit<LegRow, 'heldAt' | 'stoppedBy'>, createdAt: Date): Promise<void> {
  await sql`
    insert into legs (
      platform_id, id, purpose, subject_id, user_id, account_id, rail, direction, cents, status, next_event, next_at,
      file_at, fate, return_code, created_at, held_at, held_reason
    )
    select
      ${leg.platformId}, ${leg.id}, ${leg.purpose}, ${leg.subjectId}, ${leg.userId}, ${leg.accountId}, ${leg.rail},
      ${leg.direction}, ${leg.cents}, ${leg.status}, ${leg.nextEvent}, ${leg.nextAt}::timestamptz,
      ${leg.fileAt}::timestamptz, ${leg.fate}, ${leg.returnCode}, ${createdAt}, held.held_at, held.held_reason
    from (select) one
    left join lateral (
      select held_at, held_reason
      from legs
      where platform_id = ${leg.platformId} and subject_id = ${leg.subjectId} and held_at is not null
      order by held_at
      limit 1
    ) held on true
  `
}

/** Holds the legs of a payment or bank that are not held yet. */
export async function updateLegsHeld(
  sql: Sql,
  { platformId, subjectId }: Pick<LegRow, 'platformId' | 'subjectId'>,
  { heldAt, reason }: { heldAt: Date; reason: string },
): Promise<void> {
  await sql`
    update legs
    set held_at = ${heldAt}, held_reason = ${reason}
    where platform_id = ${platformId} and subject_id = ${subjectId} and held_at is null
  `
}

export async function updateLegsReleased(
  sql: Sql,
  { platformId, subjectId }: Pick<LegRow, 'platformId' | 'subjectId'>,
): Promise<void> {
  await sql`
    update legs
    set held_at = null, held_reason = null
    where platform_id = ${platformId} and subject_id = ${subjectId} and held_at is not null
  `
}

/** Lists the legs of a payment or a bank, oldest first. Only a transaction that has locked their subject may change them. */
export const listLegs = (sql: Sql, subject: { platformId: string; subjectId: string }): Promise<LegRow[]> =>
  sql<LegRow[]>`
    select ${columns(sql)}
    from legs
    where platform_id = ${subject.platformId} and subject_id = ${subject.subjectId}
    order by created_at, id
  `

export const findLeg = (sql: Sql, { platformId, id }: { platformId: string; id: string }): Promise<LegRow | null> =>
  sql<LegRow[]>`
    select ${columns(sql)}
    from legs
    where platform_id = ${platformId} and id = ${id}
  `.first()

export const listLegsById = (sql: Sql, keys: readonly LegKey[]): Promise<LegRow[]> =>
  sql<LegRow[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select ${columns(sql)}
    from legs
    where (platform_id, id) in (
      select wanted.platform_id, wanted.id
      from unnest(
        ${keys.map(({ platformId }) => platformId)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]
      ) as wanted (platform_id, id)
    )
  `

/** Finds legs of one platform by their ids. */
export const listLegsOfPlatform = (sql: Sql, platformId: string, ids: readonly string[]): Promise<LegRow[]> =>
  sql<LegRow[]>`
    select ${columns(sql)}
    from legs
    where platform_id = ${platformId} and id = any (${ids as string[]}::uuid[])
  `

type LegChange = Pick<LegRow, 'nextEvent' | 'nextAt' | 'fileAt' | 'fate' | 'returnCode'> & {
  /** The connection that currently carries the rail of the leg. */
  connectionId: string | null
  from: readonly LegStatus[]
  to: LegStatus
  event: LegEvent
  now: Date
  realNow: Date
  actor: RequestActor | null
}

/** Applies one row of the state table (`sql/change_leg_v1.sql`). @returns false if the leg's status does not allow the event */
export async function updateLeg(
  sql: Sql,
  { platformId, id, purpose, subjectId }: LegRow,
  change: LegChange,
): Promise<boolean> {
  const paymentId = purpose === 'micro_deposit' ? null : subjectId
  const [row] = await sql<{ isChanged: boolean }[]>`
    select change_leg_v1(
      ${platformId}, ${id}, ${paymentId}, ${change.from as LegStatus[]}, ${change.to}, ${change.event},
      ${change.nextEvent}, ${change.nextAt}, ${change.fileAt}, ${change.fate}, ${change.returnCode},
      ${change.connectionId}, ${change.actor?.kind ?? null}, ${change.actor?.id ?? null}, ${change.now}, ${change.realNow}
    ) as is_changed
  `
  return row?.isChanged ?? false
}

export type DueLeg = Pick<LegRow, 'platformId' | 'id' | 'purpose' | 'subjectId' | 'userId'> & {
  nextEvent: RailEvent
  dueAt: Date
}

/** Removes the due time of a waiting leg until a user's status changes or the leg is checked again. */
export async function updateStoppedBy(
  sql: Sql,
  { platformId, id }: LegKey,
  { stoppedBy, nextEvent, nextAt, fileAt }: { stoppedBy: string } & Pick<LegRow, 'nextEvent' | 'nextAt' | 'fileAt'>,
): Promise<void> {
  await sql`
    update legs
    set stopped_by = ${stoppedBy}, next_event = ${nextEvent}, next_at = ${nextAt}, file_at = ${fileAt}
    where platform_id = ${platformId} and id = ${id} and status = 'WAITING'
  `
}

/** Makes a stopped leg wait for its rail again. */
export async function updateUnstopped(
  sql: Sql,
  { platformId, id }: LegKey,
  { nextEvent, nextAt, fileAt }: Pick<LegRow, 'nextEvent' | 'nextAt' | 'fileAt'>,
): Promise<void> {
  await sql`
    update legs
    set stopped_by = null, next_event = ${nextEvent}, next_at = ${nextAt}, file_at = ${fileAt}
    where platform_id = ${platformId} and id = ${id} and stopped_by is not null
  `
}

/** Lists legs of a platform that the status of a user has stopped. */
export const listStoppedLegs = (
  sql: Sql,
  { platformId, stoppedBy, limit }: { platformId: string; stoppedBy: string; limit: number },
): Promise<LegKey[]> =>
  sql<LegKey[]>`
    select platform_id, id
    from legs
    where stopped_by = ${stoppedBy} and platform_id = ${platformId}
    order by id
    limit ${limit}
  `

/** Lists the platforms with legs that the status of a user has stopped. */
export const listPlatformsWithStoppedLegs = (sql: Sql, stoppedBy: string, limit: number): Promise<string[]> =>
  listPlatformsWith(sql, 'legs', {
    after: null,
    limit,
    skipped: NOTHING_SKIPPED,
    where: sql`stopped_by = ${stoppedBy}`,
  })

/** Changes the time of a leg's next event. Has no effect if the leg has none. */
export async function updateNextAt(sql: Sql, { platformId, id }: LegKey, nextAt: Date): Promise<void> {
  await sql`
    update legs
    set next_at = ${nextAt}
    where platform_id = ${platformId} and id = ${id} and next_at is not null
  `
}

/** Changes the time at which a leg goes into a file. Has no effect if the leg no longer waits for one. */
export async function updateFileAt(sql: Sql, { platformId, id }: LegKey, fileAt: Date): Promise<void> {
  await sql`
    update legs
    set file_at = ${fileAt}
    where platform_id = ${platformId} and id = ${id} and file_at is not null
  `
}

/** A query for legs that are due for a file, on all platforms or on one. */
export type FileQuery = { rail: Rail; until: Date; skipped: Skipped; platformId?: string | undefined }

const legsForFile = (sql: Sql, { rail, until, skipped, platformId }: FileQuery) => sql`
  rail = ${rail} and file_at <= ${until} and held_at is null ${notSkipped(sql, skipped)}
  ${platformId ? sql`and platform_id = ${platformId}` : sql``}
`

/**
 * Lists the legs of a rail that are due for a file. The micro-deposits of a bank are adjacent and come last, because their locks block
 * other payments of the user.
 */
export const listLegsForFile = (sql: Sql, { limit, ...query }: FileQuery & { limit: number }): Promise<LegRow[]> =>
  sql<LegRow[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select ${columns(sql)}
    from legs
    where ${legsForFile(sql, query)}
    order by purpose = 'micro_deposit', platform_id, subject_id, direction, id
    limit ${limit}
  `

/** Lists the platforms of the legs that are due for a file. */
export async function listPlatformsForFile(sql: Sql, query: FileQuery): Promise<string[]> {
  const rows = await sql<{ platformId: string }[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select distinct platform_id
    from legs
    where ${legsForFile(sql, query)}
  `
  return rows.map(({ platformId }) => platformId)
}
