import type { Deps, TxDeps } from '../../src/foundation/db/deps.ts'
import { inTransaction } from '../../src/foundation/db/transaction.ts'
import { OutsideFirst, OutsideTransaction } from '../../src/foundation/http/outside-transaction.ts'

/** Runs an action as its route does: in a transaction, with what it wants outside of it. `deps` may belong to a process that crashes. */
export async function runAction(deps: Deps, action: (tx: TxDeps) => Promise<unknown>): Promise<unknown> {
  try {
    return await inTransaction(deps, action)
  } catch (error) {
    if (error instanceof OutsideTransaction) return error.run(deps)
    if (!(error instanceof OutsideFirst)) throw error
    const rest = await error.prepare(deps)
    return inTransaction(deps, (tx) => rest(tx))
  }
}
