import type { Deps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { ApiError } from '../lib/errors.ts'
import { lapseBank } from './bank-actions.ts'
import { listLapsedBanks } from './bank-store.ts'

const BANKS_PER_PASS = 100

/** One pass: lapses banks that nobody verified within ten days. @returns how many it looked at */
export async function lapseDueBanks(deps: Deps): Promise<number> {
  const banks = await listLapsedBanks(deps.sql, { now: deps.clock.now(), limit: BANKS_PER_PASS })
  for (const bank of banks) {
    await inTransaction(deps, (tx) => lapseBank(tx, bank)).catch(ignoreVerifiedMeanwhile)
  }
  return banks.length
}

function ignoreVerifiedMeanwhile(error: unknown): void {
  if (!(error instanceof ApiError && error.code === 'bank_not_pending')) throw error
}
