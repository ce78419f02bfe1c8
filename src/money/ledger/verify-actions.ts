import { accountText } from '../../foundation/core/account-number.ts'
import { configuredAccounts } from '../../foundation/core/operator-account.ts'
import type { Sql } from '../../foundation/db/connect.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { inSavepoint } from '../../foundation/db/transaction.ts'
import { classifyDatabaseError } from '../../foundation/db/trouble.ts'
import { recordProof } from './ledger-proof-store.ts'
import { wrongBankAccounts, wrongBankDays, wrongFundings, wrongLegBookings, wrongLines } from './verify-bank-store.ts'
import { checksDepositedTwice, debitsOfOperator, invoicesPaidTwice, overpaidPayments } from './verify-payment-store.ts'
import {
  type Check,
  type Finding,
  limitEffort,
  readSnapshot,
  runCheck,
  unbalancedPlatforms,
  wrongCards,
  wrongClearing,
  wrongInvoiceRows,
  wrongInvoices,
  wrongPayments,
  wrongReceivables,
  wrongTransits,
  wrongWallets,
} from './verify-store.ts'

/** The invariants of the ledger and of the money that moved, in the order of the report (specification.md 8.1). */
const checks = {
  'debits equal credits': { table: 'transfers', violations: unbalancedPlatforms },
  'wallets hold what their transfers say, and never less than nothing': { table: 'wallets', violations: wrongWallets },
  'payments have the money movements of their status': { table: 'payments', violations: wrongPayments },
  'clearing accounts match legs in transit': { table: 'legs', violations: wrongClearing },
  'money between platforms arrived once, or is in transit': { table: 'outbox', violations: wrongTransits },
  'virtual cards hold what their transfers and transactions say': { table: 'virtual_cards', violations: wrongCards },
  'invoices have the payments that they name': { table: 'invoices', violations: wrongInvoices },
  'invoices between platforms are the same on both': { table: 'invoices', violations: wrongInvoiceRows },
  'receivables match returned debits, and users owe their sum': {
    table: 'user_counters',
    violations: wrongReceivables,
  },
  'no more left or came for a payment than its amount': { table: 'payments', violations: overpaidPayments },
  'invoices were paid once': { table: 'invoices', violations: invoicesPaidTwice },
  'scanned checks were deposited once': { table: 'scanned_checks', violations: checksDepositedTwice },
  'lines of bank statements are booked once': { table: 'statement_lines', violations: wrongLines },
  'lines book payments with their amounts, once': { table: 'legs', violations: wrongLegBookings },
  'bank accounts have the closing balance of each day': { table: 'bank_statements', violations: wrongBankDays },
  'wallets got what lines of bank statements paid into them': { table: 'line_postings', violations: wrongFundings },
  'bank accounts have what their statements say': { table: 'line_postings', violations: wrongBankAccounts },
} as const satisfies Record<string, Check>

export type Verification = { check: string; finding: Finding }[]

/**
 * Verifies the whole ledger in one snapshot. `isGentle`: whether other work takes precedence on the processors. `timeoutMs`: the time limit
 * of each check, or 0 for none.
 */
export const verifyLedger = (
  deps: Pick<Deps, 'sql' | 'keyRing' | 'settings' | 'connections'>,
  effort: { timeoutMs: number; isGentle: boolean } = { timeoutMs: 0, isGentle: false },
): Promise<Verification> =>
  deps.sql.begin(async (sql) => {
    await readSnapshot(sql)
    await limitEffort(sql, effort)
    const verification: Verification = []
    for (const [check, rule] of Object.entries(checks)) verification.push({ check, finding: await tryCheck(sql, rule) })
    const digests = digestsOfOperator(deps)
    if (digests.length > 0) {
      const finding = await tryCheck(sql, { table: 'legs', violations: (tx) => debitsOfOperator(tx, digests) })
      verification.push({ check: 'no debit goes to an account of the operator', finding })
    }
    return verification
  })

const digestsOfOperator = (deps: Pick<Deps, 'keyRing' | 'settings' | 'connections'>): Buffer[] =>
  configuredAccounts(deps).flatMap((account) => deps.keyRing.digests(accountText(account), 'bank account'))

/** Runs a check. If it fails because of its data, it counts as wrong, and the other checks still run. */
async function tryCheck(sql: Sql, check: Check): Promise<Finding> {
  try {
    return await inSavepoint(sql, () => runCheck(sql, check))
  } catch (error) {
    if (classifyDatabaseError(error) !== 'other') throw error
    return { checked: 0, offending: [{ problem: `the check failed: ${(error as Error).message}` }] }
  }
}

export const isClean = (verification: Verification): boolean =>
  verification.every(({ finding }) => finding.offending.length === 0)

/** Records when the ledger was verified, for `remit doctor`. */
export const rememberVerification = (
  { sql, realClock }: Pick<Deps, 'sql' | 'realClock'>,
  verification: Verification,
): Promise<void> => recordProof(sql, { at: realClock.now(), isClean: isClean(verification) })
