import type { TxDeps } from '../db/deps.ts'
import { isOwed, postTransfers, readPayable } from './ledger-store.ts'
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

/** Whether the sender owes what a payment paid out. */
export const isOwedFor = (
  deps: Pick<TxDeps, 'sql'>,
  payment: { platformId: string; paymentId: string },
): Promise<boolean> => isOwed(deps.sql, payment)
