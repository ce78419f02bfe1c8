import type { Deps } from '../db/deps.ts'
import { deleteOldAuthorizationRequests } from './authorization-request-store.ts'
import { deleteOldTokens } from './token-store.ts'

const ROWS_PER_PASS = 1_000

/** One pass: deletes codes, tokens and authorization requests that are of no use any more. @returns how many */
export async function sweepTokens(deps: Deps): Promise<number> {
  const pass = { now: deps.realClock.now(), limit: ROWS_PER_PASS }
  return (await deleteOldTokens(deps.sql, pass)) + (await deleteOldAuthorizationRequests(deps.sql, pass))
}
