import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import { findCasesOfAccount } from '../../foundation/exception/bank-case-actions.ts'
import type { HeldAccount } from '../../foundation/exception/bank-case-rules.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { lockUser } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { LegHandlers } from '../rail/leg-actions.ts'
import { settleBankCase } from '../rail/leg-release-actions.ts'
import type { ReturnCode } from '../rail/return-code-rules.ts'
import { type Bank, getBanks } from './bank-actions.ts'
import { findBankBlockCode, readNumbersOfAccount } from './bank-block-actions.ts'
import { deleteAccountBlocks, findReturnedAccount } from './bank-block-store.ts'
import { type CorrectedAccount, type correctBank, readBankAccounts } from './bank-correction-actions.ts'

// Decisions of the operator about banks, made on the command line.

/** A bank as the operator sees it. `block` is the return code that blocks its account, or null. */
export type BankState = Bank & { block: ReturnCode | null }

export async function getBankStates(deps: TxDeps, user: UserKey): Promise<BankState[]> {
  const banks = await getBanks(deps, user)
  return Promise.all(
    banks.map(async (bank) => ({
      ...bank,
      block: await findBankBlockCode(deps, { ...bank, bankId: bank.id }, 'debit'),
    })),
  )
}

/**
 * Removes the block of a bank's account, for all users if the block is platform-wide. The bank may be deleted. It stays DEPOSIT_ONLY until
 * its holder verifies it again.
 *
 * @throws StartProblem if the platform has no such bank, or it is not blocked
 */
export async function unblockBank(
  deps: TxDeps,
  { platformId, bankId, note }: { platformId: string; bankId: string; note: string },
): Promise<ReturnCode[]> {
  const account = isId(bankId) ? await findReturnedAccount(deps.sql, { platformId, bankId }) : null
  if (!account)
    throw new StartProblem(`This platform has no bank with the id ${bankId}. Run "remit bank list" to see the ids.`)
  await lockUser(deps, account)
  const numbers = await readNumbersOfAccount(deps, account)
  const accountDigests = numbers.map(({ accountDigest }) => accountDigest)
  const codes = await deleteAccountBlocks(deps.sql, { ...account, accountDigests })
  if (codes.length === 0) throw new StartProblem('The account of this bank is not blocked.')
  const operator = { platformId, userId: null, credential: { kind: 'operator' }, origin: null } as const
  await recordAudit(deps, operator, 'bank_unblocked', `${bankId} ${codes.join(' ')}: ${note}`)
  return codes
}

/**
 * Corrects an account at the operator's request, with the same checks as a notification of change. Closes the open cases that hold its
 * debits, and releases the payments that nothing else holds.
 *
 * @returns the number of closed cases
 * @throws StartProblem if the platform has no such bank, or the account cannot be corrected
 */
export async function correctBankByHand(
  deps: TxDeps,
  handlers: LegHandlers,
  {
    platformId,
    bankId,
    note,
    corrected,
    correct,
  }: { platformId: string; bankId: string; note: string; corrected: CorrectedAccount; correct: typeof correctBank },
): Promise<number> {
  const former = isId(bankId) ? await heldAccountOf(deps, { platformId, bankId }) : null
  if (!former)
    throw new StartProblem(`This platform has no bank with the id ${bankId}. Run "remit bank list" to see the ids.`)
  const why = await correct(deps, { platformId, bankId }, corrected)
  if (why !== null) throw new StartProblem(`The account was not corrected: ${why}.`)
  const operator = { platformId, userId: null, credential: { kind: 'operator' }, origin: null } as const
  await recordAudit(deps, operator, 'bank_corrected', `${bankId} by the operator: ${note}`)
  const cases = await findCasesOfAccount(deps, former)
  const resolution = `The account was corrected: ${note}`
  for (const row of cases) await settleBankCase(deps, handlers, { row, resolution, by: 'operator' })
  return cases.length
}

async function heldAccountOf(deps: TxDeps, bank: { platformId: string; bankId: string }): Promise<HeldAccount | null> {
  const found = (await readBankAccounts(deps, [bank])).get(bank.bankId)
  return found ? { routingNumber: found.account.routingNumber, accountNumber: found.account.accountNumber } : null
}
