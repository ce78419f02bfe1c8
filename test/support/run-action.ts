import type { Deps, TxDeps } from '../../src/foundation/db/deps.ts'
import { inTransaction } from '../../src/foundation/db/transaction.ts'

type Before<Prepared> = Promise<(() => Promise<Prepared>) | null>

/**
 * Runs an action like its route: in a transaction, after the work outside of it. `deps` may belong to a process that
 * crashes.
 */
export async function runAction<Prepared = never>(
  deps: Deps,
  action: (tx: TxDeps, prepared: Prepared | null) => Promise<unknown>,
  before: (deps: Deps) => Before<Prepared> = async () => null,
): Promise<unknown> {
  const prepare = await before(deps)
  const prepared = prepare && (await prepare())
  return inTransaction(deps, (tx) => action(tx, prepared))
}
