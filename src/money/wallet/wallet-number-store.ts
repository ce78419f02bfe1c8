import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { digestList, type Renewal } from '../../foundation/db/digests.ts'
import { isDigestOfAnotherKey } from '../../foundation/db/key-uses.ts'
import { notSkipped, type Skipped } from '../../foundation/db/skipped.ts'

export type WalletNumberRow = {
  connectionId: string
  numberDigest: Buffer
  numberSealed: Buffer
  platformId: string
  walletId: string
  createdAt: Date
}

/** Inserts a number. @returns false if the number is taken, or the wallet already has one at this connection */
export const insertWalletNumber = (sql: Sql, row: WalletNumberRow): Promise<boolean> =>
  sql`
    insert into wallet_numbers ${sql.values(row)}
    on conflict do nothing
  `.anyRow()

/** Lists the sealed numbers of wallets at a connection. */
export const listNumbersOfWallets = (
  sql: Sql,
  { connectionId, walletIds }: { connectionId: string; walletIds: readonly string[] },
): Promise<Pick<WalletNumberRow, 'walletId' | 'numberSealed'>[]> =>
  sql<Pick<WalletNumberRow, 'walletId' | 'numberSealed'>[]>`
    select wallet_id, number_sealed
    from wallet_numbers
    where connection_id = ${connectionId} and wallet_id = any (${walletIds as string[]}::uuid[])
  `

export async function countNumbers(sql: Sql, connectionId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)
    from wallet_numbers
    where connection_id = ${connectionId}
  `
  return row?.count ?? 0
}

export type NumberedWallet = Pick<WalletNumberRow, 'numberDigest' | 'platformId' | 'walletId'>

/** Lists the wallets whose numbers have these digests. */
export const listWalletsNumbered = (
  sql: Sql,
  { connectionId, digests }: { connectionId: string; digests: readonly Buffer[] },
): Promise<NumberedWallet[]> =>
  sql<NumberedWallet[]>`
    select number_digest, platform_id, wallet_id
    from wallet_numbers
    where connection_id = ${connectionId} and number_digest in ${digestList(sql, digests)}
  `

/** Lists wallets without a number at a connection, oldest first. */
export const listWithoutNumber = (
  sql: Sql,
  { connectionId, skipped, limit }: { connectionId: string; skipped: Skipped; limit: number },
): Promise<{ platformId: string; id: string }[]> =>
  sql<{ platformId: string; id: string }[]>`
    ${allPlatforms('serves the operator')}
    with numbered as materialized (
      select wallet_id
      from wallet_numbers
      where connection_id = ${connectionId}
    )
    select w.platform_id, w.id
    from wallets w
    left join numbered n on n.wallet_id = w.id
    where w.deleted_at is null and n.wallet_id is null ${notSkipped(sql, skipped, { platformId: null, id: sql`w.id` })}
    order by w.created_at, w.id
    limit ${limit}
  `

/** Lists numbers whose digest uses another key. */
export const listNumbersToRenew = (
  sql: Sql,
  keyId: string,
): Promise<Pick<WalletNumberRow, 'connectionId' | 'numberDigest' | 'numberSealed'>[]> =>
  sql<Pick<WalletNumberRow, 'connectionId' | 'numberDigest' | 'numberSealed'>[]>`
    select connection_id, number_digest, number_sealed
    from wallet_numbers
    where ${isDigestOfAnotherKey(sql, sql`number_digest`, keyId)}
    order by connection_id, number_digest
  `

/** Moves a number to the digest of another key. */
export async function renewNumber(sql: Sql, connectionId: string, { former, present }: Renewal): Promise<void> {
  await sql`
    update wallet_numbers
    set number_digest = ${present}
    where connection_id = ${connectionId} and number_digest = ${former}
  `
}
