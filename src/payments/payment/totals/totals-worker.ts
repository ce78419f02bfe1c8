import type { BackgroundStep } from '../../../foundation/db/background/background-step.ts'
import { refreshWanted } from '../../../foundation/db/background/wanted-platforms.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { refreshTotals } from './totals-actions.ts'

export const totalsStep: BackgroundStep = { name: 'count payments', run: refreshDueTotals, isWoken: false }

/** One pass: updates the totals of platforms whose statistics were read recently. @returns the number of platforms with more to count */
export function refreshDueTotals(deps: Deps): Promise<number> {
  const given = { step: totalsStep.name, progress: 'payment_totals_progress' }
  return refreshWanted(deps, given, (platformId) => refreshTotals(deps, platformId))
}
