import type { Deps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { findStillOpenCase } from '../../../foundation/exception/bank-case-actions.ts'
import { settleBankCase } from '../../rail/leg-release-actions.ts'
import { sourceOfCase } from './ach-decision-actions.ts'
import { applyEntries } from './ach-entry-actions.ts'
import type { AchHooks } from './ach-file-actions.ts'
import type { InboundEntry } from './ach-inbound-rules.ts'
import { listCasesOfRestore } from './ach-restore-store.ts'

/**
 * Applies returns and notifications of change that arrived after a restore, while their entries were unknown. Once the payment of such an
 * entry is known again, its case is closed. An entry that still cannot be applied then has a case that names the payment.
 *
 * @returns the number of closed cases
 */
export async function applyEntriesOfRestore(deps: Deps, hooks: AchHooks): Promise<number> {
  const isolation = isolate(deps, 'read ACH files')
  let count = 0
  for (const id of await listCasesOfRestore(deps.sql)) {
    const unit = { platformId: null, kind: 'bank case', id }
    if (await isolation.run(unit, () => applyCase(deps, hooks, id))) count++
  }
  return count
}

const applyCase = (deps: Deps, hooks: AchHooks, caseId: string): Promise<boolean> =>
  inTransaction(deps, async (tx) => {
    const row = await findStillOpenCase(tx, caseId)
    const entry = row?.content.data?.entry as InboundEntry | undefined
    if (!row || !entry) return false
    const [left] = await applyEntries(tx, hooks, { source: sourceOfCase(tx, row), entries: [entry] })
    const done = left ? `It was not applied: ${left.reason}.` : 'It was applied.'
    const resolution = `The payment of the entry is known again. ${done}`
    await settleBankCase(tx, hooks.handlers, { row, resolution })
    return true
  })
