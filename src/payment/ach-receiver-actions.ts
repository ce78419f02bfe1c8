import { bankAccountsOf, correctBank } from '../bank/bank-actions.ts'
import type { TxDeps } from '../db/deps.ts'
import type { AchReceiver, Corrected } from '../nacha/ach-file-actions.ts'
import type { LegRow } from '../rail/leg-store.ts'
import { type AchReceiverRow, listAchReceivers } from './ach-receiver-store.ts'

/** Who receives the entries of legs, or is debited by them, by the id of the leg. */
export async function receiversOf(deps: TxDeps, legs: readonly LegRow[]): Promise<Map<string, AchReceiver>> {
  const bankIds = new Map(legs.map(({ id, accountId }) => [id, accountId]))
  const rows = (await listAchReceivers(deps.sql, legs)).flatMap((row) => {
    const bankId = bankIds.get(row.legId)
    return bankId ? [{ ...row, bankId }] : []
  })
  const accounts = await bankAccountsOf(
    deps,
    rows.map(({ bankPlatformId, bankId }) => ({ platformId: bankPlatformId, bankId })),
  )
  return new Map(
    rows.flatMap((row) => {
      const bank = accounts.get(row.bankId)
      return bank ? [[row.legId, receiverOf(row, bank)]] : []
    }),
  )
}

/** Of a micro-deposit the bank's id stands for the number that a payment has. */
const receiverOf = (
  { name, number, description, bankId }: AchReceiverRow & { bankId: string },
  { account, isBusiness }: { account: AchReceiver['account']; isBusiness: boolean },
): AchReceiver => ({
  account,
  holder: isBusiness ? 'business' : 'consumer',
  receiverId: number ?? bankId.slice(-15),
  receiverName: name,
  remittance: description || null,
})

/** Corrects the bank of a leg. @returns null, or why it cannot be */
export async function correctBankOfLeg(deps: TxDeps, leg: LegRow, corrected: Corrected): Promise<string | null> {
  const [row] = await listAchReceivers(deps.sql, [leg])
  if (!row || leg.accountId === null) return 'the bank account cannot be found'
  return correctBank(deps, { platformId: row.bankPlatformId, bankId: leg.accountId }, corrected)
}
