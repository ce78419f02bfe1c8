import { setTimeout as sleep } from 'node:timers/promises'
import { publishedOwner } from '../../foundation/core/demo-rules.ts'
import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { isLockTimeout } from '../../foundation/db/trouble.ts'
import { formatDate } from '../../foundation/lib/clock.ts'
import { createOwner } from '../../people/auth/owner/owner-actions.ts'
import { emptyAllTables, lockLastReset, readLastReset } from './demo-store.ts'

/**
 * Names the reset in reports of failures, because the demo is reset as a whole. After a failure, the reset is retried with growing delays.
 */
const DEMO = { platformId: null, kind: 'environment', id: 'demo' }

const RETRIES = 50
const BETWEEN_TRIES_MS = 50

export const demoResetStep: BackgroundStep = { name: 'reset the demo', run: resetDemoWhenDue, isWoken: false }

/** One pass: on a new UTC day, empties the demo and recreates its owner. @returns the number of resets, 0 or 1 */
export async function resetDemoWhenDue(deps: Deps): Promise<number> {
  if (!deps.settings.isResetDaily) return 0
  const isolation = isolate(deps, demoResetStep.name)
  if (isolation.skipped().ids.includes(DEMO.id)) return 0
  return (await isolation.run(DEMO, () => resetDemo(deps))) ?? 0
}

/** Resets the demo. Requests lock tables in other orders. Instead of waiting long for a lock, a reset fails and is tried again. */
async function resetDemo(deps: Deps): Promise<number> {
  for (let retriesLeft = RETRIES; ; retriesLeft--) {
    try {
      return await tryReset(deps)
    } catch (error) {
      if (!isLockTimeout(error) || retriesLeft === 0) throw error
      await sleep(BETWEEN_TRIES_MS)
    }
  }
}

async function tryReset(deps: Deps): Promise<number> {
  const today = formatDate(deps.realClock.now())
  if ((await readLastReset(deps.sql)) === today) return 0
  return inTransaction(deps, async (tx) => {
    if ((await lockLastReset(tx.sql)) === today) return 0
    await emptyAllTables(tx.sql, today)
    await createOwner(tx, publishedOwner)
    return 1
  })
}
