import type { Connections } from '../../foundation/core/connections.ts'
import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { giveNumber, numbersAt } from './wallet-number-actions.ts'
import { listWithoutNumber } from './wallet-number-store.ts'

const WALLETS_PER_PASS = 500

/**
 * Creates the step that assigns account numbers to wallets that were created before a connection had numbers, or while none was left. `limit`: of
 * wallets in a pass.
 */
export function createNumberStep(limit = WALLETS_PER_PASS): BackgroundStep {
  const name = 'number wallets'
  /** Later wallets get a number when they are created. Therefore, nothing is left to do until connections.json is loaded again. */
  let done: Connections | null = null
  const run = async (deps: Deps): Promise<number> => {
    const current = deps.connections.current()
    const at = numbersAt(deps)
    if (current === done || at === null) return 0
    const isolation = isolate(deps, name)
    const skipped = isolation.skipped()
    const query = { connectionId: at.connection.id, skipped, limit }
    const wallets = await listWithoutNumber(deps.sql, query)
    let count = 0
    for (const wallet of wallets) {
      const unit = { platformId: null, kind: 'wallet', id: wallet.id }
      const isGiven = await isolation.run(unit, () => inTransaction(deps, (tx) => giveNumber(tx, wallet)))
      if (isGiven) count++
      // No number is available.
      if (isGiven === false) {
        done = current
        return count
      }
    }
    if (skipped.ids.length === 0 && count === wallets.length && count < limit) done = current
    return count
  }
  return { name, run, isWoken: false }
}
