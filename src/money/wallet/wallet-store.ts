import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { afterPosition, type Paging, type SortKey, sortOrder, sortValue } from '../../foundation/db/paging.ts'
import type { UserKey } from '../../people/user/user-store.ts'

import type { WalletType } from './wallet-rules.ts'

export type WalletKey = { platformId: string; userId: string; id: string }

export type WalletRow = WalletKey & { name: string | null; balanceCents: number; heldCents: number; createdAt: Date }

const columns = (sql: Sql) => sql`platform_id, user_id, id, name, balance_cents, held_cents, created_at`

export async function insertWallet(
  sql: Sql,
  wallet: Omit<WalletRow, 'balanceCents' | 'heldCents'> & { type: WalletType },
): Promise<void> {
  await sql`
    insert into wallets ${sql.values(wallet)}
  `
}

export const listWallets = (sql: Sql, { platformId, userId }: UserKey): Promise<WalletRow[]> =>
  sql<WalletRow[]>`
    select ${columns(sql)}
    from wallets
    where platform_id = ${platformId} and user_id = ${userId} and deleted_at is null
    order by created_at, id
  `

/** Finds a wallet of a platform, regardless of its holder. */
export const findWallet = (sql: Sql, { platformId, id }: { platformId: string; id: string }) =>
  sql<WalletRow[]>`
    select ${columns(sql)}
    from wallets
    where platform_id = ${platformId} and id = ${id} and deleted_at is null
  `.first()

/** Finds a wallet of a platform, and locks it until the end of the transaction. */
export const lockWallet = (sql: Sql, { platformId, id }: { platformId: string; id: string }) =>
  sql<WalletRow[]>`
    select ${columns(sql)}
    from wallets
    where platform_id = ${platformId} and id = ${id} and deleted_at is null
    for update
  `.first()

/** Finds a wallet of a platform, which may be deleted. Money that arrives later reopens it. */
export const findAnyWallet = (sql: Sql, { platformId, id }: { platformId: string; id: string }) =>
  sql<WalletRow[]>`
    select ${columns(sql)}
    from wallets
    where platform_id = ${platformId} and id = ${id}
  `.first()

/** Finds a wallet of a platform, which may be deleted, and locks it until the end of the transaction. */
export const lockAnyWallet = (sql: Sql, { platformId, id }: { platformId: string; id: string }) =>
  sql<WalletRow[]>`
    select ${columns(sql)}
    from wallets
    where platform_id = ${platformId} and id = ${id}
    for update
  `.first()

/** Finds the platform of a wallet by its id alone. */
export const findPlatformOfWallet = (sql: Sql, id: string) =>
  sql<{ platformId: string }[]>`
    ${allPlatforms('serves the operator')}
    select platform_id
    from wallets
    where id = ${id}
  `.first()

export async function updateWalletName(sql: Sql, { platformId, id }: WalletKey, name: string | null): Promise<void> {
  await sql`
    update wallets
    set name = ${name}
    where platform_id = ${platformId} and id = ${id}
  `
}

/** Deletes an empty wallet. @returns false if it is not empty */
export const markWalletDeleted = (sql: Sql, { platformId, id }: WalletKey, now: Date): Promise<boolean> =>
  sql`
    update wallets
    set deleted_at = ${now}
    where platform_id = ${platformId} and id = ${id} and deleted_at is null and balance_cents = 0 and held_cents = 0
  `.anyRow()

export type WalletEntry = {
  id: string
  cents: number
  reason: string
  paymentId: string | null
  status: 'PENDING' | 'POSTED' | 'VOIDED'
  createdAt: Date
  sortValue: string
}

const sortKey: SortKey = { expression: 'created_at', type: 'timestamptz' }

/** Lists the entries of a wallet. Positive cents are incoming. Returns one row more than the page holds. */
export async function listWalletEntries(
  sql: Sql,
  { platformId, id }: { platformId: string; id: string },
  paging: Paging,
): Promise<WalletEntry[]> {
  const account = `wallet:${id}`
  return sql<WalletEntry[]>`
    select
      id, case when credit = ${account} then cents else -cents end as cents, reason, payment_id, status, created_at,
      ${sortValue(sql, sortKey)} as sort_value
    from transfers
    where platform_id = ${platformId} and ${account} in (debit, credit) ${afterPosition(sql, paging, sortKey, 'id')}
    order by ${sortOrder(sql, paging, sortKey, 'id')}
    limit ${paging.limit + 1}
    offset ${paging.offset}
  `
}

export async function countWalletEntries(sql: Sql, { platformId, id }: { platformId: string; id: string }) {
  const account = `wallet:${id}`
  const [row] = await sql<{ total: number }[]>`
    select count(*) as total
    from transfers
    where platform_id = ${platformId} and ${account} in (debit, credit)
  `
  return row?.total ?? 0
}
