import type { TxDeps } from '../db/deps.ts'
import { type Debt, findDebt, listDebts, postTransfers, readOwed, readPayable } from './ledger-store.ts'
import { type Accounts, type PostingRule, postingsOf } from './posting-rules.ts'

export type Subject = { platformId: string; paymentId: string | null; legId?: string }

/** Posts one rule of the table, in the transaction of what it is about. Who asks for balances of wallets is told. */
export async function post(
  deps: TxDeps,
  { platformId, paymentId, legId }: Subject,
  rule: PostingRule,
  amounts: Accounts & { cents: number },
): Promise<void> {
  const context = { platformId, paymentId, legId: legId ?? null, now: deps.clock.now() }
  const isDue = await postTransfers(deps.sql, context, postingsOf(deps, rule, amounts))
  if (isDue) deps.afterCommit(deps.wake)
}

/** Cents of a payment that were taken and have not left again. */
export const payableOf = (
  deps: Pick<TxDeps, 'sql'>,
  payment: { platformId: string; paymentId: string },
): Promise<number> => readPayable(deps.sql, payment)

/** Cents that the sender owes of what a payment paid out: its pull came back too late, and was not made good yet. */
export const owedFor = (
  deps: Pick<TxDeps, 'sql'>,
  payment: { platformId: string; paymentId: string },
): Promise<number> => readOwed(deps.sql, payment)

/** Cents that a user owes in all. */
export const debtOf = (deps: Pick<TxDeps, 'sql'>, user: { platformId: string; userId: string }): Promise<number> =>
  findDebt(deps.sql, user)

/** What a user owes, payment by payment, oldest first. */
export const debtsOf = (deps: Pick<TxDeps, 'sql'>, user: { platformId: string; userId: string }): Promise<Debt[]> =>
  listDebts(deps.sql, user)
