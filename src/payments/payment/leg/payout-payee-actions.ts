import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { findPayoutAccount, keepCardToken } from '../../../money/destination/payout-account-actions.ts'
import type { PayeeOfLeg, PayoutHooks } from '../../../money/payout/payout-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import type { ReturnCode } from '../../../money/rail/return-code-rules.ts'
import { findPayoutPayee } from './payout-payee-store.ts'

/** Returns the person whom a leg pays over a processor, with the purpose. Returns a return code if the account cannot be paid. */
async function payeeOf(tx: TxDeps, leg: LegRow, connectionId: string): Promise<PayeeOfLeg | ReturnCode> {
  const row = await findPayoutPayee(tx.sql, leg)
  if (!row || leg.accountId === null) return NO_ACCOUNT
  const account = await findPayoutAccount(tx, { platformId: row.accountPlatformId, id: leg.accountId, connectionId })
  if (account === null) return leg.rail === 'INSTANT' ? NO_CARD : NO_ACCOUNT
  return { payee: { name: row.name, account }, description: row.description }
}

const NO_ACCOUNT = 'AC03'
const NO_CARD = '04'

async function keepToken(deps: Deps, leg: LegRow, card: { connectionId: string; token: string }): Promise<void> {
  const row = await findPayoutPayee(deps.sql, leg)
  if (row && leg.accountId) await keepCardToken(deps, { platformId: row.accountPlatformId, id: leg.accountId, ...card })
}

export const payeeHooks: Omit<PayoutHooks, 'handlers'> = { payeeOf, keepToken }
