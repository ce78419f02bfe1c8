import type { Deps } from '../../foundation/db/deps.ts'
import { sweepOldRows } from '../../foundation/db/old-rows.ts'
import { oldAuthorizationRequests } from './authorization-request-store.ts'
import { oldTokens } from './token-store.ts'

const ROWS_PER_PASS = 1_000

/** One pass: deletes expired codes, tokens and authorization requests. @returns the number of deleted rows */
export async function sweepTokens(deps: Deps): Promise<number> {
  const batch = { before: deps.realClock.now(), limit: ROWS_PER_PASS }
  const tokenCount = await sweepOldRows(deps, 'sweep tokens', oldTokens, batch)
  return tokenCount + (await sweepOldRows(deps, 'sweep tokens', oldAuthorizationRequests, batch))
}
