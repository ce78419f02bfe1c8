import { freeSession, leaseSession } from '../../connections/exchange/session/connection-session-actions.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import type { CaseValues } from '../../foundation/exception/bank-case-rules.ts'
import type { OpenBankCase } from '../../foundation/exception/bank-case-store.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import type { LegHandlers } from '../rail/leg-actions.ts'
import { lockPayoutWithLeg } from './payout-actions.ts'
import { applyPayoutEvent } from './payout-change-actions.ts'
import { isPayoutReason } from './payout-rules.ts'
import { allows } from './payout-status.ts'

type Decision = { row: OpenBankCase; values: CaseValues }

/**
 * Applies the operator's information about an order: it was paid, or its money did not leave or was returned, with a return code. During
 * the decision, the processor is not called, because a request in transit could still be accepted afterward.
 *
 * @throws StartProblem
 */
export async function applyPayoutCase(deps: Deps, handlers: LegHandlers, decision: Decision): Promise<string> {
  const lease = await leaseSession(deps, decision.row.connectionId)
  if (!lease) throw new StartProblem('The processor is being called now. Repeat this in a minute.')
  try {
    return await inTransaction(deps, (tx) => decide(tx, handlers, decision))
  } finally {
    lease.stop()
    await freeSession(deps, lease)
  }
}

async function decide(
  tx: TxDeps,
  handlers: LegHandlers,
  { row: { platformId, legId }, values }: Decision,
): Promise<string> {
  const locked = platformId && legId ? await lockPayoutWithLeg(tx, handlers, { platformId, legId }) : null
  if (!locked) throw new StartProblem('The order of this case does not exist.')
  const code = values.code?.toUpperCase() ?? ''
  if (code !== 'PAID' && !isPayoutReason(code))
    throw new StartProblem(
      'Say what became of the order: --code PAID, or --code with the reason of a rejection or return such as MS03.',
    )
  const { status } = locked.payout
  const back = allows('reject', status) ? 'reject' : 'return'
  const isDone =
    code === 'PAID'
      ? await applyPayoutEvent(tx, handlers, locked, 'pay', { nextAt: tx.clock.now() })
      : await applyPayoutEvent(tx, handlers, locked, back, { returnCode: code })
  if (!isDone)
    throw new StartProblem(`The order is ${status}, which this decision cannot change. Close the case with a note.`)
  return code === 'PAID'
    ? 'The order was recorded as paid.'
    : `The money of the order was recorded as back, with ${code}.`
}
