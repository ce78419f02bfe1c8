import type { TxDeps } from '../../../foundation/db/deps.ts'
import type { AchReceiver, Corrected } from '../../../money/ach/file/ach-file-actions.ts'
import { readBankAccounts } from '../../../money/bank/bank-correction-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { type CorrectionSource, correctAccountOfLeg } from '../outbox/account-correction-actions.ts'
import { type AchReceiverRow, listAchReceivers, listRetriedPayments } from './ach-receiver-store.ts'

/** Returns the receivers of the legs' ACH entries, by leg id. The receiver of a debit entry is the account holder who pays. */
export async function receiversOf(deps: TxDeps, legs: readonly LegRow[]): Promise<Map<string, AchReceiver>> {
  const byId = new Map(legs.map((leg) => [leg.id, leg]))
  const pulls = legs.filter(({ purpose }) => purpose === 'payment_pull')
  const retried = new Set(await listRetriedPayments(deps.sql, pulls))
  const rows = (await listAchReceivers(deps.sql, legs)).flatMap((row) => {
    const leg = byId.get(row.legId)
    const isRetry = leg?.purpose === 'payment_pull' && retried.has(leg.subjectId)
    return leg?.accountId ? [{ ...row, bankId: leg.accountId, isRetry }] : []
  })
  const accounts = await readBankAccounts(
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

/** Returns the receiver of an entry. A micro-deposit has no payment number, so the bank's id is used. */
const receiverOf = (
  { name, number, description, isCheck, isRetry, bankId }: AchReceiverRow & { bankId: string; isRetry: boolean },
  { account, isBusiness, correctedAt }: Pick<AchReceiver, 'account' | 'correctedAt'> & { isBusiness: boolean },
): AchReceiver => ({
  account,
  isCheck,
  holder: isBusiness ? 'business' : 'consumer',
  receiverId: number ?? bankId.slice(-15),
  receiverName: name,
  remittance: description || null,
  isRetry,
  correctedAt,
})

/** Corrects the bank of a leg. @returns null, or the reason why that is impossible */
export async function correctBankOfLeg(
  deps: TxDeps,
  leg: LegRow,
  { corrected, source }: { corrected: Corrected; source: CorrectionSource },
): Promise<string | null> {
  const [row] = await listAchReceivers(deps.sql, [leg])
  if (!row || leg.accountId === null) return 'the bank account cannot be found'
  const bank = { platformId: row.bankPlatformId, bankId: leg.accountId }
  return correctAccountOfLeg(deps, { leg, bank, corrected, source })
}
