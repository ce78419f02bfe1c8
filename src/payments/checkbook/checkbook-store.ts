import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { listPage, type Page } from '../../foundation/db/list-page.ts'
import { containing, type Paging } from '../../foundation/db/paging.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { ManifestLine } from './checkbook-rules.ts'
import type { CheckbookStatus } from './checkbook-status.ts'

export type CheckbookRow = UserKey &
  ManifestLine & {
    bankId: string
    status: CheckbookStatus
    dueAt: Date | null
    printAt: Date | null
    fileId: string | null
    createdAt: Date
    printedAt: Date | null
    mailedAt: Date | null
    endedAt: Date | null
  }

const columns = (sql: Sql) => sql`
  platform_id, id, user_id, bank_id, first_number, last_number, name, address, mail_type, status, due_at, print_at,
  file_id, created_at, printed_at, mailed_at, ended_at
`

export async function insertCheckbook(sql: Sql, book: CheckbookRow): Promise<void> {
  await sql`
    insert into checkbooks ${sql.values({ ...book, address: sql.json(book.address) })}
  `
}

type CheckbookKey = { platformId: string; id: string }

export async function findCheckbook(sql: Sql, { platformId, id }: CheckbookKey): Promise<CheckbookRow | null> {
  const [row] = await sql<CheckbookRow[]>`
    select ${columns(sql)}
    from checkbooks
    where platform_id = ${platformId} and id = ${id}
  `
  return row ?? null
}

/** Lists the checkbooks of a user. `q` searches the names of the recipients. */
export const listCheckbooks = (
  sql: Sql,
  { platformId, userId, q }: UserKey & { q: string | undefined },
  paging: Paging,
): Promise<Page<CheckbookRow>> =>
  listPage(
    sql,
    {
      columns: columns(sql),
      table: sql`checkbooks`,
      where: sql`platform_id = ${platformId} and user_id = ${userId} ${containing(sql, q, ['name'])}`,
    },
    { paging },
  )

/**
 * Locks all banks of an account on a platform, including deleted ones, so that only one transaction at a time reserves its check numbers.
 */
export async function lockBanksOfAccount(
  sql: Sql,
  { platformId, accountDigest }: { platformId: string; accountDigest: Buffer },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id
    from banks
    where platform_id = ${platformId} and account_digest = ${accountDigest}
    order by id
    for update
  `
  return rows.map(({ id }) => id)
}

/** Finds the last reserved number in a range for some banks. Returns null if no number of the range is reserved. */
export async function findReservedNumber(
  sql: Sql,
  { platformId, bankIds, first, last }: { platformId: string; bankIds: string[]; first: number; last: number },
): Promise<number | null> {
  const [row] = await sql<{ lastNumber: number | null }[]>`
    select max(last_number) as last_number
    from checkbooks
    where platform_id = ${platformId} and bank_id = any (${bankIds}::uuid[]) and status <> 'CANCELED'
      and first_number <= ${last} and last_number >= ${first}
  `
  return row?.lastNumber ?? null
}

/** Reserves the numbers of a user's books, so that its payments skip them. The caller holds the lock of the user's counters. */
export async function updateReservedNumbers(sql: Sql, { platformId, userId }: UserKey): Promise<void> {
  await sql`
    update user_counters c
    set
      reserved_numbers = b.numbers,
      next_check_number = free_check_number_v1(c.next_check_number, b.numbers)
    from (
      select range_agg(int8range(first_number, last_number, '[]')) as numbers
      from checkbooks
      where platform_id = ${platformId} and user_id = ${userId} and status <> 'CANCELED'
    ) b
    where c.platform_id = ${platformId} and c.user_id = ${userId}
  `
}

/** Changes the status of a book. @returns false if its current status does not allow it */
export async function updateCheckbookStatus(
  sql: Sql,
  { platformId, id }: CheckbookKey,
  change: Pick<CheckbookRow, 'dueAt' | 'printAt' | 'fileId' | 'printedAt' | 'mailedAt' | 'endedAt'> & {
    from: readonly CheckbookStatus[]
    to: CheckbookStatus
  },
): Promise<boolean> {
  const result = await sql`
    update checkbooks
    set
      status = ${change.to}, due_at = ${change.dueAt}, print_at = ${change.printAt}, file_id = ${change.fileId},
      printed_at = ${change.printedAt}, mailed_at = ${change.mailedAt}, ended_at = ${change.endedAt}
    where platform_id = ${platformId} and id = ${id} and status = any (${change.from as CheckbookStatus[]})
  `
  return result.count === 1
}

/** Postpones the printing of a PENDING book. */
export async function postponeCheckbook(
  sql: Sql,
  { platformId, id, dueAt, printAt }: CheckbookKey & Pick<CheckbookRow, 'dueAt' | 'printAt'>,
): Promise<void> {
  await sql`
    update checkbooks
    set due_at = ${dueAt}, print_at = ${printAt}
    where platform_id = ${platformId} and id = ${id} and status = 'PENDING'
  `
}

export type DueCheckbook = CheckbookKey & { userId: string; dueAt: Date }

/** Lists the books that are due for a print file. */
export async function listCheckbooksToPrint(
  sql: Sql,
  { now, limit, platformIds, ids }: { now: Date; limit: number; platformIds: string[]; ids: string[] },
): Promise<(CheckbookKey & UserKey)[]> {
  return sql<(CheckbookKey & UserKey)[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select platform_id, id, user_id
    from checkbooks
    where status = 'PENDING' and print_at <= ${now} and platform_id <> all (${platformIds}::uuid[])
      and id <> all (${ids}::uuid[])
    order by print_at, id
    limit ${limit}
  `
}

export async function listCheckbooksInFile(
  sql: Sql,
  { platformId, fileId }: { platformId: string; fileId: string },
): Promise<CheckbookRow[]> {
  return sql<CheckbookRow[]>`
    select ${columns(sql)}
    from checkbooks
    where platform_id = ${platformId} and file_id = ${fileId}
    order by id
  `
}

export async function listPendingCheckbooks(sql: Sql, { platformId, userId }: UserKey): Promise<CheckbookRow[]> {
  return sql<CheckbookRow[]>`
    select ${columns(sql)}
    from checkbooks
    where platform_id = ${platformId} and user_id = ${userId} and status = 'PENDING'
    order by id
  `
}

/** Finds a book of any platform that a print file names. */
export async function findCheckbookById(sql: Sql, id: string): Promise<CheckbookRow | null> {
  const [row] = await sql<CheckbookRow[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select ${columns(sql)}
    from checkbooks
    where id = ${id}
  `
  return row ?? null
}
