import type { BackgroundStep } from '../db/background/background-step.ts'
import type { Deps } from '../db/deps.ts'
import { isolate } from '../db/isolation.ts'
import { inTransaction } from '../db/transaction.ts'
import { sealEntries } from './audit-chain-actions.ts'
import { listPlatformsToSeal } from './audit-chain-store.ts'

const PLATFORMS_PER_PASS = 200

export const auditStep: BackgroundStep = { name: 'seal audit entries', run: sealAuditEntries, isWoken: false }

/** One pass: seals a batch of committed audit entries for each platform. @returns the number of sealed entries */
export function sealAuditEntries(deps: Deps): Promise<number> {
  return isolate(deps, auditStep.name).eachPlatform(
    PLATFORMS_PER_PASS,
    (turn) => listPlatformsToSeal(deps.sql, turn),
    (platformId) => inTransaction(deps, (tx) => sealEntries(tx, platformId)),
  )
}
