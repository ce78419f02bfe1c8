import type { SealPurpose } from '../../foundation/core/seal.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import { listPage, type Page } from '../../foundation/db/list-page.ts'
import { containing, type Paging, sortKeyOf } from '../../foundation/db/paging.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { type DirectorySort, directorySorts, type EntryAddress } from './directory-rules.ts'

/** A saved payee. */
export type EntryRow = UserKey & {
  id: string
  name: string
  email: string | null
  address: EntryAddress
  createdAt: Date
  /** The time at which the payee or one of its accounts was last added, changed or removed. */
  changedAt: Date
}

/** A stored bank account or card of a saved payee. */
export type EntryAccountRow = {
  platformId: string
  id: string
  entryId: string
  name: string | null
  numberSealed: Buffer
  createdAt: Date
} & (
  | { type: 'BANK'; routing: string; bankType: 'CHECKING' | 'SAVINGS' | 'BUSINESS'; expirationDate: null }
  | { type: 'CARD'; routing: null; bankType: null; expirationDate: string }
)

/** The purposes for which account numbers are sealed. */
export const numberPurposes = { BANK: 'bank account', CARD: 'card number' } as const satisfies Record<
  EntryAccountRow['type'],
  SealPurpose
>

export async function insertEntry(sql: Sql, entry: EntryRow): Promise<void> {
  await sql`
    insert into directory_entries ${sql.values({ ...entry, address: sql.json(entry.address) })}
  `
}

const entryColumns = (sql: Sql) => sql`platform_id, id, user_id, name, email, address, created_at, changed_at`

const sortExpressions: Record<DirectorySort, string> = { NAME: 'name collate "C"', DATE: 'created_at' }

/** Lists the saved payees of a user. `q` searches names and emails. */
export function listEntries(
  sql: Sql,
  { platformId, userId, q }: UserKey & { q: string | undefined },
  paging: Paging,
): Promise<Page<EntryRow>> {
  return listPage(
    sql,
    {
      columns: entryColumns(sql),
      table: sql`directory_entries`,
      where: sql`
        platform_id = ${platformId} and user_id = ${userId}
        ${containing(sql, q, ['name', 'email'])}
      `,
    },
    { paging, sortKey: sortKeyOf(paging, sortExpressions, directorySorts) },
  )
}

/** Lists the accounts of several saved payees, oldest first. */
export const listEntryAccounts = (
  sql: Sql,
  { platformId, entryIds }: { platformId: string; entryIds: string[] },
): Promise<EntryAccountRow[]> =>
  sql<EntryAccountRow[]>`
    select platform_id, id, entry_id, type, name, number_sealed, routing, bank_type, expiration_date, created_at
    from directory_accounts
    where platform_id = ${platformId} and entry_id = any (${entryIds}::uuid[])
    order by created_at, id
  `

/** Finds an account of a user's saved payee. `payee` is the email of the payee, or else the name. */
export const findEntryAccount = (
  sql: Sql,
  { platformId, userId, entryId, id }: UserKey & { entryId: string; id: string },
): Promise<(EntryAccountRow & { payee: string }) | null> =>
  sql<(EntryAccountRow & { payee: string })[]>`
    select
      a.platform_id, a.id, a.entry_id, a.type, a.name, a.number_sealed, a.routing, a.bank_type, a.expiration_date,
      a.created_at, coalesce(e.email, e.name) as payee
    from directory_entries e
    join directory_accounts a on a.platform_id = e.platform_id and a.entry_id = e.id
    where e.platform_id = ${platformId} and e.id = ${entryId} and e.user_id = ${userId}
      and a.platform_id = ${platformId} and a.entry_id = ${entryId} and a.id = ${id}
  `.first()

export const findEntry = (sql: Sql, { platformId, userId, id }: UserKey & { id: string }): Promise<EntryRow | null> =>
  sql<EntryRow[]>`
    select ${entryColumns(sql)}
    from directory_entries
    where platform_id = ${platformId} and id = ${id} and user_id = ${userId}
  `.first()

/** Records the time at which a saved payee or its accounts changed. */
export async function updateEntryChange(
  sql: Sql,
  { platformId, id, changedAt }: Pick<EntryRow, 'platformId' | 'id' | 'changedAt'>,
): Promise<void> {
  await sql`
    update directory_entries
    set changed_at = ${changedAt}
    where platform_id = ${platformId} and id = ${id}
  `
}

/** Finds a saved payee of a user, and locks it until the end of the transaction. */
export const lockEntry = (sql: Sql, { platformId, userId, id }: UserKey & { id: string }): Promise<EntryRow | null> =>
  sql<EntryRow[]>`
    select ${entryColumns(sql)}
    from directory_entries
    where platform_id = ${platformId} and id = ${id} and user_id = ${userId}
    for update
  `.first()

export async function updateEntry(
  sql: Sql,
  { platformId, id, name, email, address }: Pick<EntryRow, 'platformId' | 'id' | 'name' | 'email' | 'address'>,
): Promise<void> {
  await sql`
    update directory_entries
    set name = ${name}, email = ${email}, address = ${sql.json(address)}
    where platform_id = ${platformId} and id = ${id}
  `
}

/** Deletes a saved payee with its accounts. */
export async function deleteEntryRow(sql: Sql, { platformId, id }: Pick<EntryRow, 'platformId' | 'id'>): Promise<void> {
  await sql`
    delete from directory_accounts
    where platform_id = ${platformId} and entry_id = ${id}
  `
  await sql`
    delete from directory_entries
    where platform_id = ${platformId} and id = ${id}
  `
}

export async function deleteEntriesOfUser(sql: Sql, { platformId, userId }: UserKey): Promise<void> {
  await sql`
    delete from directory_accounts
    where platform_id = ${platformId}
      and entry_id in (select id from directory_entries where platform_id = ${platformId} and user_id = ${userId})
  `
  await sql`
    delete from directory_entries
    where platform_id = ${platformId} and user_id = ${userId}
  `
}

export async function insertEntryAccount(sql: Sql, account: EntryAccountRow): Promise<void> {
  await sql`
    insert into directory_accounts ${sql.values(account)}
  `
}

/** Deletes an account of a saved payee. @returns whether it existed */
export const deleteEntryAccountRow = (
  sql: Sql,
  { platformId, entryId, id }: Pick<EntryAccountRow, 'platformId' | 'entryId' | 'id'>,
): Promise<boolean> =>
  sql`
    delete from directory_accounts
    where platform_id = ${platformId} and entry_id = ${entryId} and id = ${id}
  `.anyRow()

export type SavedBankRow = Extract<EntryAccountRow, { type: 'BANK' }>

/** Lists the bank accounts of a user's saved payees that have this routing number. */
export const listSavedBanks = (
  sql: Sql,
  { platformId, userId, routing }: UserKey & { routing: string },
): Promise<SavedBankRow[]> =>
  sql<SavedBankRow[]>`
    select
      a.platform_id, a.id, a.entry_id, a.type, a.name, a.number_sealed, a.routing, a.bank_type, a.expiration_date, a.created_at
    from directory_entries e
    join directory_accounts a on a.platform_id = e.platform_id and a.entry_id = e.id
    where e.platform_id = ${platformId} and e.user_id = ${userId} and a.type = 'BANK' and a.routing = ${routing}
    order by a.id
  `

export async function updateEntryBank(
  sql: Sql,
  { platformId, id, ...account }: Pick<SavedBankRow, 'platformId' | 'id' | 'routing' | 'numberSealed' | 'bankType'>,
): Promise<void> {
  await sql`
    update directory_accounts
    set ${sql.set(account)}
    where platform_id = ${platformId} and id = ${id}
  `
}
