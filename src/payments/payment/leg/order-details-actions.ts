import type { TxDeps } from '../../../foundation/db/deps.ts'
import { readBankAccounts } from '../../../money/bank/bank-correction-actions.ts'
import type { OrderDetails } from '../../../money/iso20022/order/order-rules.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { type AchReceiverRow, listAchReceivers } from './ach-receiver-store.ts'

/** The payees and the texts of the legs' orders, by leg id. */
export async function orderDetailsOf(deps: TxDeps, legs: readonly LegRow[]): Promise<Map<string, OrderDetails>> {
  const accountIds = new Map(legs.map(({ id, accountId }) => [id, accountId]))
  const rows = (await listAchReceivers(deps.sql, legs)).flatMap((row) => {
    const accountId = accountIds.get(row.legId)
    return accountId ? [{ ...row, accountId }] : []
  })
  const banks = await readBankAccounts(
    deps,
    rows.map(({ bankPlatformId, accountId }) => ({ platformId: bankPlatformId, bankId: accountId })),
  )
  return new Map(
    rows.flatMap((row) => {
      const bank = banks.get(row.accountId)
      return bank ? [[row.legId, detailsOf(row, bank.account)]] : []
    }),
  )
}

const detailsOf = (
  { name, description }: AchReceiverRow,
  { routingNumber, accountNumber }: { routingNumber: string; accountNumber: string },
): OrderDetails => ({
  ultimateDebtor: null,
  creditor: { name, address: null, account: { number: accountNumber } },
  creditorBank: { bic: null, clearingNumber: routingNumber, name: null, address: null },
  ...textsOf(description),
})

/** The letters of a memo that a bank carries. */
const MEMO_LENGTH = 140

const textsOf = (description: string | null) => {
  const memo = description ? [...description].slice(0, MEMO_LENGTH).join('') : null
  return { memo, regulatoryText: memo }
}
