import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import { requireStateAndZip } from '../../foundation/core/postal-address.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Page } from '../../foundation/db/list-page.ts'
import type { Paging } from '../../foundation/db/paging.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { addDays, formatDate } from '../../foundation/lib/clock.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { lockCaller, lockUser } from '../../people/user/user-lock-actions.ts'
import { isWholeAddress } from '../../people/user/user-rules.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { requireAbaRoutingNumber } from '../bank/bank-actions.ts'
import type { GivenAccount } from '../bank/bank-correction-actions.ts'
import { isCardNumber, requireExpiry } from '../destination/destination-rules.ts'
import { type EntryAddress, type GivenAddress, MAX_ACCOUNTS_OF_ENTRY, RECENT_DAYS } from './directory-rules.ts'
import {
  deleteEntriesOfUser,
  deleteEntryAccountRow,
  deleteEntryRow,
  type EntryAccountRow,
  type EntryRow,
  findEntry,
  findEntryAccount,
  insertEntry,
  insertEntryAccount,
  listEntries,
  listEntryAccounts,
  listSavedBanks,
  lockEntry,
  numberPurposes,
  updateEntry,
  updateEntryBank,
  updateEntryChange,
} from './directory-store.ts'

/** An account of a saved payee, with the last four digits of its number. */
export type EntryAccount = Pick<EntryAccountRow, 'id' | 'entryId' | 'name' | 'type' | 'createdAt'> & { last4: string }

/** A saved payee with its accounts. */
export type Entry = EntryRow & { accounts: EntryAccount[] }

/** Changes of a saved payee. `null` removes a value, and omitted values are unchanged. */
export type EntryChanges = { name?: string; email?: string | null; address?: GivenAddress | null }

/** Saves a payee. */
export async function addEntry(
  deps: TxDeps,
  caller: Caller,
  { name, email, address }: EntryChanges & { name: string },
): Promise<Entry> {
  requireWholeAddress(address)
  await lockCaller(deps, caller)
  const { platformId, userId } = caller
  const row = { platformId, userId, id: newId(deps), name, email: email ?? null, address: setParts(address) }
  const now = deps.clock.now()
  const entry = { ...row, createdAt: now, changedAt: now }
  await insertEntry(deps.sql, entry)
  await recordAudit(deps, caller, 'directory_entry_added', entry.id)
  return { ...entry, accounts: [] }
}

/** Checks that an address is complete. @throws ApiError invalid_request */
function requireWholeAddress(given: GivenAddress | null | undefined): void {
  const address = setParts(given)
  if (isWholeAddress(address)) requireStateAndZip(address, 'address')
}

const setParts = (address: GivenAddress | null | undefined): EntryAddress =>
  Object.fromEntries(Object.entries(address ?? {}).filter(([, text]) => text !== null))

/** Lists the saved payees of a user. `total` is set only for numbered pages. */
export async function getEntries(
  deps: Deps,
  { platformId, userId }: UserKey,
  { q, paging }: { q: string | undefined; paging: Paging },
): Promise<Page<Entry>> {
  const { rows, next, total } = await listEntries(deps.sql, { platformId, userId, q }, paging)
  const accounts = await listEntryAccounts(deps.sql, { platformId, entryIds: rows.map(({ id }) => id) })
  const byEntry = Map.groupBy(
    accounts.map((account) => maskedAccount(deps, account)),
    ({ entryId }) => entryId,
  )
  return { rows: rows.map((row) => ({ ...row, accounts: byEntry.get(row.id) ?? [] })), next, total }
}

/** A saved payee. `isRecentlyChanged`: it or its accounts changed so recently that the sender should check them before a payment. */
export type EntryDetails = Entry & { isRecentlyChanged: boolean }

/** Returns a saved payee. @throws ApiError directory_entry_not_found */
export async function getEntry(deps: Deps, { platformId, userId }: UserKey, id: string): Promise<EntryDetails> {
  const entry = await findEntry(deps.sql, { platformId, userId, id })
  if (!entry) throw new ApiError('directory_entry_not_found')
  const accounts = await listEntryAccounts(deps.sql, { platformId, entryIds: [id] })
  const isRecentlyChanged = entry.changedAt > addDays(deps.clock.now(), -RECENT_DAYS)
  return { ...entry, accounts: accounts.map((account) => maskedAccount(deps, account)), isRecentlyChanged }
}

function maskedAccount({ keyRing }: Pick<Deps, 'keyRing'>, account: EntryAccountRow): EntryAccount {
  const { id, entryId, name, type, createdAt, numberSealed } = account
  return { id, entryId, name, type, createdAt, last4: keyRing.openText(numberSealed, numberPurposes[type]).slice(-4) }
}

/** A saved account, as a payment needs it. `payee` is the email of the payee, or else the name. */
export type PayableAccount = { payee: string } & (
  | { kind: 'bank'; routing: string; account: string; type: 'CHECKING' | 'SAVINGS' | 'BUSINESS' }
  | { kind: 'card'; number: string; expirationDate: string }
)

/** Finds an account of a saved payee for a payment. Returns null if the user has no such payee, or the payee no such account. */
export async function findPayableAccount(
  { sql, keyRing }: Pick<Deps | TxDeps, 'sql' | 'keyRing'>,
  which: UserKey & { entryId: string; id: string },
): Promise<PayableAccount | null> {
  const found = await findEntryAccount(sql, which)
  if (!found) return null
  const { payee } = found
  const number = keyRing.openText(found.numberSealed, numberPurposes[found.type])
  return found.type === 'BANK'
    ? { payee, kind: 'bank', routing: found.routing, account: number, type: found.bankType }
    : { payee, kind: 'card', number, expirationDate: found.expirationDate }
}

type EntryOf = { caller: Caller; entryId: string }

/** Locks a saved payee. @throws ApiError directory_entry_not_found */
async function requireEntry(deps: TxDeps, { caller, entryId }: EntryOf): Promise<EntryRow> {
  await lockCaller(deps, caller)
  const entry = await lockEntry(deps.sql, { ...caller, id: entryId })
  if (!entry) throw new ApiError('directory_entry_not_found')
  return entry
}

/** Changes a saved payee. @throws ApiError directory_entry_not_found */
export async function changeEntry(
  deps: TxDeps,
  { changes, ...which }: EntryOf & { changes: EntryChanges },
): Promise<void> {
  requireWholeAddress(changes.address)
  const entry = await requireEntry(deps, which)
  const { name = entry.name, email = entry.email, address = entry.address } = changes
  await updateEntry(deps.sql, { ...entry, name, email, address: setParts(address) })
  await noteChange(deps, entry)
  await recordAudit(deps, which.caller, 'directory_entry_changed', entry.id)
}

const noteChange = (deps: TxDeps, entry: Pick<EntryRow, 'platformId' | 'id'>) =>
  updateEntryChange(deps.sql, { ...entry, changedAt: deps.clock.now() })

/** Deletes a saved payee with its accounts. Payments to the payee stay. @throws ApiError directory_entry_not_found */
export async function deleteEntry(deps: TxDeps, which: EntryOf): Promise<void> {
  const entry = await requireEntry(deps, which)
  await deleteEntryRow(deps.sql, entry)
  await recordAudit(deps, which.caller, 'directory_entry_removed', entry.id)
}

export const deleteDirectoryOfUser = (deps: TxDeps, user: UserKey): Promise<void> => deleteEntriesOfUser(deps.sql, user)

type NewBankAccount = {
  account: string
  routing: string
  type: 'CHECKING' | 'SAVINGS' | 'BUSINESS'
  name: string | null
}

/** Adds a bank account to a saved payee. @throws ApiError directory_entry_not_found, directory_account_limit_reached, invalid_request */
export async function addEntryBank(
  deps: TxDeps,
  which: EntryOf,
  { account: number, routing, type: bankType, name }: NewBankAccount,
): Promise<EntryAccount> {
  requireAbaRoutingNumber(routing)
  return addAccount(deps, which, { type: 'BANK', number, routing, bankType, expirationDate: null, name })
}

/** Adds a card to a saved payee. @throws ApiError directory_entry_not_found, directory_account_limit_reached, invalid_request */
export async function addEntryCard(
  deps: TxDeps,
  which: EntryOf,
  { cardNumber: number, expirationDate: expiry, name }: CardDetails,
): Promise<EntryAccount> {
  if (!isCardNumber(number)) {
    throw fieldError('invalid_request', 'card_number', 'is not a valid card number: its check digit does not match')
  }
  const expirationDate = requireExpiry(expiry, formatDate(deps.clock.now()))
  return addAccount(deps, which, { type: 'CARD', number, routing: null, bankType: null, expirationDate, name })
}

type CardDetails = { cardNumber: string; expirationDate: string; name: string | null }

type AccountDetails = { number: string; name: string | null } & (
  | Pick<Extract<EntryAccountRow, { type: 'BANK' }>, 'type' | 'routing' | 'bankType' | 'expirationDate'>
  | Pick<Extract<EntryAccountRow, { type: 'CARD' }>, 'type' | 'routing' | 'bankType' | 'expirationDate'>
)

const numberFields = { BANK: 'account', CARD: 'card_number' } as const

/** Returns whether two accounts are the same. A card that was issued again has another expiration date, so it is another account. */
const isSameAccount = (
  { keyRing }: Pick<Deps, 'keyRing'>,
  { type, routing, expirationDate, numberSealed }: EntryAccountRow,
  given: AccountDetails,
): boolean =>
  type === given.type &&
  routing === given.routing &&
  expirationDate === given.expirationDate &&
  keyRing.openText(numberSealed, numberPurposes[type]) === given.number

async function addAccount(deps: TxDeps, which: EntryOf, { number, ...details }: AccountDetails): Promise<EntryAccount> {
  const { platformId, id: entryId } = await requireEntry(deps, which)
  const others = await listEntryAccounts(deps.sql, { platformId, entryIds: [entryId] })
  if (others.length >= MAX_ACCOUNTS_OF_ENTRY) throw new ApiError('directory_account_limit_reached')
  if (others.some((other) => isSameAccount(deps, other, { number, ...details }))) {
    throw fieldError('invalid_request', numberFields[details.type], 'is an account of this payee already')
  }
  const numberSealed = deps.keyRing.seal(number, numberPurposes[details.type])
  const row = { platformId, id: newId(deps), entryId, numberSealed, createdAt: deps.clock.now(), ...details }
  await insertEntryAccount(deps.sql, row)
  await noteChange(deps, { platformId, id: entryId })
  await recordAudit(deps, which.caller, 'directory_account_added', `${row.id} of ${entryId}`)
  return maskedAccount(deps, row)
}

/** Deletes an account of a saved payee. @throws ApiError directory_entry_not_found, directory_account_not_found */
export async function deleteEntryAccount(
  deps: TxDeps,
  { accountId, ...which }: EntryOf & { accountId: string },
): Promise<void> {
  const { platformId, id: entryId } = await requireEntry(deps, which)
  const isDeleted = await deleteEntryAccountRow(deps.sql, { platformId, entryId, id: accountId })
  if (!isDeleted) throw new ApiError('directory_account_not_found')
  await noteChange(deps, { platformId, id: entryId })
  await recordAudit(deps, which.caller, 'directory_account_removed', `${accountId} of ${entryId}`)
}

/** Corrects the bank accounts with the given number, for all saved payees of a user. */
export async function correctSavedAccounts(
  deps: TxDeps,
  user: UserKey,
  { given, present }: Pick<GivenAccount, 'given' | 'present'>,
): Promise<void> {
  const { platformId } = user
  await lockUser(deps, user)
  const { routing, account: number, type: bankType } = present
  for (const one of await listSavedBanks(deps.sql, { ...user, routing: given.routing })) {
    if (deps.keyRing.openText(one.numberSealed, numberPurposes.BANK) !== given.account) continue
    const numberSealed = deps.keyRing.seal(number, numberPurposes.BANK)
    await updateEntryBank(deps.sql, { platformId, id: one.id, routing, numberSealed, bankType })
    await noteChange(deps, { platformId, id: one.entryId })
    const service = { platformId, userId: user.userId, credential: { kind: 'service' }, origin: null } as const
    await recordAudit(deps, service, 'directory_account_corrected', `${one.id} of ${one.entryId}`)
  }
}
