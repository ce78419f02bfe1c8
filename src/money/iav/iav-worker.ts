import type { Deps } from '../../foundation/db/deps.ts'
import { sweepOldRows } from '../../foundation/db/old-rows.ts'
import { oldConfirmations } from '../bank/confirmed-account-actions.ts'
import { oldInstitutionLogins } from './iav-store.ts'

const ROWS_PER_PASS = 1_000

/** One pass: deletes institution logins and confirmations that have expired. @returns the number of deleted rows */
export async function sweepInstitutionLogins(deps: Deps): Promise<number> {
  const batch = { before: deps.realClock.now(), limit: ROWS_PER_PASS }
  const loginCount = await sweepOldRows(deps, 'sweep institution logins', oldInstitutionLogins, batch)
  return loginCount + (await sweepOldRows(deps, 'sweep institution logins', oldConfirmations, batch))
}
