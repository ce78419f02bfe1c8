import type { TxDeps } from '../../../foundation/db/deps.ts'
import { recordBankCase } from '../../../foundation/exception/bank-case-actions.ts'
import {
  type CorrectedAccount,
  correctBank,
  findGivenAccount,
  readBankAccounts,
} from '../../../money/bank/bank-correction-actions.ts'
import { correctSavedAccounts } from '../../../money/directory/directory-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { findPayment } from '../payment-store.ts'
import { sendAccountCorrection } from './outbox-actions.ts'
import type { Message } from './outbox-store.ts'

type BankKey = { platformId: string; bankId: string }

/** The line of a file in which the bank reported the correction. */
export type CorrectionSource = { connectionId: string; fileId: string; fileName: string; line: number }

/**
 * Corrects an account as its bank requested. An account that a sender entered is corrected in all its payments and in the sender's saved
 * payees.
 *
 * @returns null, or the reason why that is impossible
 */
export async function correctAccount(deps: TxDeps, bank: BankKey, corrected: CorrectedAccount): Promise<string | null> {
  const why = await correctBank(deps, bank, corrected)
  if (why !== null) return why
  const account = await findGivenAccount(deps, bank)
  const { platformId } = bank
  const payment = account && (await findPayment(deps.sql, { platformId, paymentId: account.paymentId }))
  if (payment) await correctSavedAccounts(deps, { platformId, userId: payment.senderId }, account)
  return null
}

/**
 * Corrects the account of a leg. An account on another platform is corrected when that platform applies the message.
 *
 * @returns null, or the reason why that is impossible
 */
export async function correctAccountOfLeg(
  deps: TxDeps,
  {
    leg,
    bank,
    corrected,
    source,
  }: { leg: LegRow; bank: BankKey; corrected: CorrectedAccount; source: CorrectionSource | null },
): Promise<string | null> {
  if (bank.platformId === leg.platformId) return correctAccount(deps, bank, corrected)
  const correctedSealed = deps.keyRing.seal(JSON.stringify(corrected), 'bank account').toString('base64')
  await sendAccountCorrection(deps, { leg, bank, content: { correctedSealed, source } })
  return null
}

type CorrectionContent = { bankId: string; correctedSealed: string; source: CorrectionSource | null }

/** Applies a correction that another platform received for an account of this platform. An impossible correction becomes a case. */
export async function applyCorrectionFromOtherPlatform(deps: TxDeps, message: Message): Promise<void> {
  const { bankId, correctedSealed, source } = message.content as CorrectionContent
  const bank = { platformId: message.targetPlatformId, bankId }
  const text = deps.keyRing.openText(Buffer.from(correctedSealed, 'base64'), 'bank account')
  const why = await correctAccount(deps, bank, JSON.parse(text) as CorrectedAccount)
  if (why === null) return
  if (!source)
    return deps.log.warn({ bank: bankId, problem: why }, 'a correction of a bank account could not be applied')
  const present = (await readBankAccounts(deps, [bank])).get(bankId)?.account
  await recordBankCase(deps, {
    kind: 'correction_impossible',
    connectionId: source.connectionId,
    source: 'ach',
    file: { id: source.fileId, name: source.fileName },
    line: source.line,
    isBankWide: false,
    heldAccount: present ? { routingNumber: present.routingNumber, accountNumber: present.accountNumber } : null,
    note: `correction of bank ${bankId}: ${why}`,
    content: { lines: [], data: { corrected: JSON.parse(text) } },
  })
}
