import type { TxDeps } from '../../foundation/db/deps.ts'
import type { CaseValues } from '../../foundation/exception/bank-case-rules.ts'
import type { OpenBankCase } from '../../foundation/exception/bank-case-store.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import type { LegHandlers } from '../rail/leg-actions.ts'
import { isReturnCode } from '../rail/return-code-rules.ts'
import { lockPayoutWithLeg } from './payout-actions.ts'
import { applyPayoutEvent } from './payout-change-actions.ts'
import { allows } from './payout-status.ts'

/**
 * Applies what an operator found out about an order: it was paid, or its money did not leave or is back, with the code of a return.
 *
 * @throws StartProblem
 */
export async function applyPayoutCase(
  tx: TxDeps,
  handlers: LegHandlers,
  { row: { platformId, legId }, values: { code } }: { row: OpenBankCase; values: CaseValues },
): Promise<string> {
  const locked = platformId && legId ? await lockPayoutWithLeg(tx, handlers, { platformId, legId }) : null
  if (!locked) throw new StartProblem('The order of this case does not exist.')
  if (code === undefined || (code !== 'PAID' && !isReturnCode(code)))
    throw new StartProblem(
      'Say what became of the order: --code PAID, or --code with the code of a return such as MS03.',
    )
  const { status } = locked.payout
  const back = allows('reject', status) ? 'reject' : 'return'
  const isDone =
    code === 'PAID'
      ? await applyPayoutEvent(tx, handlers, locked, 'pay')
      : await applyPayoutEvent(tx, handlers, locked, back, { returnCode: code })
  if (!isDone)
    throw new StartProblem(`The order is ${status}, which this decision cannot change. Close the case with a note.`)
  return code === 'PAID'
    ? 'The order was recorded as paid.'
    : `The money of the order was recorded as back, with ${code}.`
}
