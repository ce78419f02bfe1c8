import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import { listPlatformsWith } from '../../foundation/db/cluster/list-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { RequestActor } from '../../foundation/db/deps.ts'
import { NOTHING_SKIPPED, notSkipped, type Skipped } from '../../foundation/db/skipped.ts'
import { shareInGroup } from '../../foundation/db/statement-group.ts'
import { alignRows } from '../../foundation/lib/concurrency/batches.ts'
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
  /** The time at which the leg was held for the operator, or null. */
  heldAt: Date | null
  /** The user whose suspension or closure prevents the leg from being sent, or null. */
  stoppedBy: string | null
}

export type LegKey = Pick<LegRow, 'platformId' | 'id'>

const columns = (sql: Sql) => sql`
  platform_id, id, purpose, subject_id, user_id, account_id, rail, direction, cents, status, next_event, next_at,
  file_at, fate, return_code, sent_at, settled_at, held_at, stopped_by
`

const subjectOf = ({ subjectId }: Pick<LegRow, 'subjectId'>): string => subjectId

type NewLegRow = Omit<LegRow, 'heldAt' | 'stoppedBy'> & { createdAt: Date }

/** Inserts a leg. A new leg of a held payment is also held. */
export const insertLeg = shareInGroup<NewLegRow, undefined>(async (sql, platformId, legs) => {
  await sql`
    insert into legs (
      platform_id, id, purpose, subject_id, user_id, account_id, rail, direction, cents, status, next_event, next_at,
      file_at, fate, return_code, created_at, held_at, held_reason
    )
    select
      ${platformId}, n.id, n.purpose, n."subjectId", n."userId", n."accountId", n.rail, n.direction, n.cents, n.status,
      n."nextEvent", n."nextAt", n."fileAt", n.fate, n."returnCode", n."createdAt", held.held_at, held.held_reason
    from json_to_recordset(${sql.json(legs)}) as n (
      id uuid, purpose text, "subjectId" uuid, "userId" uuid, "accountId" uuid, rail text, direction text, cents bigint,
      status text, "nextEvent" text, "nextAt" timestamptz, "fileAt" timestamptz, fate text, "returnCode" text,
      "createdAt" timestamptz
    )
    left join lateral (
      select held_at, held_reason
      from legs
      where platform_id = ${platformId} and subject_id = n."subjectId" and held_at is not null
      order by held_at
      limit 1
    ) held on true
  `
  return []
}, subjectOf)

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
export const listLegs = shareInGroup(
  async (sql, platformId, subjects: Pick<LegRow, 'platformId' | 'subjectId'>[]): Promise<LegRow[][]> => {
    const legs = await sql<LegRow[]>`
      select ${columns(sql)}
      from legs
      where platform_id = ${platformId} and subject_id = any (${subjects.map(subjectOf)}::uuid[])
      order by created_at, id
    `
    const bySubject = Map.groupBy(legs, subjectOf)
    return subjects.map(({ subjectId }) => bySubject.get(subjectId) ?? [])
  },
)

export const findLeg = shareInGroup(async (sql, platformId, keys: LegKey[]): Promise<(LegRow | null)[]> => {
  const legs = await listLegsOfPlatform(
    sql,
    platformId,
    keys.map(({ id }) => id),
  )
  return alignRows(keys, legs, { item: ({ id }) => id, row: ({ id }) => id })
})

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

type LegChange = {
  leg: LegRow
  next: Pick<LegRow, 'nextEvent' | 'nextAt' | 'fileAt' | 'fate' | 'returnCode'>
  /** The connection that currently carries the rail of the leg. */
  connectionId: string | null
  from: readonly LegStatus[]
  to: LegStatus
  event: LegEvent
  now: Date
  realNow: Date
  actor: RequestActor | null
}

/** Applies one row of the state table (`sql/change_legs_v1.sql`). @returns false if the leg's status does not allow the event */
export const updateLeg = shareInGroup(
  async (sql, platformId, changes: (LegChange & { platformId: string })[]): Promise<boolean[]> => {
    const [row] = await sql<{ ids: string[] }[]>`
      select change_legs_v1(${platformId}, ${sql.json(changes.map(columnsOfChange))}) as ids
    `
    const changed = new Set(row?.ids)
    return changes.map(({ leg }) => changed.has(leg.id))
  },
  ({ leg }) => leg.subjectId,
)

const columnsOfChange = ({ leg, next, from, to, event, actor, ...given }: LegChange) => ({
  leg_id: leg.id,
  payment_id: leg.purpose === 'micro_deposit' ? null : leg.subjectId,
  rail: leg.rail,
  statuses: from,
  status: to,
  event,
  next_event: next.nextEvent,
  next_at: next.nextAt,
  file_at: next.fileAt,
  fate: next.fate,
  return_code: next.returnCode,
  connection_id: given.connectionId,
  actor: actor?.kind,
  actor_id: actor?.id,
  changed_at: given.now,
  real_at: given.realNow,
})

export type DueLeg = Pick<LegRow, 'platformId' | 'id' | 'purpose' | 'subjectId' | 'userId' | 'fate'> & {
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

/** Makes the end of a stopped leg due. @returns false if it is not being stopped */
export const updateCancelDue = (sql: Sql, { platformId, id }: LegKey, dueAt: Date): Promise<boolean> =>
  sql`
    update legs
    set next_event = 'cancel', next_at = ${dueAt}
    where platform_id = ${platformId} and id = ${id} and status = 'STOPPING'
  `.anyRow()

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
 * Legs of a file. `isLimited`: whether a limit of the bank may let only a part of them pass. Then the platforms take turns, and of each platform
 * the oldest payments and banks come first, so that no platform and no leg waits forever. This order takes longer to find.
 */
export type LegsOfFile = FileQuery & { limit: number; isLimited?: boolean }

/**
 * Lists the legs of a rail that are due for a file. The micro-deposits of a bank are adjacent. Without limits they come last, because their
 * locks block other payments of the user.
 */
export const listLegsForFile = (sql: Sql, { limit, isLimited = false, ...query }: LegsOfFile): Promise<LegRow[]> =>
  sql<LegRow[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select ${columns(sql)}
    from legs
    where ${legsForFile(sql, query)}
    order by
      ${isLimited ? sql`dense_rank() over (partition by platform_id order by subject_id)` : sql`purpose = 'micro_deposit', platform_id`},
      subject_id, direction, id
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

/** Returns whether a line of a bank statement books a leg, and no line its return. */
export const isLegBooked = (sql: Sql, { platformId, id }: LegKey): Promise<boolean> =>
  sql`
    select
    from legs
    where platform_id = ${platformId} and id = ${id} and booked_line_id is not null and return_line_id is null
  `.anyRow()
