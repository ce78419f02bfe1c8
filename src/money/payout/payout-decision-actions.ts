import { freeSession, leaseSession } from '../../connections/exchange/session/connection-session-actions.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { AppliedCase, CaseValues } from '../../foundation/exception/bank-case-rules.ts'
import type { OpenBankCase } from '../../foundation/exception/bank-case-store.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import type { LegHandlers } from '../rail/leg-actions.ts'
import { lockPayoutWithLeg } from './payout-actions.ts'
import { applyPayoutEvent } from './payout-change-actions.ts'
import { isPayoutReason } from './payout-rules.ts'
import { allows, hasEnded } from './payout-status.ts'
import { lockPayout } from './payout-store.ts'

type Decision = { row: OpenBankCase; values: CaseValues }

/**
 * Runs a decision about an order while its processor is not called, because a request in transit could still be accepted afterward.
 *
 * @throws StartProblem if the processor is being called
 */
export async function whileNotCalled<Result>(
  deps: Deps,
  { connectionId }: { connectionId: string },
  decide: () => Promise<Result>,
): Promise<Result> {
  const lease = await leaseSession(deps, connectionId)
  if (!lease) throw new StartProblem('The processor is being called now. Repeat this in a minute.')
  try {
    return await decide()
  } finally {
    lease.stop()
    await freeSession(deps, lease)
  }
}

/** Returns whether the order of a case has no final status yet. */
export const isOrderOpen = async (
  { sql }: Pick<TxDeps, 'sql'>,
  { platformId, legId }: Pick<OpenBankCase, 'platformId' | 'legId'>,
): Promise<boolean> => {
  const order = platformId && legId ? await lockPayout(sql, { platformId, legId }) : null
  return order !== null && !hasEnded(order.status)
}

/**
 * Applies the operator's information about an order: it was paid, or its money did not leave or was returned, with a return code. The caller
 * has locked the case and closes it.
 *
 * @throws StartProblem
 */
export async function applyPayoutCase(
  tx: TxDeps,
  handlers: LegHandlers,
  { row: { platformId, legId }, values }: Decision,
): Promise<AppliedCase> {
  const locked = platformId && legId ? await lockPayoutWithLeg(tx, handlers, { platformId, legId }) : null
  if (!locked) throw new StartProblem('The order of this case does not exist.')
  const code = values.code?.toUpperCase() ?? ''
  if (code !== 'PAID' && !isPayoutReason(code))
    throw new StartProblem(
      'Say what became of the order: --code PAID, or --code with the reason of a rejection or return such as MS03.',
    )
  const { status } = locked.payout
  const back = allows('reject', status) ? 'reject' : 'return'
  // The answer of the processor brings its fee, and shows whether the decision was wrong.
  const nextAt = tx.clock.now()
  const isDone =
    code === 'PAID'
      ? await applyPayoutEvent(tx, handlers, locked, 'pay', { nextAt })
      : await applyPayoutEvent(tx, handlers, locked, back, { nextAt, returnCode: code })
  if (!isDone)
    throw new StartProblem(`The order is ${status}, which this decision cannot change. Close the case with a note.`)
  const done =
    code === 'PAID' ? 'The order was recorded as paid.' : `The money of the order was recorded as back, with ${code}.`
  return { done, platformIds: [locked.leg.platformId] }
}
