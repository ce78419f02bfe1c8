import type { Deps } from '../db/deps.ts'
import { inTransaction } from '../db/transaction.ts'
import { lapseOverdueBank } from './bank-actions.ts'
import { listLapsedBanks } from './bank-store.ts'

const BANKS_PER_PASS = 100

/** One pass: lapses banks that nobody verified within ten days. @returns how many */
export async function lapseDueBanks(deps: Deps): Promise<number> {
  const banks = await listLapsedBanks(deps.sql, { now: deps.clock.now(), limit: BANKS_PER_PASS })
  let count = 0
  for (const bank of banks) {
    const isLapsed = await inTransaction(deps, (tx) => lapseOverdueBank(tx, bank)).catch((error) => {
      // One that cannot be done does not stop the others.
      deps.log.error({ err: error, bank: bank.id }, 'bank not lapsed')
      return false
    })
    if (isLapsed) count++
  }
  return count
}
