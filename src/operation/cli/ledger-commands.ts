import { isClean, rememberVerification, type Verification, verifyLedger } from '../../money/ledger/verify-actions.ts'
import type { CommandFlags } from './command-flags.ts'
import { onEachDatabase, type Report } from './on-database.ts'

/** Runs `remit verify-ledger` in all environments. */
export const runVerifyLedger = (flags: CommandFlags): Promise<number> =>
  onEachDatabase(flags, async (deps) => {
    const verification = await verifyLedger(deps)
    await rememberVerification(deps, verification)
    return ledgerReport(verification)
  })

export function ledgerReport(verification: Verification): Report {
  const lines = verification.flatMap(({ check, finding: { checked, offending } }) => [
    `${offending.length === 0 ? 'ok   ' : 'WRONG'} ${check} (${checked} rows)`,
    ...offending.map((row) => `      ${JSON.stringify(row)}`),
  ])
  return { lines, isClean: isClean(verification) }
}
