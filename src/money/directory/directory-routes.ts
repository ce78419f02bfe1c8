import { Type } from 'typebox'
import { list } from '../../foundation/http/list/list.ts'
import { del, get, post, put, type Route } from '../../foundation/http/route.ts'
import {
  accountNumber,
  closed,
  email as emailAddress,
  id,
  idParams,
  named,
  nothing,
  nullable,
  oneOf,
  optionalAddress,
  postalAddress,
  routingNumber,
  text,
  visible,
} from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import {
  addEntry,
  addEntryBank,
  addEntryCard,
  changeEntry,
  deleteEntry,
  deleteEntryAccount,
  type Entry,
  type EntryAccount,
  getEntries,
  getEntry,
} from './directory-actions.ts'
import { ADDRESS_PARTS, DIRECTORY_PER_PAGE, directorySorts } from './directory-rules.ts'

const tag = 'Directory'
const changesPayees = { access: 'user', permission: 'prepare', needsStepUp: true, tag } as const
const reads = { access: 'user', permission: 'read', tag } as const

const name = text(2, 180, visible)
const email = nullable({ ...emailAddress, maxLength: 80 })
const accountName = Type.Optional(nullable(text(1, 128, visible)))

/** A null value as an enum. With an enum, the errors of an incomplete address are those of `postalAddress`. */
const isNull = Type.Unsafe<null>({ type: 'null', enum: [null] })

/** The address in an answer without one. Its parts are null, and a request may send them back. */
const unsetAddress = named('UnsetAddress', {
  line_1: isNull,
  line_2: Type.Optional(isNull),
  city: isNull,
  state: isNull,
  zip: isNull,
  country: Type.Optional(isNull),
})

const address = Type.Union([postalAddress, unsetAddress, Type.Null()])

const Account = named('PayeeAccount', {
  id: Type.String(),
  name: nullable(Type.String()),
  number: Type.String({ description: 'The last four digits' }),
  type: oneOf(['CARD', 'BANK']),
})

const unsetText = nullable(Type.String())

const SavedPayee = named('Payee', {
  id: Type.String(),
  name: Type.String(),
  email: unsetText,
  address: optionalAddress,
  accounts: Type.Array(Account),
})

/** The page sizes, which are larger than those of other lists. */
const per_page = Type.Optional(Type.Unsafe<number>({ type: 'integer', enum: [...DIRECTORY_PER_PAGE] }))

export const directoryRoutes: Route[] = [
  list(
    '/v3/directory',
    {
      ...reads,
      operationId: 'listPayees',
      summary: 'List your saved payees',
      description: 'Lists the user’s saved payees with their accounts, by name. `q` searches names and emails.',
    },
    {
      sorts: directorySorts,
      defaultSort: '+NAME',
      filters: { per_page },
      items: { entries: SavedPayee },
      read: (deps, { caller, filter, paging }) => getEntries(deps, caller, { q: filter.q, paging }),
      show: (entry) => entryAnswer(entry),
    },
  ),

  post(
    '/v3/directory',
    {
      access: 'user',
      permission: 'prepare',
      tag,
      operationId: 'createPayee',
      summary: 'Save a payee',
      description: 'Saves a payee. Add its bank accounts and cards afterward.',
      body: closed({ name, email: Type.Optional(email), address: Type.Optional(address) }),
      status: 201,
      answer: SavedPayee,
    },
    async (deps, { caller, body }) => entryAnswer(await addEntry(deps, caller, body)),
  ),

  get(
    '/v3/directory/:id',
    {
      ...reads,
      operationId: 'getPayee',
      summary: 'Retrieve a saved payee',
      description:
        'Returns a saved payee with its accounts and when they were added. `recently_changed` is true for seven days after the payee or one of its accounts was added, changed or removed: verify it before you pay.',
      errors: ['directory_entry_not_found'],
      params: idParams,
      answer: closed({
        ...SavedPayee.properties,
        accounts: Type.Array(closed({ ...Account.properties, date: Type.String() })),
        date: Type.String(),
        changed: Type.String({ description: 'When the payee or one of its accounts last changed' }),
        recently_changed: Type.Boolean(),
      }),
    },
    async (deps, { caller, params }) => {
      const entry = await getEntry(deps, caller, params.id)
      return {
        ...entryAnswer(entry),
        accounts: entry.accounts.map((account) => ({
          ...accountAnswer(account),
          date: formatDateTime(account.createdAt),
        })),
        date: formatDateTime(entry.createdAt),
        changed: formatDateTime(entry.changedAt),
        recently_changed: entry.isRecentlyChanged,
      }
    },
  ),

  put(
    '/v3/directory/:id',
    {
      ...changesPayees,
      operationId: 'updatePayee',
      isRepeatable: true,
      summary: 'Update a saved payee',
      description:
        'Changes the name, the email or the address of a saved payee. Omitted fields stay as they are, and null removes an email or an address.',
      errors: ['directory_entry_not_found'],
      params: idParams,
      body: closed({
        name: Type.Optional(name),
        email: Type.Optional(email),
        address: Type.Optional(address),
      }),
      answer: nothing,
    },
    async (deps, { caller, params, body }) => changeEntry(deps, { caller, entryId: params.id, changes: body }),
  ),

  del(
    '/v3/directory/:id',
    {
      ...changesPayees,
      operationId: 'deletePayee',
      summary: 'Delete a saved payee',
      description: 'Deletes a saved payee with its accounts. Payments to it are not affected.',
      errors: ['directory_entry_not_found'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => deleteEntry(deps, { caller, entryId: params.id }),
  ),
]

export const directoryAccountRoutes: Route[] = [
  post(
    '/v3/directory/:id/account/bank',
    {
      ...changesPayees,
      operationId: 'addPayeeBank',
      summary: 'Add a bank account to a saved payee',
      description: 'Adds a bank account to a saved payee. A payee has at most 50 accounts.',
      errors: ['directory_entry_not_found', 'directory_account_limit_reached'],
      params: idParams,
      body: closed({
        routing: routingNumber,
        account: accountNumber,
        type: oneOf(['CHECKING', 'SAVINGS', 'BUSINESS']),
        name: accountName,
      }),
      status: 201,
      answer: Account,
    },
    async (deps, { caller, params, body }) =>
      accountAnswer(await addEntryBank(deps, { caller, entryId: params.id }, { ...body, name: body.name ?? null })),
  ),

  post(
    '/v3/directory/:id/account/card',
    {
      ...changesPayees,
      operationId: 'addPayeeCard',
      summary: 'Add a card to a saved payee',
      description: 'Adds a debit card to a saved payee. A payee has at most 50 accounts.',
      errors: ['directory_entry_not_found', 'directory_account_limit_reached'],
      params: idParams,
      body: closed({
        card_number: Type.String({ pattern: '^\\d{12,19}$', description: '12 to 19 digits' }),
        expiration_date: Type.String({ minLength: 7, maxLength: 7, description: 'a month, as YYYY-MM' }),
        name: accountName,
      }),
      status: 201,
      answer: Account,
    },
    async (deps, { caller, params, body: { card_number: cardNumber, expiration_date: expirationDate, name } }) =>
      accountAnswer(
        await addEntryCard(deps, { caller, entryId: params.id }, { cardNumber, expirationDate, name: name ?? null }),
      ),
  ),

  del(
    '/v3/directory/:id/account/:account',
    {
      ...changesPayees,
      operationId: 'removePayeeAccount',
      summary: 'Remove an account of a saved payee',
      description: 'Removes a bank account or a card from a saved payee. Payments to it are not affected.',
      errors: ['directory_entry_not_found', 'directory_account_not_found'],
      params: closed({ id, account: id }),
      answer: nothing,
    },
    async (deps, { caller, params }) =>
      deleteEntryAccount(deps, { caller, entryId: params.id, accountId: params.account }),
  ),
]

const entryAnswer = ({ id, name, email, address, accounts }: Entry) => ({
  id,
  name,
  email,
  address: Object.fromEntries(ADDRESS_PARTS.map((part) => [part, address[part] ?? null])),
  accounts: accounts.map(accountAnswer),
})

const accountAnswer = ({ id, name, last4, type }: EntryAccount) => ({ id, name, number: last4, type })
