import type { TxDeps } from '../db/deps.ts'
import type { HeldAccount } from './bank-case-rules.ts'
import { holdsAnyLeg, listHoldingCases } from './bank-case-store.ts'

/** The connections and accounts that open cases hold. */
export type BankHolds = {
  /**
   * The connections whose bank is held. For these, no debit becomes trusted, no file is accepted without an
   * acknowledgment, and no check expires, because a file with a problem may be missing.
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
