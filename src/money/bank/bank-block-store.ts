import type { Sql } from '../../foundation/db/connect.ts'
import { digestList } from '../../foundation/db/digests.ts'
import { shareInGroup } from '../../foundation/db/statement-group.ts'
import { alignRows } from '../../foundation/lib/concurrency/batches.ts'
import type { ReturnCode } from '../rail/return-code-rules.ts'
import type { BankStatus } from './bank-status.ts'
import type { BankKey, BankRow } from './bank-store.ts'

/** The `holderId` of a block that applies to all users of the platform. */
export const WHOLE_PLATFORM = '00000000-0000-0000-0000-000000000000'

export type AccountBlockRow = {
  platformId: string
  /** The id of the user to whom the block applies, or `WHOLE_PLATFORM`. */
  holderId: string
  accountDigest: Buffer
  routing: string
  accountSealed: Buffer
  returnCode: ReturnCode
  blocksCredits: boolean
  legId: string
  createdAt: Date
}

/** Stores a block. @returns false if the account already has this block or a stricter one */
export const upsertAccountBlock = (sql: Sql, block: AccountBlockRow): Promise<boolean> =>
  sql`
    insert into account_blocks as b ${sql.values(block)}
    on conflict (platform_id, holder_id, account_digest) do update
    set
      return_code = excluded.return_code, blocks_credits = excluded.blocks_credits, leg_id = excluded.leg_id,
      created_at = excluded.created_at
    where excluded.blocks_credits and not b.blocks_credits
  `.anyRow()

/** Removes the blocks of accounts: those for a holder and those for the platform. @returns their return codes */
export async function deleteAccountBlocks(
  sql: Sql,
  {
    platformId,
    userId,
    accountDigests,
  }: Pick<BankRow, 'platformId' | 'userId'> & { accountDigests: readonly Buffer[] },
): Promise<ReturnCode[]> {
  const rows = await sql<{ returnCode: ReturnCode }[]>`
    delete from account_blocks
    where platform_id = ${platformId} and holder_id in (${userId}, ${WHOLE_PLATFORM})
      and account_digest in ${digestList(sql, accountDigests)}
    returning return_code
  `
  return [...new Set(rows.map(({ returnCode }) => returnCode))]
}

/** The account of a bank, for an entry that is about to be sent. */
export type EntryAccount = {
  accountSealed: Buffer
  /** The return code that blocks the entry, or null. */
  blockCode: ReturnCode | null
  /** The status of the bank, if the query locks the bank for its holder. Otherwise null. */
  heldStatus: BankStatus | null
}

/** Finds the account of a bank for an entry (`sql/entry_accounts_v1.sql`). @returns null if the bank does not exist */
export const findEntryAccount = shareInGroup(
  async (sql, platformId, queries: EntryAccountQuery[]): Promise<(EntryAccount | null)[]> => {
    const entries = queries.map(({ bankId, entry, holderId }) => ({
      bank_id: bankId,
      is_credit: entry === 'credit',
      holder_id: holderId,
    }))
    const rows = await sql<(EntryAccount & { place: number })[]>`
      select place, account_sealed, block_code, held_status
      from entry_accounts_v1(${platformId}, ${sql.json(entries)})
    `
    const found = new Map(rows.map((row) => [row.place, row]))
    return queries.map((_, index) => found.get(index + 1) ?? null)
  },
)

/** A query for the account of an entry. `holderId`: the user whose bank must not be deleted until the end of the transaction, or null. */
export type EntryAccountQuery = {
  platformId: string
  bankId: string
  entry: 'debit' | 'credit'
  holderId: string | null
}

/** Finds the return code that blocks an account that a user wants to add, or null. */
export async function findBlockOfAccount(
  sql: Sql,
  { platformId, userId, accountDigest }: Pick<BankRow, 'platformId' | 'userId' | 'accountDigest'>,
): Promise<ReturnCode | null> {
  const [row] = await sql<{ returnCode: ReturnCode | null }[]>`
    select account_block_v1(${platformId}, ${userId}, ${accountDigest}, false) as return_code
  `
  return row?.returnCode ?? null
}

export type ReturnedAccount = Pick<BankRow, 'platformId' | 'id' | 'userId' | 'routing' | 'accountSealed'> & {
  /** The time at which a notification of change replaced the number of a user's bank, or null. */
  correctedAt: Date | null
  /** Whether the account was given for one payment. */
  isOfPayment: boolean
}

/** Finds the account of a bank. The bank may be deleted. */
export const findReturnedAccount = shareInGroup(
  async (sql, platformId, banks: BankKey[]): Promise<(ReturnedAccount | null)[]> => {
    const rows = await sql<ReturnedAccount[]>`
      select
        platform_id, id, user_id, routing, account_sealed, corrected_at,
        not exists (select from users where platform_id = ${platformId} and id = banks.user_id) as is_of_payment
      from banks
      where platform_id = ${platformId} and id = any (${banks.map(({ bankId }) => bankId)}::uuid[])
    `
    return alignRows(banks, rows, { item: ({ bankId }) => bankId, row: ({ id }) => id })
  },
)

type SameAccount = Pick<BankRow, 'id' | 'userId' | 'status'>

/** Lists the banks that blocks affect, in the order in which their users are locked. */
export const listBanksOfAccounts = (
  sql: Sql,
  {
    platformId,
    holderId,
    accountDigests,
  }: Pick<AccountBlockRow, 'platformId' | 'holderId'> & { accountDigests: readonly Buffer[] },
): Promise<SameAccount[]> =>
  sql<SameAccount[]>`
    select id, user_id, status
    from banks
    where platform_id = ${platformId} and account_digest in ${digestList(sql, accountDigests)} and deleted_at is null
      and (user_id = ${holderId} or ${holderId === WHOLE_PLATFORM})
    order by user_id, id
  `
