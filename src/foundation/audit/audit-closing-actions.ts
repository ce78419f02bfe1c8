import type { Deps, TxDeps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { recordAudit } from './audit-actions.ts'
import { closingOf } from './audit-chain-actions.ts'
import { formatHead } from './audit-chain-rules.ts'
import { insertClosing, listPlatformsToClose } from './audit-chain-store.ts'

/**
 * Closes every chain that has links with another key, so that this key proves them. Logs each closed head.
 *
 * @param given.fail is called for each broken chain, which stays unchanged
 * @param given.onClosed runs in the transaction that closes a chain
 * @returns the number of closed chains
 */
export async function closeChains(
  deps: Deps,
  keyId: string,
  {
    fail,
    onClosed,
  }: { fail(platformId: string, problem: string): void; onClosed(tx: TxDeps, platformId: string): Promise<void> },
): Promise<number> {
  const platformIds = await inTransaction(deps, ({ sql }) => listPlatformsToClose(sql, keyId))
  let count = 0
  for (const platformId of platformIds) {
    const made = await closingOf(deps, platformId)
    if (made.found) {
      fail(platformId, `entry ${made.found.sequence ?? 'without a seal'}: ${made.found.problem}`)
      continue
    }
    const { closing, head } = made
    await inTransaction(deps, async (tx) => {
      const isNew = await insertClosing(tx.sql, platformId, { ...closing, createdAt: deps.realClock.now() })
      if (!isNew) return
      const operator = { platformId, userId: null, credential: { kind: 'operator' }, origin: null } as const
      await recordAudit(tx, operator, 'master_key_rotated', keyId)
      await onClosed(tx, platformId)
      tx.afterCommit(() => deps.log.info({ key: keyId, head: formatHead(platformId, head) }, 'audit chain closed'))
    })
    count++
  }
  return count
}
