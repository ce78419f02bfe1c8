import type { TxDeps } from '../../foundation/db/deps.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import {
  type Debt,
  findDebt,
  findOutsidePayoutAt,
  insertOutsidePayment,
  listDebts,
  listTransfers,
  type OutsidePayment,
  type PaymentKey,
  type PaymentTransfer,
  postTransfers,
  readOwed,
  readOwedForWallets,
  readPayable,
} from './ledger-store.ts'
import { type Accounts, type PostingRule, postingsOf } from './posting-rules.ts'

export type Subject = { platformId: string; paymentId: string | null; legId?: string }

/** Posts one rule of the table, in the transaction that causes it. Records a webhook event if the balance of a wallet changes. */
export async function post(
  deps: TxDeps,
  { platformId, paymentId, legId }: Subject,
  rule: PostingRule,
  amounts: Accounts & { cents: number },
): Promise<void> {
  const postings = postingsOf(deps, rule, amounts)
  const isDue = await postTransfers(deps.sql, {
    platformId,
    paymentId,
    legId: legId ?? null,
    now: deps.clock.now(),
    postings,
  })
  if (isDue) deps.afterCommit(deps.wake)
}

/** Lists the transfers of a payment, in order. */
export const transfersOf = (deps: Pick<TxDeps, 'sql'>, payment: PaymentKey): Promise<PaymentTransfer[]> =>
  listTransfers(deps.sql, payment)

export type { PaymentTransfer }

/** Returns the cents of a payment that were pulled and have not left again. */
export const readPayableCents = (deps: Pick<TxDeps, 'sql'>, payment: PaymentKey): Promise<number> =>
  readPayable(deps.sql, payment)

/** Returns the cents that the sender owes for a payment, because its pull was returned after the payout. */
export const readPaymentDebt = (deps: Pick<TxDeps, 'sql'>, payment: PaymentKey): Promise<number> =>
  readOwed(deps.sql, payment)

/** Returns when the operator last paid the money of a subject outside of the service, or null. */
export const readOutsidePayoutAt = (
  deps: Pick<TxDeps, 'sql'>,
  subject: Pick<OutsidePayment, 'platformId' | 'subjectId'>,
): Promise<Date | null> => findOutsidePayoutAt(deps.sql, subject)

/** Returns the cents that a user owes for returned credits to wallets whose money was already spent. */
export const owedForWallets = (deps: Pick<TxDeps, 'sql'>, user: UserKey): Promise<number> =>
  readOwedForWallets(deps.sql, user)

/** Returns the total debt of a user in cents. */
export const readDebt = (deps: Pick<TxDeps, 'sql'>, user: UserKey): Promise<number> => findDebt(deps.sql, user)

/** Lists the debts of a user by payment, oldest first. */
export const readDebts = (deps: Pick<TxDeps, 'sql'>, user: UserKey): Promise<Debt[]> => listDebts(deps.sql, user)

/**
 * Records money that moved outside of the service, in the transaction that posts it. The reference, such as that of a wire, identifies the
 * movement. Each reference is recorded once for each subject.
 *
 * @throws StartProblem if it is already recorded
 */
export async function recordOutsidePayment(deps: TxDeps, row: Omit<OutsidePayment, 'createdAt'>): Promise<void> {
  const reference = row.reference.trim().replace(/\s+/g, ' ').toLowerCase()
  if (reference === '') throw new StartProblem('--reference must not be empty.')
  if (await insertOutsidePayment(deps.sql, { ...row, reference, createdAt: deps.clock.now() })) return
  throw new StartProblem(`The reference ${row.reference.trim()} is recorded already, so nothing was changed.`)
}
