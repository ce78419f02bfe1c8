import type { TxDeps } from '../db/deps.ts'
import type { HeldAccount } from './bank-case-rules.ts'
import { holdsAnyLeg, listHoldingCases } from './bank-case-store.ts'

/** The connections and accounts that open cases hold. */
export type BankHolds = {
  /**
   * The connections whose bank is held. There, everything that relies on the silence of the bank waits: trusting debits, accepting files
   * without an acknowledgment, and the expiry of checks.
   */
  connectionIds: ReadonlySet<string>
  /** The accounts that no debit may go to. */
  accounts: readonly HeldAccount[]
}

/**
 * Reads the connections and accounts that open cases hold. Must run in the transaction that trusts or debits, or that lets checks expire.
 */
export async function readBankHolds({ sql, keyRing }: Pick<TxDeps, 'sql' | 'keyRing'>): Promise<BankHolds> {
  const cases = await listHoldingCases(sql)
  return {
    connectionIds: new Set(cases.flatMap(({ isBankWide, connectionId }) => (isBankWide ? [connectionId] : []))),
    accounts: cases.flatMap(({ accountSealed }) =>
      accountSealed ? [JSON.parse(keyRing.openText(accountSealed, 'bank case')) as HeldAccount] : [],
    ),
  }
}

/** Returns whether an open case holds one of these legs. If so, none of them may move. */
export const isAnyLegHeld = ({ sql }: Pick<TxDeps, 'sql'>, legIds: readonly string[]): Promise<boolean> =>
  holdsAnyLeg(sql, legIds)
