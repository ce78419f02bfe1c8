import { type Actor, recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { type BankRow, chooseBank, findBank } from './bank-store.ts'

/** Sets the default and the billing bank of a user by id (`PUT /v3/user`). @throws ApiError bank_not_found */
export async function chooseBanks(
  deps: TxDeps,
  user: Caller,
  chosen: { default?: string; billing?: string },
): Promise<void> {
  if (chosen.default !== undefined) await choose(deps, user, { bankId: chosen.default, field: 'default' })
  if (chosen.billing !== undefined) await choose(deps, user, { bankId: chosen.billing, field: 'billing' })
}

async function choose(
  deps: TxDeps,
  caller: Caller,
  { bankId, field }: { bankId: string; field: 'default' | 'billing' },
): Promise<void> {
  const bank = await findBank(deps.sql, { platformId: caller.platformId, bankId })
  if (bank?.userId !== caller.userId) {
    throw new ApiError('bank_not_found', { fields: { [`bank.${field}`]: ['is not a bank account of this user'] } })
  }
  await chooseAudited(deps, caller, bank, field)
}

/** Makes a bank the default or billing bank. Adds an audit entry if that is a change. */
export async function chooseAudited(
  deps: TxDeps,
  by: Actor,
  bank: BankRow,
  choice: 'default' | 'billing',
): Promise<void> {
  const isChosen = choice === 'default' ? bank.isDefault : bank.isBilling
  if (isChosen) return
  await chooseBank(deps.sql, bank, `is_${choice}`)
  await recordAudit(deps, by, `bank_${choice}_changed`, bank.id)
}
