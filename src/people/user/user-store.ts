import type { Pool, Sql } from '../../foundation/db/connect.ts'
import { afterPosition, containing, type Paging, sortKeyOf, sortOrder, sortValue } from '../../foundation/db/paging.ts'
import { shareInGroup } from '../../foundation/db/statement-group.ts'
import { type AddressPart, type UserSort, userSorts } from './user-rules.ts'
import type { Standing, UserStatus } from './user-status.ts'

/** The key of a user. The owner of a platform has the id of the platform. */
export type UserKey = { platformId: string; userId: string }

/** An address. Unknown fields are omitted. */
export type Address = Partial<Record<AddressPart, string>>

/** A merchant's data, stored as in requests and answers. Only the tax id is sealed. */
export type Merchant = {
  address?: Address
  principal_address?: Address
  incorporation_date?: string
  /** A NAICS code. */
  industry?: string
  legal_firstname?: string
  legal_lastname?: string
  principal_citizenship_status?: string
  principal_occupation?: string
  website?: string
}

/** The brand of a user. A null or empty field counts as unset. */
export type Brand = { footer?: string | null; logo?: string; reply_to?: string; slogan?: string | null }

/** The fields of a user that change with its profile. */
type UserProfile = {
  firstName: string | null
  lastName: string | null
  businessName: string | null
  dob: string | null
  phone: string | null
  ssnSealed: Buffer | null
  taxIdSealed: Buffer | null
  merchant: Merchant
  brand: Brand
  expirationDays: number
  dualControl: boolean
}

type NewUserRow = {
  platformId: string
  id: string
  externalId: string | null
  name: string
  status: UserStatus
  createdAt: Date
}

export type UserRow = NewUserRow &
  UserProfile & { isGuest: boolean; nextCheckNumber: number; nextInvoiceNumber: number }

/**
 * Creates a user. `isGuest`: a person without an account, whom lists do not show.
 *
 * @returns false if the platform has another user with this `externalId`
 */
export async function insertUser(
  sql: Sql,
  user: NewUserRow & { webhookKeySealed: Buffer; isGuest?: boolean },
): Promise<boolean> {
  const inserted = await sql`
    insert into users (platform_id, id, external_id, name, status, merchant, brand, webhook_key_sealed, created_at, is_guest)
    values (
      ${user.platformId}, ${user.id}, ${user.externalId}, ${user.name}, ${user.status}, '{}', '{}',
      ${user.webhookKeySealed}, ${user.createdAt}, ${user.isGuest ?? false}
    )
    on conflict (platform_id, external_id) where deleted_at is null do nothing
  `
  if (inserted.count === 0) return false
  await sql`
    insert into user_counters (platform_id, user_id)
    values (${user.platformId}, ${user.id})
  `
  return true
}

/** Locks a user until the end of the transaction, through its row of counters. @returns whether the user exists */
export async function lockUserCounters(sql: Sql, { platformId, userId }: UserKey): Promise<boolean> {
  const rows = await sql`
    select 1
    from user_counters
    where platform_id = ${platformId} and user_id = ${userId}
    for update
  `
  return rows.length > 0
}

/** Finds a user. A guest is none: with an API key for it, the owner of a platform could debit a person who once paid an invoice. */
export async function findUser(sql: Sql, user: UserKey): Promise<UserRow | null> {
  const person = await findPerson(sql, user)
  return person?.isGuest ? null : person
}

/** Finds a user or a guest. */
export async function findPerson(sql: Sql, { platformId, userId }: UserKey): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`
    select
      u.platform_id, u.id, u.external_id, u.name, u.status, u.first_name, u.last_name, u.business_name, u.dob, u.phone,
      u.ssn_sealed, u.tax_id_sealed, u.merchant, u.brand, u.expiration_days, u.dual_control, u.is_guest, c.next_check_number,
      c.next_invoice_number, u.created_at
    from users u
    join user_counters c on c.platform_id = u.platform_id and c.user_id = u.id
    where u.platform_id = ${platformId} and u.id = ${userId} and u.deleted_at is null
  `
  return row ?? null
}

/** Changes the given fields of a user. */
export async function updateUser(
  sql: Sql,
  { platformId, userId }: UserKey,
  changes: Partial<UserProfile>,
): Promise<void> {
  if (Object.keys(changes).length === 0) return
  const { merchant, brand, ...columns } = changes
  const values = {
    ...columns,
    ...(merchant !== undefined && { merchant: sql.json(merchant) }),
    ...(brand !== undefined && { brand: sql.json(brand) }),
  }
  await sql`
    update users
    set ${sql.set(values)}
    where platform_id = ${platformId} and id = ${userId}
  `
}

export async function updateCounters(
  sql: Sql,
  { platformId, userId }: UserKey,
  { nextCheckNumber, nextInvoiceNumber }: { nextCheckNumber: number | null; nextInvoiceNumber: number | null },
): Promise<void> {
  await sql`
    update user_counters
    set
      next_check_number = coalesce(free_check_number_v1(${nextCheckNumber}, reserved_numbers), next_check_number),
      next_invoice_number = coalesce(${nextInvoiceNumber}, next_invoice_number)
    where platform_id = ${platformId} and user_id = ${userId}
  `
}

/**
 * Prevents the suspension of a user and of its owner, and the user's deletion, until the end of the transaction.
 *
 * @returns null if the user does not exist
 */
export const holdUser = shareInGroup(async (sql, platformId, users: UserKey[]): Promise<(Standing | null)[]> => {
  const ids = users.map(({ userId }) => userId)
  const rows = await sql<{ id: string; standing: Standing }[]>`
    select u.id, standing_v1(u.status, o.status) as standing
    from users u
    join users o on o.platform_id = u.platform_id and o.id = u.platform_id
    where u.platform_id = ${platformId} and u.id = any (${ids}::uuid[]) and u.deleted_at is null
    order by u.id
    for key share of u, o
  `
  const found = new Map(rows.map(({ id, standing }) => [id, standing]))
  return ids.map((id) => found.get(id) ?? null)
})

/** Returns the standing of a user, or null if it does not exist. */
export async function findStanding(sql: Sql | Pool, { platformId, userId }: UserKey): Promise<Standing | null> {
  const [row] = await sql<{ standing: Standing }[]>`
    select standing_v1(u.status, o.status) as standing
    from users u
    join users o on o.platform_id = u.platform_id and o.id = u.platform_id
    where u.platform_id = ${platformId} and u.id = ${userId} and u.deleted_at is null
  `
  return row?.standing ?? null
}

export async function hasSeveralMembers(sql: Sql, platformId: string): Promise<boolean> {
  const rows = await sql`
    select 1
    from members
    where platform_id = ${platformId}
    limit 2
  `
  return rows.length > 1
}

/** A stopped user. `by`: the user whose status stops this user: the user itself, or the owner of the platform. */
export type StoppedUser = UserKey & { by: string; standing: Exclude<Standing, 'ACTIVE'> }

/** Returns the first stopped user, CLOSED before SUSPENDED, or null. */
export const firstStopped = (users: readonly StoppedUser[]): StoppedUser | null =>
  users.find(({ standing }) => standing === 'CLOSED') ?? users[0] ?? null

/** Lists which of these users are stopped. */
export async function listStoppedUsers(sql: Sql, users: readonly UserKey[]): Promise<StoppedUser[]> {
  const stopped: StoppedUser[] = []
  for (const [platformId, ofPlatform] of Map.groupBy(users, (user) => user.platformId)) {
    const userIds = ofPlatform.map(({ userId }) => userId)
    stopped.push(...(await listStoppedOfPlatform(sql, { platformId, userIds })))
  }
  return stopped
}

const listStoppedOfPlatform = shareInGroup(
  async (sql, platformId, asked: { platformId: string; userIds: string[] }[]): Promise<StoppedUser[][]> => {
    const rows = await sql<StoppedUser[]>`
      select
        u.platform_id, u.id as user_id, standing_v1(u.status, o.status) as standing,
        case when u.status = standing_v1(u.status, o.status) then u.id else o.id end as by
      from users u
      join users o on o.platform_id = u.platform_id and o.id = u.platform_id
      where u.platform_id = ${platformId} and u.id = any (${[...new Set(asked.flatMap(({ userIds }) => userIds))]}::uuid[])
        and standing_v1(u.status, o.status) <> 'ACTIVE'
      order by u.id
    `
    return asked.map(({ userIds }) => rows.filter(({ userId }) => userIds.includes(userId)))
  },
)

/** Waits for payments to the user that are being accepted, and blocks new ones until the end of the transaction. */
async function holdOffPayments(sql: Sql, { platformId, userId }: UserKey): Promise<void> {
  await sql`
    select 1
    from users
    where platform_id = ${platformId} and id = ${userId}
    for update
  `
}

/** Applies one row of the state table. @returns false if the current status does not allow the event */
export async function updateUserStatus(
  sql: Sql,
  { platformId, userId }: UserKey,
  { from, to }: { from: readonly UserStatus[]; to: UserStatus },
): Promise<boolean> {
  await holdOffPayments(sql, { platformId, userId })
  const result = await sql`
    update users
    set status = ${to}
    where platform_id = ${platformId} and id = ${userId} and status = any (${from as UserStatus[]})
  `
  return result.count === 1
}

export type ListedUser = {
  id: string
  externalId: string
  name: string
  key: string | null
  status: UserStatus
  createdAt: Date
  sortValue: string
}

/** Filters the users of a platform by status, and by `q`, which must be a part of the name or user_id. */
export type UserFilter = { platformId: string; q: string | undefined; status?: UserStatus | undefined }

const sortExpressions: Record<UserSort, string> = {
  DATE: 'created_at',
  USER_ID: 'external_id collate "C"',
}

/** Lists the users of a platform without its owner, each with its oldest API key. Returns one row more than the page holds. */
export async function listUsers(
  sql: Sql,
  { paging, ...filter }: UserFilter & { paging: Paging },
): Promise<ListedUser[]> {
  const sortKey = sortKeyOf(paging, sortExpressions, userSorts)
  const users = await sql<Omit<ListedUser, 'key'>[]>`
    select id, external_id, name, status, created_at, ${sortValue(sql, sortKey)} as sort_value
    from users
    where ${listedUsers(sql, filter)} ${afterPosition(sql, paging, sortKey, 'id')}
    order by ${sortOrder(sql, paging, sortKey, 'id')}
    limit ${paging.limit + 1}
    offset ${paging.offset}
  `
  const keys = await sql<{ userId: string; key: string }[]>`
    select distinct on (user_id) user_id, key
    from api_keys
    where platform_id = ${filter.platformId} and user_id = any (${users.map(({ id }) => id)}::uuid[])
    order by user_id, created_at
  `
  const keyOf = new Map(keys.map(({ userId, key }) => [userId, key]))
  return users.map((user) => ({ ...user, key: keyOf.get(user.id) ?? null }))
}

export async function countUsers(sql: Sql, filter: UserFilter): Promise<number> {
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total
    from users
    where ${listedUsers(sql, filter)}
  `
  return row?.total ?? 0
}

const listedUsers = (sql: Sql, { platformId, q, status }: UserFilter) => sql`
  platform_id = ${platformId} and id <> ${platformId} and not is_guest and deleted_at is null
  ${containing(sql, q, ['name', 'external_id'])}
  ${status ? sql`and status = ${status}` : sql``}
`

/** Erases all personal data of a user. Keeps the row, because payments refer to it. */
export async function eraseUser(sql: Sql, { platformId, userId }: UserKey, deletedAt: Date): Promise<void> {
  await holdOffPayments(sql, { platformId, userId })
  await sql`
    update users
    set
      status = 'CLOSED', name = '', first_name = null, last_name = null, business_name = null, dob = null, phone = null, ssn_sealed = null,
      tax_id_sealed = null, merchant = '{}', brand = '{}', deleted_at = ${deletedAt}
    where platform_id = ${platformId} and id = ${userId}
  `
  await sql`delete from signatures where platform_id = ${platformId} and user_id = ${userId}`
}

export async function upsertSignature(sql: Sql, { platformId, userId }: UserKey, imageSealed: Buffer): Promise<void> {
  await sql`
    insert into signatures (platform_id, user_id, image_sealed)
    values (${platformId}, ${userId}, ${imageSealed})
    on conflict (platform_id, user_id) do update
    set image_sealed = excluded.image_sealed
  `
}

export async function findSignature(sql: Sql, { platformId, userId }: UserKey): Promise<Buffer | null> {
  const [row] = await sql<{ imageSealed: Buffer }[]>`
    select image_sealed
    from signatures
    where platform_id = ${platformId} and user_id = ${userId}
  `
  return row?.imageSealed ?? null
}

/** Stores a new webhook key. The current one becomes the previous key. */
export async function rotateWebhookKey(
  sql: Sql,
  { platformId, userId }: UserKey,
  { webhookKeySealed, rotatedAt }: { webhookKeySealed: Buffer; rotatedAt: Date },
): Promise<void> {
  await sql`
    update users
    set
      previous_webhook_key_sealed = webhook_key_sealed, webhook_key_sealed = ${webhookKeySealed},
      webhook_key_rotated_at = ${rotatedAt}
    where platform_id = ${platformId} and id = ${userId}
  `
}

export async function findWebhookKey(sql: Sql, { platformId, userId }: UserKey): Promise<Buffer | null> {
  const [row] = await sql<{ webhookKeySealed: Buffer }[]>`
    select webhook_key_sealed
    from users
    where platform_id = ${platformId} and id = ${userId}
  `
  return row?.webhookKeySealed ?? null
}
