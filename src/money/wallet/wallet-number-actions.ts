import { findSkippedNumbers } from '../../connections/exchange/exchange-guard-actions.ts'
import { withoutZeros } from '../../foundation/core/account-number.ts'
import type { Connection, NumberForm, VirtualAccounts } from '../../foundation/core/connections.ts'
import { accountOf, findConnection } from '../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { renewAndDigest } from '../../foundation/db/digests.ts'
import { endTransferCase, isTransferCaseOpen, recordBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import {
  formNumber,
  NO_NUMBERS,
  possibleNumbersIn,
  simulatedNumber,
  type WalletNumbers,
} from './wallet-number-rules.ts'
import {
  countNumbers,
  insertWalletNumber,
  listNumbersOfWallets,
  listNumbersToRenew,
  listWalletsNumbered,
  renewNumber,
} from './wallet-number-store.ts'
import { lockWallet, type WalletRow } from './wallet-store.ts'

type NumbersAt = { connection: Connection; contract: VirtualAccounts }

/** Returns the connection that provides account numbers for wallets, or null. */
export function numbersAt({ connections }: Pick<Deps, 'connections'>): NumbersAt | null {
  for (const connection of connections.current().all)
    if (connection.virtualAccounts) return { connection, contract: connection.virtualAccounts }
  return null
}

export type ShownWallet = WalletRow & { numbers: WalletNumbers }

/** Adds the account numbers to wallets. Simulated numbers cannot receive money. */
export async function withNumbers(
  deps: Pick<TxDeps, 'sql' | 'settings' | 'connections' | 'keyRing'>,
  wallets: readonly WalletRow[],
): Promise<ShownWallet[]> {
  const { walletRoutingNumber } = deps.settings
  if (walletRoutingNumber !== null) {
    return wallets.map((wallet) => {
      const number = simulatedNumber(walletRoutingNumber, wallet.id)
      return { ...wallet, numbers: { ACH: number, RTP: number, WIRE: number } }
    })
  }
  const at = numbersAt(deps)
  if (!at || wallets.length === 0) return wallets.map((wallet) => ({ ...wallet, numbers: NO_NUMBERS }))
  const { connection, contract } = at
  const rows = await listNumbersOfWallets(deps.sql, {
    connectionId: connection.id,
    walletIds: wallets.map(({ id }) => id),
  })
  const routing = accountOf(connection, contract.account).routingNumber
  const numbers = new Map(
    rows.map(({ walletId, numberSealed }) => {
      const number = { routing, account: deps.keyRing.openText(numberSealed, 'wallet number') }
      return [walletId, { ...NO_NUMBERS, ...Object.fromEntries(contract.rails.map((rail) => [rail, number])) }]
    }),
  )
  return wallets.map((wallet) => ({ ...wallet, numbers: numbers.get(wallet.id) ?? NO_NUMBERS }))
}

/**
 * Assigns an account number to a wallet, if a connection provides numbers. If none is left, the wallet stays without a number, and a case
 * informs the operator.
 *
 * @returns false if none is left
 */
export async function giveNumber(tx: TxDeps, wallet: { platformId: string; id: string }): Promise<boolean> {
  const at = numbersAt(tx)
  // The lock prevents two processes from assigning numbers to the same wallet.
  if (!at || !(await lockWallet(tx.sql, wallet))) return true
  const { id: connectionId } = at.connection
  const { numbers } = at.contract
  if ((await listNumbersOfWallets(tx.sql, { connectionId, walletIds: [wallet.id] })).length > 0) return true
  const batches = 'prefix' in numbers ? randomBatches(tx, numbers) : await listBatchesOf(tx, connectionId, numbers)
  const key = { connectionId, kind: 'wallet_numbers_used_up', fileName: 'virtual_accounts' } as const
  if (await giveOneOf(tx, wallet, { connectionId, batches })) {
    await endTransferCase(tx, key, 'A wallet has a number again.')
    return true
  }
  if (!(await isTransferCaseOpen(tx, key))) await recordUsedUp(tx, key)
  return false
}

const recordUsedUp = (
  tx: TxDeps,
  { connectionId, kind, fileName: name }: { connectionId: string; kind: 'wallet_numbers_used_up'; fileName: string },
): Promise<void> =>
  recordBankCase(tx, {
    ...{ kind, connectionId, source: 'transfer', line: 0, isBankWide: false },
    file: { id: newId(tx), name },
    note: 'No account number is left for a new wallet. It has none until there are more.',
    content: { lines: [] },
  })

type Candidates = { connectionId: string; batches: Iterable<readonly string[]> }

/** Assigns the first unused number to a wallet. @returns false if all are assigned */
async function giveOneOf(tx: TxDeps, wallet: { platformId: string; id: string }, candidates: Candidates) {
  const { connectionId, batches } = candidates
  for (const batch of batches) {
    for (const number of await freeNumbers(tx, connectionId, batch)) {
      const numberDigest = await renewAndDigest(
        tx,
        { text: withoutZeros(number), purpose: 'wallet number' },
        (sql, renewal) => renewNumber(sql, connectionId, renewal),
      )
      const isGiven = await insertWalletNumber(tx.sql, {
        ...{ connectionId, numberDigest, platformId: wallet.platformId, walletId: wallet.id },
        numberSealed: tx.keyRing.seal(number, 'wallet number'),
        createdAt: tx.clock.now(),
      })
      if (isGiven) return true
    }
  }
  return false
}

async function freeNumbers(
  { sql, keyRing }: TxDeps,
  connectionId: string,
  numbers: readonly string[],
): Promise<string[]> {
  const digestsOf = (number: string) => keyRing.digests(withoutZeros(number), 'wallet number')
  const given = await listWalletsNumbered(sql, { connectionId, digests: numbers.flatMap(digestsOf) })
  const known = new Set(given.map(({ numberDigest }) => numberDigest.toString('hex')))
  return numbers.filter((number) => !digestsOf(number).some((digest) => known.has(digest.toString('hex'))))
}

/** The number of batches of random numbers to try. If all of them are taken, nearly all numbers are. */
const RANDOM_BATCHES = 10
const RANDOM_NUMBERS = 5

function* randomBatches(tx: TxDeps, form: NumberForm): Generator<string[]> {
  for (let batch = 0; batch < RANDOM_BATCHES; batch++)
    yield Array.from({ length: RANDOM_NUMBERS }, () => formNumber(form, tx.random.bytes(8)))
}

const LISTED_NUMBERS = 100

/** Returns the numbers of a list in batches, without those that wallets may have got in a time that a restore has lost. */
async function listBatchesOf(tx: TxDeps, connectionId: string, numbers: readonly string[]) {
  const skipped = await findSkippedNumbers(tx, connectionId)
  const usable = numbers.filter((_, index) => !skipped.some(({ from, to }) => index >= from && index < to))
  return listBatches(usable, await countNumbers(tx.sql, connectionId))
}

/**
 * Finds the places of a list whose numbers wallets may have got since a backup, up to the last one that the operator names. Returns null for a
 * connection without a list. @throws StartProblem
 */
export async function lostNumbersUpTo(
  tx: Pick<TxDeps, 'sql'>,
  { id, virtualAccounts }: Connection,
  last: string | undefined,
): Promise<{ from: number; to: number } | null> {
  if (!virtualAccounts || 'prefix' in virtualAccounts.numbers) return null
  const from = await countNumbers(tx.sql, id)
  if (last === undefined) {
    throw new StartProblem(
      'Wallets may have got account numbers since the backup. Add --last-wallet-number N: no wallet gets a number of virtual_accounts up to this one. If you do not know the last one, name a later one. "none" means that no wallet got a number.',
    )
  }
  if (last === 'none') return null
  const index = virtualAccounts.numbers.indexOf(last)
  if (index < 0) throw new StartProblem('--last-wallet-number must be in the list of virtual_accounts, or "none".')
  return { from, to: index + 1 }
}

/** Returns the numbers of a list in batches, in order. The search begins after the numbers that wallets already have. */
function* listBatches(numbers: readonly string[], givenCount: number): Generator<string[]> {
  const inOrder = [...numbers.slice(givenCount), ...numbers.slice(0, givenCount)]
  for (let from = 0; from < inOrder.length; from += LISTED_NUMBERS) yield inOrder.slice(from, from + LISTED_NUMBERS)
}

export type NamedWallet = { platformId: string; walletId: string }

/** Finds the wallets whose numbers at a connection appear in texts. @returns for each list of texts its wallets, each once */
export async function findNamedWallets(
  { sql, keyRing }: Pick<TxDeps, 'sql' | 'keyRing'>,
  { connectionId, texts }: { connectionId: string; texts: readonly (readonly string[])[] },
): Promise<NamedWallet[][]> {
  const digests = texts.map((some) =>
    possibleNumbersIn(some).flatMap((number) => keyRing.digests(number, 'wallet number')),
  )
  const all = digests.flat()
  if (all.length === 0) return texts.map(() => [])
  const rows = await listWalletsNumbered(sql, { connectionId, digests: all })
  const wallets = new Map(rows.map((row) => [row.numberDigest.toString('hex'), row]))
  return digests.map((own) => {
    const named = own.flatMap((digest) => wallets.get(digest.toString('hex')) ?? [])
    return [...new Map(named.map(({ platformId, walletId }) => [walletId, { platformId, walletId }])).values()]
  })
}

/**
 * Returns whether the bank books credits for the numbers of wallets on an account. If `virtual_accounts` was removed from a connection, the
 * account of its numbers is known only if the connection has exactly one.
 */
export async function hasNumbers(
  { sql, connections }: Pick<TxDeps, 'sql' | 'connections'>,
  { connectionId, accountId }: { connectionId: string; accountId: string },
): Promise<boolean> {
  const connection = findConnection(connections.current(), connectionId)
  const [only, ...others] = connection?.accounts ?? []
  const account = connection?.virtualAccounts?.account ?? (others.length === 0 ? only?.id : null)
  return account === accountId && (await countNumbers(sql, connectionId)) > 0
}

/** Recomputes the digests of numbers with another key. @returns the number of changed rows */
export async function renewNumberDigests(tx: TxDeps, keyId: string): Promise<number> {
  const rows = await listNumbersToRenew(tx.sql, keyId)
  for (const { connectionId, numberDigest: former, numberSealed } of rows) {
    const text = withoutZeros(tx.keyRing.openText(numberSealed, 'wallet number'))
    const present = tx.keyRing.digest(text, 'wallet number', keyId)
    await renewNumber(tx.sql, connectionId, { former, present })
  }
  return rows.length
}
