import type { TxDeps } from '../db/deps.ts'
import type { HeldAccount } from './bank-case-rules.ts'
import { holdsAnyLeg, listHoldingCases } from './bank-case-store.ts'

/** What the open cases hold. */
export type BankHolds = {
  /**
   * The connections whose bank is held: everything that relies on its silence waits. That is trusting debits, accepting files without
   * acknowledgement, and the expiry of checks.
   */
  connectionIds: ReadonlySet<string>
  /** The accounts that no debit may go to. */
  accounts: readonly HeldAccount[]
}

/** Reads what the open cases hold. Must run in the transaction that trusts, expires or debits. */
export async function readBankHolds({ sql, keyRing }: Pick<TxDeps, 'sql' | 'keyRing'>): Promise<BankHolds> {
  const cases = await listHoldingCases(sql)
  return {
    connectionIds: new Set(cases.flatMap(({ isBankWide, connectionId }) => (isBankWide ? [connectionId] : []))),
    accounts: cases.flatMap(({ accountSealed }) =>
      accountSealed ? [JSON.parse(keyRing.openText(accountSealed, 'bank case')) as HeldAccount] : [],
    ),
  }
}

/** Whether an open case holds one of these legs. If so, none of them may move. */
export const isAnyLegHeld = ({ sql }: Pick<TxDeps, 'sql'>, legIds: readonly string[]): Promise<boolean> =>
  holdsAnyLeg(sql, legIds)
