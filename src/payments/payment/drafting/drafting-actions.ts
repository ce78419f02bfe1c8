import type { Deps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { RAILS } from '../../../money/rail/rail-rules.ts'
import { arrivalDay, calendarNow, debitDay } from '../expected-day-rules.ts'
import { distinctPayees, type FormerPayee, READ_PAYMENTS } from './drafting-rules.ts'
import { listPayees } from './drafting-store.ts'

/** Lists the payees of earlier payments, newest first. */
export async function getFormerPayees(deps: Deps, { platformId, userId }: Caller): Promise<FormerPayee[]> {
  return distinctPayees(await listPayees(deps.sql, { platformId, userId }, READ_PAYMENTS))
}

/** Returns the days (`YYYY-MM-DD`) on which money that is deposited now leaves the sender and arrives, for each rail. */
export function getPaymentDays(deps: Pick<Deps, 'clock' | 'settings' | 'connections'>) {
  const at = deps.clock.now()
  const calendar = calendarNow(deps)
  return (['bank', 'wallet'] as const).map((fundingKind) => ({
    account: fundingKind,
    debited: debitDay(fundingKind, at, calendar),
    arrives: RAILS.map((rail) => ({ rail, day: arrivalDay({ rail, fundingKind, at }, calendar) })),
  }))
}
