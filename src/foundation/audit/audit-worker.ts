import type { Deps } from '../db/deps.ts'
import { isolate } from '../db/isolation.ts'
import { inTransaction } from '../db/transaction.ts'
import { sealEntries } from './audit-chain-actions.ts'
import { listPlatformsToSeal } from './audit-chain-store.ts'

const PLATFORMS_PER_PASS = 200

/** One pass: seals a batch of committed audit entries for each platform. @returns the number of sealed entries */
export async function sealAuditEntries(deps: Deps): Promise<number> {
  const isolation = isolate(deps, 'seal audit entries')
  const skipped = isolation.skipped()
  const platformIds = await isolation.nextPlatforms(
    (turn) => listPlatformsToSeal(deps.sql, { ...turn, skipped }),
    PLATFORMS_PER_PASS,
  )
  return isolation.each(platformIds, (platformId) => inTransaction(deps, (tx) => sealEntries(tx, platformId)))
}
