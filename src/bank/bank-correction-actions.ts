import { recordAudit } from '../audit/audit-actions.ts'
import type { NachaAccount } from '../core/environment.ts'
import type { TxDeps } from '../db/deps.ts'
import { clockOf } from '../db/platform-clock.ts'
import { lockUser } from '../user/user-lock-actions.ts'
import { recordStatusEvent } from '../webhook/event/event-actions.ts'
import { accountDigestOf } from './bank-account-actions.ts'
import { blockOfAccount } from './bank-block-actions.ts'
import { isAbaRoutingNumber } from './bank-status.ts'
import {
  type BankAccountRow,
  type BankRow,
  findAccountSealed,
  findBank,
  listBankAccounts,
  listBanks,
  updateBankAccount,
} from './bank-store.ts'

/** The fields of an account that are wrong, as they should be. */
export type CorrectedAccount = {
  routingNumber?: string
  accountNumber?: string
  accountKind?: NachaAccount['kind']
}

/** The account number of a bank, deleted or not: money in transit still goes there. Null if the bank does not exist. */
export async function bankAccountNumber(
  deps: Pick<TxDeps, 'sql' | 'keyRing'>,
  bank: { platformId: string; bankId: string },
): Promise<string | null> {
  const sealed = await findAccountSealed(deps.sql, bank)
  return sealed && deps.keyRing.openText(sealed, 'bank account')
}

/**
 * The accounts for ACH entries by bank id, including deleted banks. A bank whose number cannot be decrypted is
 * missing.
 */
export async function bankAccountsOf(
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'log'>,
  banks: readonly { platformId: string; bankId: string }[],
): Promise<Map<string, { account: NachaAccount; isBusiness: boolean }>> {
  const rows = await listBankAccounts(deps.sql, banks)
  return new Map(
    rows.flatMap((row) => {
      try {
        return [[row.id, { account: nachaAccountOf(deps, row), isBusiness: row.type === 'BUSINESS' }]]
      } catch (err) {
        deps.log.error({ err, bank: row.id }, 'account number cannot be decrypted')
        return []
      }
    }),
  )
}

const nachaAccountOf = (
  { keyRing }: Pick<TxDeps, 'keyRing'>,
  { routing, accountSealed, type }: BankAccountRow,
): NachaAccount => ({
  routingNumber: routing,
  accountNumber: keyRing.openText(accountSealed, 'bank account'),
  kind: type === 'SAVINGS' ? 'savings' : 'checking',
})

/**
 * Applies a correction that a bank reported for an account: future entries go there. The verification status is
 * unchanged.
 *
 * @returns null, or why it cannot be applied, without the number
 */
export async function correctBank(
  deps: TxDeps,
  { platformId, bankId }: { platformId: string; bankId: string },
  corrected: CorrectedAccount,
): Promise<string | null> {
  const found = await findBank(deps.sql, { platformId, bankId })
  if (!found) return 'the bank account was deleted'
  await lockUser(deps, found)
  const bank = await findBank(deps.sql, { platformId, bankId })
  if (!bank) return 'the bank account was deleted'
  const routing = corrected.routingNumber ?? bank.routing
  const account =
    corrected.accountNumber?.replaceAll(/[ -]/g, '') ?? deps.keyRing.openText(bank.accountSealed, 'bank account')
  if (!isAbaRoutingNumber(routing)) return 'the corrected routing number has a wrong check digit'
  if (!/^\d{4,17}$/.test(account)) return 'the corrected account number is not 4 to 17 digits'
  if (bank.type === 'BUSINESS' && corrected.accountKind === 'savings') return 'a business account cannot be for savings'
  const accountDigest = await accountDigestOf(deps, { platformId, routing, account })
  const banks = await listBanks(deps.sql, bank)
  if (banks.some(({ id, accountDigest: other }) => id !== bank.id && other.equals(accountDigest))) {
    return 'the user has the corrected account as another bank'
  }
  const type = bank.type === 'BUSINESS' || !corrected.accountKind ? bank.type : bankTypes[corrected.accountKind]
  const isSameAccount = account === deps.keyRing.openText(bank.accountSealed, 'bank account')
  const changes = [
    ...(routing === bank.routing ? [] : ['routing number']),
    ...(isSameAccount ? [] : ['account number']),
    ...(type === bank.type ? [] : ['type']),
  ]
  if (changes.length === 0) return null // banks repeat a notification for each entry until they see the correction
  const block = await blockOfAccount(deps, { ...bank, accountDigest })
  if (block) return `the corrected account is blocked (${block})`
  const accountSealed = deps.keyRing.seal(account, 'bank account')
  const correctedAt = isSameAccount && routing === bank.routing ? null : deps.clock.now()
  await updateBankAccount(deps.sql, bank, { routing, accountSealed, accountDigest, type, correctedAt })
  await reportCorrection(deps, bank, changes)
  return null
}

/** Writes an audit entry and a webhook event about the change. Neither contains a number. */
async function reportCorrection(
  deps: TxDeps,
  { platformId, userId, id, status }: BankRow,
  changes: readonly string[],
): Promise<void> {
  const actor = { platformId, userId, credential: { kind: 'service' }, origin: null } as const
  await recordAudit(deps, actor, 'bank_corrected', `${id}: ${changes.join(', ')}`)
  const there = { ...deps, clock: await clockOf(deps, platformId) }
  await recordStatusEvent(there, { platformId, type: 'BANK', id, status })
}

const bankTypes = { checking: 'CHECKING', savings: 'SAVINGS' } as const satisfies Record<
  NachaAccount['kind'],
  BankRow['type']
>
