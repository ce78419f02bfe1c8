import type { Deps } from '../db/deps.ts'
import {
  checkClearing,
  checkDebitsEqualCredits,
  checkPayments,
  checkWallets,
  type Finding,
  limitEffort,
  readOneMoment,
} from './verify-store.ts'

/** What must hold at every moment, in the order of the report (design.md, "Ledger"). */
const checks = {
  'debits equal credits': checkDebitsEqualCredits,
  'wallets hold what their transfers say, and never less than nothing': checkWallets,
  'payments have what their status says': checkPayments,
  'clearing accounts are explained by legs on their way': checkClearing,
} as const

export type Verification = { check: string; finding: Finding }[]

/** Looks at the whole ledger, as it was at one moment. `isGentle`: leaves processors to others. `timeoutMs`: for each check; 0: none. */
export const verifyLedger = (
  deps: Pick<Deps, 'sql'>,
  effort: { timeoutMs: number; isGentle: boolean } = { timeoutMs: 0, isGentle: false },
): Promise<Verification> =>
  deps.sql.begin(async (sql) => {
    await readOneMoment(sql)
    await limitEffort(sql, effort)
    const verification: Verification = []
    for (const [check, run] of Object.entries(checks)) verification.push({ check, finding: await run(sql) })
    return verification
  })

export const isClean = (verification: Verification): boolean =>
  verification.every(({ finding }) => finding.offending.length === 0)
