import { allPlatforms } from '../../foundation/db/cluster/all-platforms.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { digestList, type Renewal } from '../../foundation/db/digests.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { BankStatus } from './bank-status.ts'

export type BankRow = {
  platformId: string
  id: string
  userId: string
  routing: string
  accountSealed: Buffer
  accountDigest: Buffer
  type: 'CHECKING' | 'SAVINGS' | 'BUSINESS'
  name: string | null
  /** The name that the user gave the bank on the pages, or null. */
  nickname: string | null
  status: BankStatus
  isBilling: boolean
  isDefault: boolean
  microDepositsSealed: Buffer | null
  lapsesAt: Date | null
  createdAt: Date
}

export type BankKey = { platformId: string; bankId: string }

const columns = (sql: Sql) => sql`
  platform_id, id, user_id, routing, account_sealed, account_digest, type, name, nickname, status, is_billing,
  is_default, micro_deposits_sealed, lapses_at, created_at
`

export async function insertBank(sql: Sql, bank: BankRow): Promise<void> {
  await sql`
    insert into banks ${sql.values(bank)}
  `
}

export const listBanks = (sql: Sql, { platformId, userId }: UserKey): Promise<BankRow[]> =>
  sql<BankRow[]>`
    select ${columns(sql)}
    from banks
    where platform_id = ${platformId} and user_id = ${userId} and deleted_at is null
    order by created_at, id
  `

/** Finds a bank of a platform, regardless of its holder. */
export async function findBank(sql: Sql, { platformId, bankId }: BankKey) {
  const bank = await findAnyBank(sql, { platformId, bankId })
  return bank?.deletedAt === null ? bank : null
}

/** A bank of a user, or an account that was given for one payment (`isOfPayment`). In that case, `userId` is the id of the payment. */
export type AnyBankRow = BankRow & { deletedAt: Date | null; isOfPayment: boolean }

/** Finds a bank of a platform. It may be deleted, or belong to one payment. */
export const findAnyBank = (sql: Sql, { platformId, bankId }: BankKey): Promise<AnyBankRow | null> =>
  sql<AnyBankRow[]>`
    select
      ${columns(sql)}, deleted_at,
      not exists (select from users where platform_id = ${platformId} and id = banks.user_id) as is_of_payment
    from banks
    where platform_id = ${platformId} and id = ${bankId}
  `.first()

export async function findAccountSealed(sql: Sql, { platformId, bankId }: BankKey): Promise<Buffer | null> {
  const [row] = await sql<{ accountSealed: Buffer }[]>`
    select account_sealed
    from banks
    where platform_id = ${platformId} and id = ${bankId}
  `
  return row?.accountSealed ?? null
}

export type BankAccountRow = Pick<BankRow, 'id' | 'routing' | 'accountSealed' | 'type'>

/** The account of an entry's receiver. `isOfPayment`: the account was given for one payment. */
export type ReceiverAccountRow = BankAccountRow & { platformId: string; isOfPayment: boolean; correctedAt: Date | null }

/** Lists banks by id, including deleted ones. They may be on several platforms. */
export const listBankAccounts = (sql: Sql, banks: readonly BankKey[]): Promise<ReceiverAccountRow[]> =>
  sql<ReceiverAccountRow[]>`
    ${allPlatforms('reads or writes a file of the bank or the printer')}
    select
      b.platform_id, b.id, b.routing, b.account_sealed, b.type, b.corrected_at,
      not exists (select from users u where u.platform_id = b.platform_id and u.id = b.user_id) as is_of_payment
    from unnest(
      ${banks.map(({ platformId }) => platformId)}::uuid[], ${banks.map(({ bankId }) => bankId)}::uuid[]
    ) as wanted (platform_id, id)
    join banks b on b.platform_id = wanted.platform_id and b.id = wanted.id
  `

export async function updateBankAccount(
  sql: Sql,
  { platformId, id }: BankRow,
  {
    correctedAt,
    ...account
  }: Pick<BankRow, 'routing' | 'accountSealed' | 'accountDigest' | 'type'> & { correctedAt: Date | null },
): Promise<void> {
  await sql`
    update banks
    set ${sql.set(account)}, corrected_at = coalesce(${correctedAt}, corrected_at)
    where platform_id = ${platformId} and id = ${id}
  `
}

/** Changes the status of a bank. @returns false if its current status does not allow the change */
export const updateBankStatus = (
  sql: Sql,
  { platformId, id }: { platformId: string; id: string },
  change: Pick<BankRow, 'microDepositsSealed' | 'lapsesAt'> & { from: readonly BankStatus[]; to: BankStatus },
): Promise<boolean> =>
  sql`
    update banks
    set status = ${change.to}, micro_deposits_sealed = ${change.microDepositsSealed}, lapses_at = ${change.lapsesAt}
    where platform_id = ${platformId} and id = ${id} and deleted_at is null
      and status = any (${change.from as BankStatus[]})
  `.anyRow()

export async function updateBankName(sql: Sql, { platformId, id }: BankRow, name: string | null): Promise<void> {
  await sql`
    update banks
    set name = ${name}
    where platform_id = ${platformId} and id = ${id}
  `
}

export async function updateBankNickname(
  sql: Sql,
  { platformId, id }: BankRow,
  nickname: string | null,
): Promise<void> {
  await sql`
    update banks
    set nickname = ${nickname}
    where platform_id = ${platformId} and id = ${id}
  `
}

/** Makes one bank the only default or billing bank of its user. */
export async function chooseBank(sql: Sql, bank: BankRow, role: 'is_default' | 'is_billing'): Promise<void> {
  await sql`
    update banks
    set ${sql(role)} = (id = ${bank.id})
    where platform_id = ${bank.platformId} and user_id = ${bank.userId} and deleted_at is null
  `
}

/**
 * Marks a bank as deleted. Keeps the sealed account number, because ledger entries refer to the bank. Waits for payments that have locked
 * the bank.
 */
export async function markBankDeleted(sql: Sql, { platformId, id }: BankRow, deletedAt: Date): Promise<void> {
  await sql`
    select 1
    from banks
    where platform_id = ${platformId} and id = ${id}
    for update
  `
  await sql`
    update banks
    set
      deleted_at = ${deletedAt}, is_default = false, is_billing = false, micro_deposits_sealed = null, lapses_at = null,
      nickname = null
    where platform_id = ${platformId} and id = ${id}
  `
}

/** Marks the banks of a user as deleted. Waits for payments that have locked one of them. */
export async function markBanksOfUserDeleted(
  sql: Sql,
  { platformId, userId }: UserKey,
  deletedAt: Date,
): Promise<void> {
  await sql`
    select 1
    from banks
    where platform_id = ${platformId} and user_id = ${userId} and deleted_at is null
    order by id
    for update
  `
  await sql`
    update banks
    set deleted_at = ${deletedAt}, micro_deposits_sealed = null, lapses_at = null, nickname = null
    where platform_id = ${platformId} and user_id = ${userId} and deleted_at is null
  `
}

/** Prevents the deletion of a bank until the end of the transaction. @returns its status, or null if it does not exist */
export async function holdBankRow(
  sql: Sql,
  { platformId, userId, bankId }: { platformId: string; userId: string; bankId: string },
): Promise<BankStatus | null> {
  const [row] = await sql<{ status: BankStatus }[]>`
    select status
    from banks
    where platform_id = ${platformId} and id = ${bankId} and user_id = ${userId} and deleted_at is null
    for key share
  `
  return row?.status ?? null
}

/** Moves the banks, blocks and corrections of an account to the current digest. */
export async function renewAccount(sql: Sql, platformId: string, { former, present }: Renewal): Promise<void> {
  const columns = [
    ['banks', 'account_digest'],
    ['account_blocks', 'account_digest'],
    ['account_corrections', 'account_digest'],
    ['account_corrections', 'corrected_digest'],
  ] as const
  for (const [table, digest] of columns) {
    await sql`
      update ${sql(table)}
      set ${sql(digest)} = ${present}
      where platform_id = ${platformId} and ${sql(digest)} = ${former}
    `
  }
}

/** Returns whether checks were drawn on an account. `accountDigests` has one digest for each key of the ring. */
export const isPaperAccountStored = (sql: Sql, accountDigests: readonly Buffer[]): Promise<boolean> =>
  sql`
    select
    from check_serials
    where account_digest in ${digestList(sql, accountDigests)}
    limit 1
  `.anyRow()
