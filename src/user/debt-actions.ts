import { type Actor, recordAudit } from '../audit/audit-actions.ts'
import { ApiError, fieldError } from '../core/errors.ts'
import { formatDollars } from '../core/money.ts'
import type { TxDeps } from '../db/deps.ts'
import { clockOf } from '../db/platform-clock.ts'
import { debtOf, debtsOf, post } from '../ledger/ledger-actions.ts'
import { type Debtor, listDebtors } from './debt-store.ts'
import { lockUser } from './user-lock-actions.ts'
import type { UserKey } from './user-store.ts'

/**
 * Records that a user paid debts outside of the service, the oldest first. Without `cents` all debts are paid.
 *
 * @returns the cents that were paid and the cents that are left
 * @throws ApiError no_debt, invalid_request when it owes less
 */
export async function settleDebt(
  deps: TxDeps,
  user: UserKey,
  { cents, note, actor }: { cents: number | null; note: string | null; actor: Omit<Actor, 'platformId'> },
): Promise<{ settledCents: number; debtCents: number }> {
  const { platformId, userId } = user
  await lockUser(deps, user)
  const debtCents = await debtOf(deps, user)
  if (debtCents === 0) throw new ApiError('no_debt')
  const settledCents = cents ?? debtCents
  if (settledCents > debtCents) {
    throw fieldError('invalid_request', 'amount', `exceeds the debt of ${formatDollars(debtCents)}`)
  }
  const there = { ...deps, clock: await clockOf(deps, platformId) }
  let leftCents = settledCents
  for (const debt of await debtsOf(deps, user)) {
    const part = Math.min(leftCents, debt.cents)
    if (part === 0) break
    await post(there, { platformId, paymentId: debt.paymentId }, 'debt_settled', { cents: part, debtor: userId })
    leftCents -= part
  }
  const subject = `${userId} ${formatDollars(settledCents)}${note === null ? '' : `: ${note}`}`
  await recordAudit(deps, { ...actor, platformId }, 'debt_settled', subject)
  return { settledCents, debtCents: debtCents - settledCents }
}

const MAX_DEBTORS = 1_000

/** Users with debts, the largest debt first. */
export const getDebtors = (deps: Pick<TxDeps, 'sql'>, platformId: string | null): Promise<Debtor[]> =>
  listDebtors(deps.sql, { platformId, limit: MAX_DEBTORS })
