import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { Fragment } from '../../foundation/db/skipped.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { OPEN_STATUSES } from '../rail/leg-status.ts'
import type { StoredDestinationKind } from './destination-rules.ts'
import { listPaymentsFromOtherPlatforms } from './sender-platform-store.ts'

export type DestinationKey = { platformId: string; userId: string; id: string }

/**
 * A stored destination. `details` are the fields that answers show. For a card, they contain only the last four digits. The account number
 * of a wire is sealed.
 */
export type DestinationRow = DestinationKey & {
  kind: StoredDestinationKind
  details: Record<string, string>
  isDefault: boolean
  createdAt: Date
}

/** Inserts a destination. With `deletedAt`, it is invisible, but money in transit still goes there. */
export async function insertDestination(
  sql: Sql,
  destination: DestinationRow & { accountSealed: Buffer | null; deletedAt: Date | null },
): Promise<void> {
  await sql`
    insert into destinations ${sql.values({ ...destination, details: sql.json(destination.details) })}
  `
}

export const listDestinations = (
  sql: Sql,
  { platformId, userId }: UserKey,
  kind: StoredDestinationKind,
): Promise<DestinationRow[]> =>
  sql<DestinationRow[]>`
    select platform_id, user_id, id, kind, details, is_default, created_at
    from destinations
    where platform_id = ${platformId} and user_id = ${userId} and kind = ${kind} and deleted_at is null
    order by created_at, id
  `

/** Finds a destination of a platform, regardless of its holder. */
export const findDestination = (
  sql: Sql,
  { platformId, id, kind }: { platformId: string; id: string; kind: StoredDestinationKind },
): Promise<DestinationRow | null> =>
  sql<DestinationRow[]>`
    select platform_id, user_id, id, kind, details, is_default, created_at
    from destinations
    where platform_id = ${platformId} and id = ${id} and kind = ${kind} and deleted_at is null
  `.first()

/** Returns the details of a payment's destination, even if it was deleted. */
export const findDestinationDetails = (
  sql: Sql,
  { platformId, id }: { platformId: string; id: string },
): Promise<Pick<DestinationRow, 'kind' | 'details'> | null> =>
  sql<Pick<DestinationRow, 'kind' | 'details'>[]>`
    select kind, details
    from destinations
    where platform_id = ${platformId} and id = ${id}
  `.first()

/** Returns the account data of a destination that a processor needs. The details of a deleted destination are gone. */
export const findPayoutAccountRow = (
  sql: Sql,
  { platformId, id }: { platformId: string; id: string },
): Promise<(Pick<DestinationRow, 'kind' | 'details'> & { accountSealed: Buffer | null }) | null> =>
  sql<(Pick<DestinationRow, 'kind' | 'details'> & { accountSealed: Buffer | null })[]>`
    select kind, details, account_sealed
    from destinations
    where platform_id = ${platformId} and id = ${id}
  `.first()

/** Replaces the sealed number of a card, unless the card was deleted. */
export async function updateCardToken(
  sql: Sql,
  { platformId, id }: { platformId: string; id: string },
  accountSealed: Buffer,
): Promise<void> {
  await sql`
    update destinations
    set account_sealed = ${accountSealed}
    where platform_id = ${platformId} and id = ${id} and kind = 'card' and account_sealed is not null
  `
}

/** A wire account with its sealed number, even if it was deleted. */
export type WireAccountRow = Pick<DestinationRow, 'platformId' | 'id' | 'details'> & { accountSealed: Buffer | null }

export const listWireAccounts = (
  sql: Sql,
  accounts: readonly Pick<DestinationKey, 'platformId' | 'id'>[],
): Promise<WireAccountRow[]> =>
  sql<WireAccountRow[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select d.platform_id, d.id, d.details, d.account_sealed
    from unnest(
      ${accounts.map(({ platformId }) => platformId)}::uuid[], ${accounts.map(({ id }) => id)}::uuid[]
    ) as wanted (platform_id, id)
    join destinations d on d.platform_id = wanted.platform_id and d.id = wanted.id
    where d.kind = 'wire'
  `

/** Finds a wire account of a platform. */
export const findWireAccount = (
  sql: Sql,
  { platformId, id }: Pick<DestinationKey, 'platformId' | 'id'>,
): Promise<WireAccountRow | null> =>
  sql<WireAccountRow[]>`
    select platform_id, id, details, account_sealed
    from destinations
    where platform_id = ${platformId} and id = ${id} and kind = 'wire'
  `.first()

/** An account that payments can go to. `isAbroad`: whether a wire to it leaves the country. */
export type HeldAccount = { id: string; kind: 'bank' | 'wallet' | StoredDestinationKind; isAbroad: boolean }

/** Finds a payout account and prevents its deletion (`sql/hold_account_v1.sql`). */
export async function holdAccountRow(
  sql: Sql,
  { platformId, userId, id }: DestinationKey,
): Promise<HeldAccount | null> {
  const [row] = await sql<{ kind: HeldAccount['kind'] | null; isAbroad: boolean }[]>`
    select kind, is_abroad
    from hold_account_v1(${platformId}, ${userId}, ${id})
  `
  return row?.kind ? { id, kind: row.kind, isAbroad: row.isAbroad } : null
}

/**
 * Locks a destination. Waits for payments to it that are being accepted or deposited, and blocks new ones until the end of the
 * transaction.
 */
export async function lockDestinationRow(
  sql: Sql,
  { platformId, id }: Pick<DestinationKey, 'platformId' | 'id'>,
): Promise<void> {
  await sql`
    select 1
    from destinations
    where platform_id = ${platformId} and id = ${id}
    for update
  `
}

export async function updateDestinationDetails(
  sql: Sql,
  { platformId, id }: DestinationKey,
  details: Record<string, string>,
): Promise<void> {
  await sql`
    update destinations
    set details = ${sql.json(details)}
    where platform_id = ${platformId} and id = ${id}
  `
}

/** Makes one destination the only default of its kind. */
export async function chooseDestination(sql: Sql, { platformId, userId, id, kind }: DestinationRow): Promise<void> {
  await sql`
    update destinations
    set is_default = (id = ${id})
    where platform_id = ${platformId} and user_id = ${userId} and kind = ${kind} and deleted_at is null
  `
}

/** Marks a destination as deleted. Deletes all its details except the kind. */
export async function markDestinationDeleted(sql: Sql, { platformId, id }: DestinationKey, now: Date): Promise<void> {
  await sql`
    update destinations
    set deleted_at = ${now}, account_sealed = null, details = '{}', is_default = false
    where platform_id = ${platformId} and id = ${id}
  `
}

/** Marks all destinations of a user as deleted. Deletes all their details except the kind. */
export async function markDestinationsOfUserDeleted(
  sql: Sql,
  { platformId, userId }: UserKey,
  now: Date,
): Promise<void> {
  await sql`
    update destinations
    set deleted_at = ${now}, account_sealed = null, details = '{}', is_default = false
    where platform_id = ${platformId} and user_id = ${userId} and deleted_at is null
  `
}

/** Returns whether a payment to a destination has not ended. Its legs are stored on the platform of its sender. */
export async function hasOpenLeg(sql: Sql, { platformId, userId, id }: DestinationKey): Promise<boolean> {
  const ofPlatform = sql`
    p.platform_id = ${platformId} and p.recipient_id = ${userId} and p.recipient_platform_id is not distinct from p.platform_id
  `
  if (await hasOpenLegTo(sql, id, ofPlatform)) return true
  for (const { senderPlatformId, paymentIds } of await listPaymentsFromOtherPlatforms(sql, { platformId, userId })) {
    const fromSenderPlatform = sql`p.platform_id = ${senderPlatformId} and p.id = any (${paymentIds}::uuid[])`
    if (await hasOpenLegTo(sql, id, fromSenderPlatform)) return true
  }
  return false
}

const hasOpenLegTo = (sql: Sql, id: string, ofPayment: Fragment): Promise<boolean> =>
  sql`
    select 1
    from payments p
    join legs l on l.platform_id = p.platform_id and l.subject_id = p.id
    where ${ofPayment} and l.account_id = ${id} and l.status = any (${[...OPEN_STATUSES]})
    limit 1
  `.anyRow()
