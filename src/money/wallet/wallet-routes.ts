import { Type } from 'typebox'
import { centsToDollars } from '../../foundation/core/money.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { list } from '../../foundation/http/list/list.ts'
import { accountList } from '../../foundation/http/list/short-list.ts'
import { del, get, post, put, type Route } from '../../foundation/http/route.ts'
import {
  amount,
  closed,
  idParams,
  named,
  nothing,
  nullable,
  oneOf,
  text,
  visible,
} from '../../foundation/http/schema.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { maskNumber } from '../../people/user/user-status.ts'
import {
  createWallet,
  deleteWallet,
  fundWallet,
  getShownWallet,
  getWalletEntries,
  getWallets,
  renameWallet,
  type WalletHooks,
} from './wallet-actions.ts'
import type { ShownWallet } from './wallet-number-actions.ts'
import type { WalletNumber } from './wallet-number-rules.ts'
import { WALLET_TYPES } from './wallet-rules.ts'
import type { WalletEntry } from './wallet-store.ts'

const tag = 'Wallets'
const reads = { access: 'user', permission: 'read', tag } as const
const changesWallets = { access: 'user', permission: 'accounts', tag } as const

const name = text(1, 128, visible)
const number = nullable(named('WalletNumber', { routing: Type.String(), account: Type.String() }))

const createdFields = {
  id: Type.String(),
  name: nullable(Type.String()),
  numbers: named(
    'WalletNumbers',
    { ACH: number, RTP: number, WIRE: number },
    {
      description:
        'Account details for incoming transfers. In production, a transfer to one of them funds the wallet. A rail without a number receives nothing. In sandbox and demo they are fictitious and receive nothing.',
    },
  ),
  date: Type.String(),
}

const Wallet = named('Wallet', {
  ...createdFields,
  balance: Type.Number({ description: 'Available balance in dollars. It excludes money held for payments.' }),
})

const Transaction = named('WalletTransaction', {
  id: Type.String(),
  date: Type.String(),
  amount: Type.Number({ description: 'Dollars. A negative amount left the wallet.' }),
  reason: Type.String({ description: 'The type of the transaction, as listed in docs/money.md' }),
  status: oneOf(['PENDING', 'POSTED', 'VOIDED'], { description: 'PENDING: held for a payment' }),
  check_id: nullable(Type.String()),
})

export const walletRoutes: Route[] = [
  accountList(
    '/v3/account/wallet',
    {
      ...reads,
      operationId: 'listWallets',
      summary: 'List your wallets',
      description: 'Lists the user’s wallets with their balances.',
    },
    {
      items: { wallets: Wallet },
      read: (deps, { caller }) => getWallets(deps, caller),
      nameOf: ({ name }) => name,
      show: (wallet, { caller }) => walletAnswer(caller, wallet),
    },
  ),

  post(
    '/v3/account/wallet',
    {
      ...changesWallets,
      operationId: 'createWallet',
      answersAccountNumber: true,
      summary: 'Create a wallet',
      description: 'Creates an empty wallet. A wallet holds money, so payments from it are instant.',
      body: closed({ name: Type.Optional(nullable(name)), type: Type.Optional(nullable(oneOf(WALLET_TYPES))) }),
      status: 201,
      answer: named('CreatedWallet', createdFields),
    },
    async (deps, { caller, body: { name = null, type } }) =>
      walletAnswer(caller, await createWallet(deps, caller, { name, type: type ?? 'INTERNAL' })),
  ),

  get(
    '/v3/account/wallet/:id',
    {
      ...reads,
      operationId: 'getWallet',
      summary: 'Retrieve a wallet',
      description:
        'Returns a wallet and its available balance. An owner’s key can retrieve every wallet of its platform.',
      errors: ['wallet_not_found'],
      params: idParams,
      answer: Wallet,
    },
    async (deps, { caller, params }) => walletAnswer(caller, await getShownWallet(deps, caller, params.id)),
  ),

  put(
    '/v3/account/wallet/:id',
    {
      ...changesWallets,
      operationId: 'renameWallet',
      isRepeatable: true,
      summary: 'Rename a wallet',
      description: 'Changes the name of a wallet. null removes it.',
      errors: ['wallet_not_found', 'not_the_holder'],
      params: idParams,
      body: closed({ name: nullable(name) }),
      answer: nothing,
    },
    async (deps, { caller, params, body }) => renameWallet(deps, caller, params.id, body.name),
  ),

  list(
    '/v3/account/wallet/:id/transaction',
    {
      ...reads,
      operationId: 'listWalletTransactions',
      summary: 'List the transactions of a wallet',
      description: 'Lists the transactions of a wallet, newest first. A PENDING transaction is held for a payment.',
      errors: ['wallet_not_found'],
      params: idParams,
    },
    {
      sorts: { DATE: 'timestamptz' },
      items: { transactions: Transaction },
      read: (deps, { caller, params, paging }) => getWalletEntries(deps, caller, { id: params.id, paging }),
      show: (entry) => entryAnswer(entry),
    },
  ),
]

export const walletDeletionRoutes = (hooks: WalletHooks): Route[] => [
  del(
    '/v3/account/wallet/:id',
    {
      ...changesWallets,
      operationId: 'deleteWallet',
      summary: 'Delete a wallet',
      description:
        'Deletes an empty wallet that has no payments in progress. It is restored if money is returned later.',
      errors: ['wallet_not_found', 'not_the_holder', 'wallet_busy'],
      params: idParams,
      answer: nothing,
    },
    async (deps, { caller, params }) => deleteWallet(deps, caller, params.id, hooks),
  ),
]

/** Routes for simulated funding. They exist only where money is simulated. */
export const walletFundingRoutes: Route[] = [
  post(
    '/v3/sandbox/wallet/:id/fund',
    {
      access: 'user',
      permission: 'simulate',
      tag: 'Sandbox',
      operationId: 'fundWallet',
      answersAccountNumber: true,
      summary: 'Fund a wallet',
      description: 'Adds test money to a wallet, so that you can try payments from it.',
      errors: ['wallet_not_found', 'not_the_holder'],
      params: idParams,
      body: closed({ amount }),
      status: 201,
      answer: Wallet,
    },
    async (deps, { caller, params, body }) =>
      walletAnswer(caller, await fundWallet(deps, caller, { id: params.id, amount: body.amount })),
  ),
]

/** Returns a wallet as answers show it. Only callers with the permission to manage accounts see complete numbers. */
function walletAnswer({ permissions }: Caller, { id, name, balanceCents, heldCents, numbers, createdAt }: ShownWallet) {
  const shown = (number: WalletNumber | null) =>
    number === null || permissions.has('accounts') ? number : { ...number, account: maskNumber(number.account) }
  return {
    id,
    name,
    balance: centsToDollars(balanceCents - heldCents),
    numbers: { ACH: shown(numbers.ACH), RTP: shown(numbers.RTP), WIRE: shown(numbers.WIRE) },
    date: formatDateTime(createdAt),
  }
}

const entryAnswer = (entry: WalletEntry) => ({
  id: entry.id,
  date: formatDateTime(entry.createdAt),
  amount: centsToDollars(entry.cents),
  reason: entry.reason,
  status: entry.status,
  check_id: entry.paymentId,
})
