import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import { connect } from '../../foundation/db/connect.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { isClean, rememberVerification, verifyLedger } from './verify-actions.ts'

/**
 * The time limit of a check in milliseconds. A longer check is aborted, because its snapshot prevents PostgreSQL from vacuuming old rows.
 */
const TIMEOUT_MS = 10 * 60_000
const RETRY_MS = 5 * 60_000

/** One pass verifies the ledger when the next check is due. */
export type LedgerCheck = Omit<BackgroundStep, 'run'> & {
  run(): Promise<number>
  /** Aborts a running check. */
  stop(): Promise<void>
}

/**
 * Creates a background step that verifies the whole ledger periodically. It uses its own connection and one PostgreSQL process, and has a
 * time limit.
 */
export function createLedgerCheck(
  deps: Pick<Deps, 'log' | 'realClock' | 'meter' | 'keyRing' | 'settings' | 'connections'>,
  { databaseUrl, applicationName, everyMs }: { databaseUrl: string; applicationName: string; everyMs: number },
): LedgerCheck {
  let dueAt = 0
  let giveUp = async () => {}

  async function verify(at: Date) {
    const sql = connect(databaseUrl, { max: 1, applicationName: `${applicationName} ledger` })
    const end = () => sql.end({ timeout: 0 })
    giveUp = end
    const begin = performance.now()
    try {
      const verification = await verifyLedger({ ...deps, sql }, { timeoutMs: TIMEOUT_MS, isGentle: true })
      const checks = verification.map(({ check, finding: { checked, offending } }) => ({
        check,
        checked,
        offending: offending.length,
      }))
      deps.meter.ledgerVerified({ at, seconds: (performance.now() - begin) / 1000, checks })
      const offending = verification.flatMap(({ finding }) => finding.offending)
      const platforms = [...new Set(offending.flatMap(({ platformId }) => platformId ?? []))]
      if (!isClean(verification))
        deps.log.error({ checks, platforms }, 'the ledger does not balance: run remit verify-ledger')
      await rememberVerification({ ...deps, sql }, verification)
    } finally {
      await end()
    }
  }

  return {
    name: 'verify the ledger',
    isWoken: false,
    run: async () => {
      const now = deps.realClock.now()
      if (now.getTime() < dueAt) return 0
      dueAt = now.getTime() + Math.min(RETRY_MS, everyMs)
      await verify(now)
      dueAt = now.getTime() + everyMs
      return 0
    },
    stop: () => giveUp(),
  }
}
