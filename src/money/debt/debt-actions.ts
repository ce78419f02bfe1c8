import { type Actor, recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import { formatDollars } from '../../foundation/core/money.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { findNamedUser } from '../../people/user/operator-actions.ts'
import { lockUser } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { post, readDebt, readDebts, recordOutsidePayment } from '../ledger/ledger-actions.ts'
import { type Debtor, listDebtors } from './debt-store.ts'

/** The payment of a debt outside of the service: the reference of a wire or a check, and a note. */
export type DebtPayment = { reference: string; note: string | null }

/**
 * Records that a user paid debts outside of the service, oldest debt first. Without `cents`, all debts are paid. Each reference is
 * recorded once for each debtor.
 *
 * @returns the paid cents and the cents that are left
 * @throws ApiError no_debt, invalid_request if the user owes less; StartProblem if the reference is already recorded
 */
export async function settleDebt(
  deps: TxDeps,
  user: UserKey,
  { cents, payment, actor }: { cents: number | null; payment: DebtPayment | null; actor: Omit<Actor, 'platformId'> },
): Promise<{ settledCents: number; debtCents: number }> {
  const { platformId, userId } = user
  await lockUser(deps, user)
  const debtCents = await readDebt(deps, user)
  if (debtCents === 0) throw new ApiError('no_debt')
  const settledCents = cents ?? debtCents
  if (settledCents > debtCents) {
    throw fieldError('invalid_request', 'amount', `exceeds the debt of ${formatDollars(debtCents)}`)
  }
  if (payment) {
    const { reference } = payment
    const subject = { direction: 'IN', subjectId: userId, way: null } as const
    await recordOutsidePayment(deps, { platformId, ...subject, reference, cents: settledCents })
  }
  const there = { ...deps, clock: await clockOf(deps, platformId) }
  let leftCents = settledCents
  for (const debt of await readDebts(deps, user)) {
    const part = Math.min(leftCents, debt.cents)
    if (part === 0) break
    await post(there, { platformId, paymentId: debt.paymentId }, 'debt_settled', { cents: part, debtor: userId })
    leftCents -= part
  }
  const words = payment ? [payment.reference, payment.note].filter((text) => text !== null).join(', ') : ''
  const subject = `${userId} ${formatDollars(settledCents)}${words === '' ? '' : `: ${words}`}`
  await recordAudit(deps, { ...actor, platformId }, 'debt_settled', subject)
  return { settledCents, debtCents: debtCents - settledCents }
}

const MAX_DEBTORS = 1_000

/** Lists the users with the largest debts, largest debt first. `hasMore`: whether others were left out. */
export async function getDebtors(
  deps: Pick<TxDeps, 'sql'>,
  platformId: string | null,
): Promise<{ debtors: Debtor[]; hasMore: boolean }> {
  const rows = await listDebtors(deps.sql, { platformId, limit: MAX_DEBTORS + 1 })
  return { debtors: rows.slice(0, MAX_DEBTORS), hasMore: rows.length > MAX_DEBTORS }
}

/** Finds a user as `findNamedUser` does. Also finds a deleted user by its system id, because it may have debts. @throws StartProblem */
export async function findNamedDebtor(
  deps: TxDeps,
  { owner, user }: { owner: string; user: string | undefined },
): Promise<UserKey> {
  const { platformId } = await findNamedUser(deps, { owner, user: undefined })
  const isDebtor = user !== undefined && isId(user) && (await readDebt(deps, { platformId, userId: user })) > 0
  return isDebtor ? { platformId, userId: user } : findNamedUser(deps, { owner, user })
}
