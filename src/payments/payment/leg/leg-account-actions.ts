import type { TxDeps } from '../../../foundation/db/deps.ts'
import { checkEntryAccount } from '../../../money/bank/bank-block-actions.ts'
import type { AccountCheck } from '../../../money/rail/leg-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { findMagicOutcome, MAGIC_CORRECTED_ACCOUNT } from '../../../money/rail/magic-rules.ts'
import { correctAccountOfLeg } from '../outbox/account-correction-actions.ts'
import type { PaymentRow } from '../payment-types.ts'

/** Returns the bank that a leg debits or credits, or null for paper and other accounts. */
export const bankOf = (payment: PaymentRow, leg: LegRow) =>
  leg.accountId === null ? null : { platformId: platformOfAccount(payment, leg), bankId: leg.accountId }

/**
 * Returns the platform of a leg's account. The recipient's bank is on the recipient's platform, unless the recipient entered it on the page
 * of a link.
 */
const platformOfAccount = (payment: PaymentRow, { purpose, platformId }: LegRow): string =>
  (purpose === 'payment_push' ? (payment.destinationPlatformId ?? payment.recipientPlatformId) : null) ?? platformId

/** Simulates a notification of change from the bank of a magic account number. */
export async function correctMagicBank(deps: TxDeps, payment: PaymentRow, leg: LegRow): Promise<void> {
  const bank = { platformId: platformOfAccount(payment, leg), bankId: leg.accountId as string }
  await correctAccountOfLeg(deps, { leg, bank, corrected: { accountNumber: MAGIC_CORRECTED_ACCOUNT }, source: null })
}

/** Checks the account of a leg that is about to be sent. */
export async function checkAccount(deps: TxDeps, payment: PaymentRow, leg: LegRow): Promise<AccountCheck> {
  const bank = bankOf(payment, leg)
  const isPull = leg.purpose === 'payment_pull'
  // The drawer of a scanned check has no user, and signed the check.
  const holderId = isPull && payment.kind !== 'SCANNED' ? leg.userId : null
  const magicOf = (accountNumber: string | null) =>
    leg.purpose === 'payment_refund' ? null : findMagicOutcome({ ...leg, accountNumber })
  if (!bank) return { refusal: isPull ? 'R901' : null, magicOutcome: () => magicOf(null) }
  const { refusal, accountNumber } = await checkEntryAccount(deps, { ...bank, entry: leg.direction, holderId })
  return { refusal, magicOutcome: () => magicOf(accountNumber()) }
}
