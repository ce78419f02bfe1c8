import { accountText, configuredAccounts } from '../../foundation/core/account-number.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { inSavepoint } from '../../foundation/db/transaction.ts'
import { troubleOf } from '../../foundation/db/trouble.ts'
import {
  checkInvoicesPaidOnce,
  checkOperatorAccounts,
  checkPaidOnce,
  checkScannedOnce,
} from './verify-payment-store.ts'
import {
  checkCards,
  checkClearing,
  checkDebitsEqualCredits,
  checkInvoices,
  checkOtherPlatforms,
  checkPayments,
  checkReceivables,
  checkWallets,
  type Finding,
  limitEffort,
  readSnapshot,
} from './verify-store.ts'

/** The invariants of the ledger and of the money that moved, in the order of the report (specification.md 8.1). */
const checks = {
  'debits equal credits': checkDebitsEqualCredits,
  'wallets hold what their transfers say, and never less than nothing': checkWallets,
  'payments have what their status says': checkPayments,
  'clearing accounts are explained by legs on their way': checkClearing,
  'money between platforms arrived once, or is on its way': checkOtherPlatforms,
  'virtual cards hold what their transfers and transactions say': checkCards,
  'invoices have the payments that they name': checkInvoices,
  'receivables are explained by debits that came back, and users owe their sum': checkReceivables,
  'no more left or came for a payment than its amount': checkPaidOnce,
  'invoices were paid once': checkInvoicesPaidOnce,
  'scanned checks were deposited once': checkScannedOnce,
} as const

export type Verification = { check: string; finding: Finding }[]

/**
 * Verifies the whole ledger in one snapshot. `isGentle`: leaves processors to other work. `timeoutMs`: the time limit of each check, or 0
 * for none.
 */
export const verifyLedger = (
  deps: Pick<Deps, 'sql' | 'keyRing' | 'settings'>,
  effort: { timeoutMs: number; isGentle: boolean } = { timeoutMs: 0, isGentle: false },
): Promise<Verification> =>
  deps.sql.begin(async (sql) => {
    await readSnapshot(sql)
    await limitEffort(sql, effort)
    const verification: Verification = []
    for (const [check, run] of Object.entries(checks)) verification.push({ check, finding: await tryCheck(sql, run) })
    const digests = digestsOfOperator(deps)
    if (digests.length > 0) {
      const finding = await tryCheck(sql, (tx) => checkOperatorAccounts(tx, digests))
      verification.push({ check: 'no debit goes to an account of the operator', finding })
    }
    return verification
  })

const digestsOfOperator = ({ keyRing, settings }: Pick<Deps, 'keyRing' | 'settings'>): Buffer[] =>
  configuredAccounts(settings).flatMap((account) => keyRing.digests(accountText(account), 'bank account'))

/** Runs a check. If it fails because of its data, it counts as wrong, and the other checks still run. */
async function tryCheck(sql: Sql, run: (sql: Sql) => Promise<Finding>): Promise<Finding> {
  try {
    return await inSavepoint(sql, () => run(sql))
  } catch (error) {
    if (troubleOf(error) !== 'other') throw error
    return { checked: 0, offending: [{ problem: `the check failed: ${(error as Error).message}` }] }
  }
}

export const isClean = (verification: Verification): boolean =>
  verification.every(({ finding }) => finding.offending.length === 0)
