import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { type BankDay, daysOf } from './bank-day-rules.ts'
import {
  type DayRange,
  findNextDay,
  listAccounts,
  listStatementSums,
  type StatementAccount,
  sumBefore,
} from './bank-day-store.ts'
import { findLastClosedDay, lockChain, shareChain } from './month-lock-store.ts'
import type { AccountKey } from './own-account-rules.ts'

/** An account with its last day. `lastClosedDay`: the last day of the latest closed month, or null. */
export type AccountOverview = StatementAccount & { last: BankDay; lastClosedDay: string | null }

/** Lists the accounts of the operator that have statements. */
export async function getAccounts(deps: Pick<Deps, 'sql'>): Promise<AccountOverview[]> {
  const overviews: AccountOverview[] = []
  for (const account of await listAccounts(deps.sql)) {
    const [last] = await getDays(deps, { ...account, from: account.lastDay, to: account.lastDay })
    if (last) overviews.push({ ...account, last, lastClosedDay: await findLastClosedDay(deps.sql, account) })
  }
  return overviews
}

/** Finds an account that has statements. */
export async function findAccount({ sql }: Pick<TxDeps, 'sql'>, key: AccountKey): Promise<StatementAccount | null> {
  const all = await listAccounts(sql)
  return all.find((one) => one.connectionId === key.connectionId && one.accountId === key.accountId) ?? null
}

/** Lists the days of an account that have a statement, oldest first. */
export async function getDays({ sql }: Pick<TxDeps, 'sql'>, range: DayRange): Promise<BankDay[]> {
  return daysOf(await listStatementSums(sql, range), await sumBefore(sql, range))
}

/** Returns the first day after a day that has a statement, or null. */
export async function getNextDay(deps: Pick<TxDeps, 'sql'>, key: AccountKey, day: string): Promise<BankDay | null> {
  const next = await findNextDay(deps.sql, key, day)
  if (next === null) return null
  const [found = null] = await getDays(deps, { ...key, from: next, to: next })
  return found
}

/** Locks an account: until the end of the transaction, no statement is placed and no decision about a line is made. */
export const lockAccount = ({ sql }: Pick<TxDeps, 'sql'>, key: AccountKey): Promise<void> => lockChain(sql, key)

/** Returns the last day of the latest closed month of an account, or null. */
export const getLastClosedDay = ({ sql }: Pick<TxDeps, 'sql'>, key: AccountKey): Promise<string | null> =>
  findLastClosedDay(sql, key)

/** Returns whether the month of a line is closed. If it is open, it stays open until the end of the transaction. `day`: YYYY-MM-DD. */
export async function isMonthClosed(
  { sql }: Pick<TxDeps, 'sql'>,
  { day, ...key }: AccountKey & { day: string },
): Promise<boolean> {
  await shareChain(sql, key)
  const closed = await findLastClosedDay(sql, key)
  return closed !== null && day <= closed
}
