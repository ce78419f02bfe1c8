import type { TxDeps } from '../db/deps.ts'
import type { HeldAccount } from './bank-case-rules.ts'
import { holdsAnyLeg, listHoldingCases } from './bank-case-store.ts'

/** What open cases of the bank hold. */
export type BankHolds = {
  /** No debit is trusted, no file is accepted by silence, and no check that is out expires. */
  isBankHeld: boolean
  /** No debit goes to one of these accounts. */
  accounts: readonly HeldAccount[]
}

/** The one question what open cases hold. Ask it in the transaction that would trust, expire or debit. */
export async function readBankHolds({ sql, keyRing }: Pick<TxDeps, 'sql' | 'keyRing'>): Promise<BankHolds> {
  const cases = await listHoldingCases(sql)
  return {
    isBankHeld: cases.some(({ isBankWide }) => isBankWide),
    accounts: cases.flatMap(({ accountSealed }) =>
      accountSealed ? [JSON.parse(keyRing.openText(accountSealed, 'bank case')) as HeldAccount] : [],
    ),
  }
}

/** Whether an open case is about one of some legs, so that none of them moves. */
export const isAnyLegHeld = ({ sql }: Pick<TxDeps, 'sql'>, legIds: readonly string[]): Promise<boolean> =>
  holdsAnyLeg(sql, legIds)
