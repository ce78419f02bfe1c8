import type { Deps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { findOpenBankCase } from '../../../foundation/exception/bank-case-actions.ts'
import type { CaseContent } from '../../../foundation/exception/bank-case-rules.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { settleBankCase } from '../../rail/leg-release-actions.ts'
import { applyByHand } from './ach-decision-actions.ts'
import type { AchHooks } from './ach-file-actions.ts'
import { type JoinedReturn, listReturnsAfterRestore } from './ach-restore-store.ts'

/**
 * Applies returns that arrived after a restore, while their entries were unknown. Once the payment of such an entry is known again, its
 * return is applied and its case is closed. If a return cannot be applied, its case stays open for the operator.
 *
 * @returns the number of applied returns
 */
export async function applyReturnsAfterRestore(deps: Deps, hooks: AchHooks): Promise<number> {
  const isolation = isolate(deps, 'read ACH files')
  let count = 0
  for (const one of await listReturnsAfterRestore(deps.sql)) {
    const unit = { platformId: null, kind: 'bank case', id: one.caseId }
    if (await isolation.run(unit, () => applyOne(deps, hooks, one))) count++
  }
  return count
}

async function applyOne(deps: Deps, hooks: AchHooks, one: JoinedReturn): Promise<boolean> {
  const { data } = JSON.parse(deps.keyRing.openText(one.contentSealed, 'bank case')) as CaseContent
  const code = data?.returnCode
  if (typeof code !== 'string') return false
  try {
    await inTransaction(deps, async (tx) => {
      const done = await applyByHand(tx, hooks, { trace: one.traceNumber, code })
      const open = await findOpenBankCase(tx, one.caseId)
      if (!open) throw new StartProblem('The case no longer exists.')
      const resolution = `${done} Its payment had joined it after the restore.`
      await settleBankCase(tx, hooks.handlers, { row: open, resolution })
    })
    return true
  } catch (error) {
    if (error instanceof StartProblem) return false
    throw error
  }
}
