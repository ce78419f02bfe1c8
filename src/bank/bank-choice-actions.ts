import type { TxDeps } from '../db/deps.ts'
import { ApiError } from '../lib/errors.ts'
import type { UserKey } from '../user/user-store.ts'
import { chooseBank, findBank } from './bank-store.ts'

/** Chooses the default and the billing bank of a user by id (`PUT /v3/user`). @throws ApiError bank_not_found */
export async function chooseBanks(
  deps: TxDeps,
  user: UserKey,
  chosen: { default?: string; billing?: string },
): Promise<void> {
  if (chosen.default !== undefined) await choose(deps, user, { bankId: chosen.default, field: 'default' })
  if (chosen.billing !== undefined) await choose(deps, user, { bankId: chosen.billing, field: 'billing' })
}

async function choose(
  deps: TxDeps,
  { platformId, userId }: UserKey,
  { bankId, field }: { bankId: string; field: 'default' | 'billing' },
): Promise<void> {
  const bank = await findBank(deps.sql, { platformId, bankId })
  if (bank?.userId !== userId) {
    throw new ApiError('bank_not_found', { fields: { [`bank.${field}`]: ['is not a bank of this user'] } })
  }
  await chooseBank(deps.sql, bank, field === 'default' ? 'is_default' : 'is_billing')
}
